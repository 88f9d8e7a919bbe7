"""Players who left a seat in play, stored as salted hashes until the table ends."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Final

from bot.store.records import Sitter
from bot.store.transaction import Transaction

_SALT_BYTES: Final = 32

_OWN_SALT: Final = """
INSERT INTO salts (table_id, salt) VALUES (?, ?)
ON CONFLICT (table_id) DO UPDATE SET salt = salts.salt RETURNING salt
"""
"""Returns the table's salt; stores the given one if it has none."""


async def record_leavers(table_id: int, sitters: Sequence[Sitter], db: Transaction) -> None:
    """Record the users who are about to lose their seat at a table in play; ``sitters`` are its new seats."""
    stay = {sitter.user_id for sitter in sitters}
    seated = await db.rows(
        "SELECT user_id FROM seats JOIN tables ON id = table_id"
        " WHERE table_id = ? AND status = 'playing' AND user_id IS NOT NULL",
        (table_id,),
    )
    if not (leavers := [user_id for (user_id,) in seated if user_id not in stay]):
        return
    ((salt,),) = await db.rows(_OWN_SALT, (table_id, secrets.token_bytes(_SALT_BYTES)))
    await db.execute_many(
        "INSERT INTO former_players (table_id, digest) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(table_id, _digest(salt, user_id)) for user_id in leavers],
    )


async def has_left(table_id: int, user_id: int, db: Transaction) -> bool:
    """Return whether the user had a seat in play at the table and left it."""
    salts = await db.rows("SELECT salt FROM salts WHERE table_id = ?", (table_id,))
    query = "SELECT 1 FROM former_players WHERE table_id = ? AND digest = ?"
    return any([await db.rows(query, (table_id, _digest(salt, user_id))) for (salt,) in salts])


async def forget_leavers(table_id: int, db: Transaction) -> None:
    """Delete the hashes and the salt of a table."""
    await db.execute("DELETE FROM former_players WHERE table_id = ?", (table_id,))
    await db.execute("DELETE FROM salts WHERE table_id = ?", (table_id,))


def _digest(salt: bytes, user_id: int) -> bytes:
    return hmac.new(salt, str(user_id).encode(), hashlib.sha256).digest()
