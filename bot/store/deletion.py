"""Deletes whole tables."""

from typing import Final

from bot.store.sql_tables import PARTS
from bot.store.transaction import Row, Transaction

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


async def _delete(numbers: list[Row], db: Transaction) -> int:
    # A new version locks the tables, and other processes can't append to them any more.
    await db.execute_many("UPDATE tables SET version = version + 1 WHERE id = ?", numbers)
    for part in PARTS:
        await db.execute_many(f"DELETE FROM {part} WHERE table_id = ?", numbers)  # noqa: S608 - a constant name
    await db.execute_many("UPDATE tables SET rematch_of = NULL WHERE rematch_of = ?", numbers)
    await db.execute_many("DELETE FROM tables WHERE id = ?", numbers)
    return len(numbers)
