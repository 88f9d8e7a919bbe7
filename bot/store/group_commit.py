"""Group commit: writes that wait at the same time share one transaction.

Each is acknowledged after the commit. Waiting for the disk takes most of the time of a small transaction.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from bot.store.transaction import T, Transaction, Values, Work


class Write(NamedTuple):
    """A work that waits for its transaction.

    Works about different things don't touch the same rows, so that an engine may run them at the same time. Those about
    ``None`` may touch any row. ``about`` is the id of a table, a user or an interaction.
    """

    work: Work[Any]
    about: int | None = None


_Waiting: TypeAlias = tuple[Write, asyncio.Future[Any]]

Commit: TypeAlias = Callable[[list[Write]], Awaitable[list[Any]]]
"""Runs works in one transaction, and returns the result or the error of each. An error undoes only its own work.

Raises `StoreError` if the transaction can't be committed.
"""


class Writer:
    """Collects writes and commits them in batches. Its tasks run only while there is something to write.

    At most ``lanes`` batches are committed at the same time. Writes about the same thing keep their order.
    """

    def __init__(self, commit: Commit, lanes: int = 1) -> None:
        self._commit = commit
        self._lanes = lanes
        self._waiting: list[_Waiting] = []
        self._busy: set[int] = set()
        """What the writes are about that are being committed."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_starting = False
        """Whether a task is about to take what waits."""

    def write(self, work: Work[T], about: int | None = None) -> asyncio.Future[T]:
        """Run ``work`` in the next transaction. The future has its result once that is on disk. ``about``: see `Write`.

        If ``work`` raises, so does the future, and nothing that it wrote is kept.
        """
        written: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((Write(work, about), written))
        if not self._is_starting and len(self._tasks) < self._lanes:
            self._is_starting = True
            task = asyncio.create_task(self._write_all(), name="commit")
            self._tasks.add(task)
            task.add_done_callback(self._stop)
        return written

    async def execute(self, statement: str, values: Values = (), about: int | None = None) -> None:
        """Write with one statement."""
        await self.write(partial(_execute, statement, values), about)

    async def finish(self) -> None:
        """Wait until nothing is left to be written."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _stop(self, task: asyncio.Task[None]) -> None:
        """Leave nobody waiting if the task was cancelled."""
        self._tasks.discard(task)
        if task.cancelled():
            self._is_starting = False
            for _, written in self._waiting:
                written.cancel()
            self._waiting = []

    async def _write_all(self) -> None:
        self._is_starting = False
        while batch := self._take():
            subjects = {write.about for write, _ in batch if write.about is not None}
            self._busy |= subjects
            try:
                await self._write_batch(batch)
            finally:
                self._busy -= subjects
            await asyncio.sleep(0)  # callers that were just acknowledged may have more to write
        self._tasks.discard(asyncio.current_task())  # at once, so that the next write starts a task

    def _take(self) -> list[_Waiting]:
        """Return the next batch: all that waits, except what is about the same as a batch that is being committed."""
        batch, self._waiting = self._waiting, []
        if self._busy:
            self._waiting = [each for each in batch if each[0].about in self._busy]
            batch = [each for each in batch if each[0].about not in self._busy]
        return batch

    async def _write_batch(self, batch: list[_Waiting]) -> None:
        try:
            results = await self._commit([write for write, _ in batch])
        except Exception as error:  # noqa: BLE001 - raised in every caller
            results = [error] * len(batch)
        except asyncio.CancelledError:
            for _, written in batch:
                written.cancel()
            raise
        for (_, written), result in zip(batch, results, strict=True):
            if written.done():  # the caller was cancelled
                continue
            if isinstance(result, Exception):
                written.set_exception(result)
            else:
                written.set_result(result)


async def _execute(statement: str, values: Values, db: Transaction) -> None:
    await db.execute(statement, values)
