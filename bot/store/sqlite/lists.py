"""Lists of tables, read without folding any log."""

import sqlite3
from functools import partial
from typing import Final

import msgspec

from bot.store.records import OpenSeat, Table
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.statements import TABLE, table_of

SEATS: Final = """
SELECT table_id, coalesce(owes, 0) FROM seats WHERE user_id = ?1 AND since IS NOT NULL
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND game = ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND channel_id = ?3))
ORDER BY owes DESC, since, table_id LIMIT ?4
"""
"""The open tables where a user has a seat; those that wait for them come first."""

HELD: Final = """
SELECT table_id, 0 FROM seats WHERE held_for = ?1 AND since IS NOT NULL
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND game = ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND channel_id = ?3))
ORDER BY since, table_id LIMIT ?4
"""
"""The open tables where a computer keeps a seat for the user."""

COUNT: Final = """
SELECT (SELECT count(*) FROM seats WHERE user_id = ?1 AND since IS NOT NULL)
    + (SELECT count(*) FROM seats WHERE held_for = ?1 AND since IS NOT NULL)
"""

CHANNEL: Final = """
SELECT id FROM tables WHERE status IN ('lobby', 'playing') AND channel_id = ?1 AND (?2 IS NULL OR game = ?2)
ORDER BY id LIMIT ?3
"""

LOBBIES: Final = """
SELECT id FROM tables WHERE status IN ('lobby', 'playing') AND status = 'lobby' AND channel_id = ?1 AND game = ?2
    AND seats > (SELECT count(*) FROM seats WHERE table_id = id)
ORDER BY id LIMIT ?3
"""

SERVER: Final = """
SELECT id FROM tables WHERE status IN ('lobby', 'playing') AND guild_id = ?1
    AND (instr(lower(name), ?2) OR instr(id, ?2))
ORDER BY id LIMIT ?3
"""

OPEN: Final = """
SELECT id FROM open_tables
WHERE (?1 IS NULL OR id IN (SELECT table_id FROM seats WHERE user_id = ?1 OR held_for = ?1))
    AND (?2 IS NULL OR channel_id = ?2)
"""

_BY_NUMBER: Final = TABLE + "WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - constant text


class SqliteLists:
    """`bot.store.Lists` in SQLite."""

    def __init__(self, reading: Connection) -> None:
        self._reading = reading

    async def seats(
        self, user_id: int, game: str | None, channel_id: int | None, limit: int, offset: int = 0
    ) -> tuple[OpenSeat, ...]:
        return await self._reading.run(partial(_seats, (user_id, game, channel_id), limit, offset))

    async def count(self, user_id: int) -> int:
        ((count,),) = await self._reading.rows(COUNT, user_id)
        return int(count)

    async def in_channel(self, channel_id: int, game: str | None, limit: int) -> tuple[Table, ...]:
        return await self._tables(CHANNEL, channel_id, game, limit)

    async def lobbies(self, channel_id: int, game: str, limit: int) -> tuple[Table, ...]:
        return await self._tables(LOBBIES, channel_id, game, limit)

    async def on_server(self, guild_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        return await self._tables(SERVER, guild_id, typed, limit)

    async def open_tables(self, *, user_id: int | None = None, channel_id: int | None = None) -> tuple[Table, ...]:
        return await self._tables(OPEN, user_id, channel_id)

    async def open_counts(self) -> dict[tuple[str, str], int]:
        rows = await self._reading.rows("SELECT game, status, count(*) FROM open_tables GROUP BY game, status")
        return {(game, status): count for game, status, count in rows}

    async def open_numbers(self) -> tuple[int, ...]:
        rows = await self._reading.rows("SELECT id FROM open_tables ORDER BY changed_at DESC")
        return tuple(table_id for (table_id,) in rows)

    async def playing(self) -> tuple[tuple[int, float, str], ...]:
        rows = await self._reading.rows(
            "SELECT id, changed_at, clock FROM open_tables WHERE status = 'playing' ORDER BY id"
        )
        return tuple((table_id, changed_at, clock) for table_id, changed_at, clock in rows)

    async def with_computers(self) -> tuple[int, ...]:
        rows = await self._reading.rows(
            "SELECT id FROM open_tables WHERE status = 'playing'"
            " AND EXISTS (SELECT 1 FROM seats WHERE table_id = id AND user_id IS NULL) ORDER BY id"
        )
        return tuple(table_id for (table_id,) in rows)

    async def _tables(self, query: str, *values: object) -> tuple[Table, ...]:
        return await self._reading.run(partial(_tables, query, values))


def _seats(
    where: tuple[int, str | None, int | None], limit: int, offset: int, connection: sqlite3.Connection
) -> tuple[OpenSeat, ...]:
    found: list[tuple[int, int]] = []
    for query in (SEATS, HELD):
        found += connection.execute(query, (*where, offset + limit - len(found))).fetchall()
    found = found[offset:]
    tables = _by_number([table_id for table_id, _ in found], connection)
    return tuple(OpenSeat(tables[table_id], bool(owes)) for table_id, owes in found if table_id in tables)


def _tables(query: str, values: tuple[object, ...], connection: sqlite3.Connection) -> tuple[Table, ...]:
    tables = _by_number([table_id for (table_id,) in connection.execute(query, values)], connection)
    return tuple(tables[table_id] for table_id in sorted(tables))


def _by_number(numbers: list[int], connection: sqlite3.Connection) -> dict[int, Table]:
    """Return the tables with these numbers, except those that have just been deleted."""
    rows = connection.execute(_BY_NUMBER, (msgspec.json.encode(numbers).decode(),))
    return {row[0]: table_of(row) for row in rows}
