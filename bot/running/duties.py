"""What a process does for the shards whose leases it holds: their messages, computers and deadlines."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.errors import DamagedTable, NoSuchTable
from bot.running.leases import Leases
from bot.tables import Receipt, Tables
from bot.tables.absence.timer import DeadlineTimer
from bot.thinking.turns import Turns
from bot.ui.messages.live_messages import LiveMessages

_ALONE_S: Final = 1.0
"""Maximum time for which a table keeps the next one waiting: its request may hang."""
_CHECKED: Final = 500
"""Maximum number of boards checked when a session begins. Tables changed last come first."""

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
        self._in_background("showing all tables", self._show_all)
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
        for table_id in (await self._tables.lists.open_numbers())[:_CHECKED]:
            with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted meanwhile
                guild_id = (await self._tables.table(table_id)).place.guild_id
                if self._leases.shard_of(guild_id) == shard_id and self._leases.holds(guild_id):
                    await self._live.check(table_id)

    async def _show_all(self) -> None:
        """Update the tables whose messages are known to be out of date, then check every other one.

        Half of the time is left to interactions.
        """
        await self._tables.messages.doubt_stale()
        behind = dict.fromkeys(await self._tables.messages.to_reconcile())
        for table_id in dict.fromkeys((*behind, *await self._tables.lists.open_numbers())):
            began = time.perf_counter()
            await asyncio.wait({self._live.refresh(table_id)}, timeout=_ALONE_S)
            if table_id not in behind:
                await asyncio.sleep(time.perf_counter() - began)

    async def _resume(self, shards: frozenset[int]) -> None:
        await self._deadlines.resume(shards)
        await self._tables.fill_in_turns()
        await self._turns.resume(lambda table: self._leases.shard_of(table.place.guild_id) in shards)

    async def _wake(self, table_id: int) -> None:
        with contextlib.suppress(NoSuchTable, DamagedTable):  # it was deleted
            table = await self._tables.table(table_id)
            receipt = Receipt(table, table.version)
            self._deadlines.changed(receipt)
            self._turns.changed(receipt)
