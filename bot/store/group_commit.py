"""Group commit: writes that wait at the same time share one transaction.

Each is acknowledged after the commit. Waiting for the disk takes most of the time of a small transaction.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from bot.errors import OutcomeUnknown, Unreachable
from bot.store.transaction import T, Transaction, Values, Work


class Write(NamedTuple):
    """A work that waits for its transaction.

    Works about different things don't touch the same rows, so that an engine may run them at the same time. Those about
    ``None`` may touch any row. ``about`` is the id of a table, a user or an interaction.
    """

    work: Work[Any]
    about: int | None = None


Commit: TypeAlias = Callable[[list[Write]], Awaitable[list[Any]]]
"""Runs works in one transaction, and returns the result or the error of each. An error undoes only its own work.

Raises `StoreError` if the transaction can't be committed.
"""


class Writer:
    """Collects writes and commits them in batches. Its task runs only while there is something to write."""

    def __init__(self, commit: Commit) -> None:
        self._commit = commit
        self._waiting: list[tuple[Write, asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    def write(self, work: Work[T], about: int | None = None) -> asyncio.Future[T]:
        """Run ``work`` in the next transaction. The future has its result once that is on disk. ``about``: see `Write`.

        If ``work`` raises, so does the future, and nothing that it wrote is kept.
        """
        written: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((Write(work, about), written))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all(), name="commit")
            self._task.add_done_callback(self._stop)
        return written

    async def execute(self, statement: str, values: Values = (), about: int | None = None) -> None:
        """Write with one statement."""
        await self.write(partial(_execute, statement, values), about)

    async def finish(self) -> None:
        """Wait until nothing is left to be written."""
        while self._task is not None:
            await asyncio.wait({self._task})

    def _stop(self, task: asyncio.Task[None]) -> None:
        """Cancel the waiting writes if the task was cancelled."""
        if task.cancelled():
            self._task = None
            for _, written in self._waiting:
                written.cancel()
            self._waiting = []

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._write_batch(batch)
            await asyncio.sleep(0)  # callers that were just acknowledged may have more to write
        self._task = None

    async def _write_batch(self, batch: list[tuple[Write, asyncio.Future[Any]]]) -> None:
        try:
            results = await self._commit([write for write, _ in batch])
        except Exception as error:  # noqa: BLE001 - raised in every caller
            results = [error] * len(batch)
            if isinstance(error, Unreachable | OutcomeUnknown):  # those that came meanwhile would wait as long again
                results += [Unreachable("The database can't be reached; try again in a moment.")] * len(self._waiting)
                batch, self._waiting = batch + self._waiting, []
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
