"""Runs the statements of works on a connection to PostgreSQL."""

import zlib
from collections.abc import Iterable
from typing import Any

from bot.store.postgres.server import Connection
from bot.store.postgres.translation import arguments, translate
from bot.store.transaction import Row, Values


class PostgresTransaction:
    """Runs the statements of works. The connection has a transaction open, unless each statement is one."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def execute(self, statement: str, values: Values = (), /) -> int:
        text, keys = translate(statement)
        status: str = await self._connection.execute(text, *arguments(keys, values))
        return int(status.rpartition(" ")[2])

    async def execute_many(self, statement: str, values: Iterable[Values], /) -> None:
        text, keys = translate(statement)
        if rows := [arguments(keys, each) for each in values]:
            await self._connection.executemany(text, rows)

    async def rows(self, query: str, values: Values = (), /) -> list[Row]:
        return [tuple(found) for found in await self._fetch(query, values)]

    async def named_rows(self, query: str, values: Values = (), /) -> list[dict[str, Any]]:
        return [dict(found) for found in await self._fetch(query, values)]

    async def lock(self, what: str, /) -> None:
        await self._connection.execute(lock_statement(what))

    async def _fetch(self, query: str, values: Values) -> list[Any]:
        text, keys = translate(query)
        found: list[Any] = await self._connection.fetch(text, *arguments(keys, values))
        return found


def lock_statement(what: str) -> str:
    """Return the statement that takes the lock of this name until the end of the transaction."""
    return f"SELECT 1 FROM pg_advisory_xact_lock({zlib.crc32(what.encode())})"  # noqa: S608 - a number
