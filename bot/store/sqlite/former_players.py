"""Players who left a seat in play, stored as salted hashes until the table ends."""

import hashlib
import hmac
import secrets
import sqlite3
from collections.abc import Sequence
from typing import Final

from bot.store.records import Sitter

_SALT_BYTES: Final = 32

_OWN_SALT: Final = """
INSERT INTO salts (table_id, salt) VALUES (?, ?) ON CONFLICT (table_id) DO UPDATE SET salt = salt RETURNING salt
"""
"""Returns the table's salt; stores the given one if it has none."""


def record_leavers(table_id: int, sitters: Sequence[Sitter], connection: sqlite3.Connection) -> None:
    """Record the users who are about to lose their seat at a table in play; ``sitters`` are its new seats."""
    stay = {sitter.user_id for sitter in sitters}
    seated = connection.execute(
        "SELECT user_id FROM seats JOIN tables ON id = table_id"
        " WHERE table_id = ? AND status = 'playing' AND user_id IS NOT NULL",
        (table_id,),
    )
    if not (leavers := [user_id for (user_id,) in seated if user_id not in stay]):
        return
    ((salt,),) = connection.execute(_OWN_SALT, (table_id, secrets.token_bytes(_SALT_BYTES))).fetchall()
    connection.executemany(
        "INSERT OR IGNORE INTO former_players (table_id, digest) VALUES (?, ?)",
        [(table_id, _digest(salt, user_id)) for user_id in leavers],
    )


def has_left(table_id: int, user_id: int, connection: sqlite3.Connection) -> bool:
    """Return whether the user had a seat in play at the table and left it."""
    row = connection.execute("SELECT salt FROM salts WHERE table_id = ?", (table_id,)).fetchone()
    if row is None:
        return False
    query = "SELECT 1 FROM former_players WHERE table_id = ? AND digest = ?"
    return connection.execute(query, (table_id, _digest(row[0], user_id))).fetchone() is not None


def forget_leavers(table_id: int, connection: sqlite3.Connection) -> None:
    """Delete the hashes and the salt of a table."""
    connection.execute("DELETE FROM former_players WHERE table_id = ?", (table_id,))
    connection.execute("DELETE FROM salts WHERE table_id = ?", (table_id,))


def _digest(salt: bytes, user_id: int) -> bytes:
    return hmac.new(salt, str(user_id).encode(), hashlib.sha256).digest()
