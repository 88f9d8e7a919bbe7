"""Personal data: what is exported and deleted of a user, and the deletion of servers and old tables."""

import asyncio
import logging
from collections.abc import Awaitable, Collection, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot.errors import Conflict, StoreError
from bot.records.preference import Kept
from bot.records.table import Place, Sitter, Table
from bot.store.database import Database, Repository, Row, T, Transaction, Work, to_json, work
from bot.store.former_players import with_hash_for
from bot.store.match_records import leave_offers
from bot.store.personal_queries import DM_CHANNELS, FORGET, IN_RECORDS, KEPT, MENTIONING
from bot.store.schema import PARTS
from bot.store.statements import TABLE, is_readable, rewrite, salvaged

log: Final = logging.getLogger(__name__)


_AT_ONCE: Final = 10
"""Tables deleted in one transaction: a few thousand rows, so moves don't wait long."""

_NOTE_LEFT: Final = """
INSERT INTO left_guilds (guild_id, left_at) SELECT guild_id, CAST(?2 AS DOUBLE PRECISION)
FROM (SELECT guild_id FROM tables UNION SELECT guild_id FROM servers UNION SELECT guild_id FROM option_sets
    UNION SELECT guild_id FROM results UNION SELECT guild_id FROM ratings UNION SELECT guild_id FROM matches
    UNION SELECT guild_id FROM nights UNION SELECT guild_id FROM event_results UNION SELECT guild_id FROM alerts
    UNION SELECT subject_id FROM messages WHERE subject = 'daily'
) AS known
WHERE guild_id IS NOT NULL AND guild_id NOT IN (SELECT value FROM json_each(?1))
    AND (guild_id >> 22) % ?4 IN (SELECT value FROM json_each(?3))
ON CONFLICT DO NOTHING
"""


class _Traces(NamedTuple):
    """The tables that mention a user, and the channels of their direct messages."""

    tables: list[int]
    channels: list[int]


class PersonalData(Repository):
    """Personal data: its export and deletion, and the deletion of servers and old tables."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._scrubber = Scrubber(database)
        self.close = self._scrubber.close

    async def kept(self, user_id: int) -> Kept:
        """Return everything stored about the user, as rows by heading, without ids of other users."""
        return await self._run_apart(partial(_kept, user_id))

    async def forget_user(self, user_id: int, dm_channel_id: int | None) -> None:
        """Delete the user's id and names everywhere, and the channel of their direct messages, if given.

        Raises `Conflict` while they sit at an open table.
        """
        traces = await self._run_apart(partial(_traces_of, user_id, dm_channel_id))
        if await self._forget_user(user_id, traces):
            await self._scrubber.scrub()

    @work
    async def _forget_user(self, db: Transaction, user_id: int, traces: _Traces) -> bool:
        """Delete all traces of the user; return whether there were any."""
        tables = to_json(traces.tables)
        await _check_not_seated(user_id, db)
        changes = 0
        for row in await db.rows(f"{TABLE} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", (tables,)):  # noqa: S608 - constant text
            changes += await _forget_in(row, user_id, traces.channels, db)
        changes += await leave_offers(user_id, db)
        values = {"user": user_id, "tables": tables, "channels": to_json(traces.channels)}
        changes += sum([await db.execute(statement, values) for statement in FORGET])
        await _check_not_seated(user_id, db)  # on PostgreSQL, they may have joined a table in the meantime
        return changes > 0

    async def delete_ended(self, before: float, now: float) -> int:
        """Delete the tables that ended before that time, and return how many.

        Those that ended in the future, by a clock that has been put back since, count as ended now.
        """
        await self._writer.execute(
            "UPDATE tables SET changed_at = ?1 WHERE status IN ('over', 'closed') AND changed_at > ?1", (now,)
        )
        return await self._delete(partial(_delete_ended, before))

    async def delete_lobbies(self, before: float, untidy_before: float) -> int:
        """Delete the lobbies that were closed before that time, and return how many; see `_delete_lobbies`.

        The next scrub removes their last traces.
        """
        return await self._delete_all(partial(_delete_lobbies, before, untidy_before))

    @work
    async def note_guilds(
        self,
        db: Transaction,
        present: Collection[int],
        at: float,
        shards: Collection[int] = (0,),
        shard_count: int = 1,
    ) -> None:
        """Store which servers of these shards the bot is in now. It left their other servers by ``at``."""
        values = (to_json(list(present)), at, to_json(list(shards)), shard_count)
        await db.execute("DELETE FROM left_guilds WHERE guild_id IN (SELECT value FROM json_each(?))", values[:1])
        await db.execute(_NOTE_LEFT, values)

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
        count = await self._delete_all(delete_some)
        await self._scrubber.scrub()
        return count

    async def _delete_all(self, delete_some: Work[int]) -> int:
        count = 0
        while deleted := await self._writer.write(delete_some):
            count += deleted
        return count


async def _kept(user_id: int, db: Transaction) -> Kept:
    kept = {heading: await db.named_rows(query, (user_id,)) for heading, query in KEPT.items()}
    rows = await db.rows(f"{TABLE} WHERE id IN ({IN_RECORDS}) ORDER BY id", (user_id, str(user_id)))
    for table in map(salvaged, rows):
        for heading, row in _kept_of(table, user_id):
            kept.setdefault(heading, []).append({"table_id": table.id, **row})
    return kept


def _kept_of(table: Table, user_id: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the record of a table has about a user, with the headings."""
    game = {"game": table.game, "status": table.status}
    for sitter in table.sitters:
        seat = {"seat": sitter.seat + 1, "started_as": sitter.started_as if sitter.started_by == user_id else None}
        if sitter.user_id == user_id:
            result = dict.fromkeys(("score", "place"))
            if table.outcome is not None:
                result |= {"score": table.outcome.scores[sitter.seat], "place": table.outcome.places[sitter.seat]}
            yield "seats", {"table_name": table.name, **game, **seat, "name": sitter.name, "cut": sitter.cut, **result}
        elif user_id in {sitter.held_for, sitter.started_by}:
            yield "seats_left", seat
    if table.host_id == user_id:
        dm_channel_id = table.place.channel_id if table.place.guild_id is None else None
        yield "hosted", {"name": table.name, **game, "opened_at": table.opened_at, "dm_channel_id": dm_channel_id}
    yield from _kept_without_seat(table, user_id)


