"""The messages that show tables."""

import asyncio
import logging
import sqlite3
from collections.abc import Collection
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bot.store.records import Kind, LiveMessage, Stage
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.group_commit import Writer

log: Final = logging.getLogger(__name__)

_SELECT: Final = """
SELECT id, table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content, deal, notified, posted_at
FROM messages
"""

_TO_RECONCILE: Final = """
SELECT table_id FROM messages WHERE stage <> 'live'
UNION SELECT id FROM open_tables
    WHERE NOT EXISTS (SELECT 1 FROM messages WHERE table_id = id AND kind = 'board' AND stage = 'live')
UNION SELECT table_id FROM messages JOIN tables ON tables.id = table_id
    WHERE kind IN ('board', 'question') AND messages.version < tables.version
UNION SELECT table_id FROM messages JOIN tables ON tables.id = table_id
    WHERE kind = 'hand' AND status IN ('over', 'closed') AND messages.version < tables.version
ORDER BY 1
"""


class SqliteMessages:
    """`bot.store.Messages` in SQLite."""

    def __init__(self, reading: Connection, writer: Writer) -> None:
        self._reading = reading
        self._writer = writer
        self._unwritten: dict[int, asyncio.Future[None]] = {}

    async def of(self, table_id: int) -> tuple[LiveMessage, ...]:
        if table_id in self._unwritten:
            self._writer.flush()
            await asyncio.wait({self._unwritten[table_id]})
        rows = await self._reading.rows(_SELECT + "WHERE table_id = ? ORDER BY id", table_id)
        return tuple(map(_message, rows))

    async def note(self, message: LiveMessage) -> LiveMessage:
        return await self._writer.write(partial(_insert, message))

    async def posted(self, message: LiveMessage) -> LiveMessage:
        return await self._writer.write(partial(_posted, message))

    async def update(self, message: LiveMessage) -> None:
        await self._writer.write(partial(_update, message))

    def update_soon(self, message: LiveMessage) -> None:
        written = self._unwritten[message.table_id] = self._writer.write_soon(partial(_update, message))
        written.add_done_callback(partial(self._wrote, message.table_id))

    def _wrote(self, table_id: int, written: asyncio.Future[None]) -> None:
        if self._unwritten.get(table_id) is written:
            del self._unwritten[table_id]
        if not written.cancelled() and (error := written.exception()):
            log.warning("table %s: an edited message could not be recorded: %s", table_id, error)

    async def forget(self, message: LiveMessage) -> None:
        await self._writer.execute("DELETE FROM messages WHERE id = ?", message.id)

    async def doubt_stale(self) -> None:
        await self._writer.execute(
            "UPDATE messages SET content = NULL, notified = iif(kind = 'board', '[]', notified)"
            " WHERE version < (SELECT version FROM open_tables WHERE open_tables.id = table_id)"
        )

    async def tables_of(self, message_ids: Collection[int]) -> tuple[int, ...]:
        rows = await self._reading.rows(
            "SELECT DISTINCT table_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?))",
            msgspec.json.encode(list(message_ids)).decode(),
        )
        return tuple(table_id for (table_id,) in rows)

    async def to_reconcile(self) -> tuple[int, ...]:
        rows = await self._reading.rows(_TO_RECONCILE)
        return tuple(table_id for (table_id,) in rows)


def _message(row: tuple[Any, ...]) -> LiveMessage:
    (row_id, table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content, deal, notified,
     posted_at) = row  # fmt: skip
    return LiveMessage(
        table_id=table_id,
        kind=Kind(kind),
        user_id=user_id,
        channel_id=channel_id,
        nonce=nonce,
        version=version,
        posted_at=posted_at,
        content=content,
        deal=deal,
        notified=tuple(msgspec.json.decode(notified)),
        message_id=message_id,
        stage=Stage(stage),
        id=row_id,
    )


def _values(message: LiveMessage) -> tuple[Any, ...]:
    return (
        message.channel_id,
        message.message_id,
        message.version,
        message.content,
        message.deal,
        msgspec.json.encode(message.notified).decode(),
        message.posted_at,
    )


def _insert(message: LiveMessage, connection: sqlite3.Connection) -> LiveMessage:
    (row_id,) = connection.execute(
        "INSERT INTO messages (table_id, kind, user_id, nonce, stage, channel_id, message_id, version, content, deal,"
        " notified, posted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (message.table_id, message.kind, message.user_id, message.nonce, message.stage, *_values(message)),
    ).fetchone()
    return replace(message, id=row_id)


def _posted(message: LiveMessage, connection: sqlite3.Connection) -> LiveMessage:
    slot = (message.table_id, message.kind, message.user_id)
    connection.execute(
        "UPDATE messages SET stage = 'retiring'"
        " WHERE table_id = ? AND kind = ? AND user_id IS ? AND stage = 'live' AND id <> ?",
        (*slot, message.id),
    )
    live = replace(message, stage=Stage.LIVE)
    if not message.id:
        return _insert(live, connection)
    connection.execute("UPDATE messages SET stage = 'live' WHERE id = ?", (live.id,))
    _update(live, connection)
    return live


def _update(message: LiveMessage, connection: sqlite3.Connection) -> None:
    connection.execute(
        "UPDATE messages SET channel_id = ?, message_id = ?, version = ?, content = ?, deal = ?,"
        " notified = ?, posted_at = ? WHERE id = ?",
        (*_values(message), message.id),
    )
