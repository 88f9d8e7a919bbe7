"""How processes share Discord's limit of requests: who has how many slots, and that no second has more requests."""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.errors import StoreError
from bot.running.leases import LEASE_S, Share
from bot.running.ticker import TICK_S
from bot.store.bot_processes import BotProcesses, Grant, grant
from bot.store.database import Transaction, Work
from bot.store.sqlite.sqlite_schema import apply, migrations
from bot.store.sqlite.sqlite_store import finish
from bot.ui.live.pace import Budget, Priority
from tests.doses import dose
from tests.virtual_time import run
from tests.waiting import until
from tests.windows import most_within

LIMIT: Final = 46
EPOCH_DAYS: Final = 2440587.5
DAY_S: Final = 86_400.0


@pytest.mark.parametrize(
    ("others", "kept", "granted"),
    [
        pytest.param([], 0, Grant(46, 46), id="alone"),
        pytest.param([46], 0, Grant(0, 23), id="a newcomer waits for the other"),
        pytest.param([0], 46, Grant(46, 23), id="the other has to return half"),
        pytest.param([0], 30, Grant(30, 23), id="it can't return what is in use"),
        pytest.param([30], 0, Grant(16, 23), id="a newcomer gets what was returned"),
        pytest.param([23], 16, Grant(23, 23), id="and later the rest"),
        pytest.param([15, 15], 23, Grant(23, 15), id="a third is coming"),
        pytest.param([], 23, Grant(46, 46), id="the other has gone"),
        pytest.param([23, 23], 0, Grant(0, 15), id="nothing is free"),
        pytest.param([1] * 46, 0, Grant(0, 1), id="there are more processes than slots"),
        pytest.param([1] * 60, 1, Grant(1, 1), id="there always were"),
    ],
)
def test_slots_are_shared_equally_and_never_given_twice(others: list[int], kept: int, granted: Grant) -> None:
    assert grant(LIMIT, others, kept) == granted
    assert sum(others) + granted.slots <= max(LIMIT, sum(others) + kept)


@pytest.mark.parametrize(
    ("granted", "in_use", "usable", "kept"),
    [
        pytest.param(Grant(46, 46), 10, 46, 46, id="what may be used is kept"),
        pytest.param(Grant(46, 23), 10, 23, 23, id="the rest is returned"),
        pytest.param(Grant(46, 23), 30, 23, 30, id="once it isn't in use any more"),
        pytest.param(Grant(4, 23), 3, 4, 4, id="a process uses only what it has"),
        pytest.param(Grant(0, 23), 3, 0, 0, id="requests of the login are in the margin"),
    ],
)
def test_a_process_returns_slots_when_it_does_not_use_them(granted: Grant, in_use: int, usable: int, kept: int) -> None:
    assert (granted.usable, granted.kept(in_use)) == (usable, kept)


class Database:
    """A database in memory, whose clock shows the virtual time. Writing takes a moment, and may fail."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.create_function("julianday", 1, lambda _: EPOCH_DAYS + now() / DAY_S)
        for migration in migrations():
            apply(migration, self._connection)
        self.lost: set[str] = set()
        """The processes that can't reach it."""

    def close(self) -> None:
        """Close it."""
        self._connection.close()

    def slots(self) -> list[int]:
        """Return the slots of the live processes."""
        rows = self._connection.execute("SELECT slots FROM bot_processes WHERE expires_at >= ?", (now(),))
        return [slots for (slots,) in rows]

    def store_of(self, process: str, rng: random.Random) -> BotProcesses:
        """Return the repository of a process."""
        database: Any = SimpleNamespace(
            reading=None, writer=Writer(self._connection, lambda: process in self.lost, rng)
        )
        return BotProcesses(database)


class Writer:
    """Writes for one process."""

    def __init__(self, connection: sqlite3.Connection, is_lost: Callable[[], bool], rng: random.Random) -> None:
        self._connection = connection
        self._is_lost = is_lost
        self._rng = rng

    async def write(self, work: Work[Any]) -> Any:
        """Write. An error may come before that, or in place of the answer."""
        await self._answer()
        result = finish(work, self._connection)
        await self._answer()
        return result

    async def execute(self, statement: str, values: tuple[object, ...]) -> None:
        """Write with one statement."""

        async def work(db: Transaction) -> None:
            await db.execute(statement, values)

        await self.write(work)

    async def _answer(self) -> None:
        await asyncio.sleep(self._rng.random())
        if self._is_lost():
            raise StoreError("lost")


