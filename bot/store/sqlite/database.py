"""A SQLite file with a connection to write, and one to read."""

import sqlite3
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from bot.store.database import Database, Session
from bot.store.group_commit import Writer
from bot.store.sqlite.connection import Connection, connected
from bot.store.sqlite.scrub import scrub
from bot.store.sqlite.transaction import SqliteTransaction, finish
from bot.store.transaction import T, Transaction, Work


class SqliteSession(Session):
    """Runs works on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def run(self, work: Work[T]) -> T:
        return await self._connection.run(partial(_run, work))

    async def in_snapshot(self, work: Work[T]) -> T:
        return await self._connection.run(partial(_run_in_snapshot, work))


class SqliteDatabase(Database):
    """An open SQLite file."""

    def __init__(self, path: Path, reading: Connection, writing: Connection, writer: Writer) -> None:
        self.reading = SqliteSession(reading)
        self.writer = writer
        self._path = path
        self._connections = (reading, writing)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        async with connected(self._path) as connection:
            yield SqliteSession(connection)

    @asynccontextmanager
    async def exclusive(self, tables: Collection[str]) -> AsyncIterator[Session]:
        del tables  # SQLite has one writer at a time
        async with connected(self._path) as connection:
            await connection.run(partial(_execute, "BEGIN IMMEDIATE"))
            yield SqliteSession(connection)
            await connection.run(partial(_execute, "COMMIT"))

    async def count_on(self, db: Transaction) -> None:
        """Do nothing: SQLite numbers rows after the last one."""

    async def scrub(self) -> bool:
        async with connected(self._path) as connection:
            return await connection.run(scrub)

    async def close(self) -> None:
        await self.writer.finish()
        for connection in self._connections:
            await connection.close()


def _execute(statement: str, connection: sqlite3.Connection) -> None:
    connection.execute(statement)


def _run(work: Work[T], connection: sqlite3.Connection) -> T:
    return finish(work, SqliteTransaction(connection))


def _run_in_snapshot(work: Work[T], connection: sqlite3.Connection) -> T:
    connection.execute("BEGIN")
    try:
        return _run(work, connection)
    finally:
        connection.execute("COMMIT")
