"""The running processes of the bot: their leases of shards, parts of Discord's requests, and sets of emojis.

Discord's limit is a number of slots. The database stores how many slots each process has; together they never have more
than the limit. So a process first stops using slots, then returns them, and only then can another process get them.
All times are the database's, so that processes whose clocks differ agree.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from bot.store.database import NOW, Repository, Transaction, to_json, work


class Grant(NamedTuple):
    """What the database answers to a process: the slots that it has now, and its fair part of all."""

    slots: int = 0
    fair: int = 0

    @property
    def usable(self) -> int:
        """The number of slots that the process may use. It has to return the rest."""
        return min(self.slots, self.fair)

    def kept(self, in_use: int) -> int:
        """Return how many of its slots the process may still need before it learns of its next grant."""
        return max(self.usable, min(in_use, self.slots))


def grant(limit: int, others: Collection[int], kept: int) -> Grant:
    """Return the grant of a process that keeps this many of its slots, given the slots of all ``others``."""
    fair = max(limit // (len(others) + 1), 1)
    free = max(limit - sum(others), 0)
    return Grant(max(kept, min(fair, free)), fair)


_KEPT_S: Final = 24 * 60 * 60
"""How long processes that are gone are kept, for `has_others`."""

_LONGEST_S: Final = 60.0
"""A share or a lease that ends later was renewed before the clock was put back: it has ended."""

IS_HELD: Final = f"expires_at > {NOW} AND expires_at <= {NOW} + {_LONGEST_S}"
"""The condition for leases and shares that haven't ended. One that was ended at this moment has."""

_OTHERS: Final = f"""
SELECT slots FROM bot_processes WHERE process <> ? AND {IS_HELD}
"""  # noqa: S608 - constant text

_RENEW: Final = f"""
INSERT INTO bot_processes (process, emojis, slots, expires_at) VALUES (?, ?, ?, {NOW} + ?)
ON CONFLICT (process) DO UPDATE
    SET emojis = excluded.emojis, slots = excluded.slots, expires_at = excluded.expires_at
"""  # noqa: S608 - constant text

_LEAVE: Final = f"UPDATE bot_processes SET expires_at = {NOW} + ?1 WHERE process = ?2 AND expires_at > {NOW} + ?1"  # noqa: S608 - constant text

_FORGET: Final = f"DELETE FROM bot_processes WHERE abs(expires_at - {NOW}) > ?"  # noqa: S608 - constant text

_USES_OTHERS: Final = f"""
SELECT 1 FROM bot_processes WHERE emojis NOT IN ('', ?) AND expires_at >= {NOW} - ?
"""  # noqa: S608 - constant text


class BotProcesses(Repository):
    """The running processes of the bot."""

    @work
    async def renew(  # noqa: PLR0913, PLR0917 - a process has five figures
        self, db: Transaction, process: str, emojis: str, kept: int, limit: int, for_s: float
    ) -> Grant:
        """Store that a process runs, and return its slots among ``limit``. It keeps ``kept`` of those it had."""
        await db.lock("bot_processes")
        await db.execute(_FORGET, (_KEPT_S,))
        others = [slots for (slots,) in await db.rows(_OTHERS, (process,))]
        granted = grant(limit, others, kept)
        await db.execute(_RENEW, (process, emojis, granted.slots, for_s))
        return granted

    async def leave(self, process: str, in_s: float) -> None:
        """Store that a process is gone in a moment, when its last requests don't count any more."""
        await self._writer.execute(_LEAVE, (in_s, process))

    async def has_others(self, emojis: str, within_s: float) -> bool:
        """Return whether any process uses another set of emojis than this, or did so within that time."""
        return bool(await self._reading.rows(_USES_OTHERS, emojis, within_s))


RUNNING: Final = f"SELECT 1 FROM leases WHERE {IS_HELD}"  # noqa: S608 - constant text
"""The query that has a row if a bot is running on the database."""


class Holder(NamedTuple):
    """A process that serves shards: its name, its host, and its process id there."""

    process: str
    host: str = ""
    pid: int = 0


_ACQUIRE: Final = f"""
INSERT INTO leases (shard, shard_count, holder, host, pid, expires_at)
SELECT value, CAST(?2 AS BIGINT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS BIGINT), {NOW} + ?6 FROM json_each(?1)
WHERE NOT EXISTS (
    SELECT 1 FROM leases
    WHERE (shard IN (SELECT value FROM json_each(?1)) OR shard_count <> ?2) AND holder <> ?3 AND {IS_HELD}
)
ON CONFLICT (shard) DO UPDATE SET
    shard_count = excluded.shard_count, holder = excluded.holder, host = excluded.host, pid = excluded.pid,
    expires_at = excluded.expires_at
RETURNING shard
"""  # noqa: S608 - constant text

