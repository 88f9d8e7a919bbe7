"""What each of several processes with one token and database does: the servers it serves, its share of requests.

Discord tells every process of a shard about everything. People are answered, and messages updated, by one process: the
holder of the shard's lease. It also lets computers think and takes what is due. The others check every second whether
that has ended, and answer what it leaves unanswered.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial
from typing import Final

from bot.errors import DamagedTable, NoSuchTable, StoreError
from bot.store.bot_processes import TICK_S, BotProcesses, Grant, LeaseStore
from bot.tables import Receipt, Tables
from bot.tables.absence.timer import DeadlineTimer
from bot.thinking.turns import Turns
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.pace import Budget

log: Final = logging.getLogger(__name__)

LEASE_S: Final = 10.0
"""Lifetime of a lease that isn't renewed. Another process takes over that long after a crash.

`bot.store.open_store`, which may not import this, tells operators to wait ten seconds.
"""
RENEW_S: Final = 3.0
STOP_S: Final = 3.0
"""A share isn't used during its last seconds, so that no request is on its way when another process gets it."""
LAST_S: Final = 1.5
"""How long after an orderly stop the requests made before it still count."""


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
        self.request, self.request_event = store.request_update, store.request_event
        self._life_s = max(LEASE_S, 2 * tick_s)
        self._now = now
        self._process = process
        self.shards: frozenset[int] = frozenset()
        self.count = 1
        """The number of all shards of the bot."""
        self.taken_listeners: list[Callable[[frozenset[int]], object]] = []
        """Called with shards whose lease this process has just got."""
        self.on_request: Callable[[int], object] = lambda _: None
        """Called with each table of this process's shards that another process has changed."""
        self.event_listeners: list[Callable[[str, int], object]] = []
        """Called with each event that another process has changed, and the server, which is one of this process's."""
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

    def answers(self, guild_id: int | None) -> bool:
        """Whether this process is the first to answer people there. It remains that while it can't renew its lease."""
        return self.shard_of(guild_id) in self._held

    async def start(self, shards: Collection[int], count: int) -> None:
        """Try to take the leases of these shards, of ``count`` in all."""
        self.shards, self.count = frozenset(shards), count
        await self._check()

    async def tick(self) -> None:
        """Renew the leases, take those that have ended, and update what other processes have changed."""
        await self._check()
        await self._serve()

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
                for listener in self.taken_listeners:
                    listener(taken)

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
        if self._held:
            await self._serve_events()

    async def _serve_events(self) -> None:
        events = await self._store.event_requests()
        ours = [(name, guild_id) for name, guild_id in events if self.holds(guild_id)]
        if ours:
            await self._store.take_event_requests(ours)
        for name, guild_id in ours:
            for listener in self.event_listeners:
                listener(name, guild_id)


def spans(shards: Iterable[int]) -> str:
    """Return shards as a list of spans, such as ``0-3, 7``."""
    spans: list[list[int]] = []
    for shard in sorted(shards):
        if spans and shard == spans[-1][-1] + 1:
            spans[-1][1:] = [shard]
        else:
            spans.append([shard])
    return ", ".join("-".join(map(str, span)) for span in spans)


_ALONE_S: Final = 1.0
"""The longest time that a table keeps the next one waiting: its request may hang."""
_CHECKED: Final = 500
"""Maximum number of boards checked when a session of a shard begins. Tables changed last come first."""

InBackground = Callable[[str, Callable[[], Awaitable[None]]], asyncio.Task[None]]
"""Starts a task that repeats some work after database errors."""


