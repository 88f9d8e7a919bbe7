"""Which process updates the messages of which servers, where several run with one token and one database.

Discord tells every process of a shard about everything, and any of them may answer a press and commit a move. Messages
are updated by one process alone: the holder of the shard's lease. The others check every second whether it has ended.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection
from typing import Final

from bot.errors import StoreError
from bot.store.leases import LeaseStore

log: Final = logging.getLogger(__name__)

LEASE_S: Final = 10.0
"""Lifetime of a lease that isn't renewed. Another process takes over that long after a crash."""
RENEW_S: Final = 3.0
TICK_S: Final = 1.0
"""Interval of checking leases and looking for tables that other processes have changed."""


class Leases:
    """The leases of this process.

    Call `start` with the shards that this process runs. ``taken`` is called with the shards whose lease it has just
    got; ``requested`` with tables that another process has changed; ``waiting`` at each check while another process
    has one of the leases. ``tick_s`` and ``now``, which returns seconds since 1970, are for tests.
    """

    def __init__(  # noqa: PLR0913 - two are for tests
        self,
        store: LeaseStore,
        *,
        taken: Callable[[frozenset[int]], object],
        requested: Callable[[int], object],
        waiting: Callable[[], object],
        tick_s: float = TICK_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._taken = taken
        self._requested = requested
        self._waiting = waiting
        self._tick_s = tick_s
        self._now = now
        self._holder = secrets.token_hex(8)
        self._shards: frozenset[int] = frozenset()
        self._count = 1
        self._held: frozenset[int] = frozenset()
        self._renewed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def shard_of(self, guild_id: int | None) -> int:
        """Return the shard of a server; direct messages are on shard 0.

        https://discord.com/developers/docs/events/gateway#sharding
        """
        return ((guild_id or 0) >> 22) % self._count

    def holds(self, guild_id: int | None) -> bool:
        """Whether this process updates the messages of the server, or of direct messages (``None``)."""
        return self.shard_of(guild_id) in self._held and not self._have_ended()

    async def start(self, shards: Collection[int], count: int) -> None:
        """Try to take the leases of these shards, and go on trying. ``count`` is the number of all shards."""
        self._shards, self._count = frozenset(shards), count
        await self._check()
        self._set_timer()

    async def request(self, table_id: int) -> None:
        """Ask the process that updates this table's messages to do so."""
        await self._store.request_update(table_id)

    async def close(self) -> None:
        """Give the leases up, so that another process takes over at once."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})
        self._held = frozenset()
        try:
            await self._store.release(self._holder)
        except StoreError as error:
            log.warning("leases can't be given up; they end in %s s: %s", LEASE_S, error)

    def _set_timer(self) -> None:
        if not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(self._tick_s, self._tick)

    def _tick(self) -> None:
        self._task = asyncio.create_task(self._run(), name="leases")

    async def _run(self) -> None:
        try:
            await self._check()
            await self._serve()
            if self._held != self._shards:
                self._waiting()
        except StoreError as error:
            log.warning("leases can't be checked; that is retried: %s", error)
        finally:
            self._task = None
            self._set_timer()

    def _have_ended(self) -> bool:
        """Return whether the leases were renewed so long ago that another process may have them.

        That happens if this process was suspended, or can't reach the database. A computer's sleep counts too: unlike
        the event loop's clock, the time of day goes on. So does the database's clock.
        """
        return not 0 <= self._now() - self._renewed_at < max(LEASE_S, 2 * self._tick_s)

    async def _check(self) -> None:
        """Renew the leases of this process, and take those that have ended."""
        now, before = self._now(), frozenset() if self._have_ended() else self._held
        free = await self._store.free(self._shards, self._holder)
        lost = self._held - free
        if lost or free - before or now - self._renewed_at >= RENEW_S:
            self._held = await self._store.acquire(free, self._holder, LEASE_S) if free else frozenset()
            taken, self._renewed_at = self._held - before, now
            if lost:
                log.warning("another process updates the messages of the shards %s now", sorted(lost))
            if taken:
                log.info("this process updates the messages of the shards %s", sorted(taken))
                self._taken(taken)

    async def _serve(self) -> None:
        """Update what other processes have changed."""
        requests = await self._store.requests() if self._held else ()
        tables = [table_id for table_id, guild_id in requests if self.holds(guild_id)]
        if tables:
            await self._store.take_requests(tables)
            for table_id in tables:
                self._requested(table_id)
