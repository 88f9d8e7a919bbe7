"""Events: the same cards for all who play them. The daily is one: a table against computers, one try a day.

An event's deals follow from its secret (G-15). As others may still play them, the tables of an event publish nothing
until it has closed: a daily when its day is over in every time zone, a match (`bot.tables.matches`) when it has ended.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import partial
from typing import Final

from msgspec.structs import replace

from bot.errors import NoSuchTable, NotAllowed, WrongPhase
from bot.fairness import SEED_BYTES, Deals, choice_seed, commitment, event_seed
from bot.games import GAMES
from bot.games.daily import Daily
from bot.games.game import CHANCE, AnyGame, Move, Observation, Seat, Value
from bot.records.event import Event, EventResult, Run, daily_name, day_of, run_to
from bot.records.table import Person, Place, Sitter, Table
from bot.store.results import lead
from bot.store.store import Store
from bot.tables import closing, seating
from bot.tables.finding import Finder
from bot.tables.hosting import first_sitters
from bot.tables.ledger import Ledger
from bot.tables.lobbies import Lobbies

log: Final = logging.getLogger(__name__)

WEEK: Final[Sequence[tuple[str, Daily]]] = tuple(
    (key, game.daily) for key, game in GAMES.items() if game.daily is not None
)
"""The games of the dailies, with their forms, in turn from Monday on: each day of the week has its game."""

_CLOSED_AT_ONCE: Final = 100

_LAST_ZONE: Final = timezone(timedelta(hours=-12))
"""The time zone where a day ends last."""


FIELD: Final = (*["easy"] * 10, *["fair"] * 10)
"""The levels of the computers that play the same deal, so that the first player can compare their result at once."""

PLAYER: Final[Seat] = 0
"""The seat of the person."""

Choose = Callable[[str, Observation, str, str], Awaitable[Move]]
"""Chooses a move: `bot.thinking.thinkers.Thinkers.choose`."""


def today(zone: tzinfo, at: float) -> date:
    """Return the day in a time zone."""
    return datetime.fromtimestamp(at, zone).date()


def midnight(day: date, zone: tzinfo) -> float:
    """Return the end of a day in a time zone, in seconds since 1970."""
    end = day + timedelta(days=1)
    return datetime(end.year, end.month, end.day, tzinfo=zone).timestamp()


def form_on(day: date) -> tuple[str, Daily]:
    """Return the key of the game of the daily of a day, and the form in which it is played."""
    return WEEK[day.weekday() % len(WEEK)]


class Events:
    """Opens, finds and closes events."""

    def __init__(  # noqa: PLR0913, PLR0917 - as for lobbies
        self,
        store: Store,
        ledger: Ledger,
        finder: Finder,
        lobbies: Lobbies,
        now: Callable[[], float],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._ledger = ledger
        self._finder = finder
        self._lobbies = lobbies
        self._entropy = entropy
        self.now = now
        self.records = store.events

    async def daily(self, day: date) -> Event:
        """Return the daily of a day, whose hash may be published from then on."""
        secret, (game, form) = self._entropy(SEED_BYTES), form_on(day)
        options = form.of_deal(day.toordinal())
        closes_at = midnight(day, _LAST_ZONE)
        event = Event(daily_name(day), commitment(secret), closes_at, None, game, options, form.level)
        return await self.records.ensure(event, secret)

    def game(self, event: Event, deal: int = 0) -> tuple[AnyGame, dict[str, Value]]:
        """Return the game of an event, and all options of a deal."""
        game = self._finder.game(event.game)
        turns = game.daily.turns if game.daily and day_of(event.name) is None else ({},)
        return game, game.settle({**event.options, **turns[deal % len(turns)]})

    def game_on(self, day: date) -> AnyGame:
        """Return the game of the daily of a day."""
        return self._finder.game(form_on(day)[0])

    async def run(self, user_id: int, day: date) -> Run:
        """Return the streak of a user that ends with the daily of this day."""
        return run_to(day, await self.records.days(user_id))

    async def seed(self, event: Event, deal: int = 0) -> bytes:
        """Return the secret seed of a deal."""
        return event_seed(await self.records.secret(event.name), event.game, deal)

    async def begin(self, day: date, person: Person, place: Place, guild_id: int | None, ends_at: float) -> Table:
        """Begin the only try of a person: a table in their direct messages, before ``ends_at``. It may end later.

        Raises `NotAllowed` if they had it, or the day is over.
        """
        event = await self.daily(day)
        if event.secret is not None or self.now() >= ends_at:
            raise NotAllowed("This daily is over.")
        result = EventResult(event.name, person.id, guild_id, person.name, ends_at=ends_at)
        return await self.begin_try(event, place, result)

    async def begin_try(self, event: Event, place: Place, result: EventResult) -> Table:
        """Begin a user's only try at a deal, which is to have this ``result``: a table against computers.

        Raises `NotAllowed` if they had it, or the event is over.
        """
        game, options = self.game(event, result.deal)
        seats, person = game.seats(options), Person(result.user_id or 0, result.name)
        own, *others = first_sitters(person, [event.level] * (seats - 1), seats)
        nth_game = await self._lobbies.nth_game(game.key, person.id)
        return await self.open(event, place, (replace(own, nth_game=nth_game), *others), result)

    async def open(self, event: Event, place: Place, sitters: tuple[Sitter, ...], result: EventResult) -> Table:
        """Start the only table that is to have this result. Raises `NotAllowed` as `begin_try` does."""
        game, options = self.game(event, result.deal)
        draft = self._lobbies.draft(game, options, place, sitters, clock="none")
        hints = "off" if day_of(event.name) is None else "on"
        draft = replace(draft, hints=hints, level=event.level, event=(event.name, result.deal))
        draft = replace(draft, finish_by=result.finish_by)
        insert = partial(self.records.begin, result=result)
        opened = await self._lobbies.place(draft, await self.seed(event, result.deal), insert)
        return await self.resume(opened.table)

    async def begun(self, at: float) -> tuple[str, ...]:
        """Return the dailies that haven't closed by then and that somebody has begun to play."""
        return tuple([name for name in await self.records.begun(at) if day_of(name) is not None])

    async def complete_field(self, name: str, choose: Choose) -> None:
        """Let the computers play the deal that have no result yet, and store their results, which never differ."""
        event = await self.records.event(name)
        if event is None:
            return
        for number in await self.records.field_left(name, len(FIELD)):
            score = await self._played(event, number, choose)
            await self.records.note_field(name, number, score)

    async def _played(self, event: Event, number: int, choose: Choose) -> int:
        """Play the deal with a computer on the person's seat, and return its score."""
        game, options = self.game(event)
        seed = await self.seed(event)
        deals = Deals(seed, ("",) * game.seats(options))
        state, dealt = game.start(options), 0
        made: Counter[Seat] = Counter()
        while True:
            if CHANCE in game.to_act(state):
                state, entries, _events = game.run_chance(state, dealt, deals)
                dealt += len(entries)
            if state.outcome is not None:
                return lead(state.outcome.scores, game.sides(options))
            seat = min(seat for seat in game.to_act(state) if seat is not CHANCE)
            level, numbers = (FIELD[number], (number,)) if seat == PLAYER else (event.level, ())
            chance = choice_seed(seed, seat, made[seat], *numbers)
            move = await choose(game.key, game.observe(state, seat), chance, level)
            state = game.apply(state, seat, move).state
            made[seat] += 1

    async def resume(self, table: Table) -> Table:
        """Start the game of a try, if that hasn't been done yet."""
        if table.status != "lobby":
            return table
        try:
            return (await self._ledger.start(table.id, partial(seating.may_start, user_id=table.host_id), None)).table
        except WrongPhase:  # it has just been started
            return await self._ledger.table(table.id)

    async def table(self, result: EventResult) -> Table | None:
        """Return the table of a try; ``None`` if it was deleted, long after its end."""
        try:
            return None if result.played is None else await self._ledger.table(result.played)
        except NoSuchTable:
            return None

    async def close_due(self) -> None:
        """Close the tries whose time is over, and the events that are over everywhere once nobody plays them."""
        await self._close_tries(await self.records.ended_tries(self.now()))
        if count := await self.records.close_due(self.now()):
            log.info("closed %s events", count)

    async def close(self, name: str) -> bool:
        """Close an event before its time, with its tables; return whether it is closed."""
        await self._close_tries(await self.records.open_tables(name))
        return await self.records.close(name)

    async def _close_tries(self, tries: Sequence[int]) -> None:
        for first in range(0, len(tries), _CLOSED_AT_ONCE):
            await asyncio.gather(*map(self._close_try, tries[first : first + _CLOSED_AT_ONCE]))

    async def _close_try(self, table_id: int) -> None:
        with contextlib.suppress(WrongPhase):  # it has just ended
            await self._ledger.update(table_id, closing.close_try)
