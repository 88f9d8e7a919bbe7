"""Slow computers' turns as jobs that any process takes, on each database."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.games.game import Move, Observation
from bot.store.store import Store
from bot.store.thinking_jobs import Job
from bot.tables import Table, Tables
from bot.thinking.thinkers import NoThought, SharedThinking, Thinkers, Turn, think_here
from tests.commands import ended, python
from tests.databases import Database
from tests.leaks.at_tables import plain
from tests.tables.people import ANN, HERE, make_tables
from tests.waiting import until

POLL_S = 0.01


class Workers(Thinkers):
    """Chooses the last legal move, once it may."""

    def __init__(self, count: int = 1) -> None:
        super().__init__(count)
        self.may_think = asyncio.Event()
        self.given: list[object] = []

    @property
    def begun(self) -> int:
        """The number of thoughts that have begun."""
        return len(self.given)

    async def choose(self, game_key: str, observation: Observation, seed: str, level: str) -> Move:
        """Choose the last legal move."""
        self.given.append(plain((game_key, observation, seed, level)))
        await self.may_think.wait()
        return observation.legal[-1]


class Process:
    """A process that takes jobs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: Tables = make_tables(store)
        self.workers = Workers()
        self.thinking = SharedThinking(store.thoughts, self.tables, self.workers, POLL_S)

    async def turn(self, table: Table) -> Turn:
        """Return the turn of the computer at the table."""
        (seat,) = await self.tables.computers_turn(table)
        return Turn(await self.tables.look_as_computer(table.id, seat), seat)


@pytest.fixture
async def processes(database: Database) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes on one database. They don't take jobs before they are started."""
    async with await database.open() as first, await database.open() as second:
        pair = Process(first), Process(second)
        yield pair
        for process in pair:
            await process.thinking.close()
            process.workers.close()


async def computers_turn(tables: Tables) -> Table:
    """Return a table where a computer is to move."""
    table = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 1)).table
    await tables.lobbies.start(table.id, ANN.id)
    while not await tables.computers_turn(await tables.table(table.id)):
        move = (await tables.look(table.id, ANN.id)).observation.legal[0]
        await tables.play(table.id, ANN.id, str(move))
    return await tables.table(table.id)


async def test_another_process_thinks(processes: tuple[Process, Process]) -> None:
    asker, thinker = processes
    turn = await asker.turn(await computers_turn(asker.tables))
    thinker.workers.may_think.set()
    thinker.thinking.start()
    assert await asker.thinking.ask(turn) == turn.sight.observation.legal[-1]
    assert asker.workers.begun == 0
    assert thinker.workers.given == [plain((turn.sight.table.game, turn.sight.observation, turn.seed, turn.level))]
    assert await asker.store.thoughts.waiting() == 0


async def test_a_helper_of_an_older_version_ends_no_game(processes: tuple[Process, Process]) -> None:
    asker, helper = processes
    table = await computers_turn(asker.tables)
    helper.tables = Tables(helper.store, closes=False)  # it doesn't know the game, as in `think_for_others`
    helper.thinking = SharedThinking(helper.store.thoughts, helper.tables, helper.workers, POLL_S)
    helper.thinking.start()
    with pytest.raises(NoThought):
        await asker.thinking.ask(await asker.turn(table))
    assert await asker.tables.table(table.id) == table


async def test_a_job_is_taken_once_until_its_time_is_over(processes: tuple[Process, Process]) -> None:
    one, two = processes
    table = await computers_turn(one.tables)
    job = Job(table.id, table.version, 0, for_absent=False)
    await one.store.thoughts.ask(job)
    await two.store.thoughts.ask(job)
    assert await one.store.thoughts.take(60.0) == job
    assert await two.store.thoughts.take(60.0) is None
    assert await one.store.thoughts.waiting() == 1
    await one.store.thoughts.forget(job)
    await one.store.thoughts.ask(job)
    assert await one.store.thoughts.take(-1.0) == job, "its process dies"
    assert await two.store.thoughts.take(60.0) == job


async def test_an_answer_that_comes_too_late_does_no_harm(processes: tuple[Process, Process]) -> None:
    asker, _ = processes
    table = await computers_turn(asker.tables)
    old, new = (Job(table.id, version, 0, for_absent=False) for version in (table.version, table.version + 1))
    await asker.store.thoughts.ask(old)
    await asker.store.thoughts.ask(new)
    await asker.store.thoughts.answer(old, "take 1")
    assert await asker.store.thoughts.move(old) is None
    assert await asker.store.thoughts.move(new) is None
    assert await asker.store.thoughts.take(60.0) == new


async def test_a_process_takes_no_more_jobs_than_it_has_workers(processes: tuple[Process, Process]) -> None:
    asker, thinker = processes
    turns = [await asker.turn(await computers_turn(asker.tables)) for _ in range(2)]
    thinker.thinking.start()
    asking = [asyncio.create_task(asker.thinking.ask(turn)) for turn in turns]
    await until(lambda: thinker.workers.begun == 1)
    asker.workers.may_think.set()
    asker.thinking.start()
    await until(asking[1].done)
    assert (asker.workers.begun, thinker.workers.begun) == (1, 1)
    thinker.workers.may_think.set()
    await asyncio.gather(*asking)


async def test_an_answer_that_is_not_legal_is_no_thought(processes: tuple[Process, Process]) -> None:
    asker, _ = processes
    turn = await asker.turn(await computers_turn(asker.tables))
    asking = asyncio.create_task(asker.thinking.ask(turn))
    job = Job(turn.sight.table.id, turn.sight.table.version, turn.seat, for_absent=False)
    while await asker.store.thoughts.take(60.0) != job:  # noqa: ASYNC110 - the job is in the database
        await asyncio.sleep(POLL_S)
    await asker.store.thoughts.answer(job, "nonsense")
    with pytest.raises(NoThought):
        await asking


async def test_a_table_that_has_moved_on_gets_no_move(processes: tuple[Process, Process]) -> None:
    asker, thinker = processes
    turn = await asker.turn(await computers_turn(asker.tables))
    table = turn.sight.table
    await asker.tables.play_computer(table.id, turn.seat, str(turn.sight.observation.legal[0]), table.version)
    thinker.thinking.start()
    with pytest.raises(NoThought):
        await asker.thinking.ask(turn)
    assert thinker.workers.begun == 0


async def test_a_worker_that_fails_is_not_waited_for(
    processes: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> Move:
        raise NoThought("killed")

    asker, thinker = processes
    monkeypatch.setattr(thinker.workers, "choose", fail)
    thinker.thinking.start()
    with pytest.raises(NoThought):
        await asker.thinking.ask(await asker.turn(await computers_turn(asker.tables)))


async def test_a_turn_does_not_wait_for_a_worker_forever(processes: tuple[Process, Process]) -> None:
    process, _ = processes
    turn = await process.turn(await computers_turn(process.tables))
    with pytest.raises(NoThought, match="No worker"):
        await think_here(process.workers, patience_s=0.01)(turn)
    process.workers.may_think.set()
    assert await think_here(process.workers)(turn) == turn.sight.observation.legal[-1]


def test_think_needs_postgresql(tmp_path: Path) -> None:
    status, _, told = ended(python("-m", "bot", "think", DATABASE_URL=f"sqlite:///{tmp_path}/pond.db"))
    assert status == 78
    assert "needs a PostgreSQL database" in told
