"""Slow computers' turns, thought about by the workers of a process."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games.game import Move, Observation
from bot.records.table import Table
from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from bot.thinking.thinkers import NoThought, Thinkers, Turn, think_here, turn_of
from tests.databases import new_file
from tests.leaks.at_tables import plain
from tests.tables.people import ANN, HERE, make_tables


class Workers(Thinkers):
    """Chooses the last legal move, once it may."""

    def __init__(self) -> None:
        super().__init__(1)
        self.may_think = asyncio.Event()
        self.given: list[object] = []

    async def choose(self, game_key: str, observation: Observation, seed: str, level: str) -> Move:
        """Choose the last legal move."""
        self.given.append(plain((game_key, observation, seed, level)))
        await self.may_think.wait()
        return observation.legal[-1]


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    """Workers that wait until they may think."""
    workers = Workers()
    yield workers
    workers.close()


@pytest.fixture
async def turn(tmp_path: Path) -> Turn:
    """The turn of a computer at a table."""
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        tables = make_tables(store)
        table = await _computers_table(tables)
        (seat,) = await tables.computers_turn(table)
        return await turn_of(tables, await tables.look_as_computer(table.id, seat), seat)


async def _computers_table(tables: Tables) -> Table:
    """Return a table where a computer is to move."""
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 1)).table
    await tables.lobbies.start(table.id, ANN.id)
    while not await tables.computers_turn(await tables.table(table.id)):
        move = (await tables.look(table.id, ANN.id)).observation.legal[0]
        await tables.play(table.id, ANN.id, str(move))
    return await tables.table(table.id)


async def test_a_worker_gets_what_the_seat_sees_and_a_seed_and_a_level(workers: Workers, turn: Turn) -> None:
    workers.may_think.set()
    assert await think_here(workers)(turn) == turn.sight.observation.legal[-1]
    assert workers.given == [plain((turn.sight.table.game, turn.sight.observation, turn.seed, turn.level))]


async def test_a_turn_does_not_wait_for_a_worker_forever(workers: Workers, turn: Turn) -> None:
    with pytest.raises(NoThought, match="No worker"):
        await think_here(workers, patience_s=0.01)(turn)
