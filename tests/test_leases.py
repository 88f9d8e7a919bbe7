"""Tests of leases: which process updates messages."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.running.leases import LEASE_S, Leases
from bot.store.sqlite import SqliteStore
from tests.databases import new_file


class Process:
    """The leases of one process, which can be suspended."""

    def __init__(self, store: SqliteStore, name: str = "one") -> None:
        self.now = 1000.0
        self.taken: list[frozenset[int]] = []
        self.leases = Leases(store.leases, process=name, now=lambda: self.now)
        self.leases.taken_listeners.append(self.taken.append)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """A new database."""
    async with await SqliteStore.open(new_file(tmp_path / "pond.db")) as store:
        yield store


@pytest.fixture
async def process(store: SqliteStore) -> Process:
    """A process that has the lease of its only shard."""
    process = Process(store)
    await process.leases.start({0}, 1)
    return process


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


async def test_processes_hold_the_shards_that_they_run(store: SqliteStore) -> None:
    one, two = Process(store, "one"), Process(store, "two")
    await one.leases.start({0, 1}, 4)
    await two.leases.start({2, 3}, 4)
    assert [each.leases.held for each in (one, two)] == [{0, 1}, {2, 3}]
    assert two.leases.holds(7 << 22)
    assert not two.leases.holds(None)


async def test_a_different_number_of_shards_is_logged_once(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    old, new, same = Process(store, "old"), Process(store, "new"), Process(store, "same")
    await old.leases.start(range(4), 16)
    await same.leases.start(range(4), 16)
    assert caplog.messages == []
    await new.leases.tick()  # it doesn't know its shards yet
    assert caplog.messages == []
    await new.leases.start(range(4, 8), 8)
    await new.leases.tick()
    (message,) = caplog.messages
    assert message.startswith("SHARDS counts 8 shards in this process, but 16 in another.")
    await old.leases.release()
    await new.leases.tick()
    await old.leases.tick()
    assert caplog.messages[1:] == [message.replace("8 shards", "16 shards").replace("16 in", "8 in")]


async def test_nobody_takes_a_shard_while_others_count_another_number(store: SqliteStore) -> None:
    old, new = Process(store, "old"), Process(store, "new")
    await old.leases.start({0}, 1)
    await new.leases.start({0, 1}, 2)
    assert new.leases.held == frozenset()
    await old.leases.release()
    await new.leases.tick()
    assert new.leases.held == {0, 1}


async def test_a_change_of_an_event_reaches_the_process_of_its_server_alone(store: SqliteStore) -> None:
    one, two, heard = Process(store, "one"), Process(store, "two"), list[tuple[str, str, int]]()
    for process, name in ((one, "one"), (two, "two")):
        process.leases.event_listeners.append(partial(_note, heard, name))
    await one.leases.start({0}, 2)
    await two.leases.start({1}, 2)
    await one.leases.request_event("match 5", 1 << 22)
    await one.leases.request_event("match 5", 1 << 22)
    await one.leases.tick()
    assert heard == []
    for _ in range(2):
        await two.leases.tick()
    assert heard == [("two", "match 5", 1 << 22)]


def _note(heard: list[tuple[str, str, int]], process: str, event: str, guild_id: int) -> None:
    heard.append((process, event, guild_id))
