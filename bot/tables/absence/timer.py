"""What becomes due while tables wait: reminders, the ladder on the board, a computer's move, the end of dead tables.

Each table has one next step, computed from its rows (`bot.tables.waiting`); one timer waits for the earliest. What is
in memory is only when to look next: a table that has moved on meanwhile is looked at and put off.
"""

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.errors import LilypadError, WrongPhase
from bot.games.game import Seat
from bot.store.records import Table
from bot.tables.absence.deadlines import CLOCKS, steps
from bot.tables.absence.waiting import Due
from bot.tables.ledger import Receipt
from bot.tables.tables import Tables

log: Final = logging.getLogger(__name__)

BEAT_S: Final = 1800.0
"""So often the database is told that the program runs; after a crash, what lies between is nobody's time."""
LIVE_BEAT_S: Final = 30.0
"""So often while a table has a clock of seconds."""
_BEAT_PATIENCE_S: Final = 20.0
_RETRY_S: Final = 60.0
_LONGEST_SLEEP_S: Final = 24 * 60 * 60.0
_NEVER_TWICE_AT_ONCE_S: Final = 1.0

StandIn = Callable[[int, Seat], Awaitable[None]]
"""Lets a computer play one turn for an absent user: `bot.turns.Turns.stand_in`."""


class LiveMessages(Protocol):
    """What clocks need: `bot.ui.messages.live.LiveMessages`."""

    def refresh(self, table_id: int, /) -> object:
        """Draws the table's board anew."""

    async def remind(self, table_id: int, /) -> None:
        """Pings whom the table waits for once more, but for who wants no ping now."""


class DeadlineTimer:
    """Register `changed` with `Tables.on_change`, call `resume` once after a start and `close` at the end.

    ``is_here`` says whether people reach the bot.
    """

    def __init__(
        self,
        tables: Tables,
        live: LiveMessages,
        now: Callable[[], float],
        *,
        stand_in: StandIn,
        is_here: Callable[[], bool] = lambda: True,
    ) -> None:
        self._tables = tables
        self._now = now
        self._stand_in = stand_in
        self._live_messages = live
        self._is_here = is_here
        self._live: set[int] = set()
        self._due: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []
        self._beat_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def changed(self, receipt: Receipt) -> None:
        """Puts the table's next step off, as it has moved on; a table that isn't being played has none."""
        table = receipt.table
        self._live.discard(table.id)
        if table.status == "playing":
            self._plan(table.id, table.changed_at + steps(table.clock)[0].after_s, table.clock)
        else:
            self._due.pop(table.id, None)

    async def resume(self) -> None:
        """Counts the time since the last run for nobody, and takes up every table that is being played."""
        await self._beat(0.0)
        for table_id, changed_at, clock in await self._tables.lists.playing():
            self._plan(table_id, changed_at + steps(clock)[0].after_s, clock)
        self._set_timer()

    async def close(self) -> None:
        """Stops, and notes until when the program ran."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._beat_at:
            await self._tables.waiting.beat(_BEAT_PATIENCE_S + BEAT_S)

    # ---- when to look

    def _plan(self, table_id: int, at: float, clock: str) -> None:
        if CLOCKS[clock] == CLOCKS["live"]:
            self._live.add(table_id)
            self._beat_at = min(self._beat_at, self._now() + LIVE_BEAT_S)
        known = self._due.get(table_id)
        self._due[table_id] = at
        if known is None or at < known:  # a later time is found out when the earlier one has come
            heapq.heappush(self._heap, (at, table_id))
            self._set_timer()

    def _set_timer(self) -> None:
        if self._closed or self._task is not None or not self._beat_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        first = min(self._beat_at, self._heap[0][0]) if self._heap else self._beat_at
        least_s = 0.0 if self._is_here() else LIVE_BEAT_S
        delay_s = min(max(least_s, first - self._now()), _LONGEST_SLEEP_S)
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self._run(), name="clocks")

    async def _run(self) -> None:
        try:
            if not self._is_here():  # no note that the program runs, either: this time is nobody's
                return
            if self._now() >= self._beat_at:
                await self._beat(_BEAT_PATIENCE_S + (LIVE_BEAT_S if self._live else BEAT_S))
            while self._heap and self._heap[0][0] <= self._now():
                at, table_id = heapq.heappop(self._heap)
                due = self._due.get(table_id)
                if due is None:
                    continue
                if due > at:
                    heapq.heappush(self._heap, (due, table_id))
                    continue
                await self._look(table_id)
        except Exception:
            log.exception("the clocks failed, and go on in a minute")
            self._beat_at = self._now() + _RETRY_S
        finally:
            self._task = None
            self._set_timer()

    async def _beat(self, patience_s: float) -> None:
        pause_s = LIVE_BEAT_S if self._live else BEAT_S
        await self._tables.waiting.beat(patience_s, pause_s + _BEAT_PATIENCE_S)
        self._beat_at = self._now() + pause_s

    # ---- what to do then

    async def _look(self, table_id: int) -> None:
        del self._due[table_id]
        try:
            table = await self._tables.table(table_id)
            due = await self._tables.waiting.next_due(table)
            if due is not None and due.at <= self._now():
                due = await self._take(table, due)
        except LilypadError:
            log.exception("table %s: what was due could not be done, and is tried again", table_id)
            self._plan(table_id, self._now() + _RETRY_S, "none")
            return
        if due is not None and table_id not in self._due:
            self._plan(table_id, max(due.at, self._now() + _NEVER_TWICE_AT_ONCE_S), table.clock)

    async def _take(self, table: Table, due: Due) -> Due | None:
        """Takes the step; gives the next one."""
        if due.step.what == "remind":
            later = await self._tables.waiting.is_quiet(await self._tables.whose_turn(table))
            if later is not None:
                return Due(later, due.step)
        elif due.step.what == "play":  # done before it is noted: that it comes twice, the table's version prevents
            for seat in (await self._tables.waiting.standstill(table)).waited_for:
                await self._stand_in(table.id, seat)
        elif due.step.what == "close":
            try:
                await self._tables.waiting.close_dead(table.id)
            except WrongPhase:
                log.info("table %s woke up before it was closed", table.id)
        is_ours = await self._tables.waiting.claim_step(table)
        if is_ours and due.step.what == "remind":
            await self._live_messages.remind(table.id)
        elif due.step.what == "offer":
            self._live_messages.refresh(table.id)
        return await self._tables.waiting.next_due(await self._tables.table(table.id))
