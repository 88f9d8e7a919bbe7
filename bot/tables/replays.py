"""Replays: the moments of a game, folded again from its log, and who may see what of each."""

import asyncio
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.errors import NotAllowed, Text
from bot.fairness import choice_seed
from bot.games.game import CHANCE, AnyGame, Entry, Event, Move, Observation, Seat, Value
from bot.records.event import day_of
from bot.records.table import Chosen, Table
from bot.store.store import Store
from bot.tables.folds import KEPT_EVENTS, Fold, StandIn, VersionCache, stand_in
from bot.tables.ledger import Ledger
from bot.tables.seating import check_revealed, need_playing, seated

_CACHED: Final = 8
"""Maximum number of games that are kept folded."""
NOTHING_CHOSEN: Final[Mapping[int, Chosen]] = {}
_NOBODY: Final[tuple[int | None, Seat | None]] = (None, None)
_NOT_YET: Final = Text("You can see this deal again when it's over.")


class Vantage(StrEnum):
    """A point of view that is nobody's own."""

    PUBLIC = "table"
    """What was on the table for all to see."""
    EVERYONE = "all"
    """What everyone saw: all hands, after the end."""


View = Seat | Vantage
"""Whose eyes a game is seen with: a seat's, with what it knew at that moment, or a `Vantage`."""


class Moment(NamedTuple):
    """A moment of a game at which it was somebody's turn, or its end.

    Parameters
    ----------
    ply: The number of entries before it.
    deal: The deal it belongs to, counted from 0: each begins with chance.
    events: The public ones since the moment before.
    played_by: For each event, the computer that played for an absent user, if one did.
    board: What the public saw.
    chosen: The entry before it that a computer chose, if one did.
    mover: The seat of that entry.
    """

    ply: int
    deal: int
    events: tuple[Event, ...]
    played_by: tuple[StandIn | None, ...]
    board: Observation
    chosen: int | None = None
    mover: Seat | None = None


class Decision(NamedTuple):
    """A choice of a player: the number of entries before it, what they knew, and what they played."""

    ply: int
    observation: Observation
    played: Move


class Recollection(NamedTuple):
    """A move that a computer chose: who, what it saw, what it played, its level, and the seed of that choice."""

    by: StandIn | None
    seat: Seat
    observation: Observation
    played: Move
    level: str
    seed: str


@dataclass(frozen=True, slots=True)
class Reel:
    """All moments of a game at a version of its table, with their states, which are secret."""

    game: AnyGame
    version: int
    moments: tuple[Moment, ...]
    states: tuple[Any, ...] = field(repr=False)

    @property
    def each(self) -> Iterator[tuple[Moment, Any]]:
        """The moments with their states."""
        return zip(self.moments, self.states, strict=True)


class Glimpse(msgspec.Struct, frozen=True):
    """A moment of a game as somebody sees it again.

    Parameters
    ----------
    at: The index of the moment among ``moments``.
    moments: Those that may be seen, in order.
    views: The points of view that are open to the viewer.
    observation: That of the seat, else the public's.
    hands: For `Vantage.EVERYONE`, the observation of each seat.
    marks: The plies that the viewer has marked.
    own: The seat on which the viewer plays, or has played.
    """

    table: Table
    at: int
    moments: tuple[Moment, ...]
    view: View
    views: tuple[View, ...]
    observation: Observation
    hands: tuple[Observation, ...] = ()
    marks: tuple[int, ...] = ()
    own: Seat | None = None

    @property
    def moment(self) -> Moment:
        """The moment."""
        return self.moments[self.at]

    @property
    def latest(self) -> tuple[tuple[Event, ...], tuple[StandIn | None, ...]]:
        """The last public events up to the moment, as a table in play keeps them, and who stood in."""
        events: tuple[Event, ...] = ()
        by: tuple[StandIn | None, ...] = ()
        for moment in reversed(self.moments[: self.at + 1]):
            events, by = moment.events + events, moment.played_by + by
            if len(events) >= KEPT_EVENTS:
                break
        return events[-KEPT_EVENTS:], by[-KEPT_EVENTS:]


