"""Copies a database to a new file."""

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.errors import StoreError
from bot.store.sqlite.connection import connect, create_private, store_error

UNOPENED: Final = 1
"""The user version of a copy that no bot has opened. It is 0 in databases in use."""


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
            target.execute(f"PRAGMA user_version = {UNOPENED}")
        part.rename(path)
    except (OSError, sqlite3.OperationalError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"The backup {path.name} can't be written: {why}.") from None


def copy_of(path: Path, folder: Path) -> Path:
    """Copy a database that can't be written to a folder, and return the copy. Raises `StoreError`."""
    copy = folder / path.name
    create_private(copy)
    try:
        try:
            # A bot that has it open elsewhere shares its index of the write-ahead log.
            uri = f"file:{quote(str(path.absolute()))}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True)) as source, closing(connect(copy)) as target:
                source.backup(target)
        except sqlite3.OperationalError:  # there is a log without an index, and no place for one
            shutil.copyfile(path, copy)
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    except sqlite3.DatabaseError as error:
        raise store_error(path, error) from None
    except OSError as error:
        raise StoreError(f"The database {path} can't be read: {error.strerror}.") from None
    return copy
