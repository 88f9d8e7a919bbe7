"""Finding and listing tables, without folding any log."""

from collections.abc import Collection, Mapping
from typing import Final

from bot.records.open_seat import OpenSeat
from bot.records.table import Place, Table
from bot.store.database import Repository, Row, to_json
from bot.store.schema import OF_SHARDS
from bot.store.statements import COLUMNS, TABLE, tables_of

_OPEN_SEATS: Final = f"""
SELECT {", ".join(COLUMNS)}, owes, since, {{held}} AS held
FROM seats JOIN tables ON id = table_id WHERE since IS NOT NULL
    AND (CAST(?2 AS TEXT) IS NULL OR game = ?2) AND (CAST(?3 AS BIGINT) IS NULL OR channel_id = ?3)
"""  # noqa: S608 - constant names

SEATS: Final = f"""
SELECT * FROM (
    {_OPEN_SEATS.format(held=0)} AND user_id = ?1 ORDER BY owes DESC NULLS LAST, since, table_id LIMIT ?4
) AS own
UNION ALL SELECT * FROM (
    {_OPEN_SEATS.format(held=1)} AND held_for = ?1 ORDER BY since, table_id LIMIT ?4
) AS kept
"""  # noqa: S608 - constant text
"""The open tables where a user has a seat or a computer keeps one for them."""

COUNT: Final = """
SELECT (SELECT count(*) FROM seats WHERE user_id = ?1 AND since IS NOT NULL)
    + (SELECT count(*) FROM seats WHERE held_for = ?1 AND since IS NOT NULL)
"""

CHANNEL: Final = f"""
{TABLE} WHERE status IN ('lobby', 'playing') AND channel_id = ?1 AND (CAST(?2 AS TEXT) IS NULL OR game = ?2)
ORDER BY id LIMIT ?3
"""

# SQLite uses the partial index `open_tables_by_channel` only if the query repeats the index's condition on the status.
LOBBIES: Final = f"""
{TABLE} WHERE status IN ('lobby', 'playing') AND status = 'lobby' AND channel_id = ?1 AND game = ?2 ORDER BY id
"""

SERVER: Final = f"""
{TABLE} WHERE status IN ('lobby', 'playing') AND guild_id = ?1
    AND (instr(lower(name), ?2) > 0 OR instr(CAST(number AS TEXT), ?2) > 0)
ORDER BY id LIMIT ?3
"""

_GAMES_OF: Final = f"""
{TABLE} WHERE id IN (SELECT table_id FROM seats WHERE user_id = ?1 UNION SELECT table_id FROM seats WHERE held_for = ?1)
    AND plies > 0
    AND (instr(lower(name), ?2) > 0 OR instr(CAST(number AS TEXT), ?2) > 0)
ORDER BY status = 'playing', changed_at DESC, id DESC LIMIT ?3
"""  # noqa: S608 - constant text
"""The games that a user has played, those that have ended first, the latest at the front."""

_OPEN: Final = f"""
{TABLE} WHERE status IN ('lobby', 'playing')
    AND (CAST(?1 AS BIGINT) IS NULL OR id IN (SELECT table_id FROM seats WHERE user_id = ?1 OR held_for = ?1))
ORDER BY id
"""  # noqa: S608 - constant text

_MAX_NAMESAKES: Final = 50
"""Tables of the same name considered in a search: each may cost a request to Discord."""

_NAMED: Final = f"""
{TABLE} WHERE name = ?1 COLLATE NOCASE AND (CAST(?2 AS BIGINT) IS NULL OR guild_id = ?3
    OR id IN (SELECT table_id FROM seats WHERE user_id = ?2 OR held_for = ?2))
ORDER BY status IN ('lobby', 'playing') DESC, id DESC LIMIT ?4
"""  # noqa: S608 - constant text

_NUMBERED_FOR: Final = f"""
{TABLE} WHERE number = ?1 AND (guild_id = ?3
    OR id IN (SELECT table_id FROM seats WHERE user_id = ?2 OR held_for = ?2))
ORDER BY guild_id IS ?3 DESC, status IN ('lobby', 'playing') DESC, id DESC LIMIT ?4
"""  # noqa: S608 - constant text

