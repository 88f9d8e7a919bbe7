"""Personal data: what is exported and deleted of a user, and the deletion of servers and old tables."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from bot.errors import Conflict
from bot.store.deletion import delete_ended, delete_of_guild
from bot.store.former_players import hash_removals
from bot.store.repository import Repository, to_json
from bot.store.transaction import Row, T, Transaction, Work

log: Final = logging.getLogger(__name__)

Kept = Mapping[str, Sequence[Mapping[str, Any]]]
"""What is stored about a user: rows by heading."""

USER_COLUMNS: Final = {
    "entries": ("by_user",),
    "invitations": ("user_id",),
    "messages": ("user_id",),
    "option_sets": ("user_id",),
    "pings": ("user_id",),
    "removals": ("user_id",),
    "seats": ("user_id", "held_for", "started_by"),
    "tables": ("host_id",),
    "taken_back": ("by_user", "taken_by"),
    "undo_votes": ("asker_id", "user_id"),
    "users": ("id",),
    "votes": ("user_id",),
}
"""The columns that hold ids of users. `_FORGET` clears all of them but removals, which become hashes."""

_APART: Final = ("users", "option_sets")
"""Those of them that belong to no table."""

_SCRUB_PAUSES_S: Final = (0.0, 0.05, 0.2, 0.5, 1.0)
"""Delays before each try to scrub the files."""

_FORGET: Final = (
    # A new version, so that no process writes an old name back.
    """UPDATE tables SET version = version + 1 WHERE status IN ('lobby', 'playing') AND id IN (
        SELECT value FROM json_each(:tables)
        WHERE EXISTS (SELECT 1 FROM seats WHERE table_id = value AND :user IN (user_id, held_for, started_by))
            OR EXISTS (SELECT 1 FROM invitations WHERE table_id = value AND user_id = :user)
            OR EXISTS (SELECT 1 FROM removals WHERE table_id = value AND user_id = :user)
            OR EXISTS (SELECT 1 FROM tables WHERE id = value AND (host_id = :user
                OR (guild_id IS NULL AND channel_id IN (SELECT value FROM json_each(:channels))))))""",
    """UPDATE seats SET started_as = 'Player ' || (seat + 1), started_by = NULL
        WHERE started_by = :user AND table_id IN (SELECT value FROM json_each(:tables))""",
    """UPDATE seats SET name = 'Player ' || (seat + 1), user_id = NULL
        WHERE user_id = :user AND NOT EXISTS (SELECT 1 FROM open_tables WHERE id = table_id)""",
    "UPDATE seats SET held_for = NULL WHERE held_for = :user",
    "UPDATE entries SET by_user = NULL WHERE by_user = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE taken_back SET by_user = NULL WHERE by_user = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE taken_back SET taken_by = 0 WHERE taken_by = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM undo_votes WHERE :user IN (asker_id, user_id) AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM votes WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM pings WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM messages WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    """DELETE FROM messages WHERE channel_id IN (SELECT value FROM json_each(:channels))
        AND table_id IN (SELECT value FROM json_each(:tables))""",
    """UPDATE messages SET notified = (
            SELECT coalesce(json_group_array(value), '[]') FROM json_each(notified) WHERE value <> :user)
        WHERE table_id IN (SELECT value FROM json_each(:tables))""",
    """UPDATE tables SET channel_id = 0 WHERE guild_id IS NULL AND id IN (SELECT value FROM json_each(:tables))
        AND channel_id IN (SELECT value FROM json_each(:channels))""",
    "DELETE FROM invitations WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE tables SET host_id = 0 WHERE host_id = :user AND id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM option_sets WHERE user_id = :user",
    "DELETE FROM users WHERE id = :user",
)
"""Parameters: ``user`` is the user's id, ``tables`` the tables that mention them, ``channels`` the channels of their
direct messages. The latter two are looked up before the transaction, as that takes long.
"""

_DM_CHANNELS: Final = """
SELECT channel_id FROM messages WHERE user_id = ?1 AND kind = 'hand'
UNION SELECT channel_id FROM tables WHERE guild_id IS NULL AND host_id = ?1 AND channel_id NOT IN
    (SELECT channel_id FROM messages WHERE user_id <> ?1 AND kind = 'hand')
UNION SELECT CAST(?2 AS BIGINT) WHERE ?2 IS NOT NULL
"""
"""The channel of a user's direct messages: where they got hands, or host tables outside of servers."""

