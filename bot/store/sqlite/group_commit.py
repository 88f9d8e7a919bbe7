"""Group commit: writes that wait at the same time share one transaction.

Each is acknowledged after the commit. `fsync` takes most of the time of a small transaction.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from bot.store.sqlite.connection import Connection, T, Work, store_error


class Writer:
    """Collects writes and commits them in batches. Its task runs only while there is something to write."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None

    def write(self, work: Work[T]) -> asyncio.Future[T]:
        """Run ``work`` in the next transaction. The future has its result once that is on disk.

        If ``work`` raises, so does the future, and nothing that it wrote is kept.
        """
        written: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, written))
        if self._task is None:
            self._task = asyncio.create_task(self._write_all(), name="commit")
            self._task.add_done_callback(self._stop)
        return written

    async def execute(self, statement: str, values: Sequence[object] | Mapping[str, object] = ()) -> None:
        """Write with one statement."""
        await self.write(lambda connection: connection.execute(statement, values).close())

    async def finish(self) -> None:
        """Wait until nothing is left to be written."""
        while self._task is not None:
            await asyncio.wait({self._task})

    def _stop(self, task: asyncio.Task[None]) -> None:
        """Leave nobody waiting if the task was cancelled."""
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

    async def _write_batch(self, batch: list[tuple[Work[Any], asyncio.Future[Any]]]) -> None:
        try:
            results = await self._connection.run(partial(commit, [work for work, _ in batch]))
        except Exception as error:  # noqa: BLE001 - raised in every caller
            results = [error] * len(batch)
        except asyncio.CancelledError:
            for _, written in batch:
                written.cancel()
            raise
        for (_, written), result in zip(batch, results, strict=True):
            if written.done():  # the caller was cancelled
                continue
            if isinstance(result, sqlite3.Error):
                written.set_exception(store_error(self._connection.path, result))
            elif isinstance(result, Exception):
                written.set_exception(result)
            else:
                written.set_result(result)


def commit(works: list[Work[Any]], connection: sqlite3.Connection) -> list[Any]:
    """Run all works in one transaction, and return their results or errors. An error rolls back only its own changes.

    Raises `sqlite3.Error` if the transaction can't be committed.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        results = [_run(work, connection) for work in works]
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return results


def _run(work: Work[Any], connection: sqlite3.Connection) -> Any:
    connection.execute("SAVEPOINT work")
    try:
        result = work(connection)
    except Exception as error:  # returned to its caller
        if not connection.in_transaction:  # SQLite rolled back the whole transaction, for example as the disk is full
            raise
        connection.execute("ROLLBACK TO work")
        result = error
    connection.execute("RELEASE work")
    return result