def reel_of(
    game: AnyGame, options: Mapping[str, Value], folded: Fold, chosen: Mapping[int, Chosen] = NOTHING_CHOSEN
) -> Reel:
    """Return the moments of a game. Boards showed the same ones, as chance that is due follows each move at once."""
    moments: list[Moment] = []
    states: list[Any] = []
    events: list[Event] = []
    played_by: list[StandIn | None] = []
    deal, is_dealt, last = 0, False, _NOBODY
    for ply, (entry, step) in enumerate(zip(folded.entries, game.steps(options, folded.entries), strict=True), 1):
        events += step.events
        played_by += [stand_in(entry, folded.stand_ins.get(ply - 1))] * len(step.events)
        is_dealt = is_dealt or entry.seat is CHANCE
        if ply - 1 in chosen and entry.seat is not CHANCE:
            last = ply - 1, entry.seat
        if CHANCE in game.to_act(step.state):
            continue
        deal += is_dealt and bool(moments)
        board = game.observe(step.state, None)
        moments.append(Moment(ply, deal, tuple(events), tuple(played_by), board, *last))
        states.append(step.state)
        events, played_by, is_dealt, last = [], [], False, _NOBODY
    return Reel(game, folded.version, tuple(moments), tuple(states))


def decisions_of(reel: Reel, folded: Fold, seat: Seat, hinted: Sequence[int]) -> Iterator[Decision]:
    """Yield the decisions of a seat. A hint counts for the first one that followed it."""
    states = {moment.ply: state for moment, state in reel.each}
    own = [ply for ply, entry in enumerate(folded.entries) if entry.seat == seat]
    helped = {bisect_left(own, at) for at in hinted}
    for at, ply in enumerate(own):
        if at in helped or ply in folded.stand_ins or ply not in states:
            continue
        observation = reel.game.observe(states[ply], seat)
        move = reel.game.parse(folded.entries[ply].move)
        if len(observation.legal) > 1 and move in observation.legal:
            yield Decision(ply, observation, move)


def seed_of(table: Table, secret: bytes, seat: Seat, plies: int, own_entries: int) -> str:
    """Return the seed of a computer's choice, after so many entries, of which its seat has made some.

    ``secret`` is the table's seed. At all tables of an event, equal moves meet equal replies.
    """
    return choice_seed(secret, plies, seat) if table.event is None else choice_seed(secret, seat, own_entries)