_MENTIONING: Final = " UNION ".join(
    f"SELECT {'id' if table == 'tables' else 'table_id'} FROM {table} WHERE ?1 IN ({', '.join(columns)})"  # noqa: S608 - constant names
    for table, columns in USER_COLUMNS.items()
    if table not in _APART
)

_KEPT: Final = {
    "settings": "SELECT * FROM users WHERE id = ?1",
    "option_sets": "SELECT game, name, options, clock, level FROM option_sets WHERE user_id = ?1 ORDER BY game, name",
    "seats": """
        SELECT table_id, tables.name AS table_name, game, status, seat + 1 AS seat, seats.name, cut,
            CASE started_by WHEN ?1 THEN started_as END AS started_as, score, place
        FROM seats JOIN tables ON id = table_id LEFT JOIN results USING (table_id, seat)
        WHERE user_id = ?1 ORDER BY table_id
    """,
    "seats_left": """
        SELECT table_id, seat + 1 AS seat, CASE started_by WHEN ?1 THEN started_as END AS started_as
        FROM seats WHERE ?1 IN (held_for, started_by) AND coalesce(user_id, 0) <> ?1 ORDER BY table_id
    """,
    "hosted": """
        SELECT id AS table_id, name, game, status, opened_at,
            CASE WHEN guild_id IS NULL THEN channel_id END AS dm_channel_id
        FROM tables WHERE host_id = ?1 ORDER BY id
    """,
    "invited_to": "SELECT table_id, is_invited, is_called FROM invitations WHERE user_id = ?1 ORDER BY table_id",
    "removed_from": "SELECT table_id FROM removals WHERE user_id = ?1 ORDER BY table_id",
    "moves": "SELECT table_id, ply, move, at FROM entries WHERE by_user = ?1 ORDER BY table_id, ply",
    "moves_undone": """
        SELECT table_id, ply, move, at, taken_at
        FROM taken_back WHERE by_user = ?1 ORDER BY table_id, ply
    """,
    "undone_by_you": "SELECT DISTINCT table_id, taken_at FROM taken_back WHERE taken_by = ?1 ORDER BY table_id",
    "votes_to_undo": """
        SELECT DISTINCT table_id, version
        FROM undo_votes WHERE ?1 IN (asker_id, user_id) ORDER BY table_id
    """,
    "votes_about_absence": "SELECT table_id, version, remedy FROM votes WHERE user_id = ?1 ORDER BY table_id",
    "pings": "SELECT table_id, at FROM pings WHERE user_id = ?1 ORDER BY table_id",
    "messages": """
        SELECT table_id, kind, channel_id, message_id, posted_at
        FROM messages WHERE user_id = ?1 ORDER BY table_id
    """,
}
"""The export of a user's data, by heading. It has no other user's id."""


class PersonalData(Repository):
    """Personal data: its export and deletion, and the deletion of servers and old tables."""

    async def kept(self, user_id: int) -> Kept:
        """Return everything stored about the user, as rows by heading, without ids of other users."""
        return await self._run_apart(partial(_kept, user_id))

    async def forget_user(self, user_id: int, dm_channel_id: int | None) -> None:
        """Delete the user's id and names everywhere, and the channel of their direct messages, if given.

        Raises `Conflict` while they sit at an open table.
        """
        traces = await self._run_apart(partial(_traces_of, user_id, dm_channel_id))
        if await self._writer.write(partial(_forget_user, user_id, traces)):
            await self._scrub()

    async def delete_ended(self, before: float, now: float) -> int:
        """Delete the tables that ended before that time, and return how many.

        Those that ended in the future, by a clock that has been put back since, count as ended now.
        """
        await self._writer.execute(
            "UPDATE tables SET changed_at = ?1 WHERE status IN ('over', 'closed') AND changed_at > ?1", (now,)
        )
        return await self._delete(partial(delete_ended, before))

    async def note_guilds(
        self, present: Collection[int], at: float, shards: Collection[int] = (0,), shard_count: int = 1
    ) -> None:
        """Store which servers of these shards the bot is in now. It left their other servers by ``at``."""
        await self._writer.write(
            partial(_note_guilds, (to_json(list(present)), at, to_json(list(shards)), shard_count))
        )

    async def note_left(self, guild_id: int, at: float) -> None:
        """Store that the bot has left this server."""
        await self._writer.execute(
            "INSERT INTO left_guilds (guild_id, left_at) VALUES (?, ?) ON CONFLICT DO NOTHING", (guild_id, at)
        )

    async def note_back(self, guild_id: int) -> None:
        """Store that the bot is in this server."""
        await self._writer.execute("DELETE FROM left_guilds WHERE guild_id = ?", (guild_id,))

    async def guilds_left(self, before: float) -> tuple[int, ...]:
        """Return the servers that the bot left before that time and hasn't rejoined."""
        return await self._reading.numbers(
            "SELECT guild_id FROM left_guilds WHERE left_at < ? ORDER BY left_at", before
        )

    async def forget_guild(self, guild_id: int, before: float) -> int:
        """Delete all tables and settings of the server, unless the bot has rejoined it; return how many tables."""
        return await self._delete(partial(_forget_tables, guild_id, before))

    async def _run_apart(self, work: Work[T]) -> T:
        """Run slow work on a connection of its own, so that moves don't wait for it."""
        async with self._database.session() as session:
            return await session.run(work)

    async def _delete(self, delete_some: Work[int]) -> int:
        count = 0
        while deleted := await self._writer.write(delete_some):
            count += deleted
        await self._scrub()
        return count

    async def _scrub(self) -> None:
        """Overwrite deleted rows in the files. A running backup may delay that."""
        for pause_s in _SCRUB_PAUSES_S:
            await asyncio.sleep(pause_s)
            if await self._database.scrub():
                return
        log.warning("the database is in use: deleted rows stay in its files until tomorrow")


