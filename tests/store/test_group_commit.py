"""Tests of collecting writes into batches."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from bot.store.group_commit import Write, Writer
from bot.store.transaction import Transaction
from tests.waiting import until


class Commits:
    """Commits that end when the test says so. ``begun`` has what the writes of each batch are about."""

    def __init__(self) -> None:
        self.begun: list[list[int | None]] = []
        self.ends: list[asyncio.Event] = []

    async def __call__(self, writes: list[Write]) -> list[Any]:
        """Commit a batch."""
        self.begun.append([write.about for write in writes])
        self.ends.append(asyncio.Event())
        await self.ends[-1].wait()
        return [None] * len(writes)

    async def end(self, number: int, *written: Awaitable[None]) -> None:
        """Let a batch end, and wait for its writes."""
        self.ends[number].set()
        await asyncio.gather(*written)


async def work(_: Transaction) -> None:
    """Do nothing."""


async def begin(writer: Writer, *about: int | None) -> list[asyncio.Future[None]]:
    """Write about these things, and give a batch the opportunity to begin."""
    written = [writer.write(work, each) for each in about]
    await asyncio.sleep(0)
    return written


async def test_writes_that_wait_are_committed_together() -> None:
    commits = Commits()
    writer = Writer(commits)
    first = await begin(writer, 1)
    second = await begin(writer, 2, 3)
    assert commits.begun == [[1]]
    await commits.end(0, *first)
    await until(lambda: commits.begun == [[1], [2, 3]])
    await commits.end(1, *second)
    await writer.finish()
