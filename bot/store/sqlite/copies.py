"""Copies of a database: checking one, and putting one in the place of the database."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.errors import StoreError
from bot.store.sqlite.connection import connect, store_error
from bot.store.sqlite.file_lock import FileLock
from bot.store.sqlite.sqlite_schema import APPLICATION_ID, copy_of, copy_to

_PARTS: Final = ("", "-wal", "-shm")
"""The files of a database: the last two belong to no other one."""


def check(path: Path) -> None:
    """Open a copy, and read all of it. Raises `StoreError` if it isn't a sound database of the bot."""
    try:
        with closing(connect(path)) as connection:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise StoreError(f"{path.name} isn't a database of Lilypad.")
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise store_error(path, error) from None
    if found != "ok":
        raise StoreError(f"The copy {path.name} is damaged: {found}.")


def put_in_place(path: Path, database: Path, aside: Path) -> None:
    """Put a copy in the place of a database, which is moved aside if there is one. Raises `StoreError`.

    The copy is checked first, and stays. The next start posts boards and hands again.
    """
    if not path.is_file():
        raise StoreError(f"There is no file {path}.")
    if database.exists() and path.samefile(database):
        raise StoreError(f"{path} is the database itself.")
    lock = FileLock(database)
    new = database.with_name(f"{database.name}.new")
    try:
        new.unlink(missing_ok=True)
        with TemporaryDirectory(prefix="lilypad-") as folder:  # SQLite may write beside what it reads
            copy = copy_of(path, Path(folder))
            check(copy)
            with closing(connect(copy)) as connection:
                copy_to(new, connection)
        for part in _PARTS:
            with suppress(FileNotFoundError):
                Path(f"{database}{part}").rename(f"{aside}{part}")
        new.rename(database)
    except OSError as error:
        raise StoreError(f"{database} can't be replaced: {error.strerror}.") from None
    finally:
        lock.release()
