"""Tests of leases: which process serves which shards."""

import asyncio
import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.running.host import has_died, this_process
from bot.running.leases import LEASE_S, Leases
from bot.store.bot_processes import Holder
from bot.store.sqlite import SqliteStore
from tests.commands import ended, python
from tests.databases import new_file
from tests.waiting import until


class Process:
    """The leases of one process, which can be suspended."""

    def __init__(self, store: SqliteStore, name: str = "one", *, holder: Holder | None = None) -> None:
        self.now = 1000.0
        self.taken: list[frozenset[int]] = []
        self.losses = 0
        self.leases = Leases(store.leases, holder=holder or Holder(name), try_s=0.0, now=lambda: self.now)
        self.leases.taken_listeners.append(self.taken.append)
        self.leases.on_lost = self._lose

    def _lose(self) -> None:
        self.losses += 1


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """A new database."""
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        yield store


@pytest.fixture
async def process(store: SqliteStore) -> Process:
    """A process that has the lease of its only shard."""
    process = Process(store)
    await process.leases.take({0}, 1)
    process.leases.begin()
    return process


def dead_process() -> Holder:
    """A process of this host that has ended."""
    process = python("-c", "")
    ended(process)
    return this_process("dead")._replace(pid=process.pid)


async def test_a_suspended_process_holds_nothing_until_it_renews(process: Process) -> None:
    assert process.leases.holds(None)
    process.now += LEASE_S + 1
    assert not process.leases.holds(None)
    await process.leases.tick()
    assert process.leases.holds(None)


async def test_a_process_shows_everything_again_after_a_suspension(process: Process) -> None:
    process.now += LEASE_S + 1
    await process.leases.tick()
    assert process.taken == [{0}, {0}]


async def test_leases_are_renewed_after_the_clock_was_put_back(process: Process) -> None:
    process.now -= 3600.0
    assert not process.leases.holds(None)
    await process.leases.tick()
    assert process.leases.holds(None)


async def test_a_process_stops_if_another_one_has_its_shards(process: Process, store: SqliteStore) -> None:
    process.now += LEASE_S + 1
    await store.leases.release("one")
    other = Process(store, "other")
    await other.leases.take({0}, 1)
    await process.leases.tick()
    assert process.losses == 1
    assert process.leases.held == frozenset()
    assert other.leases.held == {0}


async def test_processes_hold_the_shards_that_they_run(store: SqliteStore) -> None:
    one, two = Process(store, "one"), Process(store, "two")
    await one.leases.take({0, 1}, 4)
    await two.leases.take({2, 3}, 4)
    assert [each.leases.held for each in (one, two)] == [{0, 1}, {2, 3}]
    assert two.leases.holds(7 << 22)
    assert not two.leases.holds(None)


async def test_a_second_process_says_for_whom_it_waits_until_that_stops(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = Process(store, holder=Holder("old", "alpha-1", 17)), Process(store, "new")
    await old.leases.take({0, 1}, 4)
    waiting = asyncio.create_task(new.leases.take({1, 2}, 4))
    await until(lambda: caplog.messages)
    assert new.leases.held == frozenset()
    await old.leases.release()
    await waiting
    assert new.leases.held == {1, 2}
    (said,) = caplog.messages
    assert said == "waiting until other processes stop: process 17 on alpha-1 serves some of the shards 1-2"


async def test_nobody_gets_a_shard_while_others_count_another_number(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = Process(store, holder=Holder("old", "alpha-1", 17)), Process(store, "new")
    await old.leases.take({0}, 1)
    waiting = asyncio.create_task(new.leases.take({1}, 2))
    await until(lambda: caplog.messages)
    await old.leases.release()
    await waiting
    (said,) = caplog.messages
    assert said.endswith("process 17 on alpha-1 counts 1 shards in SHARDS, this one 2")


async def test_the_leases_of_a_process_that_died_on_this_host_are_taken(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    dead = Process(store, holder=dead_process())
    await dead.leases.take({0, 1}, 4)
    await store.bot_processes.renew("dead", "", 0, 46, LEASE_S)
    new = Process(store, holder=this_process("new"))
    await new.leases.take({1}, 4)
    assert new.leases.held == {1}
    assert caplog.messages == []
    assert (await store.bot_processes.renew("new", "", 0, 46, LEASE_S)).slots == 46


async def test_a_stopped_process_leaves_its_leases_to_another_host_at_once(
    process: Process, store: SqliteStore
) -> None:
    await process.leases.release()
    assert process.leases.held == frozenset()
    assert await store.leases.acquire(frozenset({0}), Holder("elsewhere"), LEASE_S, 1)


def test_a_process_has_died_if_its_id_is_free_on_the_same_host() -> None:
    ours, dead = this_process("ours"), dead_process()
    assert ours.host == this_process("other").host
    assert has_died(dead, ours)
    assert has_died(ours._replace(process="before us, with our id"), ours)
    assert not has_died(ours, ours)
    assert not has_died(ours._replace(process="other", pid=os.getppid()), ours)
    assert not has_died(ours._replace(process="of another user", pid=1), ours)
    assert not has_died(dead._replace(host="elsewhere"), ours)


async def test_a_change_of_an_event_reaches_the_process_of_its_server_alone(store: SqliteStore) -> None:
    one, two, heard = Process(store, "one"), Process(store, "two"), list[tuple[str, str, int]]()
    for process, name in ((one, "one"), (two, "two")):
        process.leases.event_listeners.append(partial(_note, heard, name))
    await one.leases.take({0}, 2)
    await two.leases.take({1}, 2)
    await one.leases.request_event("match 5", 1 << 22)
    await one.leases.request_event("match 5", 1 << 22)
    await one.leases.tick()
    assert heard == []
    for _ in range(2):
        await two.leases.tick()
    assert heard == [("two", "match 5", 1 << 22)]


def _note(heard: list[tuple[str, str, int]], process: str, event: str, guild_id: int) -> None:
    heard.append((process, event, guild_id))