class Process:
    """A process that always has requests to make. Each takes some time, and arrives at any moment of it."""

    def __init__(self, name: str, database: Database, arrived: list[float], rng: random.Random) -> None:
        self._rng = rng
        self._arrived = arrived
        self.count = 0
        self.budget = Budget(lambda: self.share.slots)
        store = database.store_of(name, rng)
        self.share = Share(store, self.budget, process=name, limit=LIMIT, emojis="", now=now)
        self._tasks = [asyncio.create_task(self._renew()), *(asyncio.create_task(self._make()) for _ in range(60))]

    async def _renew(self) -> None:
        while True:
            with contextlib.suppress(StoreError):
                await self.share.renew()
            await asyncio.sleep(TICK_S)

    async def _make(self) -> None:
        while True:
            await self.budget.take(Priority.BOARD)
            before_s, after_s = self._rng.random() / 4, self._rng.random() * self._rng.choice((0.1, 1.0))
            await asyncio.sleep(before_s)
            self._arrived.append(now())
            self.count += 1
            await asyncio.sleep(after_s)
            self.budget.release()

    async def die(self) -> None:
        """End in the middle of everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def stop(self) -> None:
        """End in an orderly way."""
        await self.die()
        await self.share.leave()


def now() -> float:
    """Return the virtual time."""
    return asyncio.get_running_loop().time()


@contextlib.contextmanager
def database() -> Iterator[Database]:
    """A new database."""
    with closing(Database()) as made:
        yield made


@pytest.mark.parametrize("seed", range(dose(check=1, test=3, full=20)))
def test_no_second_has_too_many_requests_while_processes_come_and_go(seed: int) -> None:
    async def live() -> list[float]:
        rng, arrived, running = random.Random(seed), list[float](), dict[str, Process]()
        with database() as shared:
            for number in range(60):
                name = rng.choice([*running, "new"])
                match rng.choice(("join", "join", "die", "stop", "lose", "find")) if running else "join":
                    case "join" if len(running) < 6:
                        running[f"{number}"] = Process(f"{number}", shared, arrived, rng)
                    case "die" if name in running:
                        await running.pop(name).die()
                    case "stop" if name in running:
                        await running.pop(name).stop()
                    case "lose":
                        shared.lost.add(name)
                    case "find":
                        shared.lost.clear()
                await asyncio.sleep(rng.random() * LEASE_S)
                assert sum(shared.slots()) <= LIMIT
            for process in running.values():
                await process.die()
        return arrived

    arrived = run(live())
    assert len(arrived) > 1000
    assert most_within(1.0, arrived) <= LIMIT


def test_a_newcomer_and_a_survivor_get_their_shares() -> None:
    async def live() -> list[list[int]]:
        rng, arrived, seen = random.Random(1), list[float](), list[list[int]]()
        with database() as shared:
            one = Process("one", shared, arrived, rng)
            await asyncio.sleep(LEASE_S)
            seen.append([one.share.slots])
            two = Process("two", shared, arrived, rng)
            await asyncio.sleep(LEASE_S)
            seen.append([one.share.slots, two.share.slots])
            await one.die()
            await asyncio.sleep(2 * LEASE_S)
            seen.append([two.share.slots])
            await two.stop()
        return seen

    assert run(live()) == [[46], [23, 23], [46]]


def test_a_process_without_a_database_stops_before_its_share_is_given_to_others() -> None:
    async def live() -> tuple[int, int]:
        rng, arrived = random.Random(2), list[float]()
        with database() as shared:
            lost, other = (Process(name, shared, arrived, rng) for name in ("lost", "other"))
            await asyncio.sleep(2 * LEASE_S)
            shared.lost.add("lost")
            await until(lambda: other.share.slots == LIMIT)
            assert lost.share.slots == lost.budget.in_use == 0
            shared.lost.clear()
            await asyncio.sleep(2 * LEASE_S)
            slots = lost.share.slots, other.share.slots
            await lost.die()
            await other.die()
        return slots

    assert run(live()) == (23, 23)
