"""Several processes with one database: deadlines and computers' moves happen once, and none is lost with a process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot import computer
from bot.calendar import Calendar
from bot.games.game import Move
from bot.records.live_message import Kind, LiveMessage, Stage
from bot.records.table import Receipt, Table
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from bot.tables.absence.deadlines import HOUR
from bot.tables.absence.timer import Deadlines
from bot.thinking.thinkers import Turn
from bot.thinking.turns import Turns
from tests.tables.people import ANN, BEN, Clock, make_tables, started, waiting
from tests.waiting import until

if TYPE_CHECKING:
    from bot.tables.tables import Tables


class Process:
    """A process with its own connections to the database."""

    def __init__(self, store: Store, clock: Clock, name: str, owner: Callable[[], str]) -> None:
        self.reminded: list[int] = []
        self.thoughts = 0
        self.may_think = asyncio.Event()
        self.store = store
        self.tables: Tables = make_tables(store, clock)
        self.turns = Turns(self.tables, think=self._think, is_ours=lambda _: owner() == name, thought_s=0.0)
        self.calendar = Calendar(store.due, clock, beat=self.tables.waiting.beat, is_ours=lambda _: owner() == name)
        self.deadlines = Deadlines(self.tables, self, clock, stand_in=self.turns.stand_in, expect=self.calendar.expect)
        self.calendar.add("deadline", self.deadlines.due)
        self.tables.on_change(self.turns.changed)
        self.tables.on_change(self.deadlines.changed)

    async def _think(self, turn: Turn) -> Move:
        self.thoughts += 1
        await self.may_think.wait()
        return turn.sight.observation.legal[0]

    def refresh(self, table_id: int, /) -> None:
        """Redraw the table's board."""

    def remind(self, table_id: int, /) -> None:
        """Note the reminder."""
        self.reminded.append(table_id)

    async def follow(self, table: Table) -> None:
        """Follow a change that another process has made, as `bot.running.leases` does."""
        latest = await self.tables.table(table.id)
        self.turns.changed(Receipt(latest, latest.version))
        self.deadlines.changed(Receipt(latest, latest.version))

    async def die(self) -> None:
        """End without anything that an orderly stop would do."""
        await self.turns.close()
        await self.calendar.close()


class World:
    """Two processes, and the name of the one with the lease."""

    def __init__(self, stores: list[Store]) -> None:
        self.owner = "one"
        self.clock = Clock()
        self.one, self.two = (
            Process(store, self.clock, name, lambda: self.owner)
            for store, name in zip(stores, ("one", "two"), strict=True)
        )


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Two processes on one database."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(await SqliteStore.open(tmp_path / "pond.db")) for _ in range(2)]
        world = World(stores)
        yield world
        for process in (world.one, world.two):
            await process.die()


@pytest.fixture
def are_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """All computers are slow."""
    monkeypatch.setattr(computer, "is_slow", lambda _game, _level: True)


async def steps(world: World, table: Table) -> int:
    """Return how many steps have been taken while the table waits."""
    return (await world.one.store.waits.of(table, world.clock())).steps


# ---- reminders


async def test_a_reminder_is_claimed_once_even_if_two_processes_take_it_for_theirs(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN)
    world.clock.at += 4 * HOUR
    claims = []
    for process in (world.one, world.two):
        due = await process.tables.waiting.next_due(table)
        assert due is not None
        claims.append(process.tables.waiting.claim_step(table, due, pings=True))
    assert sorted(await asyncio.gather(*claims)) == [False, True]


async def test_the_process_with_the_lease_reminds_and_the_other_one_does_not(world: World) -> None:
    table = await waiting(world.two.tables, ANN, BEN)
    world.clock.at += 4 * HOUR
    for process in (world.two, world.one):
        await process.calendar.resume()
    await until(lambda: world.one.reminded)
    assert (world.one.reminded, world.two.reminded) == ([table.id], [])
    assert await steps(world, table) == 1


