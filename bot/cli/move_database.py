"""Moves all data from one database to another, and folds every open table of the copy."""

import os
import sys
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from bot.cli import streams
from bot.errors import StoreError, TranscriptError
from bot.games import GAMES, OLDER, by_rules
from bot.records.table import Log
from bot.settings import parse_database
from bot.store.open_store import copy, open_store
from bot.tables.folds import fold

_RULEBOOKS: Final = by_rules(GAMES.values(), OLDER)


def database_of(text: str) -> Path | str:
    """Return the path or the URL of a database. Raises `StoreError`."""
    try:
        return parse_database(text) if "://" in text else Path(text)
    except ValueError:
        raise StoreError("A database is a path, sqlite:///path or postgresql://user:password@host/database.") from None


def has_password(database: Path | str) -> bool:
    """Whether the address of a database has a password."""
    if isinstance(database, Path):
        return False
    parts = urlsplit(database)
    return ":" in parts.netloc.rpartition("@")[0] or "password" in dict(parse_qsl(parts.query))


async def move(source: Path | str, target: Path | str) -> int:
    """Copy a database to an empty one, verify the copy, and return the number of its rows. Raises `StoreError`.

    Prints the progress to standard error.
    """
    if _name(source) == _name(target):
        raise StoreError("Both are the same database; nothing was copied.")
    async with await open_store(source) as reading, await open_store(target) as writing:
        return await copy(reading.database, writing.database, _check, _print_progress)


def _name(database: Path | str) -> str:
    """Return what tells a database from others: a path without links, or the address."""
    return os.path.realpath(database) if isinstance(database, Path) else database


def _check(log: Log) -> None:
    """Fold a table in play. Raises `StoreError` if that isn't possible. Tables of unknown rules are closed later."""
    game = _RULEBOOKS.get((log.table.game, log.table.rules))
    if game is None or log.table.status != "playing":
        return
    try:
        fold(game, log)
    except TranscriptError as error:
        raise StoreError(f"The copy can't be played on, so nothing was kept: {error.sentence}") from None


def _print_progress(table: str, done: int, total: int) -> None:
    """Print when an SQL table is copied; on a terminal, also how far it is."""
    if sys.stderr.isatty():
        streams.tell(f"\r{table}: {done} of {total} rows", end="" if done < total else "\n")
    elif done == total:
        streams.tell(f"{table}: {total} rows")