RECENT_NAMES: Final = """
SELECT name FROM tables WHERE coalesce(guild_id, channel_id) = ?1 AND opened_at >= ?2 ORDER BY opened_at DESC LIMIT 1000
"""

LAST_GAME: Final = """
SELECT game FROM tables WHERE coalesce(guild_id, channel_id) = ?1 AND plies > 0 ORDER BY opened_at DESC LIMIT 1
"""

_VERSIONS: Final = "SELECT id, version FROM tables WHERE id IN (SELECT value FROM json_each(?))"


_OF_SHARDS: Final = f"SELECT id FROM tables WHERE id IN (SELECT value FROM json_each(?3)) AND {OF_SHARDS}"  # noqa: S608 - constant text


class Lists(Repository):
    """Finds tables by name and number, and lists them. Those that can't be read are left out."""

    async def versions(self, tables: Collection[int]) -> Mapping[int, int]:
        """Return the present version of each of these tables."""
        return dict(await self._reading.rows(_VERSIONS, to_json(tables)))

    async def seats(
        self, user_id: int, game: str | None, channel_id: int | None, limit: int, offset: int = 0
    ) -> tuple[OpenSeat, ...]:
        """Return open tables of the user, optionally only of one game or in one channel.

        Tables that wait for the user come first, those that have waited longest at the front. Tables where a computer
        keeps their seat come last.
        """
        rows = await self._reading.rows(SEATS, user_id, game, channel_id, offset + limit)
        shown = sorted(rows, key=_order)[offset : offset + limit]
        return tuple(
            [OpenSeat(table, bool(owes and not held)) for *row, owes, _, held in shown for table in tables_of([row])]
        )

    async def count(self, user_id: int) -> int:
        """Return the number of open tables of the user."""
        (count,) = await self._reading.numbers(COUNT, user_id)
        return count

    async def finished(self, user_id: int, game: str) -> int:
        """Return the number of games of a kind that the user has played to the end; those played on don't count."""
        (count,) = await self._reading.numbers(
            "SELECT count(*) FROM seats JOIN tables ON id = table_id"
            " WHERE user_id = ? AND game = ? AND status = 'over' AND instr(record, ?) = 0",
            user_id,
            game,
            '"continues":[',
        )
        return count

    async def in_channel(self, channel_id: int, game: str | None, limit: int) -> tuple[Table, ...]:
        """Return open tables whose board is in the channel, by number; optionally only tables of one game."""
        return await self._tables(CHANNEL, channel_id, game, limit)

    async def lobbies(self, channel_id: int, game: str, limit: int) -> tuple[Table, ...]:
        """Return lobbies of the game in the channel that have free seats, by number; if none has, the full ones."""
        lobbies = await self._tables(LOBBIES, channel_id, game)
        return tuple(([table for table in lobbies if not table.is_full] or lobbies)[:limit])

    async def on_server(self, guild_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        """Return open tables of the server whose name or number contains this lower-case text, by number."""
        return await self._tables(SERVER, guild_id, typed, limit)

    async def games_of(self, user_id: int, typed: str, limit: int) -> tuple[Table, ...]:
        """Return games of the user whose name or number contains this lower-case text, the last ended first."""
        return await self._tables(_GAMES_OF, user_id, typed, limit)

    async def open_tables(self, *, user_id: int | None = None) -> tuple[Table, ...]:
        """Return all open tables by number; optionally only tables of one user."""
        return await self._tables(_OPEN, user_id)

    async def open_counts(self) -> Mapping[tuple[str, str], int]:
        """Return the number of open tables by game and status."""
        rows = await self._reading.rows("SELECT game, status, count(*) FROM open_tables GROUP BY game, status")
        return {(game, status): count for game, status, count in rows}

    async def open_numbers(self) -> tuple[int, ...]:
        """Return the numbers of all open tables, the last changed first."""
        return await self._reading.numbers("SELECT id FROM open_tables ORDER BY changed_at DESC")

    async def of_shards(self, tables: Collection[int], shards: Collection[int], shard_count: int) -> frozenset[int]:
        """Return which of these tables belong to these shards."""
        values = shard_count, to_json(list(shards)), to_json(list(tables))
        return frozenset(await self._reading.numbers(_OF_SHARDS, *values))

    async def latest_of_shard(self, shard_id: int, shard_count: int, most: int) -> list[int]:
        """Return the numbers of the open tables of a shard, at most so many, the last changed first."""
        numbers = await self.open_numbers()
        ours = await self.of_shards(numbers, {shard_id}, shard_count)
        return [number for number in numbers if number in ours][:most]

    async def all(self) -> tuple[Table, ...]:
        """Return all tables, open and ended, by number."""
        return await self._tables(TABLE + "ORDER BY id")

    async def numbers(self) -> tuple[int, ...]:
        """Return the numbers of all tables."""
        return await self._reading.numbers("SELECT id FROM tables ORDER BY id")

    async def unended(self) -> tuple[int, ...]:
        """Return the numbers of the tables that aren't over or closed, whatever their status is."""
        return await self._reading.numbers("SELECT id FROM tables WHERE status NOT IN ('over', 'closed') ORDER BY id")

    async def named(self, name: str, *, user_id: int | None = None, guild_id: int | None = None) -> tuple[Table, ...]:
        """Return the tables with this name, ignoring case: the open one first, then the latest.

        If a user is given, return only tables where they sit and tables of the server. The number is bounded.
        """
        return await self._tables(_NAMED, name, user_id, guild_id, _MAX_NAMESAKES)

    async def numbered(self, number: int, scope: int) -> tuple[Table, ...]:
        """Return the table with this number on a server, or in a channel of direct messages, if there is one."""
        condition = "WHERE number = ? AND coalesce(guild_id, channel_id) = ?"
        return await self._tables(TABLE + condition, number, scope)

    async def numbered_for(self, number: int, user_id: int | None, guild_id: int | None) -> tuple[Table, ...]:
        """Return the tables with this number that a user may mean, first that of the server, then theirs elsewhere."""
        return await self._tables(_NUMBERED_FOR, number, user_id, guild_id, _MAX_NAMESAKES)

    async def rematch(self, table_id: int) -> Table | None:
        """Return the rematch of the table, unless that was closed."""
        return next(iter(await self._tables(TABLE + "WHERE rematch_of = ? AND status <> 'closed'", table_id)), None)

    async def open_names(self) -> frozenset[str]:
        """Return the names of the open tables."""
        return frozenset(name for (name,) in await self._reading.rows("SELECT name FROM open_tables"))

    async def last_game(self, guild_id: int) -> str | None:
        """Return the game of the latest table of a server on which anything was played; ``None`` if there is none."""
        return next((game for (game,) in await self._reading.rows(LAST_GAME, guild_id)), None)

    async def taken_names(self, place: Place, since: float) -> frozenset[str]:
        """Return the names of all open tables, and of those opened since then on this server or in these messages."""
        where = place.channel_id if place.guild_id is None else place.guild_id
        return await self.open_names() | {name for (name,) in await self._reading.rows(RECENT_NAMES, where, since)}

    async def idle_lobbies(self, before: float) -> tuple[int, ...]:
        """Return the numbers of the lobbies that haven't changed since ``before``."""
        return await self._reading.numbers(
            "SELECT id FROM open_tables WHERE status = 'lobby' AND changed_at < ? ORDER BY id", before
        )

    async def unknown_turns(self) -> tuple[int, ...]:
        """Return the numbers of the tables in play whose turns aren't stored: an older version wrote them."""
        return await self._reading.numbers(
            "SELECT DISTINCT id FROM open_tables JOIN seats ON table_id = id WHERE owes IS NULL ORDER BY id"
        )

    async def _tables(self, query: str, *values: object) -> tuple[Table, ...]:
        return tuple(tables_of(await self._reading.rows(query, *values)))


def _order(seat: Row) -> tuple[int, int, float, int]:
    """Return the order of a row of `SEATS`: kept seats last, tables that wait for the user first, unknown ones last."""
    owes, since, held = seat[len(COLUMNS) :]
    turn = 2 if owes is None else 1 - owes
    return held, 0 if held else turn, since, seat[0]