async def test_the_next_process_reminds_after_a_crash_before_the_reminder(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN)
    await world.one.die()
    world.clock.at += 4 * HOUR
    world.owner = "two"
    await world.two.tables.waiting.beat(gap_s=5 * HOUR)  # it ran all the time
    await world.two.calendar.resume(frozenset())
    await until(lambda: world.two.reminded)
    assert await steps(world, table) == 1


async def test_a_crash_after_the_claim_leaves_the_pings_to_the_next_process(world: World) -> None:
    store, table = world.one.store, await waiting(world.one.tables, ANN, BEN)
    board = LiveMessage(
        subject_id=table.id,
        kind=Kind.BOARD,
        user_id=None,
        channel_id=1,
        nonce=5,
        version=table.version,
        posted_at=0.0,
        notified=(ANN.id,),
        message_id=6,
        stage=Stage.LIVE,
    )
    await store.messages.posted(board)
    world.clock.at += 4 * HOUR
    due = await world.one.tables.waiting.next_due(table)
    assert due is not None
    assert await world.one.tables.waiting.claim_step(table, due, pings=True)
    assert [message.notified for message in await world.two.store.messages.of(table.id)] == [()]


# ---- computers


@pytest.mark.usefixtures("are_slow")
async def test_only_the_process_with_the_lease_thinks(world: World) -> None:
    table = await started(world.two.tables, ANN, computers=1)
    await world.one.follow(table)
    await until(lambda: world.one.thoughts)
    assert (world.one.thoughts, world.two.thoughts) == (1, 0)
    world.one.may_think.set()
    await until(lambda: _has_moved(world, table))


@pytest.mark.usefixtures("are_slow")
async def test_another_process_thinks_after_a_crash(world: World) -> None:
    table = await started(world.one.tables, ANN, computers=1)
    await until(lambda: world.one.thoughts)
    await world.one.die()
    world.owner = "two"
    world.two.may_think.set()
    await world.two.turns.resume()
    await until(lambda: _has_moved(world, table))
    assert world.two.thoughts == 1


@pytest.mark.usefixtures("are_slow")
async def test_another_process_plays_for_an_absent_user_after_a_crash(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN, clock="live")
    await world.one.tables.waiting.beat()
    world.clock.at += 90
    await world.one.calendar.resume(frozenset())
    await until(lambda: world.one.thoughts)
    await world.one.die()
    world.owner = "two"
    world.two.may_think.set()
    await world.two.calendar.resume(frozenset())
    await until(lambda: _has_moved(world, table))


async def _has_moved(world: World, table: Table) -> bool:
    return (await world.two.tables.table(table.id)).version > table.version


# ---- downtime


async def test_the_downtime_of_one_process_does_not_count_while_others_run(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN, clock="day")  # on shard 0 of 2
    world.one.tables.waiting.shards = lambda: (frozenset({0}), 2)
    world.two.tables.waiting.shards = lambda: (frozenset({1}), 2)
    for process in (world.one, world.two):
        await process.tables.waiting.beat()
    for _ in range(10):
        world.clock.at += HOUR
        await world.two.tables.waiting.beat(gap_s=2 * HOUR)
    await world.one.tables.waiting.beat()
    assert (await world.one.store.waits.of(table, world.clock())).away_s == 10 * HOUR


async def test_the_downtime_of_other_shards_counts(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN, clock="day")
    world.two.tables.waiting.shards = lambda: (frozenset({1}), 2)
    await world.two.tables.waiting.beat()
    world.clock.at += 10 * HOUR
    await world.two.tables.waiting.beat()
    assert (await world.one.store.waits.of(table, world.clock())).away_s == 0


async def test_downtime_between_two_numbers_of_shards_does_not_count(world: World) -> None:
    table = await waiting(world.one.tables, ANN, BEN, clock="day")
    await world.one.tables.waiting.beat()
    world.clock.at += 10 * HOUR
    world.two.tables.waiting.shards = lambda: (frozenset({0, 1}), 2)
    await world.two.tables.waiting.beat()
    assert (await world.one.store.waits.of(table, world.clock())).away_s == 10 * HOUR
