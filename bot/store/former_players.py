"""Users who may not sit at a table again: they left a seat in play, or the host removed them.

Until the table ends, former players are stored as salted hashes. So are removed users, once they delete their data.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from bot.store.records import Sitter
from bot.store.transaction import Row, Transaction

_SALT_BYTES: Final = 32

_OWN_SALT: Final = """
INSERT INTO salts (table_id, salt) VALUES (?, ?)
ON CONFLICT (table_id) DO UPDATE SET salt = salts.salt RETURNING salt
"""
"""Returns the table's salt; stores the given one if it has none."""

_RECORD: Final = """
INSERT INTO former_players (table_id, digest, was_removed) VALUES (?, ?, ?)
ON CONFLICT (table_id, digest) DO UPDATE SET was_removed = excluded.was_removed
"""


async def record_leavers(table_id: int, sitters: Sequence[Sitter], db: Transaction) -> None:
    """Record the users who are about to lose their seat at a table in play; ``sitters`` are its new seats."""
    stay = {sitter.user_id for sitter in sitters}
    seated = await db.rows(
        "SELECT user_id FROM seats JOIN tables ON id = table_id"
        " WHERE table_id = ? AND status = 'playing' AND user_id IS NOT NULL",
        (table_id,),
    )
    await _record(table_id, [user_id for (user_id,) in seated if user_id not in stay], db)


async def hash_removals(user_id: int, db: Transaction) -> None:
    """Replace the user's id in all removals by hashes, so that these hold after the user's data is deleted."""
    for (table_id,) in await db.rows("DELETE FROM removals WHERE user_id = ? RETURNING table_id", (user_id,)):
        await _record(table_id, (user_id,), db, was_removed=True)


async def copy_removals(table_id: int, to_id: int, db: Transaction) -> None:
    """Let the removals from a lobby hold for a new one, too, which gets its salt."""
    for statement in (
        "INSERT INTO removals (table_id, user_id) SELECT CAST(?2 AS BIGINT), user_id FROM removals WHERE table_id = ?1",
        "INSERT INTO salts (table_id, salt) SELECT CAST(?2 AS BIGINT), salt FROM salts WHERE table_id = ?1",
        """INSERT INTO former_players (table_id, digest, was_removed)
            SELECT CAST(?2 AS BIGINT), digest, was_removed FROM former_players WHERE table_id = ?1""",
    ):
        await db.execute(statement, (table_id, to_id))


async def how_gone(table_id: int, user_id: int, db: Transaction) -> Literal["left", "removed"] | None:
    """Return whether the user left a seat in play at the table or was removed from it; ``None`` if neither."""
    if await db.rows("SELECT 1 FROM removals WHERE table_id = ? AND user_id = ?", (table_id, user_id)):
        return "removed"
    query = "SELECT was_removed FROM former_players WHERE table_id = ? AND digest = ?"
    for (salt,) in await _salts(table_id, db):
        for (was_removed,) in await db.rows(query, (table_id, _digest(salt, user_id))):
            return "removed" if was_removed else "left"
    return None


async def readmit(table_id: int, users: Iterable[int], db: Transaction) -> None:
    """Delete the removals of these users from a lobby."""
    users = tuple(users)
    await db.execute_many(
        "DELETE FROM removals WHERE table_id = ? AND user_id = ?", [(table_id, user_id) for user_id in users]
    )
    for (salt,) in await _salts(table_id, db):
        await db.execute_many(
            "DELETE FROM former_players WHERE table_id = ? AND digest = ?",
            [(table_id, _digest(salt, user_id)) for user_id in users],
        )


async def forget_leavers(table_id: int, db: Transaction) -> None:
    """Delete the hashes and the salt of a table."""
    await db.execute("DELETE FROM former_players WHERE table_id = ?", (table_id,))
    await db.execute("DELETE FROM salts WHERE table_id = ?", (table_id,))


async def _record(table_id: int, users: Sequence[int], db: Transaction, *, was_removed: bool = False) -> None:
    if not users:
        return
    ((salt,),) = await db.rows(_OWN_SALT, (table_id, secrets.token_bytes(_SALT_BYTES)))
    await db.execute_many(_RECORD, [(table_id, _digest(salt, user_id), int(was_removed)) for user_id in users])


async def _salts(table_id: int, db: Transaction) -> list[Row]:
    """Return the salt of the table in a row, if it has one."""
    return await db.rows("SELECT salt FROM salts WHERE table_id = ?", (table_id,))


def _digest(salt: bytes, user_id: int) -> bytes:
    return hmac.new(salt, str(user_id).encode(), hashlib.sha256).digest()
