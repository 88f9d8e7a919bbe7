"""Who may move a table on that waits for somebody, when, and what that changes. Pure.

The ladder: wait; a computer plays this turn; a computer takes the seat; a substitute is asked; the table is ended. When
the time is out, any player takes a step of it by one tap; before that, the majority of those who aren't waited for. A
substitute and the end take four times as long. If all players agree, the table ends at any time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
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

_SLOW: Final[frozenset[Remedy]] = frozenset({"substitute", "end"})
"""Remedies that can't be reversed. They take longer."""
_SLOW_FACTOR: Final = 4
_MEDIANS: Final = 10
_VOTE_AFTER_AT_LEAST_S: Final = 10 * _MINUTE
_VOTE_AFTER_AT_MOST_S: Final = DAY
_VOTE_AFTER_WITHOUT_MOVES_S: Final = _HOUR

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


def vote_after_s(clock: str, moves_s: Sequence[float], remedy: Remedy = "play") -> float:
    """Return how long nobody may have played before the majority may apply the remedy.

    ``moves_s`` is how long people took for their moves at this table so far; it matters where there is no clock.
    """
    limit_s = CLOCKS[clock]
    if limit_s is not None:
        after_s = limit_s / 4
    elif not moves_s:
        after_s = _VOTE_AFTER_WITHOUT_MOVES_S
    else:
        after_s = min(max(_MEDIANS * median(moves_s), _VOTE_AFTER_AT_LEAST_S), _VOTE_AFTER_AT_MOST_S)
    return _SLOW_FACTOR * after_s if remedy in _SLOW else after_s


def tap_after_s(clock: str, moves_s: Sequence[float], remedy: Remedy = "play") -> float:
    """Return how long nobody may have played before any player may apply the remedy; never sooner than a majority."""
    return max(patience_s(clock), vote_after_s(clock, moves_s, remedy))


def early_s(clock: str) -> float:
    """Return how long after a change there can be neither a vote about an absence nor a step of the waiting."""
    return min(vote_after_s(clock, (0.0,)), steps(clock)[0].after_s)


def is_early(table: Table, now: float) -> bool:
    """Return whether nothing can have been done about an absence yet. Votes to end the table by agreement can."""
    return 0.0 <= now - table.changed_at < early_s(table.clock)


def settle_clock(clock: str) -> str:
    """The clock, checked. Raises `InvalidOption`."""
    if clock not in CLOCKS:
        raise InvalidOption(f"clock can't be {clock!r}; it is one of {', '.join(CLOCKS)}.")
    return clock


@dataclass(frozen=True, slots=True)
class Standstill:
    """Whom a table waits for and since when, and what its players want done.

    ``waited_for`` are the seats of users that owe a move, ``voters`` the other users. ``everyone`` are all users whose
    agreement ends the table: also those for whom a computer keeps a seat. ``began`` is ``since`` moved on by the time
    in which the program was away; ``waited_s`` leaves that out too. ``moves_s`` is as in `vote_after_s`. ``votes`` are
    those of ``voters``; users who are waited for can vote to end the table.
    """

    clock: str
    waited_for: tuple[Seat, ...]
    since: float
    began: float
    waited_s: float
    moves_s: tuple[float, ...]
    voters: tuple[int, ...]
    everyone: tuple[int, ...]
    votes: Mapping[int, Remedy]

    @property
    def needed(self) -> int:
        """How many votes for the same remedy make the majority."""
        return len(self.voters) // 2 + 1

    @property
    def due(self) -> float:
        """When any player may let a computer play."""
        return self.due_at("play")

    @property
    def is_overdue(self) -> bool:
        """Whether any player may let a computer play."""
        return self.is_due("play")

    def vote_at(self, remedy: Remedy) -> float:
        """When the majority may apply the remedy."""
        return self.began + vote_after_s(self.clock, self.moves_s, remedy)

    def due_at(self, remedy: Remedy) -> float:
        """When any player may apply the remedy."""
        return self.began + tap_after_s(self.clock, self.moves_s, remedy)

    def is_votable(self, remedy: Remedy) -> bool:
        """Whether the majority may apply the remedy."""
        has_waited = self.waited_s >= vote_after_s(self.clock, self.moves_s, remedy)
        return bool(self.waited_for) and len(self.voters) > 1 and has_waited

    def is_due(self, remedy: Remedy) -> bool:
        """Whether any player may apply the remedy."""
        return bool(self.waited_for) and self.waited_s >= tap_after_s(self.clock, self.moves_s, remedy)

    def votes_for(self, remedy: Remedy) -> tuple[int, ...]:
        """The users who want this."""
        return tuple(user for user, wanted in self.votes.items() if wanted == remedy)

    def tally(self, remedy: Remedy, also: int | None = None) -> tuple[int, int]:
        """Return how many votes the remedy has, with one of the user ``also``, and how many it needs."""
        wanting = {*self.votes_for(remedy), *(() if also is None else (also,))}
        if remedy == "end" and not self.is_votable(remedy):
            return len(wanting.intersection(self.everyone)), len(self.everyone)
        return len(wanting.intersection(self.voters)), self.needed


class Verdict(NamedTuple):
    """Whether a remedy may be carried out now, on which seats; if not, how many votes it has and needs."""

    granted: bool
    seats: tuple[Seat, ...]
    votes: int
    needed: int


def judge(table: Table, now: Standstill, user_id: int, remedy: Remedy) -> Verdict:
    """Return what the user's vote for a remedy leads to. Raises `NotSeated`, `WrongPhase` or `NotAllowed`."""
    own = seated(table, user_id).seat
    if table.status != "playing":
        raise wrong_phase(table)
    seats = tuple(seat for seat in now.waited_for if seat != own)
    if seats and now.is_due(remedy):
        return Verdict(granted=True, seats=seats, votes=1, needed=1)
    if remedy == "end":
        agreed = {*now.votes_for("end"), user_id}.issuperset(now.everyone)
        votes, needed = now.tally("end", user_id)
        return Verdict(agreed or votes >= needed, seats, votes, needed)
    if not seats:
        whom = "you" if own in now.waited_for else "no player"
        raise NotAllowed(f"Table {table.name} waits for {whom}.")
    if user_id not in now.voters:
        raise NotAllowed(f"Table {table.name} waits for you too. Play first, then you can vote.")
    if len(now.voters) < 2:
        raise NotAllowed(f"One vote isn't enough. You can do this by yourself <t:{now.due_at(remedy):.0f}:R>.")
    if not now.is_votable(remedy):
        raise NotAllowed(f"It's too early for a vote on this. You can vote <t:{now.vote_at(remedy):.0f}:R>.")
    votes, needed = now.tally(remedy, user_id)
    return Verdict(votes >= needed, seats, votes, needed)


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
