"""Copies a database to a new file."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from bot.errors import StoreError
from bot.store.sqlite.connection import connect, create_private


def copy_to(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the database to a new file, which gets its name when it is complete. Raises `StoreError`."""
    part = path.with_name(f"{path.name}.part")
    try:
        if path.exists():
            raise StoreError(f"There is a file {path.name} already; a backup overwrites nothing.")
        part.unlink(missing_ok=True)
        create_private(part)
        with closing(connect(part)) as target:
            connection.backup(target)
        part.rename(path)
    except (OSError, sqlite3.OperationalError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"The backup {path.name} can't be written: {why}.") from None
