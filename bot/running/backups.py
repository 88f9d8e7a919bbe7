"""Copies of the database that the bot makes by itself: one a day, of which the latest are kept, or when it is asked."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.errors import NotAllowed, StoreError
from bot.store.open_store import backup

BY_HAND_KEPT: Final = 3
"""How many copies are kept that somebody has asked for."""
_OWNER_ONLY: Final = 0o700


class Backups:
    """The copies in the folder beside an SQLite database. ``kept`` is the number of daily ones; ``now`` is the time.

    A copy gets its name once it was opened and read.
    """

    def __init__(self, database: Path | str, kept: int, now: Callable[[], float]) -> None:
        self._database = database
        self._kept = kept
        self._now = now

    @property
    def folder(self) -> Path | None:
        """The folder; ``None`` if the database is no file."""
        return self._database.with_name(f"{self._database.name}.backups") if isinstance(self._database, Path) else None

    @property
    def last_at(self) -> float | None:
        """When the latest copy was made, if there is one."""
        return max((copy.stat().st_mtime for copy in self._copies("*")), default=None)

    async def daily(self) -> None:
        """Make today's copy, unless it exists, and delete those that are too many."""
        if not self._kept or self.folder is None:
            return
        copy = self.folder / f"daily-{self._date():%Y-%m-%d}.db"
        if not copy.exists():
            await self._make(copy)
        self._prune("daily-*", self._kept)

    async def by_hand(self) -> Path:
        """Make a copy now, and return it. Raises `NotAllowed` for PostgreSQL, and `StoreError`."""
        if self.folder is None:
            raise NotAllowed("This database is on PostgreSQL. Copy it with pg_dump.")
        copy = self.folder / f"by-hand-{self._date():%Y-%m-%d-%H%M%S}.db"
        await self._make(copy)
        self._prune("by-hand-*", BY_HAND_KEPT)
        return copy

    async def _make(self, copy: Path) -> None:
        from bot.store.sqlite.copies import check  # noqa: PLC0415 - each engine is loaded only if it is used

        unchecked = copy.with_suffix(".unchecked")
        try:
            copy.parent.mkdir(_OWNER_ONLY, exist_ok=True)
            unchecked.unlink(missing_ok=True)
            await backup(self._database, unchecked)
            await asyncio.to_thread(check, unchecked)
            unchecked.rename(copy)
        except OSError as error:
            raise StoreError(f"The copy {copy} can't be written: {error.strerror}.") from None

    def _prune(self, names: str, kept: int) -> None:
        for copy in sorted(self._copies(names))[:-kept]:
            copy.unlink(missing_ok=True)

    def _copies(self, names: str) -> list[Path]:
        return list(self.folder.glob(f"{names}.db")) if self.folder else []

    def _date(self) -> datetime:
        return datetime.fromtimestamp(self._now(), UTC)
