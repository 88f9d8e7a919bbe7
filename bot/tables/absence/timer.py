"""The timer for everything that becomes due while tables wait.

Each waiting table has one next step, computed from its rows (`bot.tables.absence.waiting`). Only the time of the next
check is in memory. If the table has changed by then, it is checked later.
"""

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.errors import LilypadError, NoSuchTable, StoreError, Unreachable, WrongPhase
from bot.games.game import Seat
from bot.store.records import Receipt, Table
from bot.tables.absence.deadlines import steps
from bot.tables.absence.waiting import Due
from bot.tables.tables import Tables

log: Final = logging.getLogger(__name__)

BEAT_S: Final = 1800.0
"""How often heartbeats are stored. After a crash, the time since the last one doesn't count against players."""
LIVE_BEAT_S: Final = 30.0
"""How often heartbeats are stored while a table has a clock of seconds."""
_BEAT_TOLERANCE_S: Final = 20.0
_RETRY_S: Final = 60.0
"""Delay before a retry after an error, and before looking again at a computer that is still thinking."""
_OUTAGE_RETRY_S: Final = 5.0
"""Delay before a retry while the database can't be reached, as that may be over any moment."""
_THOUGHT_S: Final = 60.0
"""A computer that hasn't played for an absent user by then has failed."""
_HOLIDAY_CHECK_S: Final = 3600.0
"""Delay before looking again at a table that waits for somebody on holiday, who may end it early."""
_MIN_INTERVAL_S: Final = 1.0
"""Minimum time between two checks of a table."""

PlayForAbsent = Callable[[int, Seat, int], Awaitable[None]]
"""Lets a computer play an absent user's turn of a version of the table: `bot.thinking.turns.Turns.stand_in`."""


class LiveMessages(Protocol):
    """The part of `bot.ui.live.live_messages.LiveMessages` that the timer needs."""

    def refresh(self, table_id: int, /) -> object:
        """Redraw the table's board."""

    def remind(self, table_id: int, /) -> None:
        """Send a reminder that has been claimed: ping the players to move, except those who don't want pings now."""


