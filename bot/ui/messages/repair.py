"""Repairs after a start or a takeover: shows what was committed and not shown, and checks that boards still exist."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final

from bot.errors import NoSuchTable
from bot.tables import Tables
from bot.ui.messages.live import LiveMessages

_ALONE_S: Final = 1.0
"""Maximum time for which a table keeps the next one waiting: its request may hang."""
_CHECKED: Final = 500
"""Maximum number of boards checked when a session begins. Tables changed last come first."""


class Repair:
    """Brings the messages of all tables up to date that this process updates. Errors of the database end it."""

    def __init__(self, tables: Tables, live: LiveMessages) -> None:
        self._tables = tables
        self._live = live

    async def show_all(self) -> None:
        """Update the tables whose messages are known to be out of date, then check every other one.

        Half of the time is left to interactions.
        """
        await self._tables.messages.doubt_stale()
        behind = dict.fromkeys(await self._tables.messages.to_reconcile())
        for table_id in behind:
            await asyncio.wait({self._live.refresh(table_id)}, timeout=_ALONE_S)
        for table_id in await self._tables.lists.open_numbers():
            if table_id not in behind:
                began = time.perf_counter()
                await asyncio.wait({self._live.refresh(table_id)}, timeout=_ALONE_S)
                await asyncio.sleep(time.perf_counter() - began)

    async def check_boards(self, concerns: Callable[[int | None], bool]) -> None:
        """Check that the boards of the servers that this concerns still exist.

        Discord doesn't report what was deleted before a session began.
        """
        for table_id in (await self._tables.lists.open_numbers())[:_CHECKED]:
            with contextlib.suppress(NoSuchTable):  # it was deleted meanwhile
                if concerns((await self._tables.table(table_id)).place.guild_id):
                    await self._live.check(table_id)