def _kept_without_seat(table: Table, user_id: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the record of a table has about somebody who was invited, was removed, or closed it."""
    for guest in table.guests:
        if guest.user_id == user_id:
            yield "invited_to", {"is_invited": guest.is_invited, "is_called": guest.is_called}
    if user_id in table.former.removed:
        yield "removed_from", {}
    if table.closed_by is not None and table.closed_by.id == user_id:
        yield "closed", {"name": table.name, "game": table.game}


async def _traces_of(user_id: int, dm_channel_id: int | None, db: Transaction) -> _Traces:
    """Return the tables that mention the user, and the channels of their direct messages."""
    channels = [channel for (channel,) in await db.rows(DM_CHANNELS, (user_id, dm_channel_id))]
    in_channels = "SELECT id FROM tables WHERE guild_id IS NULL AND channel_id IN (SELECT value FROM json_each(?3))"
    found = await db.rows(f"{MENTIONING} UNION {in_channels}", (user_id, str(user_id), to_json(channels)))
    return _Traces([table_id for (table_id,) in found], channels)


async def _forget_in(row: Row, user_id: int, channels: Collection[int], db: Transaction) -> bool:
    """Rewrite the record of a table without the user. What can't be read of it is lost, as they may be in there."""
    before = salvaged(row)
    after = _forgotten(before, user_id, channels)
    if after == before and is_readable(row):
        return False
    await rewrite(before, after, db)
    return True


def _forgotten(table: Table, user_id: int, channels: Collection[int]) -> Table:
    """Return the table without the user, who has no seat there if it is open. A removal becomes a hash."""
    is_theirs = table.place.guild_id is None and table.place.channel_id in channels
    return replace(
        table,
        host_id=0 if table.host_id == user_id else table.host_id,
        place=Place(None, 0) if is_theirs else table.place,
        sitters=tuple([without(user_id, sitter) for sitter in table.sitters]),
        guests=tuple([guest for guest in table.guests if guest.user_id != user_id]),
        former=with_hash_for(table, user_id),
        closed_by=None if table.closed_by is not None and table.closed_by.id == user_id else table.closed_by,
    )


def without(user_id: int, sitter: Sitter) -> Sitter:
    """Return a seat without the ID and the names of a user."""
    if sitter.started_by == user_id:
        sitter = replace(sitter, started_as=sitter.nameless, started_by=None)
    if sitter.user_id == user_id:
        sitter = replace(sitter, name=sitter.nameless, user_id=None)
    return replace(sitter, held_for=None) if sitter.held_for == user_id else sitter


async def _check_not_seated(user_id: int, db: Transaction) -> None:
    sits = "SELECT 1 FROM seats JOIN open_tables ON id = table_id WHERE user_id = ?"
    if await db.rows(sits, (user_id,)):
        raise Conflict("The user has a seat at an open table; nothing was deleted.")


_FORGET_CARDS: Final = """
DELETE FROM messages WHERE subject = 'daily' AND subject_id = ?1
    OR subject = 'night' AND subject_id IN (SELECT id FROM nights WHERE guild_id = ?1)
    OR subject = 'match' AND subject_id IN (SELECT id FROM matches WHERE guild_id = ?1)
"""
_OF_GUILD: Final = (
    *("due", "nights", "matches", "results", "ratings", "option_sets", "alerts", "servers", "left_guilds"),
)


async def _forget_tables(guild_id: int, before: float, db: Transaction) -> int:
    """Delete some tables of the server and return how many; once there are none, delete its settings."""
    gone = "SELECT 1 FROM left_guilds WHERE guild_id = ? AND left_at < ?"
    if not await db.rows(gone, (guild_id, before)):
        return 0
    deleted = await _delete_of_guild(guild_id, db)
    if not deleted:
        of_guild = "night_id IN (SELECT id FROM nights WHERE guild_id = ?)"
        await db.execute(f"DELETE FROM night_guests WHERE {of_guild}", (guild_id,))  # noqa: S608 - constant text
        of_guild = "match_id IN (SELECT id FROM matches WHERE guild_id = ?)"
        await db.execute(f"DELETE FROM match_players WHERE {of_guild}", (guild_id,))  # noqa: S608 - constant text
        await db.execute(_FORGET_CARDS, (guild_id,))
        for part in _OF_GUILD:
            await db.execute(f"DELETE FROM {part} WHERE guild_id = ?", (guild_id,))  # noqa: S608 - constant names
        await db.execute("UPDATE event_results SET guild_id = NULL WHERE guild_id = ?", (guild_id,))
    return deleted


async def _delete_of_guild(guild_id: int, db: Transaction) -> int:
    """Delete some tables of the server, the latest first, and return how many."""
    some = "SELECT id FROM tables WHERE guild_id = ? ORDER BY id DESC LIMIT ?"
    return await _delete(await db.rows(some, (guild_id, _AT_ONCE)), db)


async def _delete_ended(before: float, db: Transaction) -> int:
    """Delete some of the tables that ended before that time, and return how many."""
    some = """
        SELECT id FROM tables WHERE status IN ('over', 'closed') AND changed_at < ?1 AND opened_at < ?1
        ORDER BY changed_at LIMIT ?2
    """
    return await _delete(await db.rows(some, (before, _AT_ONCE)), db)


async def _delete_lobbies(before: float, untidy_before: float, db: Transaction) -> int:
    """Delete some of the lobbies that were closed before that time, and return how many.

    Those with messages that are still to be removed, or to say that the table is closed, are kept for longer.
    """
    some = """
        SELECT id FROM tables WHERE status = 'closed' AND plies = 0 AND record LIKE '%"why":null%'
            AND changed_at < ?1 AND opened_at < ?1 AND (changed_at < ?2 OR NOT EXISTS (SELECT 1 FROM messages
                WHERE table_id = tables.id AND (stage <> 'live' OR messages.version < tables.version)))
        ORDER BY changed_at LIMIT ?3
    """
    return await _delete(await db.rows(some, (before, untidy_before, _AT_ONCE)), db)


async def _delete(numbers: list[Row], db: Transaction) -> int:
    # A new version locks the tables, and other processes can't append to them any more.
    await db.execute_many("UPDATE tables SET version = version + 1 WHERE id = ?", numbers)
    for part in PARTS:
        await db.execute_many(f"DELETE FROM {part} WHERE table_id = ?", numbers)  # noqa: S608 - a constant name
    await db.execute_many("DELETE FROM messages WHERE subject = 'alert' AND subject_id = ?", numbers)
    await db.execute_many("DELETE FROM due WHERE kind IN ('alert', 'deadline', 'forced') AND id = ?", numbers)
    await db.execute_many("UPDATE tables SET rematch_of = NULL WHERE rematch_of = ?", numbers)
    await db.execute_many("DELETE FROM tables WHERE id = ?", numbers)
    return len(numbers)


# ---- overwriting deleted rows


VACUUM_PAUSE_S: Final = 60 * 60.0
"""Shortest time between two vacuums after deletions."""
_SCRUB_PAUSES_S: Final = (0.0, 0.05, 0.2, 0.5, 1.0)
"""Delays before each try to scrub the files."""


class Scrubber:
    """Overwrites deleted rows, and has the database vacuumed from time to time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vacuums: asyncio.Task[None] | None = None
        """Waits until another vacuum may be done."""
        self._is_vacuum_due = False

    async def scrub(self) -> None:
        """Overwrite deleted rows in the files, also the copies that only a vacuum reaches: soon after one, in a while.

        Otherwise, a user who deletes their data again and again would have the whole database rewritten each time.
        """
        is_resting = self._is_vacuum_due = self._vacuums is not None
        if not is_resting:
            self._vacuums = asyncio.create_task(self._rest(), name="the next vacuum")
        await self._scrub_files(vacuums=not is_resting)

    async def _rest(self) -> None:
        await asyncio.sleep(VACUUM_PAUSE_S)
        self._vacuums = None
        if self._is_vacuum_due:
            await _unless_damaged(self.scrub())

    async def _scrub_files(self, *, vacuums: bool) -> None:
        """Overwrite deleted rows. A running backup may delay that."""
        for pause_s in _SCRUB_PAUSES_S:
            await asyncio.sleep(pause_s)
            if await self._database.scrub(vacuums=vacuums):
                return
        log.warning("the database is in use: deleted rows stay in its files until tomorrow")

    async def close(self) -> None:
        """Do a vacuum that is due before the database is closed."""
        if self._vacuums is not None:
            self._vacuums.cancel()
            await asyncio.wait({self._vacuums})
        if self._is_vacuum_due:
            await _unless_damaged(self._database.scrub(vacuums=True))


async def _unless_damaged(scrubbing: Awaitable[object]) -> None:
    """Scrub the files. If that isn't possible, the next deletion does it, and the database can still be closed."""
    try:
        await scrubbing
    except StoreError as error:
        log.warning("deleted rows stay in the database's files until tomorrow: %s", error)