class Duties:
    """Reacts to leases, and to what other processes have done.

    Moves may be committed by any process. The rest is done once, by the process that holds the lease of the table's
    shard. If it dies, the next one finds in the database what is left to do.
    """

    def __init__(  # noqa: PLR0913 - the parts that it ties together
        self,
        *,
        tables: Tables,
        leases: Leases,
        live: LiveMessages,
        turns: Turns,
        deadlines: DeadlineTimer,
        in_background: InBackground,
    ) -> None:
        self._tables = tables
        self._leases = leases
        self._live = live
        self._turns = turns
        self._deadlines = deadlines
        self._in_background = in_background
        self._board_checks: dict[int, asyncio.Task[None]] = {}
        """The last check of boards of each shard that has had a session."""

    def take_over(self, shards: frozenset[int]) -> None:
        """Continue what the last run or another process did for these shards."""
        self._in_background("resuming deadlines and computers", partial(self._resume, shards))
        self._in_background("showing all tables", partial(self._show_all, shards))
        for shard_id in shards & self._board_checks.keys():  # the others are checked when their session begins
            self.check_boards(shard_id)

    def update(self, table_id: int) -> None:
        """Follow a change that another process has made at a table of this process's shards."""
        self._live.ping_timing.restart(table_id)
        self._live.refresh(table_id)
        self._live.open_messages.redraw(table_id)
        self._in_background(f"following table {table_id}", partial(self._wake, table_id))

    async def follow(self) -> None:
        """Bring private messages up to date that are open here, at tables of other processes' shards."""
        shown = self._live.open_messages.versions(lambda guild_id: not self._leases.holds(guild_id))
        if not shown:
            return
        for table_id, version in (await self._tables.lists.versions(list(shown))).items():
            if version != shown[table_id]:
                self._live.open_messages.redraw(table_id)

    def check_boards(self, shard_id: int) -> None:
        """Check the boards of a shard: Discord doesn't report what was deleted before its session began."""
        if shard_id in self._board_checks:
            self._board_checks[shard_id].cancel()
        what = f"checking the boards of shard {shard_id}"
        self._board_checks[shard_id] = self._in_background(what, partial(self._check_boards, shard_id))

    async def _check_boards(self, shard_id: int) -> None:
        for table_id in await self._tables.lists.latest_of_shard(shard_id, self._leases.count, _CHECKED):
            with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted meanwhile
                if self._leases.holds((await self._tables.table(table_id)).place.guild_id):
                    await self._live.check(table_id)

    async def _show_all(self, shards: frozenset[int]) -> None:
        """Update the tables of these shards whose messages are known to be out of date, then check every other one.

        Half of the time is left to interactions.
        """
        await self._tables.messages.doubt_stale(shards, self._leases.count)
        behind = dict.fromkeys(await self._tables.messages.to_reconcile())
        every = dict.fromkeys((*behind, *await self._tables.lists.open_numbers()))
        ours = await self._tables.lists.of_shards(every, shards, self._leases.count)
        for table_id in filter(ours.__contains__, every):
            began = time.perf_counter()
            await asyncio.wait({self._live.refresh(table_id)}, timeout=_ALONE_S)
            if table_id not in behind:
                await asyncio.sleep(time.perf_counter() - began)

    async def _resume(self, shards: frozenset[int]) -> None:
        await self._tables.close_outdated()
        await self._deadlines.resume(shards)
        await self._tables.fill_in_turns()
        await self._turns.resume(lambda table: self._leases.shard_of(table.place.guild_id) in shards)

    async def _wake(self, table_id: int) -> None:
        with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted
            table = await self._tables.table(table_id)
            receipt = Receipt(table, table.version)
            self._deadlines.changed(receipt)
            self._turns.changed(receipt)


class Share:
    """The slots of this process. Call `renew` at the start and at each tick, and `leave` at the end.

    Discord limits the requests of a bot, whichever process makes them. Each process gets an equal number of slots,
    renewed like the leases. `bot.store.bot_processes` decides how many.

    ``limit`` is the number of slots of all processes together. ``emojis`` names the set of emojis that this process
    uses. ``tick_s`` and ``now`` are as for `Leases`.
    """

    def __init__(  # noqa: PLR0913 - two are for tests
        self,
        store: BotProcesses,
        budget: Budget,
        *,
        process: str,
        limit: int,
        emojis: str,
        tick_s: float = TICK_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._budget = budget
        self._process = process
        self._limit = limit
        self._emojis = emojis
        self._life_s = max(LEASE_S, 2 * tick_s)
        self._now = now
        self._grant = Grant()
        self._renewed_at = 0.0

    @property
    def slots(self) -> int:
        """The number of requests that may be under way, or answered less than a second ago."""
        return 0 if has_passed(self._renewed_at, self._now(), self._life_s - STOP_S) else self._grant.usable

    async def renew(self) -> None:
        """Renew the share if it is time, or if it is to change: return slots, or ask for those still missing."""
        granted, now = self._grant, self._now()
        if has_passed(self._renewed_at, now, self._life_s):
            granted = Grant()
        kept = granted.kept(self._budget.in_use)
        if granted.fair == kept == granted.slots and not has_passed(self._renewed_at, now, RENEW_S):
            return
        self._grant = await self._store.renew(self._process, self._emojis, kept, self._limit, LEASE_S)
        self._renewed_at = now
        if self._grant.fair != granted.fair:
            log.info("this process may make %s of %s requests a second", self._grant.fair, self._limit)
        self._budget.wake()

    async def leave(self) -> None:
        """Give up the share."""
        self._renewed_at = 0.0
        try:
            await self._store.leave(self._process, LAST_S)
        except StoreError as error:
            log.warning("the share of requests can't be given up; it ends in %s s: %s", LEASE_S, error)
