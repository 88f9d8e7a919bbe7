"""Reads a table with everything that its messages depend on."""

from typing import Final

from bot.store.messages import messages_of
from bot.store.preferences import UserSettings
from bot.store.records import Kind, LiveMessage, Table
from bot.store.repository import to_json
from bot.store.snapshot import Reader, Snapshot
from bot.store.statements import existing
from bot.store.transaction import Transaction
from bot.store.undos import questions_at
from bot.store.users import SETTINGS, settings_of
from bot.store.waits import has_news

_READERS: Final = f"""
SELECT value, dm_closed,
    (SELECT at FROM entries WHERE table_id = ?1 AND by_user = value ORDER BY ply DESC LIMIT 1),
    (SELECT at FROM pings WHERE table_id = ?1 AND user_id = value),
    coalesce(language, locale), users.id, {SETTINGS}
FROM json_each(?2) LEFT JOIN users ON users.id = value
"""  # noqa: S608 - constant text

_CURRENT: Final = """
SELECT version, status IN ('lobby', 'playing'),
    CASE WHEN guild_id IS NULL THEN (SELECT coalesce(language, locale) FROM users WHERE users.id = host_id)
        ELSE (SELECT coalesce(language, locale) FROM servers WHERE servers.guild_id = tables.guild_id) END
FROM tables WHERE id = ?
"""


async def read_snapshot(table_id: int, known: Table | None, db: Transaction) -> Snapshot | None:
    """Return a snapshot of a table. ``known`` is the table as it was last read."""
    current = await db.row(_CURRENT, (table_id,))
    if current is None:
        return None
    version, is_open, language = current
    # Nothing of an open table changes without its version.
    table = known if known is not None and is_open and known.version == version else await existing(table_id, db)
    messages = await messages_of(table_id, db)
    return Snapshot(
        table,
        messages,
        await _readers(table, messages, db),
        await questions_at(table_id, table.version, db),
        await has_news(table, db),
        language,
    )


async def _readers(table: Table, messages: tuple[LiveMessage, ...], db: Transaction) -> dict[int, Reader]:
    users = {sitter.user_id for sitter in table.sitters} | {guest.user_id for guest in table.guests}
    users |= {message.user_id for message in messages if message.kind is Kind.HAND}
    rows = await db.rows(_READERS, (table.id, to_json(users - {None})))
    return {
        user_id: Reader(
            bool(dm_closed), UserSettings() if known is None else settings_of(columns), moved_at, pinged_at, language
        )
        for user_id, dm_closed, moved_at, pinged_at, language, known, *columns in rows
    }
