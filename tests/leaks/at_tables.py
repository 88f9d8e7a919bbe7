"""Puts moments and their twins on real tables, and compares what players, computers and the log get of them.

Here, everything goes through `Tables`, `Turns` and `Drawings`, with their caches; `tests.leaks.pairs` compares more,
but straight from the rulebook.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bot import computer
from bot.errors import PlayError
from bot.fairness import choice_seed
from bot.games.game import AnyGame, Move, Observation, Seat
from bot.records.table import Change, Receipt, Table
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.replays import Vantage, View
from bot.tables.tables import Tables
from bot.thinking.thinkers import Thinkers, think_here
from bot.thinking.turns import Turns
from bot.ui.live.drawings import Drawings
from bot.ui.live.pings import PingTiming
from tests.leaks.knowledge import Viewer
from tests.leaks.pairs import FACES
from tests.leaks.twins import deals_of, moments, twins
from tests.logged import logged, secrets_in
from tests.recorded import Moment

LEVELS: Final = ("easy", "fair", "strong")
SEED: Final = bytes(range(0xA0, 0xC0))
CUT: Final = "lily of the valley"
_AT: Final = 1000.0
_TWINS: Final = 4
"""Twins of each moment."""
_THOUGHT_S: Final = 3.4
"""How long a strong computer thinks: as on a busy host."""


@dataclass(frozen=True)
class Program:
    """The classes of the program that are compared. Planted leaks are subclasses."""

    tables: type[Tables] = Tables
    turns: type[Turns] = Turns
    drawings: type[Drawings] = Drawings


class RecordingThinkers(Thinkers):
    """Note everything that a process would get to think about, and choose as a fair computer does."""

    def __init__(self) -> None:
        super().__init__(1)
        self.given: list[object] = []

    async def choose(self, game_key: str, observation: Observation, seed: str, level: str) -> Move:
        """Return the move after a long thought."""
        self.given.append(plain((game_key, observation, seed, level)))
        await asyncio.sleep(_THOUGHT_S)
        return computer.choose(game_key, observation, random.Random(seed), "fair")


class Side:
    """A running program with a database. Two of them get the moments and the twins."""

    def __init__(self, program: Program, store: Store) -> None:
        self._program = program
        self._store = store
        self._tables = program.tables(store, now=lambda: _AT)
        self._drawings = program.drawings(self._tables, FACES, PingTiming(lambda: _AT), lambda: _AT, lambda _: None)

    async def shown(self, moment: Moment, viewers: Sequence[Viewer], number: int) -> dict[str, object]:
        """Put the moment on a table. Return what its viewers get, and what one of them does if it is a computer."""
        mover = _mover(moment, viewers, number)
        table = await self._put(moment, mover, number)
        found: dict[str, object] = {}
        with logged() as lines:
            for viewer in viewers:
                async for part, value in self._looks(table, viewer, is_computer=viewer == mover is not None):
                    found[f"{part} {viewer}"] = value
            if mover is None:
                table = await self._sealed(table, number)
                for viewer in viewers:
                    async for part, value in self._looks_back(table, viewer):
                        found[f"{part} {viewer} afterwards"] = value
            if mover is not None:
                found |= await self._moves(table, moment.ply)
        names = [sitter.name for sitter in table.sitters if sitter.user_id is not None]
        choices = [] if mover is None else [bytes.fromhex(choice_seed(SEED, moment.ply, mover))]
        return found | {"log": lines, "secrets": secrets_in(lines, [SEED, *choices], [*names, CUT])}

    async def _put(self, moment: Moment, mover: Seat | None, number: int) -> Table:
        level = LEVELS[number % len(LEVELS)]
        sitters = tuple(
            [
                replace(sitter, user_id=None, level=level) if sitter.seat == mover else replace(sitter, cut=CUT)
                for sitter in moment.table.sitters
            ]
        )
        game, state = FACES[moment.table.game].game, moment.state
        draft = replace(moment.table, name=f"Pond {number}", version=1, sitters=sitters, rules=game.rules)
        table = await self._store.open_table(replace(draft, status="lobby"), SEED)
        change = Change(
            replace(table, status="over" if state.outcome else "playing", outcome=state.outcome),
            moment.log.entries[: moment.ply],
            to_act=frozenset(seat for seat in game.to_act(state) if seat is not None),
        )
        return await self._store.write(table, change, _AT)

    async def _looks(self, table: Table, viewer: Viewer, *, is_computer: bool) -> AsyncIterator[tuple[str, object]]:
        if is_computer and viewer is not None:
            yield "sight", plain(await self._tables.look_as_computer(table.id, viewer))
            return
        user = None if viewer is None else 100 + viewer
        snapshot = await self._tables.snapshot(table.id)
        yield "sight", plain(await self._tables.look(table.id, user))
        yield "drawing", plain(await self._drawings.draw(snapshot, user))
        if user is None:
            yield "board", plain(await self._drawings.board(snapshot))
        else:
            yield "hand", plain(await self._drawings.hand(snapshot, user, asked=True))
            yield "refusal", await self._refusal(table, user)

    async def _sealed(self, table: Table, number: int) -> Table:
        """End a table as one of an event whose cards others may still play: a daily or a match."""
        event = ("match 1048576", 1) if number % 2 else ("daily 2026-11-26", 0)
        ended = replace(table, event=event, status="over" if table.outcome else "closed", why="event")
        return await self._store.write(table, Change(ended), _AT)

    async def _looks_back(self, table: Table, viewer: Viewer) -> AsyncIterator[tuple[str, object]]:
        """Yield what a viewer gets of a table that has ended, or the refusal."""
        user, replays = None if viewer is None else 100 + viewer, self._tables.replays
        yield "sight", plain(await self._tables.look(table.id, user))
        yield "drawing", plain(await self._drawings.draw(await self._tables.snapshot(table.id), user))
        for view in (None, *Vantage, *range(table.seats)):
            yield f"replay {view}", await _asked(self._glimpse(table.id, user, view))
        yield "transcript", await _asked(self._tables.transcript(table.id, unfinished=True))
        yield "entries", await _asked(replays.entries(table.id, 5))
        yield "review", await _asked(replays.decisions(table.id, user or 0))

    async def _glimpse(self, table_id: int, user: int | None, view: View | None) -> object:
        seen = await self._tables.replays.look(table_id, user, 10**6, view)
        return seen.observation, seen.hands, seen.views, seen.at

    async def _refusal(self, table: Table, user: int) -> str:
        try:
            await self._tables.play(table.id, user, "nonsense")
        except PlayError as error:
            return str(error)
        raise AssertionError("nonsense was played")

    async def _moves(self, table: Table, ply: int) -> dict[str, object]:
        """Let the computer make its move. Return the move, when it was made, and what it was made from."""
        thinkers, moved = RecordingThinkers(), asyncio.Event()
        turns = self._program.turns(self._tables, think=think_here(thinkers))
        self._tables.on_change(lambda _: moved.set())
        clock = asyncio.get_running_loop().time
        begun = clock()
        turns.changed(Receipt(table, table.version))
        await moved.wait()
        taken_s = round(clock() - begun, 3)
        await turns.close()
        thinkers.close()
        written = await self._store.log(table.id)
        assert written is not None
        return {"move": str(written.entries[ply]), "time": taken_s, "thought": thinkers.given}


async def _asked(asking: Awaitable[object]) -> object:
    try:
        return plain(await asking)
    except PlayError as error:
        return str(error)


def _mover(moment: Moment, viewers: Sequence[Viewer], number: int) -> Seat | None:
    """Return a seat to act as a computer. Sometimes, all players are people."""
    to_act = FACES[moment.table.game].game.to_act(moment.state)
    seats = sorted(viewer for viewer in viewers if viewer is not None and viewer in to_act)
    return None if not seats or number % 5 == 0 else seats[number % len(seats)]


async def differing(folder: Path, game: AnyGame, pairs: int, program: Program = Program(), part: str = "") -> set[str]:
    """Compare moments with their twins until something differs or a secret is logged. Return what.

    With ``part``, go on until that is among it.
    """
    found: set[str] = set()
    rng = random.Random(f"{game.key} {pairs} tables")
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(await SqliteStore.open(folder / name)) for name in ("one", "other")]
        one, other = (Side(program, store) for store in stores)
        number = 0
        for moment in moments(game, rng):
            for twin in islice(twins(game, moment, deals_of(game, moment), rng), _TWINS):
                number += 1
                a = await one.shown(moment, twin.viewers, number)
                b = await other.shown(twin.moment, twin.viewers, number)
                assert a.keys() == b.keys()
                found |= {name.split()[0] for name in a if a[name] != b[name] or (name == "secrets" and a[name])}
                if (found and not part) or part in found or number == pairs:
                    return found
    raise AssertionError


# ---- values as they are


def plain(value: Any) -> object:
    """Return everything that is in a value, whatever comparisons and ``repr`` leave out."""
    if is_dataclass(value):
        names = {each.name for each in fields(value)} | vars(value).keys() if hasattr(value, "__dict__") else None
        return type(value).__name__, _parts(value, names or {each.name for each in fields(value)})
    if isinstance(value, msgspec.Struct):
        return type(value).__name__, _parts(value, value.__struct_fields__)
    if isinstance(value, Mapping):
        return [(plain(key), plain(each)) for key, each in value.items()]
    if isinstance(value, tuple | list):
        return type(value).__name__, [plain(each) for each in value]
    return sorted(map(repr, value)) if isinstance(value, set | frozenset) else repr(value)


def _parts(value: Any, names: Any) -> list[tuple[str, object]]:
    return [(name, plain(getattr(value, name))) for name in sorted(names)]
