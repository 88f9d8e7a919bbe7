"""Which process updates the messages of which servers, where several run with one token and one database.

Discord tells every process of a shard about everything, and any of them may answer a press and commit a move. Messages
are updated by one process alone: the holder of the shard's lease. The others check every second whether it has ended.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from bot.errors import StoreError
from bot.store.lease_store import LeaseStore
from bot.store.ticker import TICK_S

log: Final = logging.getLogger(__name__)

LEASE_S: Final = 10.0
"""Lifetime of a lease that isn't renewed. Another process takes over that long after a crash.

`bot.store.copying`, which may not import this, tells operators to wait ten seconds.
"""
RENEW_S: Final = 3.0


def has_passed(since: float, now: float, span_s: float) -> bool:
    """Whether this time has passed, or the clock was set back.

    Times are times of day, in seconds: unlike the event loop's clock, they go on while a computer sleeps. So does the
    database's clock.
    """
    return not 0 <= now - since < span_s


class Leases:
    """The leases of this process.

    Call `start` with the shards that this process runs, `tick` every second, and `release` at the end. ``process`` is
    the name of this process in the database, ``tick_s`` the interval of the calls of `tick`. ``now``, which returns
    seconds since 1970, is for tests.
    """

    def __init__(
        self,
        store: LeaseStore,
        *,
        process: str,
        tick_s: float = TICK_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._life_s = max(LEASE_S, 2 * tick_s)
        self._now = now
        self._process = process
        self.shards: frozenset[int] = frozenset()
        self.count = 1
        """The number of all shards of the bot."""
        self.on_taken: Callable[[frozenset[int]], object] = lambda _: None
        """Called with shards whose lease this process has just got."""
        self.on_request: Callable[[int], object] = lambda _: None
        """Called with each table of this process's shards that another process has changed."""
        self._held: frozenset[int] = frozenset()
        self._renewed_at = 0.0
        self._other_counts: frozenset[int] = frozenset()

    @property
    def held(self) -> frozenset[int]:
        """The shards whose messages this process updates."""
        return frozenset() if self.have_ended else self._held

    @property
    def age_s(self) -> float:
        """The time since the leases were renewed."""
        return self._now() - self._renewed_at

    @property
    def have_ended(self) -> bool:
        """Whether another process may have the leases: this one was suspended, or can't write to the database."""
        return has_passed(self._renewed_at, self._now(), self._life_s)

    def shard_of(self, guild_id: int | None) -> int:
        """Return the shard of a server; direct messages are on shard 0.

        https://discord.com/developers/docs/events/gateway#sharding
        """
        return ((guild_id or 0) >> 22) % self.count

    def holds(self, guild_id: int | None) -> bool:
        """Whether this process updates the messages of the server, or of direct messages (``None``)."""
        return self.shard_of(guild_id) in self._held and not self.have_ended

    async def start(self, shards: Collection[int], count: int) -> None:
        """Try to take the leases of these shards, of ``count`` in all."""
        self.shards, self.count = frozenset(shards), count
        await self._check()

    async def tick(self) -> None:
        """Renew the leases, take those that have ended, and update what other processes have changed."""
        await self._check()
        await self._serve()

    async def request(self, table_id: int, guild_id: int | None) -> None:
        """Ask the process that updates this table's messages to do so."""
        await self._store.request_update(table_id, guild_id)

    async def listen(self, hurry: Callable[[], object]) -> None:
        """Call ``hurry`` when another process has asked this one for an update, so that it ticks at once.

        This returns if the database doesn't notify. Then, and if a notification is lost, the next tick serves it.
        """

        def heard(guild_id: int) -> None:
            if self.holds(guild_id):
                hurry()

        await self._store.listen(heard)

    async def release(self) -> None:
        """Give up the leases, so that another process takes over at once."""
        self._held = frozenset()
        try:
            await self._store.release(self._process)
        except StoreError as error:
            log.warning("leases can't be given up; they end in %s s: %s", LEASE_S, error)

    async def _check(self) -> None:
        """Renew the leases of this process, and take those that have ended."""
        now, before = self._now(), self.held
        free = await self._store.free(self.shards, self._process, self.count)
        await self._compare_counts(is_waiting=bool(self.shards) and not free)
        lost = self._held - free
        if lost or free - before or has_passed(self._renewed_at, now, RENEW_S):
            self._held = await self._store.acquire(free, self._process, LEASE_S, self.count) if free else frozenset()
            taken, self._renewed_at = self._held - before, now
            if lost:
                log.warning("another process updates the messages of the shards %s now", sorted(lost))
            if taken:
                log.info("this process updates the messages of the shards %s", sorted(taken))
                self.on_taken(taken)

    async def _compare_counts(self, *, is_waiting: bool) -> None:
        """Warn once if other processes count another number of shards. Then nothing is free for this one."""
        others = await self._store.other_counts(self._process, self.count) if is_waiting else frozenset()
        if others - self._other_counts:
            log.warning(
                "SHARDS counts %s shards in this process, but %s in another. This one updates no messages until that "
                "has stopped. Unless you are changing the number, set the same one in all processes.",
                self.count,
                " and ".join(map(str, sorted(others))),
            )
        self._other_counts = others

    async def _serve(self) -> None:
        """Update what other processes have changed."""
        requests = await self._store.requests() if self._held else ()
        tables = [table_id for table_id, guild_id in requests if self.holds(guild_id)]
        if tables:
            await self._store.take_requests(tables)
            for table_id in tables:
                self.on_request(table_id)


def spans(shards: Iterable[int]) -> str:
    """Return shards as a list of spans, such as ``0-3, 7``."""
    spans: list[list[int]] = []
    for shard in sorted(shards):
        if spans and shard == spans[-1][-1] + 1:
            spans[-1][1:] = [shard]
        else:
            spans.append([shard])
    return ", ".join("-".join(map(str, span)) for span in spans)
