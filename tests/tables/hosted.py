"""A host on which a calendar runs, with a clock that the test moves, and timers that the test lets go off."""

import asyncio
from collections.abc import Callable
from typing import Any

from bot.calendar import Calendar
from bot.records.table import Receipt, Table
from bot.store.due_rows import RowKind, set_due
from bot.store.store import Store
from bot.tables.absence.timer import Deadlines
from bot.tables.tables import Tables
from tests.tables.people import Clock
from tests.waiting import until


class Reminders:
    """Notes the reminders of tables."""

    def __init__(self) -> None:
        self.tables: list[int] = []

    def refresh(self, table_id: int, /) -> None:
        """Redraw the table's board."""

    def remind(self, table_id: int, /) -> None:
        """Note the reminder."""
        self.tables.append(table_id)


async def nobody(_table_id: int, _seat: int, _seen: int) -> None:
    """Play for nobody."""


async def add_row(store: Store, number: int, at: float, kind: RowKind = "recap") -> None:
    """Let something be due at this time."""
    await store.database.writer.write(lambda db: set_due(kind, number, None, at, db))


class Host:
    """A machine with one calendar, which takes the deadlines of tables."""

    def __init__(self, store: Store, tables: Tables, clock: Clock, **options: Any) -> None:
        self._store = store
        self._clock = clock
        self.goes_off: Callable[[], None] = lambda: None
        """Lets the timer go off."""
        self._timers = 0
        self.sleeps_s = 0.0
        """How long the calendar wants to sleep."""
        self.reminders = Reminders()
        self.calendar = Calendar(store.due, clock, beat=tables.waiting.beat, sleep=self._sleep, **options)
        self._deadlines = Deadlines(tables, self.reminders, clock, stand_in=nobody, expect=self.calendar.expect)
        self.calendar.add("deadline", self._deadlines.due)
        tables.on_change(self._deadlines.changed)

    def _sleep(self, delay_s: float, wake: Callable[[], None]) -> asyncio.TimerHandle:
        self.sleeps_s, self.goes_off = delay_s, wake
        self._timers += 1
        return asyncio.get_running_loop().call_later(1e9, wake)

    def changed(self, table: Table) -> None:
        """Let the calendar know of a change that it may have missed."""
        self._deadlines.changed(Receipt(table, table.version))

    async def wakes(self) -> None:
        """Let the timer go off, and wait until the calendar sleeps again and has done all that is due."""
        await self.looks()
        await until(self._is_idle)

    async def looks(self) -> None:
        """Let the timer go off, and wait until the calendar sleeps again."""
        timers = self._timers
        self.goes_off()
        await until(lambda: self._timers > timers)

    async def _is_idle(self) -> bool:
        return not await self._store.due.due(self._clock())

    async def runs(self, time_s: float) -> None:
        """Let this time pass while the machine runs."""
        until_at = self._clock.at + time_s
        while self._clock.at + self.sleeps_s <= until_at:
            self._clock.at += self.sleeps_s
            await self.wakes()
        self.sleeps_s -= until_at - self._clock.at
        self._clock.at = until_at

    async def sleeps(self, time_s: float) -> None:
        """Suspend the machine for this time. Timers go by a clock that stands still meanwhile."""
        self._clock.at += time_s
