"""The schema of a database: its SQL tables, and the migrations in one ordered list for all engines.

A migration has one number and one name, and a script for each engine in the folder ``migrations`` of its package.
PostgreSQL begins with number 22, which creates what SQLite has by then.
"""

from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from bot.errors import DatabaseTooNew
from bot.store.database import Row, Transaction


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


KEYS: Final = {
    "tables": ("id",),
    "bot_processes": ("process",),
    "claims": ("interaction_id",),
    "entries": ("table_id", "ply"),
    "events": ("event",),
    "event_posts": ("event", "guild_id"),
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
    "ratings": ("guild_id", "game", "user_id"),
    "recent_uses": ("digest",),
    "results": ("guild_id", "game", "nth", "seat"),
    "seats": ("table_id", "seat"),
    "secrets": ("table_id",),
    "servers": ("guild_id",),
    "taken_back": ("table_id", "undone_at", "ply"),
    "thoughts": ("table_id", "version", "seat"),
    "undo_votes": ("table_id", "version", "asker_id", "user_id"),
    "update_requests": ("table_id",),
    "users": ("id",),
    "votes": ("table_id", "user_id"),
    "waits": ("table_id",),
}
"""The primary key of each SQL table but `migrations`. The first one is what the others refer to."""

PARTS: Final = ("messages", *(table for table, key in KEYS.items() if key[0] == "table_id"))
"""All SQL tables with a column ``table_id``."""


_AT_ONCE: Final = 10
"""Tables deleted in one transaction: a few thousand rows, so moves don't wait long."""


async def delete_of_guild(guild_id: int, db: Transaction) -> int:
    """Delete some tables of the server, the latest first, and return how many."""
    some = "SELECT id FROM tables WHERE guild_id = ? ORDER BY id DESC LIMIT ?"
    return await _delete(await db.rows(some, (guild_id, _AT_ONCE)), db)


async def delete_ended(before: float, db: Transaction) -> int:
    """Delete some of the tables that ended before that time, and return how many."""
    some = """
        SELECT id FROM tables WHERE status IN ('over', 'closed') AND changed_at < ?1 AND opened_at < ?1
        ORDER BY changed_at LIMIT ?2
    """
    return await _delete(await db.rows(some, (before, _AT_ONCE)), db)


async def delete_lobbies(before: float, untidy_before: float, db: Transaction) -> int:
    """Delete some of the lobbies that were closed before that time, and return how many.

    Those with messages that are still to be removed, or to say that the table is closed, are kept for longer.
    """
    some = """
        SELECT id FROM tables WHERE status = 'closed' AND plies = 0 AND record LIKE '%"why":null%'
            AND changed_at < ?1 AND opened_at < ?1 AND (changed_at < ?2 OR NOT EXISTS (SELECT 1 FROM messages
                WHERE table_id = tables.id AND (stage <> 'live' OR messages.version < tables.version)))
        ORDER BY changed_at LIMIT ?3
    """
    return await _delete(await db.rows(some, (before, untidy_before, _AT_ONCE)), db)


async def _delete(numbers: list[Row], db: Transaction) -> int:
    # A new version locks the tables, and other processes can't append to them any more.
    await db.execute_many("UPDATE tables SET version = version + 1 WHERE id = ?", numbers)
    for part in PARTS:
        await db.execute_many(f"DELETE FROM {part} WHERE table_id = ?", numbers)  # noqa: S608 - a constant name
    await db.execute_many("UPDATE tables SET rematch_of = NULL WHERE rematch_of = ?", numbers)
    await db.execute_many("DELETE FROM tables WHERE id = ?", numbers)
    return len(numbers)
