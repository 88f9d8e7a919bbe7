"""Overwrites deleted rows in the files."""

import logging
import sqlite3
from typing import Final

log: Final = logging.getLogger(__name__)

VACUUMED_BYTES: Final = 16 * 2**20
"""Maximum size of a database that is vacuumed while the bot runs. Nothing can be written meanwhile."""


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
