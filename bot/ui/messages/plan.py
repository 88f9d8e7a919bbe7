"""The actions on Discord that bring a table's messages up to date. Pure.

`plan` compares what should be shown (`Desired`), what is recorded (`LiveMessage`), and what is known about Discord
(`Seen`). `tests/ui/test_plan.py` has a table of cases that reads as the specification.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from typing import Final

import msgspec

from bot.tables import Kind, LiveMessage, Slot, Stage, slot_of
from bot.ui.posts.post import Post

MAX_AGE_S: Final = 50 * 60
"""A board older than this is posted again: Discord limits edits of messages older than an hour (30046)."""


class Urgency(Enum):
    """When a message has to be edited after its content has changed."""

    PROMPT = auto()
    """Now: it offers its user something that ends with the turn, a move or an undo."""
    NOW = auto()
    LATER = auto()
    """With its user's next prompt. A prompt that others have ended is removed at `Wanted.tidy_at` at the latest."""
    AFTER_TRICK = auto()
    """As `LATER`, but at `Wanted.tidy_at` even without an old prompt, unless the budget of requests is tight."""


class Wanted(msgspec.Struct, frozen=True):
    """A message as it should be now.

    Parameters
    ----------
    user_id: Whose hand it is or who asks; ``None`` for the board.
    content: A digest of what it should show.
    deal: The deal that a hand or a score belongs to; each deal has messages of its own.
    post: What it should show.
    urgency: When a change has to be shown.
    since: The oldest version of the table whose buttons still work for the user.
    tidy_at: When a hand that can wait is edited, as `Urgency` says, in seconds since 1970.
    mentions: The users whom it pings when it is first posted.
    roles: The roles that it mentions when it is first posted.
    is_final: Whether the message stays away once somebody deletes it, such as the board of a table that has ended.
    """

    kind: Kind
    content: str
    user_id: int | None = None
    deal: int | None = None
    post: Post = Post(())
    urgency: Urgency = Urgency.NOW
    since: int = 0
    tidy_at: float = 0.0
    mentions: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()
    is_final: bool = False

    @property
    def slot(self) -> Slot:
        """The slot of the message: it replaces the live one there."""
        return slot_of(self.kind, self.user_id, self.deal)


class Desired(msgspec.Struct, frozen=True):
    """The desired messages of a table in one place: its channel, or a player's direct messages.

    Parameters
    ----------
    turn: The users who owe a move.
    ping_at: From when on each of them may be pinged, in seconds since 1970. Users missing there get no ping.
    deal: The deal in play, ``None`` if there is none. Recorded scores of it, or of later ones, were taken back.
    """

    messages: tuple[Wanted, ...] = ()
    turn: tuple[int, ...] = ()
    ping_at: Mapping[int, float] = {}
    deal: int | None = None


class Seen(msgspec.Struct, frozen=True):
    """The facts about Discord that a plan depends on.

    Parameters
    ----------
    now: Seconds since 1970.
    last_foreign_id: The newest message in the channel that isn't the bot's; 0 if there is none.
    turn: The users to move when the board was last brought up to date, as far as this process knows.
    can_post: Whether Discord may accept a new message: it has refused none in this attempt.
    lost: Messages that were deleted, or that Discord doesn't let the bot edit any more.
    missing: Nonces of noted messages that were looked for and not found.
    is_tight: Whether the request budget is tight. Cosmetic edits wait then.
    """

    now: float
    last_foreign_id: int = 0
    turn: frozenset[int] = frozenset()
    can_post: bool = True
    lost: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()
    is_tight: bool = False


class Find(msgspec.Struct, frozen=True):
    """Look for a noted message on Discord: it may have been posted before a crash, or its answer got lost."""

    message: LiveMessage


class Create(msgspec.Struct, frozen=True):
    """Post a message; the live one of its slot retires. ``mentions`` are the users it pings.

    If a noted message of the slot isn't on Discord, its nonce is used again, so that Discord can't post it twice.
    """

    wanted: Wanted
    mentions: tuple[int, ...] = ()
    notified: tuple[int, ...] = ()


