"""Leases: which process updates the messages of which shard.

All times are the database's, so that processes whose clocks differ agree.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from bot.store.repository import NOW, Repository, to_json
from bot.store.transaction import Transaction

_LONGEST_S: Final = 60.0
"""A lease that ends later was taken before the clock was put back: it has ended."""

IS_HELD: Final = f"expires_at BETWEEN {NOW} AND {NOW} + {_LONGEST_S}"
"""The condition for leases that haven't ended."""

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


class LeaseStore(Repository):
    """The leases of shards, and requests to their holders."""

    async def acquire(self, shards: Collection[int], holder: str, for_s: float, count: int = 1) -> frozenset[int]:
        """Take or renew the leases of these shards; return those that the holder has now.

        There are none while another holder counts another number of shards: then a shard has other servers.
        """
        return await self._writer.write(partial(_acquire, (to_json(list(shards)), count, holder, for_s)))

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


async def _acquire(values: tuple[str, int, str, float], db: Transaction) -> frozenset[int]:
    return frozenset([shard for (shard,) in await db.rows(_ACQUIRE, values)])