_HOLDERS: Final = f"""
SELECT DISTINCT holder, host, pid, shard_count FROM leases
WHERE (shard IN (SELECT value FROM json_each(?1)) OR shard_count <> ?2) AND holder <> ?3 AND {IS_HELD}
"""  # noqa: S608 - constant text

_END_SHARES: Final = f"UPDATE bot_processes SET expires_at = {NOW} WHERE expires_at > {NOW}"  # noqa: S608 - constant text

_REQUEST: Final = "INSERT INTO update_requests (table_id) VALUES (?) ON CONFLICT DO NOTHING"
_REQUEST_EVENT: Final = "INSERT INTO event_requests (event, guild_id) VALUES (?, ?) ON CONFLICT DO NOTHING"


class LeaseStore(Repository):
    """The leases of shards, and requests to their holders."""

    @work
    async def acquire(
        self, db: Transaction, shards: Collection[int], holder: Holder, for_s: float, count: int = 1
    ) -> bool:
        """Take or renew the leases of these shards, all or none; return whether the holder has them now.

        It gets none while another one counts another number of shards: then a shard has other servers.
        """
        await db.lock("leases")
        return bool(await db.rows(_ACQUIRE, (to_json(list(shards)), count, *holder, for_s)))

    async def holders(self, shards: Collection[int], process: str, count: int = 1) -> list[tuple[Holder, int]]:
        """Return which other holders keep this process from having these shards, and how many shards they count."""
        rows = await self._reading.rows(_HOLDERS, to_json(list(shards)), count, process)
        return [(Holder(*row), shard_count) for *row, shard_count in rows]

    @work
    async def end(self, db: Transaction, process: str) -> None:
        """Free the leases and the share of a process that has died."""
        await db.execute("DELETE FROM leases WHERE holder = ?", (process,))
        await db.execute(f"{_END_SHARES} AND process = ?", (process,))

    @work
    async def end_all(self, db: Transaction) -> None:
        """Free the leases and the shares of all processes, none of which is running any more."""
        await db.execute("DELETE FROM leases")
        await db.execute(_END_SHARES)

    async def release(self, process: str) -> None:
        """Give up all leases of a process."""
        await self._writer.execute("DELETE FROM leases WHERE holder = ?", (process,))

    async def request_update(self, table_id: int, guild_id: int | None) -> None:
        """Ask the holder of the table's lease to update its messages, and notify it that it has been asked."""
        await self._writer.execute(_REQUEST, (table_id,))
        await self._database.notify(guild_id or 0)

    async def listen(self, heard: Callable[[int], object]) -> None:
        """Call ``heard`` with the server of each request, 0 for direct messages, until cancelled.

        It may miss some. Return at once if the database doesn't notify.
        """
        await self._database.listen(heard)

    async def requests(self) -> tuple[tuple[int, int | None], ...]:
        """Return the tables whose messages some holder has been asked to update, each with its server."""
        rows = await self._reading.rows(
            "SELECT table_id, guild_id FROM update_requests JOIN tables ON tables.id = table_id"
        )
        return tuple((table_id, guild_id) for table_id, guild_id in rows)

    async def take_requests(self, tables: Collection[int]) -> None:
        """Remove requests that are being served."""
        await self._writer.execute(
            "DELETE FROM update_requests WHERE table_id IN (SELECT value FROM json_each(?))", (to_json(tables),)
        )

    async def request_event(self, name: str, guild_id: int) -> None:
        """Ask the holder of the server's lease to update the message about an event there, and notify it."""
        await self._writer.execute(_REQUEST_EVENT, (name, guild_id))
        await self._database.notify(guild_id)

    async def event_requests(self) -> tuple[tuple[str, int], ...]:
        """Return the events whose messages some holder has been asked to update, each with its server."""
        rows = await self._reading.rows("SELECT event, guild_id FROM event_requests")
        return tuple((name, guild_id) for name, guild_id in rows)

    @work
    async def take_event_requests(self, db: Transaction, requests: Sequence[tuple[str, int]]) -> None:
        """Remove requests that are being served."""
        await db.execute_many("DELETE FROM event_requests WHERE event = ? AND guild_id = ?", requests)
