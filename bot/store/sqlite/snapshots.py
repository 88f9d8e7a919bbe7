"""Reads a table with everything that its messages depend on, in one transaction."""

import sqlite3
from typing import Final

from bot.store.preferences import UserSettings
from bot.store.records import Kind, LiveMessage, Table
from bot.store.snapshot import Reader, Snapshot
from bot.store.sqlite.messages import messages_of
from bot.store.sqlite.repository import to_json
from bot.store.sqlite.statements import read_table
from bot.store.sqlite.undos import questions_at
from bot.store.sqlite.users import SETTINGS, settings_of
from bot.store.sqlite.waits import has_news

_READERS: Final = f"""
SELECT value, dm_closed,
    (SELECT at FROM entries WHERE table_id = ?1 AND by_user = value ORDER BY ply DESC LIMIT 1),
    (SELECT at FROM pings WHERE table_id = ?1 AND user_id = value),
    users.id, {SETTINGS}
FROM json_each(?2) LEFT JOIN users ON users.id = value
"""  # noqa: S608 - constant text


def read_snapshot(table_id: int, known: Table | None, connection: sqlite3.Connection) -> Snapshot | None:
    """Return a snapshot of a table. ``known`` is the table as it was last read."""
    connection.execute("BEGIN")
    try:
        table = read_table(table_id, known, connection)
        if table is None:
            return None
        messages = messages_of(table_id, connection)
        return Snapshot(
            table,
            messages,
            _readers(table, messages, connection),
            questions_at(table_id, table.version, connection),
            has_news(table, connection),
        )
    finally:
        connection.execute("COMMIT")


def _readers(table: Table, messages: tuple[LiveMessage, ...], connection: sqlite3.Connection) -> dict[int, Reader]:
    users = {sitter.user_id for sitter in table.sitters} | {guest.user_id for guest in table.guests}
    users |= {message.user_id for message in messages if message.kind is Kind.HAND}
    rows = connection.execute(_READERS, (table.id, to_json(users - {None})))
    return {
        user_id: Reader(bool(dm_closed), UserSettings() if known is None else settings_of(columns), moved_at, pinged_at)
        for user_id, dm_closed, moved_at, pinged_at, known, *columns in rows
    }
