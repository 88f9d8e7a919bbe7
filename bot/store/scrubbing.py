"""Overwriting deleted data in the database's files."""

import asyncio
import logging
from typing import Final

from bot.errors import StoreError
from bot.store.database import Database

log: Final = logging.getLogger(__name__)

VACUUM_PAUSE_S: Final = 60 * 60.0
"""Shortest time between two vacuums after deletions."""
_SCRUB_PAUSES_S: Final = (0.0, 0.05, 0.2, 0.5, 1.0)
"""Delays before each try to scrub the files."""


class Scrubber:
    """Overwrites deleted rows, and has the database vacuumed from time to time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vacuums: asyncio.Task[None] | None = None
        """Waits until another vacuum may be done."""
        self._is_vacuum_due = False

    async def scrub(self) -> None:
        """Overwrite deleted rows in the files, also the copies that only a vacuum reaches: soon after one, in a while.

        Otherwise, a user who deletes their data again and again would have the whole database rewritten each time.
        """
        is_resting = self._is_vacuum_due = self._vacuums is not None
        if not is_resting:
            self._vacuums = asyncio.create_task(self._rest(), name="the next vacuum")
        await self._scrub_files(vacuums=not is_resting)

    async def _rest(self) -> None:
        await asyncio.sleep(VACUUM_PAUSE_S)
        self._vacuums = None
        if self._is_vacuum_due:
            try:
                await self.scrub()
            except StoreError as error:
                log.warning("deleted rows stay in the database's files until tomorrow: %s", error)

    async def _scrub_files(self, *, vacuums: bool) -> None:
        """Overwrite deleted rows. A running backup may delay that."""
        for pause_s in _SCRUB_PAUSES_S:
            await asyncio.sleep(pause_s)
            if await self._database.scrub(vacuums=vacuums):
                return
        log.warning("the database is in use: deleted rows stay in its files until tomorrow")

    async def close(self) -> None:
        """Do a vacuum that is due before the database is closed."""
        if self._vacuums is not None:
            self._vacuums.cancel()
            await asyncio.wait({self._vacuums})
        if self._is_vacuum_due:
            await self._database.scrub(vacuums=True)
