"""Connections to a SQLite file: their settings, their threads, and their errors as sentences.

Statements that belong together are one function, run by one call on the connection's thread. No other coroutine can
interfere between them.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import aiosqlite

from bot.errors import Conflict, Locked, StatementFailed, StoreError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

BUSY_TIMEOUT_S: Final = 5.0

_OWNER_ONLY: Final = 0o600

_CHECKPOINT_PAGES: Final = 4000
"""Length of the write-ahead log, in pages, from which it is written back to the file."""

_LOCKED: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
_ERRORS: Final = {
    "SQLITE_NOTADB": "is not a database; it was left as it is",
    "SQLITE_CORRUPT": "is damaged; restore it from a backup",
    "SQLITE_READONLY": "can't be written to; it is read-only",
    **dict.fromkeys(_LOCKED, "is locked by another program; try again in a moment"),
    "SQLITE_FULL": "can't be written to; the disk is full",
    "SQLITE_CANTOPEN": "can't be opened; check that its directory exists and may be written to: {folder}",
    "SQLITE_PERM": "can't be opened; the program has no permission",
    "SQLITE_IOERR_SHMSIZE": "can't be written to; the disk is full",
    "SQLITE_IOERR": "can't be read or written; the disk reports an error",
}

FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)
"""Errors of SQLite. Where its message quotes a damaged schema, Python can't decode that."""


def store_error(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
    """Return the error as a sentence about the file; a `Conflict` if a row with this key exists."""
    name: str = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT" if isinstance(error, UnicodeDecodeError) else "")
    if name in {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}:
        return Conflict("Somebody else was quicker; nothing was changed.")
    why = next((why for code, why in _ERRORS.items() if name.startswith(code)), None)
    if why is None:
        return StatementFailed(f"The database {path.name} can't be used: {error}.")
    kind = Locked if name.startswith(_LOCKED) else StoreError
    return kind(f"The database {path.name} {why.format(folder=path.absolute().parent)}.")


_text: Final = partial(str, encoding="utf-8", errors="replace")


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


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection of the standard library with our settings."""
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.text_factory = _text  # or one text that isn't UTF-8 would fail all rows of a query
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is written in the block, or roll it back after an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


class Connection(aiosqlite.Connection):
    """A connection on a thread of its own. Open it with `open_connection`."""

    def __init__(self, path: Path) -> None:
        super().__init__(partial(connect, path), iter_chunk_size=64)
        self._thread.daemon = True  # an interrupted program doesn't wait for connections that nobody closed
        self.path = path
        self.stopped: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Let the thread end; `stopped` is done then."""
        self.stopped = super().stop()
        return self.stopped

    async def run(self, work: Work[T]) -> T:
        """Return the result of ``work``, called on the connection's thread. Raises `StoreError`."""
        if self._connection is None:
            raise StoreError(f"The database {self.path.name} is closed.")
        try:
            result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]  # aiosqlite gives no type
        except FAILURES as error:
            raise store_error(self.path, error) from error
        return result


async def open_connection(path: Path) -> Connection:
    """Open a connection to the file. Raises `StoreError`."""
    connection = Connection(path)
    try:
        await connection
    except BaseException as error:  # it may be cancelled while the thread opens the file
        if connection.stopped is not None:  # else the thread would report its end to a loop that may be closed by then
            await connection.stopped
        if isinstance(error, FAILURES):
            raise store_error(path, error) from error
        raise
    return connection


@contextlib.asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Connection]:
    """Open a connection for slow works, so that moves don't wait for them."""
    connection = await open_connection(path)
    try:
        yield connection
    finally:
        await connection.close()  # rolls back what wasn't committed
