"""Notices that the files of an open database were deleted, moved or replaced.

SQLite goes on with the files that it has open, which nobody finds any more: what it commits there is lost when the
program stops.
"""

import os
from pathlib import Path

from bot.errors import StoreError

_Identity = tuple[int, int]
"""The device and the inode of a file."""


class OpenFiles:
    """The files of a database that is open now: itself, and its write-ahead log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = Path(f"{os.path.realpath(path)}-wal")
        self._opened = self._found()

    def check(self) -> None:
        """Raise `StoreError` unless the files are where they were opened. They may come back."""
        if self._found() != self._opened:
            raise StoreError(
                f"The database {self._path.name} was deleted, moved or replaced while the bot runs; "
                "put the file back, or restart the bot to use the one that is there now."
            )

    def _found(self) -> tuple[_Identity | None, ...]:
        return _identity(self._path), _identity(self._log)


def _identity(path: Path) -> _Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
