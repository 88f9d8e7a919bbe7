"""The running processes of the bot: their leases of shards, parts of Discord's requests, and sets of emojis.

Discord's limit is a number of slots. The database stores how many slots each process has; together they never have more
than the limit. So a process first stops using slots, then returns them, and only then can another process get them.
All times are the database's, so that processes whose clocks differ agree.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final, NamedTuple

from bot.errors import StoreError
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

_OTHERS: Final = f"""
SELECT slots FROM bot_processes WHERE process <> ? AND expires_at BETWEEN {NOW} AND {NOW} + {_LONGEST_S}
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


IS_HELD: Final = f"expires_at BETWEEN {NOW} AND {NOW} + {_LONGEST_S}"
"""The condition for leases that haven't ended."""

RUNNING: Final = f"SELECT 1 FROM leases WHERE {IS_HELD}"  # noqa: S608 - constant text
"""The query that has a row if a bot is running on the database."""

STARTED: Final = f"SELECT 1 FROM bot_processes WHERE expires_at BETWEEN {NOW} + 2 AND {NOW} + {_LONGEST_S}"  # noqa: S608 - constant text
"""The query that has a row if a process has started that may not have a lease yet. One that is leaving has 1.5 s."""

_ACQUIRE: Final = f"""
INSERT INTO leases (shard, shard_count, holder, expires_at)
SELECT value, CAST(?2 AS BIGINT), CAST(?3 AS TEXT), {NOW} + ?4 FROM json_each(?1)
WHERE NOT EXISTS (SELECT 1 FROM leases WHERE shard_count <> ?2 AND holder <> ?3 AND {IS_HELD})
ON CONFLICT (shard) DO UPDATE
    SET shard_count = excluded.shard_count, holder = excluded.holder, expires_at = excluded.expires_at
    WHERE leases.holder = excluded.holder OR NOT leases.{IS_HELD}
RETURNING shard
"""  # noqa: S608 - constant text

_FREE: Final = f"""
SELECT value FROM json_each(?1)
WHERE NOT EXISTS (
    SELECT 1 FROM leases WHERE (shard = value OR shard_count <> ?2) AND holder <> ?3 AND {IS_HELD}
)
"""  # noqa: S608 - constant text

_OTHER_COUNTS: Final = f"""
SELECT DISTINCT shard_count FROM leases WHERE shard_count <> ? AND holder <> ? AND {IS_HELD}
"""  # noqa: S608 - constant text

_REQUEST: Final = "INSERT INTO update_requests (table_id) VALUES (?) ON CONFLICT DO NOTHING"
_REQUEST_EVENT: Final = "INSERT INTO event_requests (event, guild_id) VALUES (?, ?) ON CONFLICT DO NOTHING"


class LeaseStore(Repository):
    """The leases of shards, and requests to their holders."""

    @work
    async def acquire(
        self, db: Transaction, shards: Collection[int], holder: str, for_s: float, count: int = 1
    ) -> frozenset[int]:
        """Take or renew the leases of these shards; return those that the holder has now.

        There are none while another holder counts another number of shards: then a shard has other servers.
        """
        rows = await db.rows(_ACQUIRE, (to_json(list(shards)), count, holder, for_s))
        return frozenset([shard for (shard,) in rows])

    async def free(self, shards: Collection[int], holder: str, count: int = 1) -> frozenset[int]:
        """Return which of these shards the holder has or could take."""
        return frozenset(await self._reading.numbers(_FREE, to_json(list(shards)), count, holder))

    async def other_counts(self, holder: str, count: int) -> frozenset[int]:
        """Return the numbers of shards that other holders count, except this one."""
        return frozenset(await self._reading.numbers(_OTHER_COUNTS, count, holder))

    async def release(self, holder: str) -> None:
        """Give up all leases of the holder."""
        await self._writer.execute("DELETE FROM leases WHERE holder = ?", (holder,))

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


log: Final = logging.getLogger(__name__)

TICK_S: Final = 1.0


class Ticker:
    """Does each work once per interval, one after the other. After an error of the database, the next tick repeats."""

    def __init__(self, *works: Callable[[], Awaitable[None]], tick_s: float) -> None:
        self._works = works
        self._tick_s = tick_s
        self.error: StoreError | None = None
        """Why the last tick failed, if it did."""
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._is_in_hurry = False
        """Whether the next tick follows the present one at once."""

    def start(self) -> None:
        """Begin, with the first tick after one interval."""
        if not self._is_closed:
            delay_s = 0.0 if self._is_in_hurry else self._tick_s
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._tick)

    def hurry(self) -> None:
        """Tick now, or again at once after the tick that is under way."""
        if self._task is not None:
            self._is_in_hurry = True
        elif self._timer is not None and not self._is_closed:
            self._timer.cancel()
            self._tick()

    async def close(self) -> None:
        """Stop, after the work that is being done."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _tick(self) -> None:
        self._is_in_hurry = False
        self._task = asyncio.create_task(self._run(), name="tick")

    async def _run(self) -> None:
        try:
            for work in self._works:
                await work()
        except StoreError as error:
            self.error = error
            log.warning("the database can't be used; retrying: %s", error)
        else:
            if self.error is not None:
                log.warning("the database can be used again")
            self.error = None
        finally:
            self._task = None
            self.start()
