"""Who may move a table on that waits for somebody, when, and what that changes. Pure.

The ladder: wait; a computer plays this turn; a computer takes the seat; a substitute is asked; the table is ended. When
the time is out, any player takes a step of it by one tap; before that, the majority of those who aren't waited for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

from msgspec.structs import replace

from bot.errors import InvalidOption, NotAllowed
from bot.games.game import Seat
from bot.store.records import Changes, Person, Sitter, Table
from bot.tables.names import computer_name
from bot.tables.seating import seated, wrong_phase

_MINUTE: Final = 60.0
_HOUR: Final = 60 * _MINUTE
DAY: Final = 24 * _HOUR

CLOCKS: Final[Mapping[str, float | None]] = {"none": None, "live": 90.0, "day": DAY, "three-days": 3 * DAY}
"""How many seconds a move may take, by the clocks that a table can be opened with; the first is the default."""

Remedy = Literal["play", "seat", "substitute", "end"]
"""A computer plays this turn; a computer takes the seat; a substitute is asked; the table is ended."""

REMEDIES: Final[tuple[Remedy, ...]] = get_args(Remedy)

DEAD_S: Final = 14 * DAY
"""A table where nothing happens for so long closes by itself."""

_VOTE_AFTER_S: Final = 5 * _MINUTE
_LIVE_VOTE_AFTER_S: Final = 30.0

What = Literal["remind", "offer", "play", "close"]


class Step(NamedTuple):
    """What becomes due so many seconds after the last move: a reminder, the ladder, a computer's move, the end."""

    after_s: float
    what: What


def steps(clock: str) -> tuple[Step, ...]:
    """What becomes due while a table waits, the first first. Reminders grow rarer, and stop."""
    if clock == "live":
        return Step(90.0, "play"), Step(2 * 90.0, "offer"), Step(DEAD_S, "close")
    reminders = {
        "none": (4 * _HOUR, DAY, 3 * DAY, 7 * DAY),
        "day": (6 * _HOUR, 18 * _HOUR, 3 * DAY, 7 * DAY),
        "three-days": (12 * _HOUR, 2 * DAY, 5 * DAY),
    }[clock]
    found = [Step(after_s, "remind") for after_s in reminders]
    return tuple(sorted((*found, Step(patience_s(clock), "offer"), Step(DEAD_S, "close"))))


def patience_s(clock: str) -> float:
    """After so many seconds without a move any player may move the table on."""
    return CLOCKS[clock] or DAY


def vote_after_s(clock: str) -> float:
    """After so many seconds without a move the majority may."""
    return _LIVE_VOTE_AFTER_S if clock == "live" else _VOTE_AFTER_S


def is_early(table: Table, now: float) -> bool:
    """Whether the last change is too fresh for anybody to have voted, or to have been told that it takes long: nothing
    is done about an absence before a vote is possible.
    """
    return 0.0 <= now - table.changed_at < vote_after_s(table.clock)


def settle_clock(clock: str) -> str:
    """The clock, checked. Raises `InvalidOption`."""
    if clock not in CLOCKS:
        raise InvalidOption(f"clock can't be {clock!r}; it is one of {', '.join(CLOCKS)}.")
    return clock


@dataclass(frozen=True, slots=True)
class Standstill:
    """Whom a table waits for and since when; what those who aren't waited for want done.

    ``waited_for`` are the seats of users that owe a move. ``due`` is when any player may move the table on;
    ``waited_s`` leaves out the time in which the program was away. ``votes`` are those of players who may vote.
    """

    waited_for: tuple[Seat, ...]
    since: float
    waited_s: float
    due: float
    is_overdue: bool
    voters: tuple[int, ...]
    votes: Mapping[int, Remedy]

    @property
    def needed(self) -> int:
        """How many votes for the same remedy make the majority."""
        return len(self.voters) // 2 + 1

    def votes_for(self, remedy: Remedy) -> tuple[int, ...]:
        """The users who want this."""
        return tuple(user for user, wanted in self.votes.items() if wanted == remedy)


class Verdict(NamedTuple):
    """Whether a remedy may be carried out now, on which seats; if not, how many votes it has and needs."""

    granted: bool
    seats: tuple[Seat, ...]
    votes: int
    needed: int


def judge(table: Table, now: Standstill, user_id: int, remedy: Remedy) -> Verdict:
    """What follows from the user's asking for a remedy. Raises `NotSeated`, `WrongPhase` or `NotAllowed`."""
    own = seated(table, user_id).seat
    if table.status != "playing":
        raise wrong_phase(table)
    seats = tuple(seat for seat in now.waited_for if seat != own)
    if not seats:
        whom = "you" if own in now.waited_for else "no player"
        raise NotAllowed(f"Table {table.name} waits for {whom}.")
    if now.is_overdue:
        return Verdict(granted=True, seats=seats, votes=1, needed=1)
    if user_id not in now.voters:
        raise NotAllowed(f"Table {table.name} waits for you too; play first, then you may vote.")
    if len(now.voters) < 2:
        raise NotAllowed(f"One player alone is no majority. You may move the table on <t:{now.due:.0f}:R>.")
    if now.waited_s < vote_after_s(table.clock):
        minutes = "half a minute" if table.clock == "live" else "five minutes"
        raise NotAllowed(f"A vote is possible when nobody has played for {minutes}.")
    votes = len({*now.votes_for(remedy), user_id})
    return Verdict(votes >= now.needed, seats, votes, now.needed)


