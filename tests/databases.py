"""Databases for tests of the store: an SQLite file, or a database on the tests' own PostgreSQL server."""

import asyncio
import shutil
import sqlite3
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import asyncpg

from bot.store.open_store import open_store
from bot.store.sqlite.connection import connect
from bot.store.sqlite.sqlite_schema import migrations, prepare
from bot.store.store import Store

_NUMBERED: Final = ("tables", "messages", "option_sets")
"""Tables whose rows are numbered by the database."""
_TABLES: Final = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
"""The names of all tables; the standard's information_schema takes much longer."""


def new_file(path: Path) -> Path:
    """Write an empty database with all migrations, as a first start would. A copy takes a tenth of its time."""
    shutil.copyfile(_template(), path)
    path.chmod(0o600)
    return path


def existing_or_new(path: Path) -> Path:
    """Return the path of a database, which is created if it doesn't exist."""
    return path if path.exists() else new_file(path)


@cache
def _template() -> Path:
    path = Path(tempfile.mkdtemp(prefix="lilypad-")) / "template.db"
    with closing(connect(path)) as connection:
        prepare(path, migrations(), connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@contextmanager
def without_sync() -> Iterator[None]:
    """Let new connections to SQLite files not wait for the disk, for tests that don't cut the power."""
    with patch("bot.store.sqlite.connection.connect", _connect_without_sync):
        yield


def _connect_without_sync(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


class Database(ABC):
    """A database for one test. ``address`` is what `open_store` takes."""

    def __init__(self, address: Path | str) -> None:
        self.address = address

    async def open(self) -> Store:
        """Open a store, as another process would."""
        return await open_store(self.address)

    @abstractmethod
    async def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query, on a connection of its own."""

    def rows_at_once(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query as `rows` does, for callers that aren't coroutines."""
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self.rows(query)).result()

    @abstractmethod
    async def columns(self) -> dict[str, list[str]]:
        """Return the names of all tables and their columns."""

    async def cells(self) -> list[tuple[str, str, Any]]:
        """Return every value in the database, with its table and column."""
        return [
            (table, name, value)
            for table, names in (await self.columns()).items()
            for row in await self.rows(f"SELECT {', '.join(names)} FROM {table}")  # noqa: S608 - names from the schema
            for name, value in zip(names, row, strict=True)
        ]

    async def traces(self, *of: object) -> list[tuple[str, str, Any]]:
        """Return where any of these values is, alone or inside a text."""
        return [
            (table, column, value)
            for table, column, value in await self.cells()
            if any(value == each or (isinstance(value, str) and str(each) in value) for each in of)
        ]


class SqliteDatabase(Database):
    """An SQLite file."""

    async def rows(self, query: str) -> list[tuple[Any, ...]]:  # noqa: D102 - as described above
        with closing(sqlite3.connect(self.address)) as connection:
            return connection.execute(query).fetchall()

    async def columns(self) -> dict[str, list[str]]:  # noqa: D102 - as described above
        names: dict[str, list[str]] = {}
        for table, column in await self.rows(
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
        ):
            names.setdefault(table, []).append(column)
        return names


class PostgresDatabase(Database):
    """A database on the tests' server. If ``address`` goes through a pooler, ``direct`` is the server's own."""

    def __init__(self, address: str, direct: str | None = None) -> None:
        super().__init__(address)
        self._direct = direct or address

    async def rows(self, query: str) -> list[tuple[Any, ...]]:  # noqa: D102 - as described above
        connection = await asyncpg.connect(self._direct)
        try:
            return [tuple(row) for row in await connection.fetch(query)]
        finally:
            await connection.close()

    async def columns(self) -> dict[str, list[str]]:  # noqa: D102 - as described above
        names: dict[str, list[str]] = {}
        for table, column in await self.rows(
            "SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables"
            " USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        ):
            names.setdefault(table, []).append(column)
        return names

    async def empty(self) -> None:
        """Delete all rows that an earlier test has left, and its connections."""
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        connection = await asyncpg.connect(self._direct)
        try:
            await connection.execute(f"{others} AND pid <> pg_backend_pid()")
            names = [name for (name,) in await connection.fetch(_TABLES)]
            if names:
                statements = [f"DELETE FROM {name}" for name in names if name != "migrations"]  # noqa: S608 - the schema's
                statements += [f"ALTER TABLE {table} ALTER COLUMN id RESTART" for table in _NUMBERED]
                await connection.execute("; ".join(["SET session_replication_role = replica", *statements]))
        finally:
            await connection.close()


async def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a PostgreSQL database."""
    return await PostgresDatabase(url).rows(query)
