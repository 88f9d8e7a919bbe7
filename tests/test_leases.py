"""Tests of leases: which process updates messages."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.leases import LEASE_S, Leases
from bot.store.sqlite import SqliteStore
from tests.waiting import until


class Process:
    """The leases of one process, which can be suspended."""

    def __init__(self, store: SqliteStore) -> None:
        self.now = 1000.0
        self.taken: list[frozenset[int]] = []
        self.leases = Leases(
            store.leases,
            taken=self.taken.append,
            requested=lambda _: None,
            waiting=lambda: None,
            tick_s=0.01,
            now=lambda: self.now,
        )


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[Process]:
    """A process that has the lease of its only shard."""
    async with await SqliteStore.open(tmp_path / "pond.db") as store:
        process = Process(store)
        await process.leases.start({0}, 1)
        yield process
        await process.leases.close()


async def test_a_suspended_process_holds_nothing_until_it_renews(process: Process) -> None:
    assert process.leases.holds(None)
    process.now += LEASE_S + 1
    assert not process.leases.holds(None)
    await until(lambda: process.leases.holds(None))


async def test_a_process_shows_everything_again_after_a_suspension(process: Process) -> None:
    process.now += LEASE_S + 1
    await until(lambda: len(process.taken) == 2)
    assert process.taken == [{0}, {0}]


async def test_leases_are_renewed_after_the_clock_was_put_back(process: Process) -> None:
    process.now -= 3600.0
    assert not process.leases.holds(None)
    await until(lambda: process.leases.holds(None))