def carried_out(table: Table, seats: tuple[Seat, ...], remedy: Remedy, user_id: int, at: float) -> Changes:
    """What the remedy changes at the table; that a computer plays a turn changes no seat."""
    changes = Changes(at, user_id)
    if remedy == "end":
        return replace(changes, status="closed", why="agreed")
    absent = [sitter for sitter in table.sitters if sitter.seat in seats and not sitter.is_computer]
    if remedy == "substitute":
        return replace(changes, sitters=_with(table, *(replace(sitter, offered=True) for sitter in absent)))
    taken = {sitter.name for sitter in table.sitters}
    kept: list[Sitter] = []
    for sitter in absent:
        name = computer_name(taken)
        taken.add(name)
        began_as, began_by = sitter.began
        kept.append(Sitter(sitter.seat, name, None, sitter.cut, began_as, sitter.user_id, started_by=began_by))
    host_gone = any(sitter.user_id == table.host_id for sitter in absent)
    return replace(changes, sitters=_with(table, *kept), host_id=user_id if host_gone else None)


def come_back(table: Table, person: Person, at: float) -> Changes | None:
    """The user has his seat again: from the computer that kept it, or from being offered; ``None`` if he has it."""
    if table.status != "playing":
        return None
    for sitter in table.sitters:
        if sitter.held_for == person.id or (sitter.user_id == person.id and sitter.offered):
            return Changes(at, person.id, sitters=_with(table, _seat_of(person, sitter)))
    return None


def take_seat(table: Table, person: Person, at: float, *, has_left: bool) -> Changes:
    """Give the person the first seat that is offered.

    Raises `NotAllowed` if they had a seat in play here before: they may have seen other cards.
    """
    if table.status != "playing":
        raise wrong_phase(table)
    offered = [sitter for sitter in table.sitters if sitter.offered]
    if not offered:
        raise NotAllowed(f"No seat of Table {table.name} is free.")
    if table.sitter(person.id) is not None:
        raise NotAllowed(f"You sit at Table {table.name} already.")
    if has_left:
        raise NotAllowed(f"You've played at Table {table.name} before, so somebody else has to take this seat.")
    host_gone = offered[0].user_id == table.host_id
    return Changes(
        at, person.id, sitters=_with(table, _seat_of(person, offered[0])), host_id=person.id if host_gone else None
    )


def close_dead(table: Table, waited_s: float, at: float) -> Changes:
    """The table is closed if nothing has happened for `DEAD_S`."""
    if table.status != "playing" or waited_s < DEAD_S:
        raise wrong_phase(table)
    return Changes(at, status="closed", why="idle")


def users_seat(table: Table, seat: Seat) -> Seat:
    """The seat, if a user has it. Raises `NotAllowed`."""
    sitter = table.sitter_at(seat)
    if sitter is None or sitter.is_computer:
        raise NotAllowed(f"No player has seat {seat} of Table {table.name}.")
    return seat


# ---- rematch


def next_seat(table: Table, user_id: int) -> Seat | None:
    """Where the user sits in the rematch: everybody moves on by one seat, so that somebody else begins."""
    for sitter in table.sitters:
        if user_id in {sitter.user_id, sitter.held_for}:
            return _moved_on(table, sitter.seat)
    return None


def rematch_sitters(table: Table, person: Person) -> tuple[Sitter, ...]:
    """Who sits at the rematch from its first moment: the person who asked for it, and the computers."""
    if not table.has_ended:
        raise wrong_phase(table)
    seat = next_seat(table, person.id)
    if seat is None:
        raise NotAllowed(f"Only who played at Table {table.name} can ask for a rematch; you may join it then.")
    computers = [
        Sitter(_moved_on(table, sitter.seat), sitter.name, None)
        for sitter in table.sitters
        if sitter.is_computer and sitter.held_for is None
    ]
    return tuple(sorted((*computers, Sitter(seat, person.name, person.id)), key=lambda sitter: sitter.seat))


def _moved_on(table: Table, seat: Seat) -> Seat:
    return (seat + 1) % table.seats


def _seat_of(person: Person, sitter: Sitter) -> Sitter:
    """The seat in the hands of the person; in transcripts it keeps the name it began with (G-10)."""
    began_as, began_by = sitter.began
    if began_as == person.name:
        return Sitter(sitter.seat, person.name, person.id, sitter.cut)
    return Sitter(sitter.seat, person.name, person.id, sitter.cut, began_as, started_by=began_by)


def _with(table: Table, *changed: Sitter) -> tuple[Sitter, ...]:
    by_seat = {sitter.seat: sitter for sitter in (*table.sitters, *changed)}
    return tuple(by_seat[seat] for seat in sorted(by_seat))