class DeadlineTimer:
    """Takes the steps that are due: reminders, offers, computers' moves, closing dead tables.

    Register `changed` with `Tables.on_change`, call `resume` after a start and `close` at the end. ``is_here`` returns
    whether people can reach the bot, ``is_ours`` whether this process takes the steps of a table.
    """

    def __init__(  # noqa: PLR0913 - two have defaults
        self,
        tables: Tables,
        live: LiveMessages,
        now: Callable[[], float],
        *,
        stand_in: PlayForAbsent,
        is_here: Callable[[], bool] = lambda: True,
        is_ours: Callable[[Table], bool] = lambda _: True,
    ) -> None:
        self._tables = tables
        self._now = now
        self._stand_in = stand_in
        self._live_messages = live
        self._is_here = is_here
        self._is_ours = is_ours
        self._with_live_clock: set[int] = set()
        self._due: dict[int, float] = {}
        self._beat_at = 0.0
        self._wakes_at = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def changed(self, receipt: Receipt) -> None:
        """Reschedule the table's next step; a table that isn't in play has none."""
        table = receipt.table
        self._with_live_clock.discard(table.id)
        if table.status == "playing" and self._is_ours(table):
            if table.clock == "live":
                self._with_live_clock.add(table.id)
                self._beat_at = min(self._beat_at, self._now() + LIVE_BEAT_S)
            self._schedule(table.id, min(table.changed_at, self._now()) + steps(table.clock)[0].after_s)
        else:
            self._due.pop(table.id, None)

    async def resume(self, shards: frozenset[int] | None = None) -> None:
        """Record the time since these shards last ran as an absence, and schedule the tables in play of this process.

        Without ``shards``, this covers all shards of this process. If it had them before, it was away only briefly.
        """
        await self._beat(_BEAT_TOLERANCE_S + BEAT_S if self._beat_at else 0.0, shards)
        for table in await self._tables.lists.open_tables():
            self.changed(Receipt(table, table.version))
        self._set_timer()

    async def close(self) -> None:
        """Stop, and record a last heartbeat."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._beat_at:
            try:
                await self._tables.waiting.beat(_BEAT_TOLERANCE_S + BEAT_S)
            except StoreError as error:
                log.warning("the last heartbeat can't be stored: %s", error)

    # ---- scheduling

    @property
    def _beat_interval_s(self) -> float:
        return LIVE_BEAT_S if self._with_live_clock else BEAT_S

    def _schedule(self, table_id: int, at: float) -> None:
        self._due[table_id] = at
        if min(at, self._beat_at) < self._wakes_at:
            self._set_timer()

    def _set_timer(self) -> None:
        if self._closed or self._task is not None or not self._beat_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._wakes_at = min((self._beat_at, *self._due.values()))
        min_s = 0.0 if self._is_here() else LIVE_BEAT_S
        delay_s = min(max(min_s, self._wakes_at - self._now()), self._beat_interval_s)
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self._run(), name="deadlines")

    async def _run(self) -> None:
        try:
            if not self._is_here():  # no heartbeat: this time doesn't count against players
                return
            if self._now() < self._beat_at - self._beat_interval_s - _BEAT_TOLERANCE_S:  # the clock was put back
                await self.resume()
            elif self._now() >= self._beat_at:
                await self._beat(_BEAT_TOLERANCE_S + self._beat_interval_s)
            while (table_id := self._first_due()) is not None:
                del self._due[table_id]
                await self._check(table_id)
        except Unreachable as error:
            log.warning("the heartbeat is retried in %s s: %s", _OUTAGE_RETRY_S, error)
            self._beat_at = self._now() + _OUTAGE_RETRY_S
        except Exception:
            log.exception("the deadline timer failed; it continues in %s s", _RETRY_S)
            self._beat_at = self._now() + _RETRY_S
        finally:
            self._task = None
            self._set_timer()

    def _first_due(self) -> int | None:
        """Return the table that became due first, if any is due."""
        first = min(self._due, key=self._due.__getitem__, default=None)
        return first if first is not None and self._due[first] <= self._now() else None

    async def _beat(self, gap_s: float, shards: frozenset[int] | None = None) -> None:
        interval_s = self._beat_interval_s
        await self._tables.waiting.beat(gap_s, interval_s + _BEAT_TOLERANCE_S, shards)
        self._beat_at = self._now() + interval_s

    # ---- taking steps

    async def _check(self, table_id: int) -> None:
        try:
            table = await self._tables.table(table_id)
            if not self._is_ours(table):  # the process that takes it over finds what is due
                return
            due = await self._tables.waiting.next_due(table)
            if due is not None and due.at <= self._now():
                due = await self._take(table, due)
        except NoSuchTable:  # it was deleted
            return
        except Unreachable as error:
            log.warning("table %s: a due step is retried in %s s: %s", table_id, _OUTAGE_RETRY_S, error)
            self._schedule(table_id, self._now() + _OUTAGE_RETRY_S)
            return
        except LilypadError:
            log.exception("table %s: a due step failed and is retried", table_id)
            self._schedule(table_id, self._now() + _RETRY_S)
            return
        if due is not None and table_id not in self._due:
            again_s = _HOLIDAY_CHECK_S if due.wait.rest_s else math.inf
            self._schedule(table_id, max(min(due.at, self._now() + again_s), self._now() + _MIN_INTERVAL_S))

    async def _take(self, table: Table, due: Due) -> Due | None:
        """Take the step, and return the next one."""
        match due.step.what:
            case "remind":
                later = await self._tables.waiting.all_quiet_until(await self._tables.whose_turn(table))
                if later is not None:
                    return due._replace(at=later)
                if await self._tables.waiting.claim_step(table, due, pings=True):
                    self._live_messages.remind(table.id)
            case "offer":
                await self._tables.waiting.claim_step(table, due)
                self._live_messages.refresh(table.id)
            case "play":
                return await self._play(table, due)
            case "close":
                with contextlib.suppress(WrongPhase):  # the table has changed meanwhile
                    await self._tables.waiting.close_dead(table.id)
                await self._tables.waiting.claim_step(table, due)
        return await self._tables.waiting.next_due(await self._tables.table(table.id))

    async def _play(self, table: Table, due: Due) -> Due | None:
        """Let computers play for absent users. The table's version prevents playing twice, so this is claimed last.

        While a slow computer thinks, the step stays due: if this process dies, the next one lets another think.
        """
        for seat in (await self._tables.waiting.standstill(table)).waited_for:
            await self._stand_in(table.id, seat, table.version)
        after = await self._tables.table(table.id)
        if after.version == table.version and self._now() < due.at + _THOUGHT_S:
            return due._replace(at=self._now() + _RETRY_S)
        await self._tables.waiting.claim_step(table, due)
        return await self._tables.waiting.next_due(after)
