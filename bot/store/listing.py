"""Lists of open tables, each with a bound: what commands, menus and autocomplete offer. `Lists` in the same file."""

import sqlite3
from functools import partial
from typing import Final

import msgspec

from bot.store.records import OpenSeat, Table
from bot.store.rows import TABLE, table_of
from bot.store.wire import Wire

SEATS: Final = """
SELECT table_id, coalesce(owes, 0) FROM seats WHERE user_id = ?1 AND since IS NOT NULL
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND game = ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND channel_id = ?3))
ORDER BY owes DESC, since, table_id LIMIT ?4
"""
"""The open tables where a user sits, those that wait for them first; of a game and in a channel, if given."""

HELD: Final = """
SELECT table_id, 0 FROM seats WHERE held_for = ?1 AND since IS NOT NULL
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND game = ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM tables WHERE id = table_id AND channel_id = ?3))
ORDER BY since, table_id LIMIT ?4
"""
"""The open tables where a computer keeps the user's seat."""

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

_BY_NUMBER: Final = TABLE + "WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own text


class SqliteLists:
    """`bot.store.Lists` in one SQLite file."""

    def __init__(self, reading: Wire) -> None:
        self._reading = reading

    async def seats(
        self, user_id: int, game: str | None, channel_id: int | None, limit: int, offset: int = 0
    ) -> tuple[OpenSeat, ...]:
        """The open tables of the user, those that wait for them first, the longest waiting first."""
        return await self._reading.run(partial(_seats, (user_id, game, channel_id), limit, offset))

    async def count(self, user_id: int) -> int:
        """The number of open tables of the user."""
        ((count,),) = await self._reading.run(lambda connection: connection.execute(COUNT, (user_id,)).fetchall())
        return int(count)

    async def in_channel(self, channel_id: int, game: str | None, limit: int) -> tuple[Table, ...]:
        """The open tables whose board is in the channel, by number."""
        return await self._reading.run(partial(_tables, CHANNEL, channel_id, game, limit))

    async def lobbies(self, channel_id: int, game: str, limit: int) -> tuple[Table, ...]:
        """The tables in the channel that wait for players, by number."""
        return await self._reading.run(partial(_tables, LOBBIES, channel_id, game, limit))

    async def on_server(self, guild_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        """The open tables of the server whose name or number contains what was typed, by number."""
        return await self._reading.run(partial(_tables, SERVER, guild_id, typed, limit))


def _seats(
    asked: tuple[int, str | None, int | None], limit: int, offset: int, connection: sqlite3.Connection
) -> tuple[OpenSeat, ...]:
    """From a user, a game and a channel the tables."""
    found: list[tuple[int, int]] = []
    for query in (SEATS, HELD):
        found += connection.execute(query, (*asked, offset + limit - len(found))).fetchall()
    found = found[offset:]
    tables = _by_number([table_id for table_id, _ in found], connection)
    return tuple(OpenSeat(tables[table_id], bool(owes)) for table_id, owes in found if table_id in tables)


def _tables(query: str, *values_and_connection: object) -> tuple[Table, ...]:
    *values, connection = values_and_connection
    assert isinstance(connection, sqlite3.Connection)  # noqa: S101 - the wire adds it as the last
    tables = _by_number([table_id for (table_id,) in connection.execute(query, values)], connection)
    return tuple(tables[table_id] for table_id in sorted(tables))


def _by_number(numbers: list[int], connection: sqlite3.Connection) -> dict[int, Table]:
    """The tables with these numbers; one that was deleted in this moment is missing."""
    rows = connection.execute(_BY_NUMBER, (msgspec.json.encode(numbers).decode(),))
    return {row[0]: table_of(row) for row in rows}
