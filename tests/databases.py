"""Databases for tests of the store: an SQLite file, or a database on the tests' own PostgreSQL server."""

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import asyncpg

from bot.store.open_store import open_store
from bot.store.store import Store

_NUMBERED: Final = ("tables", "messages", "option_sets")
"""Tables whose rows are numbered by the database."""


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
        await self.rows(f"{others} AND pid <> pg_backend_pid()")
        tables = set(await self.columns()) - {"migrations"}
        if not tables:
            return
        statements = [f"DELETE FROM {table}" for table in tables]  # noqa: S608 - names from the schema
        statements += [f"ALTER TABLE {table} ALTER COLUMN id RESTART" for table in _NUMBERED]
        connection = await asyncpg.connect(self._direct)
        await connection.execute("; ".join(["SET session_replication_role = replica", *statements]))
        await connection.close()


async def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a PostgreSQL database."""
    return await PostgresDatabase(url).rows(query)
