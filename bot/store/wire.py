"""A connection to a SQLite file: what it is set to, how its faults are worded, and the group commit.

Everything that has to happen together is one function, run on the connection's own thread by one call: so no other
coroutine can come between two statements of a transaction, and the way to the thread is gone once.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import aiosqlite

from bot.errors import Conflict, StoreError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

BUSY_TIMEOUT_S: Final = 5.0
SOON_S: Final = 0.25
"""How long what is only to be written soon waits for a commit to share."""

_OWNER_ONLY: Final = 0o600

_CHECKPOINT_PAGES: Final = 4000
"""When the write-ahead log holds so many pages they go into the file."""

_FAULTS: Final = {
    "SQLITE_NOTADB": "is not a database; it was left as it is",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup",
    "SQLITE_READONLY": "can't be written to; it is read-only",
    "SQLITE_BUSY": "is locked by another program; try again in a moment",
    "SQLITE_LOCKED": "is locked by another program; try again in a moment",
    "SQLITE_FULL": "can't be written to; the disk is full",
    "SQLITE_CANTOPEN": "can't be opened; check that its directory exists and that the program may write there",
    "SQLITE_PERM": "can't be opened; the program has no permission",
    "SQLITE_IOERR_SHMSIZE": "can't be written to; the disk is full",
    "SQLITE_IOERR": "can't be read or written; the disk reports an error",
}


def store_error(path: Path, fault: sqlite3.Error) -> StoreError:
    """What went wrong with the file, in a sentence; `Conflict` where a row was already there."""
    name: str = getattr(fault, "sqlite_errorname", "")
    if name in {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}:
        return Conflict("Somebody else was quicker; nothing was changed.")
    why = next((why for code, why in _FAULTS.items() if name.startswith(code)), f"can't be used: {fault}")
    return StoreError(f"The database {path.name} {why}.")


def create_private(path: Path) -> None:
    """Create the file for its owner alone, whatever the umask; SQLite gives ``-wal`` and ``-shm`` the same mode.

    An existing file stays as it is. A file that can't be created is left to SQLite, which names the reason. Call this
    before the process opens the database: closing any descriptor of a file drops SQLite's locks on it.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(os.path.realpath(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        try:
            if hasattr(os, "fchmod"):  # Windows has no modes
                os.fchmod(descriptor, _OWNER_ONLY)
        finally:
            os.close(descriptor)


def connect(path: Path, timeout_s: float | None = None) -> sqlite3.Connection:
    """A bare connection, set as all are; it waits so long for a lock, `BUSY_TIMEOUT_S` unless it is said."""
    patience_s = BUSY_TIMEOUT_S if timeout_s is None else timeout_s
    connection = sqlite3.connect(path, timeout=patience_s, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


class Wire(aiosqlite.Connection):
    """A connection on a thread of its own. Await it to open it."""

    def __init__(self, path: Path) -> None:
        super().__init__(partial(connect, path), iter_chunk_size=64)
        self._thread.daemon = True  # a program that is ended in a hurry closes no connection, and doesn't wait for it
        self.path = path
        self.stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Lets the thread come to its end; `stopped` is done then."""
        self.stopped = super().stop()
        return self.stopped

    async def run(self, work: Work[T]) -> T:
        """The result of ``work``, called with the bare connection on its thread; faults as `StoreError`."""
        if self._connection is None:
            raise StoreError(f"The database {self.path.name} is closed.")
        try:
            result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]  # aiosqlite gives no type
        except sqlite3.Error as fault:
            raise store_error(self.path, fault) from fault
        return result


async def open_wire(path: Path) -> Wire:
    """A connection to the file. Raises `StoreError`."""
    wire = Wire(path)
    try:
        await wire
    except sqlite3.Error as fault:
        if wire.stopped is not None:  # else the thread would report its end to a loop that may be closed by then
            await wire.stopped
        raise store_error(path, fault) from fault
    return wire


class Done(NamedTuple):
    """What became of one piece of work in a batch."""

    result: Any = None
    fault: Exception | None = None


def commit(works: list[Work[Any]], connection: sqlite3.Connection) -> list[Done]:
    """Does all works in one transaction; one that fails is undone alone. Raises if nothing could be committed."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = _do_all(works, connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return done


def _do_all(works: list[Work[Any]], connection: sqlite3.Connection) -> list[Done]:
    """Nearly always all go well, so they are tried without savepoints first: those cost nearly what a move does."""
    try:
        return [Done(work(connection)) for work in works]
    except Exception:  # noqa: BLE001 - whose it is, and what it is, shows when each is done alone
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        return [_do_alone(work, connection) for work in works]


def _do_alone(work: Work[Any], connection: sqlite3.Connection) -> Done:
    connection.execute("SAVEPOINT work")
    try:
        done = Done(work(connection))
    except Exception as fault:  # its caller gets it, and nobody else in the batch
        if not connection.in_transaction:  # SQLite gave up the whole transaction: disk full, for example
            raise
        connection.execute("ROLLBACK TO work")
        done = Done(fault=fault)
    connection.execute("RELEASE work")
    return done


class Writer:
    """The one writer on a wire. What waits goes into one transaction and is acknowledged after its commit.

    It starts when there is work and ends when it is done, so that nothing is parked between moves.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._is_urgent = False
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def write(self, work: Work[T]) -> asyncio.Future[T]:
        """The result of ``work``, once it is on the disk. Raises what it raises; then nothing of it is kept.

        ``work`` may be tried twice, the first time undone: it must have no effect but on the database.
        """
        acknowledged = self._queue(work)
        self.hurry()
        return acknowledged

    def write_soon(self, work: Work[T]) -> asyncio.Future[T]:
        """As `write`, within `SOON_S`: with the next commit there is, as one of its own costs more than the work."""
        acknowledged = self._queue(work)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON_S, self.hurry)
        return acknowledged

    def hurry(self) -> None:
        """Writes now what waits, if anything does."""
        if not self._waiting:
            return
        self._is_urgent = True
        if self._task is None:
            self._task = asyncio.create_task(self._write_all(), name="commit")

    async def finish(self) -> None:
        """Waits until nothing is left to be written."""
        self.hurry()
        while self._task is not None:
            await self._task
            self.hurry()

    def _queue(self, work: Work[T]) -> asyncio.Future[T]:
        acknowledged: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, acknowledged))
        return acknowledged

    async def _write_all(self) -> None:
        while self._is_urgent:
            batch, self._waiting, self._is_urgent = self._waiting, [], False
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            works = [work for work, _ in batch]
            try:
                done = await self._wire.run(partial(commit, works))
            except Exception as fault:  # noqa: BLE001 - it is passed on to everyone who waits, none may wait for ever
                done = [Done(fault=fault)] * len(batch)
            for (_, acknowledged), what in zip(batch, done, strict=True):
                self._acknowledge(acknowledged, what)
            await asyncio.sleep(0)  # those acknowledged just now may have more: they share the next commit
        self._task = None

    def _acknowledge(self, future: asyncio.Future[Any], done: Done) -> None:
        if future.done():  # whoever waited has gone; the work is done all the same
            return
        if done.fault is None:
            future.set_result(done.result)
        elif isinstance(done.fault, sqlite3.Error):
            future.set_exception(store_error(self._wire.path, done.fault))
        else:
            future.set_exception(done.fault)
