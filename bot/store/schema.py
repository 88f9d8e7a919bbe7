"""The schema of a database: its SQL tables, and the migrations in one ordered list for all engines.

A migration has one number and one name, and a script for each engine in the folder ``migrations`` of its package. The
baseline makes a new database. The other migrations change an existing one, each from the schema before.
"""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from bot.errors import DatabaseTooNew, DatabaseTooOld, Locked

LAST_WITH_ALL: Final = "5ba441938706886edd468b07a8315684478224f7"
"""The last commit with migrations 1 to 48. It upgrades older databases to schema 48, which this version knows."""


class Migration(NamedTuple):
    """One step of the schema: ``0050_colours.sql`` has number 50 and name ``colours``."""

    number: int
    name: str
    script: str

    @property
    def since(self) -> int:
        """The schema that it changes, or 0 if it makes a new database."""
        return 0 if self.name == "baseline" else self.number - 1


def read_migrations(directory: Traversable) -> tuple[Migration, ...]:
    """Return the migrations in the directory, in order."""
    scripts = sorted((file for file in directory.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    known = []
    for script in scripts:
        number, _, name = script.name.removesuffix(".sql").partition("_")
        known.append(Migration(int(number), name, script.read_text("utf-8")))
    return tuple(known)


def check_version(name: str, written: int, known: Sequence[Migration]) -> None:
    """Raise `DatabaseTooNew` or `DatabaseTooOld` if no migration that this program knows continues from the schema."""
    newest, oldest = known[-1].number, min(each.since for each in known if each.since)
    if written > newest:
        raise DatabaseTooNew(
            f"The database {name} was written by a newer version of Lilypad (its schema is number {written}, "
            f"this version knows {newest}); update the program, or use a backup from before."
        )
    if 0 < written < oldest:
        raise DatabaseTooOld(
            f"The database {name} is too old for this version of Lilypad (its schema is number {written}, this "
            f"version needs {oldest}): make a `backup`, run `git checkout {LAST_WITH_ALL}` and `make ready`, start the "
            "bot once, then return to this version."
        )


def check_unused(name: str, is_running: object) -> None:
    """Raise `Locked` if a bot is running on a database that has to be migrated: it couldn't go on."""
    if is_running:
        raise Locked(
            f"The database {name} is of an older version of Lilypad, whose bot is running; stop that, "
            "and start this version."
        )


KEYS: Final = {
    "tables": ("id",),
    "alerted": ("user_id",),
    "alerts": ("user_id", "guild_id", "game"),
    "bot_processes": ("process",),
    "due": ("kind", "id"),
    "entries": ("table_id", "ply"),
    "events": ("event",),
    "event_requests": ("event", "guild_id"),
    "event_results": ("event", "player"),
    "heartbeats": ("shard_count", "shard"),
    "holidays": ("user_id", "began"),
    "hints": ("table_id", "ply", "seat"),
    "leases": ("shard",),
    "left_guilds": ("guild_id",),
    "lessons": ("user_id", "game"),
    "marks": ("table_id", "user_id", "ply"),
    "matches": ("id",),
    "match_players": ("match_id", "side", "number"),
    "messages": ("id",),
    "nights": ("id",),
    "night_guests": ("night_id", "user_id"),
    "option_sets": ("id",),
    "outages": ("shard_count", "shard", "began"),
    "pings": ("table_id", "user_id"),
    "rating_fold": ("number",),
    "ratings": ("guild_id", "game", "user_id"),
    "recent_uses": ("digest",),
    "results": ("guild_id", "game", "nth", "seat"),
    "seats": ("table_id", "seat"),
    "secrets": ("table_id",),
    "servers": ("guild_id",),
    "taken_back": ("table_id", "undone_at", "ply"),
    "undo_votes": ("table_id", "version", "asker_id", "user_id"),
    "update_requests": ("table_id",),
    "users": ("id",),
    "votes": ("table_id", "user_id"),
    "waits": ("table_id",),
}
"""The primary key of each SQL table but `migrations`. The first one is what the others refer to."""

PARTS: Final = ("messages", *(table for table, key in KEYS.items() if key[0] == "table_id"))
"""All SQL tables with a column ``table_id``."""

OF_SHARDS: Final = "(coalesce(guild_id, 0) >> 22) % ?1 IN (SELECT value FROM json_each(?2))"
"""The condition for tables of some shards; ``?1`` is the number of all shards. Direct messages are on shard 0."""
