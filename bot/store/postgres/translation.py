"""Runs the statements of works on PostgreSQL, translated from the SQL that repositories are written in.

Most of it is the same. The differences are listed here: placeholders, null-safe comparisons with them, the clock,
and SQLite's functions for JSON and text.
"""

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from bot.store.database import NOW, Row, Values
from bot.store.postgres.postgres_server import Connection

_PLACEHOLDER: Final = r"(\?\d*|:[a-z_]+)"

_RULES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (re.escape(NOW), "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"),
        (rf"\bIS {_PLACEHOLDER}", r"IS NOT DISTINCT FROM \1"),
        (rf"\b(\w+) = {_PLACEHOLDER} COLLATE NOCASE", r'lower(\1) = lower(CAST(\2 AS TEXT) COLLATE "C")'),
        (
            r"\bjson_each\(([^()]+)\)",
            r"(SELECT CAST(item AS BIGINT) AS value FROM json_array_elements_text(CAST(\1 AS JSON)) AS item) AS items",
        ),
        (r"\bjson\((CASE [^()]* END)\)", r"CAST(\1 AS JSON)"),
        (r"\bjson_object\(", "json_build_object("),
        (r"\bjson_array\(", "json_build_array("),
        (r"\bjson_group_array\(", "json_agg("),
        (r"\blower\(hex\((\w+)\)\)", r"encode(\1, 'hex')"),
        (r"\binstr\(", "strpos("),
    )
)

_TOKENS: Final = re.compile(rf"'(?:[^']|'')*'|{_PLACEHOLDER}")
"""Quoted text, in which nothing is a placeholder, or a placeholder."""


class Translated(NamedTuple):
    """A statement with ``$1`` and so on, and where the value of each is: at an index, or under a name."""

    text: str
    keys: tuple[int | str, ...]


@cache
def translate(statement: str) -> Translated:
    """Translate a statement. All statements are constants, so each is translated once."""
    for pattern, replacement in _RULES:
        statement = pattern.sub(replacement, statement)
    keys: list[int | str] = []

    def numbered(token: re.Match[str]) -> str:
        placeholder = token.group(1)
        if placeholder is None:
            return token.group()
        key = _key(placeholder, len(keys))
        if key not in keys:
            keys.append(key)
        return f"${keys.index(key) + 1}"

    return Translated(_TOKENS.sub(numbered, statement), tuple(keys))


def _key(placeholder: str, used: int) -> int | str:
    """Return where the value of a placeholder is. ``?`` alone stands for the next one."""
    if placeholder.startswith(":"):
        return placeholder[1:]
    return int(placeholder[1:]) - 1 if placeholder[1:] else used


def arguments(keys: tuple[int | str, ...], values: Values) -> Sequence[Any]:
    """Return the values in the order of ``$1``, ``$2`` and so on."""
    if isinstance(values, Mapping):
        return [values[str(key)] for key in keys]
    return [values[int(key)] for key in keys]


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
