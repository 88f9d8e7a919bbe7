"""Tests of collecting writes into batches."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Any, Final, cast

from bot.store.database import Transaction, Work, Writer
from tests.waiting import until

_NOTHING: Final = cast("Transaction", None)


class Commits:
    """Commits that end when the test says so. ``begun`` has the names of the works of each batch."""

    def __init__(self) -> None:
        self.begun: list[list[int]] = []
        self.ends: list[asyncio.Event] = []

    async def __call__(self, works: list[Work[Any]]) -> list[Any]:
        """Commit a batch."""
        self.begun.append([await work(_NOTHING) for work in works])
        self.ends.append(asyncio.Event())
        await self.ends[-1].wait()
        return [None] * len(works)

    async def end(self, number: int, *written: Awaitable[int]) -> None:
        """Let a batch end, and wait for its writes."""
        self.ends[number].set()
        await asyncio.gather(*written)


async def named(name: int, _: Transaction) -> int:
    """Do nothing, and return the name of the work."""
    return name


async def begin(writer: Writer, *names: int) -> list[asyncio.Future[int]]:
    """Write works of these names, and give a batch the opportunity to begin."""
    written = [writer.write(partial(named, name)) for name in names]
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
