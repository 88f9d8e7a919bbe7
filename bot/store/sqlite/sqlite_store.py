"""`SqliteStore`: a store in one file, with a connection to write, and one to read."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from bot.store.database import Database, Row, Session, T, Transaction, Values, Work, Writer
from bot.store.schema import Migration
from bot.store.sqlite.connection import Connection, connected, create_private, open_connection, store_error, transaction
from bot.store.sqlite.file_lock import FileLock
from bot.store.sqlite.open_files import OpenFiles
from bot.store.sqlite.sqlite_schema import migrations, prepare
from bot.store.store import Store

log: Final = logging.getLogger(__name__)

VACUUMED_BYTES: Final = 16 * 2**20
"""Maximum size of a database that is vacuumed while the bot runs. Nothing can be written meanwhile."""


class SqliteTransaction:
    """Runs the statements of works on the connection's thread. None of its methods ever waits."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def execute(self, statement: str, values: Values = (), /) -> int:
        return self._connection.execute(statement, values).rowcount

    async def execute_many(self, statement: str, values: Iterable[Values], /) -> None:
        self._connection.executemany(statement, values)

    async def rows(self, query: str, values: Values = (), /) -> list[Row]:
        return self._connection.execute(query, values).fetchall()

    async def named_rows(self, query: str, values: Values = (), /) -> list[dict[str, Any]]:
        found = self._connection.execute(query, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    async def lock(self, what: str, /) -> None:
        """Do nothing: SQLite has one writer at a time."""


def finish(work: Work[T], connection: sqlite3.Connection) -> T:
    """Run a work to its end in one step, and return its result."""
    coroutine = work(SqliteTransaction(connection))
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("A work waits for something other than its own statements.")


async def commit_on(connection: Connection, files: OpenFiles, works: list[Work[Any]]) -> list[Any]:
    """Run all works in one transaction, and return the result or the error of each. Raises `StoreError`."""
    results = await connection.run(partial(commit, files, works))
    path = connection.path
    return [store_error(path, each) if isinstance(each, sqlite3.Error) else each for each in results]


def commit(files: OpenFiles, works: list[Work[Any]], connection: sqlite3.Connection) -> list[Any]:
    """Run all works in one transaction, and return their results or errors. An error rolls back only its own changes.

    Raises `sqlite3.Error` if the transaction can't be committed, the error of a work that is alone, and `StoreError` if
    what is committed would be lost.
    """
    with transaction(connection):
        is_alone = len(works) == 1  # its error rolls back everything
        results = [finish(works[0], connection)] if is_alone else [_result(work, connection) for work in works]
        files.check()
        return results


def _result(work: Work[Any], connection: sqlite3.Connection) -> Any:
    """Return the result of a work, or its error, which undoes only its own changes."""
    connection.execute("SAVEPOINT work")
    try:
        result = finish(work, connection)
    except Exception as error:  # returned to its caller
        if not connection.in_transaction:  # SQLite rolled back the whole transaction, for example as the disk is full
            raise
        connection.execute("ROLLBACK TO work")
        result = error
    connection.execute("RELEASE work")
    return result


def scrub(vacuums: bool, connection: sqlite3.Connection) -> bool:  # noqa: FBT001 - only called with `partial`
    """Overwrite deleted rows in the files; return false if another connection prevents it.

    ``secure_delete`` overwrites a deleted row, but not the copies that SQLite leaves in a page's unused space when it
    moves rows to other pages; a vacuum does. The write-ahead log holds pages as they were until it is emptied.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        ((size,),) = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        if vacuums and size <= VACUUMED_BYTES:
            connection.execute("PRAGMA temp_store = MEMORY")  # else a copy of everything would be in a temporary file
            connection.execute("VACUUM")
        elif vacuums:
            log.info("the database is too large to be vacuumed while tables are played; see docs/OPERATIONS.md")
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise
        return False
    return not busy


class SqliteSession(Session):
    """Runs works on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def run(self, work: Work[T]) -> T:
        return await self._connection.run(partial(finish, work))

    async def in_snapshot(self, work: Work[T]) -> T:
        return await self._connection.run(partial(_finish_in_snapshot, work))


class SqliteDatabase(Database):
    """An open SQLite file."""

    def __init__(self, path: Path, reading: Connection, writing: Connection, writer: Writer) -> None:
        self.reading = SqliteSession(reading)
        self.writer = writer
        self._path = path
        self._connections = (reading, writing)
        self._lock: FileLock | None = None

    def occupy(self) -> bool:
        self._lock = FileLock(self._path)
        return True

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        async with connected(self._path) as connection:
            yield SqliteSession(connection)

    @asynccontextmanager
    async def exclusive(self, tables: Collection[str]) -> AsyncIterator[Session]:
        del tables  # SQLite has one writer at a time
        async with connected(self._path) as connection:
            await connection.run(lambda db: db.execute("BEGIN IMMEDIATE"))
            yield SqliteSession(connection)
            await connection.run(lambda db: db.execute("COMMIT"))

    async def count_on(self, db: Transaction) -> None:
        """Do nothing: SQLite numbers rows after the last one."""

    async def scrub(self, *, vacuums: bool) -> bool:
        async with connected(self._path) as connection:
            return await connection.run(partial(scrub, vacuums))

    async def close(self) -> None:
        await self.writer.finish()
        for connection in self._connections:
            await connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _finish_in_snapshot(work: Work[T], connection: sqlite3.Connection) -> T:
    connection.execute("BEGIN")
    try:
        return finish(work, connection)
    finally:
        connection.execute("COMMIT")


class SqliteStore(Store):
    """A store in one file. Open it with `SqliteStore.open`, or use that in ``async with``."""

    def __init__(self, path: Path, writing: Connection, reading: Connection) -> None:
        self._writing = writing
        self._reader = reading
        writer = Writer(partial(commit_on, writing, OpenFiles(path)))
        super().__init__(SqliteDatabase(path, reading, writing, writer))

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> Self:
        """Open the store in this file, which is created or migrated as needed.

        Raises `DatabaseTooNew`, `DatabaseTooOld`, or another `StoreError` if it isn't ours or can't be written to.
        """
        create_private(path)
        writing = await open_connection(path)
        try:
            await writing.run(partial(prepare, path, known or migrations()))
            reading = await open_connection(path)
        except BaseException:
            await writing.close()
            raise
        return cls(path, writing, reading)