class Edit(msgspec.Struct, frozen=True):
    """Edit a live message, or make a replaced board a score."""

    message: LiveMessage
    wanted: Wanted
    notified: tuple[int, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """Record which users have been notified of their turn; nothing changes on Discord."""

    message: LiveMessage
    notified: tuple[int, ...]


class Remove(msgspec.Struct, frozen=True):
    """Take a message out of play on Discord, then forget it. A noted one was never posted."""

    message: LiveMessage


Action = Find | Create | Edit | Mark | Remove


def in_slot(recorded: Iterable[LiveMessage], slot: Slot, stage: Stage = Stage.LIVE) -> LiveMessage | None:
    """Return the message of a slot that is in this stage."""
    return next((message for message in recorded if message.slot == slot and message.stage is stage), None)


def plan(desired: Desired, recorded: Sequence[LiveMessage], seen: Seen) -> Sequence[Action]:
    """Return the actions that are needed next, in order; none if all is as it should be.

    Searches come first, as other actions depend on what they find, and what is left over goes last.
    """
    return (
        [Find(message) for message in recorded if message.stage is Stage.NOTED and message.nonce not in seen.missing]
        or [*_ended_turns(desired, recorded, seen)]
        or [action for wanted in desired.messages for action in _shown(wanted, desired, recorded, seen)]
        or [*_leftovers(desired, recorded)]
    )


def _shown(wanted: Wanted, desired: Desired, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """Return the actions that show a message."""
    match wanted.kind:
        case Kind.SCORE:
            return _score(wanted, recorded, seen)
        case Kind.BOARD:
            return _board(wanted, desired, recorded, seen)
        case _:
            return _other(wanted, recorded, seen)


def next_due(desired: Desired, recorded: Sequence[LiveMessage], now: float) -> float | None:
    """Return when the next ping becomes due, or a hand that can wait; ``None`` if neither will."""
    known = notified(recorded)
    pings = (at for user, at in desired.ping_at.items() if user not in known)
    hands = (
        wanted.tidy_at
        for wanted in desired.messages
        if (live := in_slot(recorded, wanted.slot)) and _is_behind(live, wanted, wanted.tidy_at)
    )
    return min((at for at in (*pings, *hands) if at > now), default=None)


# ---- boards and pings


def _board(wanted: Wanted, desired: Desired, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """Keep the board at the bottom of the conversation while its turn passes; ping each user once a turn.

    It can't stay where it is when it is old, above a score, or above what people wrote in other turns.
    """
    live = in_slot(recorded, wanted.slot)
    known = notified(recorded)
    due = {user for user, at in desired.ping_at.items() if seen.can_post and at <= seen.now}
    pinged = tuple(user for user in desired.turn if user in due - known)
    now_notified = tuple(user for user in desired.turn if user in known | due or user not in desired.ping_at)
    is_lost = live is not None and live.message_id in seen.lost
    if is_lost and wanted.is_final:
        return
    if live is None or is_lost:
        yield Create(wanted, pinged, now_notified)
        return
    has_changed = live.content != wanted.content
    has_passed = bool(pinged) or _has_passed(live, desired, recorded, seen)
    is_buried = has_passed and seen.last_foreign_id > live.sent_id
    is_out_of_place = (
        is_buried or _is_above_score(live, desired, recorded) or abs(seen.now - live.posted_at) > MAX_AGE_S
    )
    if (has_changed or pinged) and seen.can_post and is_out_of_place:
        yield Create(wanted, pinged, now_notified)
        return
    if has_changed:
        yield Edit(live, wanted, tuple(user for user in now_notified if user not in pinged))
    if pinged:
        yield _ping(pinged, desired, recorded)
    if set(live.notified) != set(now_notified) and (pinged or not has_changed):
        yield Mark(live, now_notified)


def _ping(pinged: tuple[int, ...], desired: Desired, recorded: Sequence[LiveMessage]) -> Create:
    """Return the post that pings users below a board that stays. The last one retires, with its users notified."""
    wanted = Wanted(Kind.PING, "")
    last = in_slot(recorded, wanted.slot)
    still = tuple(user for user in last.notified if user in desired.turn) if last else ()
    return Create(wanted, pinged, (*still, *pinged))


def _has_passed(live: LiveMessage, desired: Desired, recorded: Iterable[LiveMessage], seen: Seen) -> bool:
    """Whether somebody is to move who wasn't when the board was last shown, or nobody any more."""
    if not desired.turn:
        return bool(seen.turn or live.notified)
    return not seen.turn.issuperset(set(desired.turn) - notified(recorded))


def _is_above_score(live: LiveMessage, desired: Desired, recorded: Iterable[LiveMessage]) -> bool:
    """Whether the score of the last deal is below the board, or isn't posted yet."""
    scores = {message.slot: message.sent_id for message in recorded if message.stage is Stage.LIVE}
    wanted = (each.slot for each in desired.messages if each.kind is Kind.SCORE)
    return any(scores.get(slot, live.sent_id) >= live.sent_id for slot in wanted)


def _ended_turns(desired: Desired, recorded: Iterable[LiveMessage], seen: Seen) -> Iterator[Action]:
    """Remove users whose turn has ended from the pings, so that their next turn counts as a new one.

    A turn goes on for those who are to move, and were when the board was last shown.
    """
    going_on = seen.turn.intersection(desired.turn) if seen.turn else frozenset(desired.turn)
    for message in recorded:
        if message.kind is Kind.PING and message.stage is Stage.LIVE:
            still = tuple(user for user in message.notified if user in going_on)
            if still != message.notified:
                yield Mark(message, still)


def notified(recorded: Iterable[LiveMessage]) -> frozenset[int]:
    """Return the users that a board or a ping has notified of their turn."""
    return frozenset(
        user
        for message in recorded
        if message.kind in {Kind.BOARD, Kind.PING} and message.stage is Stage.LIVE
        for user in message.notified
    )


# ---- scores, hands and questions


def _score(wanted: Wanted, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """One message for each deal. It is posted once, even if somebody deletes it, and is edited after an undo.

    When a deal is scored, the board is posted again, and the replaced one becomes the score if it can be edited. So
    there is one new message a turn, and the board is below the score.
    """
    live = in_slot(recorded, wanted.slot)
    if live is not None:
        if live.content != wanted.content and live.message_id not in seen.lost:
            yield Edit(live, wanted)
        return
    boards = {each.stage: each for each in recorded if each.kind is Kind.BOARD}
    board = boards.get(Stage.RETIRING) or boards.get(Stage.LIVE)
    if board is None or board.message_id in seen.lost:
        if seen.can_post:
            yield Create(wanted)
    elif board.stage is Stage.RETIRING:
        yield Edit(board, wanted)


def _other(wanted: Wanted, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """One message for each deal or question, edited in place."""
    live = in_slot(recorded, wanted.slot)
    prompted = (wanted.user_id,) if wanted.urgency is Urgency.PROMPT and wanted.user_id else ()
    if live is not None and live.message_id in seen.lost and wanted.is_final:
        return
    if live is None or live.deal != wanted.deal or live.message_id in seen.lost or live.is_restored:
        mentions = wanted.mentions if live is None else ()
        yield Create(wanted, mentions, prompted)
    elif _is_behind(live, wanted, seen.now, is_tight=seen.is_tight):
        yield Edit(live, wanted, prompted)


def _is_behind(live: LiveMessage, wanted: Wanted, now: float, *, is_tight: bool = False) -> bool:
    """Whether a message has to be edited at this time."""
    shows_prompt, is_stale = bool(live.notified), live.version < wanted.since
    if live.content is None or (wanted.urgency is Urgency.PROMPT and is_stale):
        return True
    if live.content == wanted.content:
        return False
    if wanted.urgency in {Urgency.PROMPT, Urgency.NOW} or (shows_prompt and is_stale):
        return True
    return now >= wanted.tidy_at and (shows_prompt or (wanted.urgency is Urgency.AFTER_TRICK and not is_tight))


def _leftovers(desired: Desired, recorded: Sequence[LiveMessage]) -> Iterator[Action]:
    """Remove replaced and unwanted messages, and notes of messages that turned out to be unnecessary."""
    wanted = {each.slot for each in desired.messages}
    for message in recorded:
        if message.stage is not Stage.LIVE or not _is_wanted(message, desired, wanted):
            yield Remove(message)


def _is_wanted(message: LiveMessage, desired: Desired, slots: AbstractSet[Slot]) -> bool:
    """Whether a message stays. A ping goes when the turn of all its users has ended, a score if it is taken back."""
    match message.kind:
        case Kind.PING:
            return bool(message.notified)
        case Kind.SCORE:
            return desired.deal is None or message.deal is None or message.deal < desired.deal
        case _:
            return message.slot in slots
