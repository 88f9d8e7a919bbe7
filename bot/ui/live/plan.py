"""The actions on Discord that bring the messages of a table, or of another subject, up to date. Pure.

`plan` compares what should be shown (`Desired`), what is recorded (`LiveMessage`), and what is known about Discord
(`Seen`). `tests/ui/test_plan.py` has a table of cases that reads as the specification.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from typing import Final

import msgspec

from bot.records.live_message import Kind, LiveMessage, Slot, Stage, in_slot, slot_of
from bot.records.table import Table
from bot.ui.posts.post import Post

MAX_AGE_S: Final = 50 * 60
"""A board older than this is posted again: Discord limits edits of messages older than an hour (30046)."""


NEVER: Final = float("inf")
AT_ONCE: Final = 0.0
TIDY_S: Final = 30.0
"""A hand whose move or **Undo** others have ended keeps it for this time, unless it is edited before."""
AFTER_TRICK_S: Final = 10.0
"""After a trick, the hands of waiting players follow if nobody moves for this time."""


class Wanted(msgspec.Struct, frozen=True):
    """A message as it should be now.

    Parameters
    ----------
    user_id: Whose hand it is or who asks; ``None`` for the board.
    content: A digest of what it should show; ``None`` if it isn't drawn before it's due.
    deal: The deal that a hand or a score belongs to; each deal has messages of its own.
    post: What it should show.
    is_prompt: Whether it offers its user something that ends with the turn: a move, or an undo.
    due: From when on a change is shown by an edit, in seconds since 1970.
    mentions: The users whom it pings when it is first posted.
    roles: The roles that it mentions when it is first posted.
    is_final: Whether the message stays away once somebody deletes it, such as the board of a table that has ended.
    is_last: Whether a card isn't kept up to date any more once it shows this.
    is_silent: Whether Discord notifies nobody of it.
    """

    kind: Kind
    content: str | None
    user_id: int | None = None
    deal: int | None = None
    post: Post = Post(())
    is_prompt: bool = False
    due: float = AT_ONCE
    mentions: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()
    is_final: bool = False
    is_last: bool = False
    is_silent: bool = False

    @property
    def slot(self) -> Slot:
        """The slot of the message: it replaces the live one there."""
        return slot_of(self.kind, self.user_id, self.deal)

    @property
    def prompted(self) -> tuple[int, ...]:
        """The user who can move or undo a move in this hand; empty if there is nothing to do."""
        return (self.user_id,) if self.is_prompt and self.user_id else ()


class Desired(msgspec.Struct, frozen=True):
    """The desired messages of a table in one place: its channel, or a player's direct messages.

    Parameters
    ----------
    turn: The users who owe a move.
    ping_at: From when on each of them may be pinged, in seconds since 1970. Users missing there get no ping.
    deal: The deal in play, ``None`` if there is none. Recorded scores of it, or of later ones, were taken back.
    look_at: When the messages may change though nothing happens, in seconds since 1970.
    """

    messages: tuple[Wanted, ...] = ()
    turn: tuple[int, ...] = ()
    ping_at: Mapping[int, float] = {}
    deal: int | None = None
    look_at: float | None = None


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
    is_tight: Whether the request budget is tight. Postponed edits are left out then, except of old prompts.
    pressed: Messages with a press that an edit answers: however old they are, people expect it there.
    gone: Those of the lost messages that were deleted.
    """

    now: float
    last_foreign_id: int = 0
    turn: frozenset[int] = frozenset()
    can_post: bool = True
    lost: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()
    is_tight: bool = False
    pressed: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()


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


class Leave(msgspec.Struct, frozen=True):
    """Record that a card isn't kept up to date any more; nothing changes on Discord."""

    message: LiveMessage


Action = Find | Create | Edit | Mark | Remove | Leave


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
        case Kind.CARD:
            return _card(wanted, recorded, seen)
        case _:
            return _other(wanted, recorded, seen)


def due(table: Table, live: LiveMessage | None, since: int, *, is_after_trick: bool) -> float:
    """Return when a hand without a prompt is edited after a change. Direct messages aren't edited with every move.

    ``live`` is the hand so far, ``since`` the oldest version of the table whose buttons still work for its player. A
    prompt that they have ended themselves goes at once, and so does what an undo has taken back.
    """
    if live is None or table.status != "playing" or live.version < table.undone_at:
        return AT_ONCE
    if live.notified and live.version < since:
        return AT_ONCE
    if is_after_trick:
        return table.changed_at + AFTER_TRICK_S
    return table.changed_at + TIDY_S if live.notified else NEVER


def next_due(desired: Desired, recorded: Sequence[LiveMessage], now: float) -> float | None:
    """Return when the next ping becomes due, a hand that can wait, or another look; ``None`` if nothing will."""
    known = notified(recorded)
    pings = (at for user, at in desired.ping_at.items() if user not in known)
    hands = (
        wanted.due
        for wanted in desired.messages
        if (live := in_slot(recorded, wanted.slot)) and live.content != wanted.content
    )
    looks = () if desired.look_at is None else (desired.look_at,)
    return min((at for at in (*pings, *hands, *looks) if now < at < NEVER), default=None)


# ---- boards and pings


