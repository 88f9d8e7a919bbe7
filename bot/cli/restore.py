"""Puts a copy in the place of the database."""

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from bot import settings as environment
from bot.cli import streams
from bot.errors import LilypadError


class NoFile(LilypadError):
    """The database isn't a file."""


def restore(given: Namespace) -> int:
    """Put a copy of an SQLite database in its place, and keep what was there."""
    from bot.store.sqlite.copies import put_in_place  # noqa: PLC0415 - other commands don't need it

    database = environment.load().database
    if isinstance(database, str):
        raise NoFile("The database is on PostgreSQL: restore what pg_dump has written with pg_restore.")
    aside = database.with_name(f"{database.name}.replaced-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    put_in_place(Path(given.file), database, aside)
    streams.put(f"Restored {given.file} to {database.absolute()}. Start the bot: it posts boards and hands again.")
    if aside.exists():
        streams.put(f"What was there is in {aside.absolute()}; delete it when all is well.")
    return 0
