"""Runs works on a connection of SQLite, in one step."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from bot.store.transaction import Row, T, Values, Work


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


def finish(work: Work[T], db: SqliteTransaction) -> T:
    """Run a work to its end in one step, and return its result."""
    coroutine = work(db)
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("A work waits for something other than its own statements.")
