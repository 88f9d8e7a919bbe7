"""What each of several processes with one token and database does: the servers it serves, its share of requests.

Each process serves shards of its own: it has their leases. It answers people there, updates messages, lets computers
think and takes what is due. Direct messages reach the process of shard 0, which commits moves at tables of any shard,
and asks the process that serves the table to do the rest.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial
from itertools import starmap
from typing import Final

from bot.calendar import Calendar
from bot.errors import DamagedTable, NoSuchTable, StoreError
from bot.records.table import Receipt
from bot.running.host import has_died
from bot.running.ticker import TICK_S
from bot.store.bot_processes import BotProcesses, Grant, Holder, LeaseStore
from bot.tables.absence.timer import Deadlines
from bot.tables.tables import Tables
from bot.thinking.turns import Turns
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.pace import Budget

log: Final = logging.getLogger(__name__)

LEASE_S: Final = 10.0
"""Lifetime of a lease that isn't renewed. A process on another host can take it that long after a crash.

`bot.store.open_store`, which may not import this, tells operators to wait ten seconds.
"""
RENEW_S: Final = 3.0
TRY_S: Final = 1.0
"""Interval of trying to take leases that another process has."""
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

    Call `take` with the shards that this process serves, `begin` when it is ready, `tick` every second, and `release`
    at the end. ``holder`` is this process, ``tick_s`` the interval of the calls of `tick`. ``is_alone``: no other
    process can use the database, so those with leases have died. ``try_s`` and ``now``, which returns seconds since
    1970, are for tests.
    """

    def __init__(  # noqa: PLR0913 - two are for tests
        self,
        store: LeaseStore,
        *,
        holder: Holder,
        is_alone: bool = False,
        tick_s: float = TICK_S,
        try_s: float = TRY_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._try_s = try_s
        self.request, self.request_event = store.request_update, store.request_event
        self._life_s = max(LEASE_S, 2 * tick_s)
        self._now = now
        self._holder = holder
        self.is_alone = is_alone
        self.shards: frozenset[int] = frozenset()
        self.count = 1
        """The number of all shards of the bot."""
        self.taken_listeners: list[Callable[[frozenset[int]], object]] = []
        """Called with this process's shards at the start, and when it has been suspended."""
        self.on_lost: Callable[[], object] = lambda: None
        """Called if another process serves shards of this one, which was suspended for too long."""
        self.on_request: Callable[[int], object] = lambda _: None
        """Called with each table of this process's shards that another process has changed."""
        self.event_listeners: list[Callable[[str, int], object]] = []
        """Called with each event that another process has changed, and the server, which is one of this process's."""
        self._held: frozenset[int] = frozenset()
        self._renewed_at = 0.0

    @property
    def held(self) -> frozenset[int]:
        """The shards that this process serves."""
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
        """Whether this process serves the server, or direct messages (``None``)."""
        return self.shard_of(guild_id) in self._held and not self.have_ended

    async def take(self, shards: Collection[int], count: int) -> None:
        """Take the leases of these shards, of ``count`` in all, waiting for other processes that have them."""
        self.shards, self.count = frozenset(shards), count
        if self.is_alone:
            await self._store.end_all()
        awaited: list[tuple[Holder, int]] = []
        while not await self._renew():
            holders = await self._store.holders(self.shards, self._holder.process, count)
            dead = [each for each, _ in holders if has_died(each, self._holder)]
            for each in dead:
                await self._store.end(each.process)
            if not dead:
                if holders and holders != awaited:  # if there are none, they have just stopped
                    log.warning("waiting until other processes stop: %s", "; ".join(starmap(self._described, holders)))
                awaited = holders
                await asyncio.sleep(self._try_s)

    def _described(self, other: Holder, count: int) -> str:
        who = f"process {other.pid} on {other.host}"
        if count != self.count:
            return f"{who} counts {count} shards in SHARDS, this one {self.count}"
        return f"{who} serves some of the shards {spans(self.shards)}"

    def begin(self) -> None:
        """Continue what was left to do for the shards."""
        for listener in self.taken_listeners:
            listener(self.shards)

    async def tick(self) -> None:
        """Renew the leases, and update what other processes have changed."""
        if has_passed(self._renewed_at, self._now(), RENEW_S):
            had_ended = self.have_ended
            if not await self._renew():
                log.error("another process serves the shards %s now; this one stops", spans(self.shards))
                self._held = frozenset()
                self.on_lost()
            elif had_ended:
                self.begin()
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
        """Give up the leases, so that another process can take them at once."""
        self._held = frozenset()
        try:
            await self._store.release(self._holder.process)
        except StoreError as error:
            log.warning("leases can't be given up; they end in %s s: %s", LEASE_S, error)

    async def _renew(self) -> bool:
        """Take or renew all leases; return whether this process has them."""
        now = self._now()
        if not await self._store.acquire(self.shards, self._holder, LEASE_S, self.count):
            return False
        self._held, self._renewed_at = self.shards, now
        return True

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
_CHECK_AGAIN_S: Final = 60.0
"""Delay before boards are checked again whose check failed. Nothing else shows that they were deleted."""

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
        calendar: Calendar,
        deadlines: Deadlines,
        in_background: InBackground,
    ) -> None:
        self._tables = tables
        self._leases = leases
        self._live = live
        self._turns = turns
        self._calendar = calendar
        self._deadlines = deadlines
        self._in_background = in_background
        self._board_checks: dict[int, asyncio.Task[None]] = {}
        """The last check of boards of each shard that has had a session."""

    def take_over(self, shards: frozenset[int]) -> None:
        """Continue what was left to do for these shards."""
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
        left = await self._tables.lists.latest_of_shard(shard_id, self._leases.count, _CHECKED)
        while left := [table_id for table_id in left if not await self._is_checked(table_id)]:
            log.info("boards can't be checked; retrying in %s s: %s", _CHECK_AGAIN_S, len(left))
            await asyncio.sleep(_CHECK_AGAIN_S)

    async def _is_checked(self, table_id: int) -> bool:
        """Check a board; return false if Discord couldn't be asked."""
        with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted meanwhile
            if self._leases.holds((await self._tables.table(table_id)).place.guild_id):
                return await self._live.check(table_id)
        return True

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
        await self._calendar.resume(shards)
        await self._tables.fill_in_turns()
        await self._turns.resume(lambda table: self._leases.shard_of(table.place.guild_id) in shards)
        await self._tables.forced.resume(lambda table: self._leases.shard_of(table.place.guild_id) in shards)

    async def _wake(self, table_id: int) -> None:
        with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted
            table = await self._tables.table(table_id)
            receipt = Receipt(table, table.version)
            self._deadlines.changed(receipt)
            self._turns.changed(receipt)
            self._tables.forced.changed(receipt)


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