def visible(game: AnyGame, table: Table, moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Return the moments that may be seen again: before the end of the game only what may be looked up (PC-21)."""
    if table.has_ended or game.keeps_record(table.options):
        return tuple(moments)
    return tuple(moment for moment in moments if moment.deal < moments[-1].deal)


def views_of(table: Table, user_id: int | None) -> tuple[View, ...]:
    """Return the points of view that are open to a user: all after the end, before it the public's and their own."""
    if table.is_revealed:
        return (Vantage.EVERYONE, Vantage.PUBLIC, *range(table.seats))
    own = table.seat_of(user_id)
    return (Vantage.PUBLIC,) if own is None else (Vantage.PUBLIC, own)


def took_part(table: Table, user_id: int) -> Seat:
    """Return the seat on which the user plays or has played. Raises `NotSeated`."""
    seat = table.part_of(user_id)
    return seated(table, user_id).seat if seat is None else seat


def glimpse(reel: Reel, table: Table, at: int, view: View, user_id: int | None = None) -> Glimpse:
    """Return a moment of a game as this view shows it."""
    game, state, seats = reel.game, reel.states[at], range(table.seats)
    return Glimpse(
        table,
        at,
        visible(game, table, reel.moments),
        view,
        views_of(table, user_id),
        reel.moments[at].board if isinstance(view, Vantage) else game.observe(state, view),
        tuple(game.observe(state, seat) for seat in seats) if view is Vantage.EVERYONE and game.has_hands else (),
    )


def _is_of_a_day(table: Table) -> bool:
    return table.event is not None and day_of(table.event[0]) is not None


class Replays:
    """Shows games again, from a view that is open to the viewer."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger
        self._reels = VersionCache[Reel](_CACHED)

    async def look(
        self, table_id: int, user_id: int | None, ply: int | None = None, view: View | None = None
    ) -> Glimpse:
        """Return the moment after ``ply`` entries, by default the first; of moments that are gone, the nearest before.

        Without a view, it is the widest that is open to the user. Raises `NotAllowed` for what they may not see yet.
        """
        table, folded = await self._ledger.folded(table_id)
        game = self._ledger.rulebook(table)
        reel = await self._reel(game, table, folded)
        moments, views = visible(game, table, reel.moments), views_of(table, user_id)
        view = views[0] if view is None else view
        if not moments:
            raise NotAllowed(_NOT_YET)
        if view not in views:
            raise NotAllowed("You can see other hands when the game is over.")
        at = max((at for at, moment in enumerate(moments) if ply is not None and moment.ply <= ply), default=0)
        marks = () if user_id is None else await self._store.users.marks(table_id, user_id)
        return replace(glimpse(reel, table, at, view, user_id), marks=marks, own=table.part_of(user_id))

    async def mark(self, table: Table, user_id: int) -> None:
        """Mark the present moment of a table in play for the user, who has to play there."""
        seated(table, user_id)
        need_playing(table)
        _table, folded = await self._ledger.fold(table)
        await self._store.users.mark(table.id, user_id, len(folded.entries))

    async def entries(self, table_id: int, ply: int) -> tuple[Entry, ...]:
        """Return the first ``ply`` entries of a game that has ended. Raises `NotAllowed` before: they are secret."""
        table, folded = await self._ledger.folded(table_id)
        check_revealed(table, NotAllowed("You can play on from here when the game is over."))
        return folded.entries[:ply]

    async def decisions(self, table_id: int, user_id: int) -> tuple[Decision, ...]:
        """Return what a player decided in a game that has ended, without what they had a hint for.

        What others decided on their seat before them doesn't count. Raises `NotAllowed` before the end, and
        `NotSeated`.
        """
        table, folded = await self._ledger.folded(table_id)
        seat = took_part(table, user_id)
        if not (table.has_ended and _is_of_a_day(table)):  # of a daily, the own decisions show only what their seat saw
            check_revealed(table, NotAllowed("You can review your game when it's over."))
        written = await self._store.log(table_id)
        hinted = [ply for ply, of in written.hints if of == seat] if written else []
        reel = await self._reel(self._ledger.rulebook(table), table, folded)
        own = await self._store.plies_of(table_id, user_id)
        return tuple([decision for decision in decisions_of(reel, folded, seat, hinted) if decision.ply in own])

    async def recollection(self, table_id: int, ply: int) -> Recollection:
        """Return a move that a computer chose in a game that has ended. Raises `NotAllowed` before: it is secret."""
        table, folded = await self._ledger.folded(table_id)
        check_revealed(table, NotAllowed("Computers tell what they thought when the game is over."))
        game, written = self._ledger.rulebook(table), await self._store.log(table_id)
        reel = await self._reel(game, table, folded)
        chosen = written.chosen.get(ply) if written else None
        state = next((state for at, state in reel.each if chosen and at.ply == chosen.seen), None)
        seat = folded.entries[ply].seat if ply < len(folded.entries) else CHANCE
        if chosen is None or state is None or seat is CHANCE or table.seed is None:
            raise NotAllowed("No computer has noted how it chose this move.")
        played = game.parse(folded.entries[ply].move)
        by = stand_in(folded.entries[ply], folded.stand_ins.get(ply))
        own = sum(entry.seat == seat for entry in folded.entries[: chosen.seen])
        seed = seed_of(table, bytes.fromhex(table.seed), seat, chosen.seen, own)
        return Recollection(by, seat, game.observe(state, seat), played, chosen.level, seed)

    async def _reel(self, game: AnyGame, table: Table, folded: Fold) -> Reel:
        reel = self._reels.latest(table.id)
        if reel is None or reel.version != folded.version:
            written = await self._store.log(table.id) if table.has_ended else None
            chosen = written.chosen if written else NOTHING_CHOSEN
            # Long games take half a second.
            reel = await asyncio.to_thread(reel_of, game, table.options, folded, chosen)
            self._reels.put(table.id, reel)
        return reel
