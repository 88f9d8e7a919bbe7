"""The migrations of a database's schema, in one ordered list for all engines.

A migration has one number and one name, and a script for each engine in the folder ``migrations`` of its package.
PostgreSQL begins with number 22, which creates what SQLite has by then.
"""

from importlib.resources.abc import Traversable
from typing import NamedTuple

from bot.errors import DatabaseTooNew


class Migration(NamedTuple):
    """One step of the schema: ``0001_tables.sql`` has number 1 and name ``tables``."""

    number: int
    name: str
    script: str


def read_migrations(directory: Traversable) -> tuple[Migration, ...]:
    """Return the migrations in the directory, in order."""
    scripts = sorted((file for file in directory.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    known = []
    for script in scripts:
        number, _, name = script.name.removesuffix(".sql").partition("_")
        known.append(Migration(int(number), name, script.read_text("utf-8")))
    return tuple(known)


def check_version(name: str, written: int, newest: int) -> None:
    """Raise `DatabaseTooNew` if the database has a later schema than this program knows."""
    if written > newest:
        raise DatabaseTooNew(
            f"The database {name} was written by a newer version of Lilypad (its schema is number {written}, "
            f"this version knows {newest}); update the program, or use a backup from before."
        )