async def _kept(user_id: int, db: Transaction) -> Kept:
    return {heading: await db.named_rows(query, (user_id,)) for heading, query in _KEPT.items()}


async def _traces_of(user_id: int, dm_channel_id: int | None, db: Transaction) -> tuple[str, str]:
    """Return the tables that mention the user, and the channels of their direct messages, both as JSON lists."""
    channels = _json_list(await db.rows(_DM_CHANNELS, (user_id, dm_channel_id)))
    in_channels = "SELECT id FROM tables WHERE guild_id IS NULL AND channel_id IN (SELECT value FROM json_each(?2))"
    tables = await db.rows(f"{_MENTIONING} UNION {in_channels}", (user_id, channels))
    return _json_list(tables), channels


def _json_list(rows: Iterable[Row]) -> str:
    return to_json([number for (number,) in rows])


async def _forget_user(user_id: int, traces: tuple[str, str], db: Transaction) -> bool:
    """Delete all traces of the user; return whether there were any."""
    tables, channels = traces
    values = {"user": user_id, "tables": tables, "channels": channels}
    await _check_not_seated(user_id, db)
    changes = sum([await db.execute(statement, values) for statement in _FORGET])
    await hash_removals(user_id, db)
    await _check_not_seated(user_id, db)  # on PostgreSQL, they may have joined a table in the meantime
    return changes > 0


async def _check_not_seated(user_id: int, db: Transaction) -> None:
    sits = "SELECT 1 FROM seats JOIN open_tables ON id = table_id WHERE user_id = ?"
    if await db.rows(sits, (user_id,)):
        raise Conflict("The user has a seat at an open table; nothing was deleted.")


async def _note_guilds(values: tuple[str, float, str, int], db: Transaction) -> None:
    await db.execute("DELETE FROM left_guilds WHERE guild_id IN (SELECT value FROM json_each(?))", values[:1])
    await db.execute(
        """INSERT INTO left_guilds (guild_id, left_at) SELECT guild_id, CAST(?2 AS DOUBLE PRECISION)
        FROM (SELECT guild_id FROM tables UNION SELECT guild_id FROM servers UNION SELECT guild_id FROM option_sets)
            AS known
        WHERE guild_id IS NOT NULL AND guild_id NOT IN (SELECT value FROM json_each(?1))
            AND (guild_id >> 22) % ?4 IN (SELECT value FROM json_each(?3))
        ON CONFLICT DO NOTHING""",
        values,
    )


async def _forget_tables(guild_id: int, before: float, db: Transaction) -> int:
    """Delete some tables of the server and return how many; once there are none, delete its settings."""
    gone = "SELECT 1 FROM left_guilds WHERE guild_id = ? AND left_at < ?"
    if not await db.rows(gone, (guild_id, before)):
        return 0
    deleted = await delete_of_guild(guild_id, db)
    if not deleted:
        await db.execute("DELETE FROM option_sets WHERE guild_id = ?", (guild_id,))
        await db.execute("DELETE FROM servers WHERE guild_id = ?", (guild_id,))
        await db.execute("DELETE FROM left_guilds WHERE guild_id = ?", (guild_id,))
    return deleted