def _board(wanted: Wanted, desired: Desired, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """Keep the board at the bottom of the conversation while its turn passes; ping each user once a turn."""
    live = in_slot(recorded, wanted.slot)
    pinged, now_notified = _turn(desired, notified(recorded), seen)
    if live is None:
        yield Create(wanted, pinged, now_notified)
    elif live.message_id in seen.lost:
        if not wanted.is_final:
            yield Create(wanted, pinged, now_notified)
    elif live.content == wanted.content and not pinged:
        yield from _marked(live, now_notified)
    elif seen.can_post and _is_out_of_place(live, pinged, desired, recorded, seen):
        yield Create(wanted, pinged, now_notified)
    else:
        if live.content != wanted.content:
            yield Edit(live, wanted, tuple(user for user in now_notified if user not in pinged))
        yield from _pinged(live, pinged, now_notified, desired, recorded)


def _marked(live: LiveMessage, now_notified: tuple[int, ...]) -> Iterator[Action]:
    """Record who has been notified of their turn, if that has changed."""
    if set(live.notified) != set(now_notified):
        yield Mark(live, now_notified)


def _turn(desired: Desired, known: AbstractSet[int], seen: Seen) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who of those to move is pinged now, and who has been notified then, or needs no ping."""
    due = {user for user, at in desired.ping_at.items() if seen.can_post and at <= seen.now}
    pinged = tuple(user for user in desired.turn if user in due - known)
    return pinged, tuple(user for user in desired.turn if user in known | due or user not in desired.ping_at)


def _is_out_of_place(
    live: LiveMessage, pinged: tuple[int, ...], desired: Desired, recorded: Sequence[LiveMessage], seen: Seen
) -> bool:
    """Whether the board is too old to be edited, above a score, or above what people wrote in other turns."""
    is_old = abs(seen.now - live.posted_at) > MAX_AGE_S and live.sent_id not in seen.pressed
    if is_old or _is_above_score(live, desired, recorded):
        return True
    return seen.last_foreign_id > live.sent_id and (bool(pinged) or _has_passed(live, desired, recorded, seen))


def _pinged(
    live: LiveMessage,
    pinged: tuple[int, ...],
    now_notified: tuple[int, ...],
    desired: Desired,
    recorded: Sequence[LiveMessage],
) -> Iterator[Action]:
    """Ping users by a post below a board that stays. The last one retires, with its users notified."""
    if pinged:
        wanted = Wanted(Kind.PING, "")
        last = in_slot(recorded, wanted.slot)
        still = tuple(user for user in last.notified if user in desired.turn) if last else ()
        yield Create(wanted, pinged, (*still, *pinged))
        yield from _marked(live, now_notified)


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
    """One message for each deal, question or change, edited in place. A new one pings, unless it is posted again."""
    if wanted.content is None:
        return
    live = in_slot(recorded, wanted.slot)
    if live is None:
        yield Create(wanted, wanted.mentions, wanted.prompted)
    elif live.message_id in seen.lost and wanted.is_final:
        return
    elif live.deal != wanted.deal or live.message_id in seen.lost or live.is_restored:
        yield Create(wanted, wanted.mentions if live.deal != wanted.deal else (), wanted.prompted)
    elif _is_behind(live, wanted, seen):
        yield Edit(live, wanted, wanted.prompted)


def _card(wanted: Wanted, recorded: Sequence[LiveMessage], seen: Seen) -> Iterator[Action]:
    """One message, edited in place. If it was deleted, it comes back with the next change, or stays away for good."""
    live = in_slot(recorded, wanted.slot)
    if in_slot(recorded, wanted.slot, Stage.LEFT):
        return
    if live is None:
        yield Create(wanted, wanted.mentions)
    elif live.sent_id in seen.gone and wanted.is_final:
        yield Leave(live)
    elif live.content != wanted.content:
        yield Create(wanted) if live.sent_id in seen.lost else Edit(live, wanted)


def _is_behind(live: LiveMessage, wanted: Wanted, seen: Seen) -> bool:
    """Whether a message has to be edited now."""
    if live.content is None or live.content == wanted.content:
        return live.content is None
    is_left_out = seen.is_tight and wanted.due > AT_ONCE and not live.notified
    return seen.now >= wanted.due and not is_left_out


def _leftovers(desired: Desired, recorded: Sequence[LiveMessage]) -> Iterator[Action]:
    """Remove replaced and unwanted messages, and notes of messages that turned out to be unnecessary.

    Then leave cards that show the end.
    """
    wanted = {each.slot for each in desired.messages}
    for message in recorded:
        if message.stage is Stage.LEFT:
            continue
        if message.stage is not Stage.LIVE or not _is_wanted(message, desired, wanted):
            yield Remove(message)
    last = (in_slot(recorded, each.slot) for each in desired.messages if each.is_last)
    yield from (Leave(message) for message in last if message)


def _is_wanted(message: LiveMessage, desired: Desired, slots: AbstractSet[Slot]) -> bool:
    """Whether a message stays. A ping goes when the turn of all its users has ended, a score if it is taken back."""
    match message.kind:
        case Kind.PING:
            return bool(message.notified)
        case Kind.SCORE:
            return desired.deal is None or message.deal is None or message.deal < desired.deal
        case _:
            return message.slot in slots
