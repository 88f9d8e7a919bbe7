"""Deletes whole tables, and overwrites deleted rows in the files."""

import logging
import sqlite3
from typing import Final

log: Final = logging.getLogger(__name__)

VACUUMED_BYTES: Final = 16 * 2**20
"""Maximum size of a database that is vacuumed while the bot runs. Nothing can be written meanwhile."""
_AT_ONCE: Final = 10
"""Tables deleted in one transaction: a few thousand rows, so moves don't wait long."""


def delete_of_guild(guild_id: int, connection: sqlite3.Connection) -> int:
    """Delete some tables of the server, the latest first, and return how many."""
    some = "SELECT id FROM tables WHERE guild_id = ? ORDER BY id DESC LIMIT ?"
    return _delete(connection.execute(some, (guild_id, _AT_ONCE)).fetchall(), connection)


def delete_ended(before: float, connection: sqlite3.Connection) -> int:
    """Delete some of the tables that ended before that time, and return how many."""
    some = "SELECT id FROM tables WHERE status IN ('over', 'closed') AND changed_at < ? ORDER BY changed_at LIMIT ?"
    return _delete(connection.execute(some, (before, _AT_ONCE)).fetchall(), connection)


def scrub(connection: sqlite3.Connection) -> bool:
    """Overwrite deleted rows in the files; return false if another connection prevents it.

    ``secure_delete`` overwrites a deleted row, but not the copies that SQLite leaves in a page's unused space when it
    moves rows to other pages; a vacuum does. The write-ahead log holds pages as they were until it is emptied.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        ((size,),) = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        if size <= VACUUMED_BYTES:
            connection.execute("PRAGMA temp_store = MEMORY")  # else a copy of everything would be in a temporary file
            connection.execute("VACUUM")
        else:
            log.info("the database is too large to be vacuumed while tables are played; see docs/OPERATIONS.md")
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise
        return False
    return not busy


def _delete(numbers: list[tuple[int]], connection: sqlite3.Connection) -> int:
    for part in _parts_of_a_table(connection):
        connection.executemany(f"DELETE FROM {part} WHERE table_id = ?", numbers)  # noqa: S608 - a name from the schema
    connection.executemany("UPDATE tables SET rematch_of = NULL WHERE rematch_of = ?", numbers)
    connection.executemany("DELETE FROM tables WHERE id = ?", numbers)
    return len(numbers)


def _parts_of_a_table(connection: sqlite3.Connection) -> list[str]:
    """Return the SQL tables that have a column ``table_id``."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    has = "SELECT 1 FROM pragma_table_info(?) WHERE name = 'table_id'"
    return [name for (name,) in names if connection.execute(has, (name,)).fetchone()]
