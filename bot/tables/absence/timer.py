"""What becomes due while tables wait: reminders, offers, computers' moves, closing dead tables.

Each table in play has a row in the calendar (`bot.calendar`), from its start. Its next step is computed from its own
rows (`bot.tables.absence.waiting`) whenever the calendar looks. A move brings the next step forward only if some have
been taken before, so the calendar looks no later than the first step after a move would be due.
"""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.errors import DamagedTable, NoSuchTable, WrongPhase
from bot.games.game import Seat
from bot.records.table import Receipt, Table
from bot.tables.absence.deadlines import DAY, HOUR, MINUTE, steps
from bot.tables.absence.waiting import Due
from bot.tables.tables import Tables

_THOUGHT_S: Final = MINUTE
"""A computer that hasn't played for an absent user by then has failed."""
_HOLIDAY_CHECK_S: Final = HOUR
"""Delay before looking again at a table that waits for somebody on holiday, who may end it early."""

PlayForAbsent = Callable[[int, Seat, int], Awaitable[None]]
"""Lets a computer play an absent user's turn of a version of the table: `bot.thinking.turns.Turns.stand_in`."""


class LiveMessages(Protocol):
    """The part of `bot.ui.live.live_messages.LiveMessages` that deadlines need."""

    def refresh(self, table_id: int, /) -> object:
        """Redraw the table's board."""

    def remind(self, table_id: int, /) -> None:
        """Send a reminder that has been claimed: ping the players to move, except those who don't want pings now."""


class Deadlines:
    """Takes the steps that are due.

    Register `due` with the calendar, and `changed` with `Tables.on_change`. ``expect`` lets the calendar look in time.
    """

    def __init__(
        self,
        tables: Tables,
        live: LiveMessages,
        now: Callable[[], float],
        *,
        stand_in: PlayForAbsent,
        expect: Callable[[float], object],
    ) -> None:
        self._tables = tables
        self._now = now
        self._stand_in = stand_in
        self._live_messages = live
        self._expect = expect

    def changed(self, receipt: Receipt) -> None:
        """Let the calendar look when the first step may be due, as the table may have just started."""
        if receipt.table.status == "playing":
            self._expect(self._now() + steps(receipt.table.clock)[0].after_s)

    async def due(self, table_id: int, now: float) -> float | None:
        """Take the step of a table if it is due, and return when to look again; ``None`` after the end."""
        try:
            table = await self._tables.table(table_id)
            due = await self._tables.waiting.next_due(table)
            if due is not None and due.at <= now:
                due = await self._take(table, due)
                table = await self._tables.table(table_id)
        except NoSuchTable:  # it was deleted
            return None
        except DamagedTable:
            return now + DAY
        if table.status != "playing":
            return None
        if due is None:
            return now + steps(table.clock)[0].after_s
        return min(due.at, now + (_HOLIDAY_CHECK_S if due.wait.rest_s else steps(table.clock)[0].after_s))

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
            return due
        await self._tables.waiting.claim_step(table, due)
        return await self._tables.waiting.next_due(after)
