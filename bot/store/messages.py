"""The messages that show tables."""

import asyncio
import logging
from collections.abc import Collection
from functools import partial
from typing import Any, Final

from msgspec.structs import asdict, replace

from bot.store.database import Database
from bot.store.records import LiveMessage, Stage
from bot.store.repository import Repository, records, to_json
from bot.store.transaction import Transaction

log: Final = logging.getLogger(__name__)

_SELECT: Final = """
SELECT table_id, kind, user_id, channel_id, nonce, version, posted_at, content, deal,
    CASE WHEN kind IN ('board', 'ping') AND reminders < latest THEN '[]' ELSE notified END,
    latest, message_id, stage, picture, attachment_id, id
FROM messages, (SELECT coalesce(max(reminders), 0) AS latest FROM waits WHERE table_id = ?1) AS reminded
WHERE table_id = ?1 ORDER BY id
"""
"""A reminder is due to everyone, so whom boards and pings notified before it doesn't count."""

_INSERT: Final = """
INSERT INTO messages (table_id, kind, user_id, channel_id, nonce, version, posted_at, content, deal, notified,
    reminders, message_id, stage, picture, attachment_id)
VALUES (:table_id, :kind, :user_id, :channel_id, :nonce, :version, :posted_at, :content, :deal, :notified,
    coalesce(:reminders, (SELECT reminders FROM waits WHERE table_id = :table_id), 0),
    :message_id, :stage, :picture, :attachment_id)
RETURNING id, reminders
"""

_UPDATE: Final = """
UPDATE messages SET channel_id = :channel_id, message_id = :message_id, version = :version, content = :content,
    deal = :deal, posted_at = :posted_at, picture = :picture, attachment_id = :attachment_id,
    notified = CASE WHEN reminders > :reminders THEN notified ELSE :notified END,
    reminders = CASE WHEN reminders > :reminders THEN reminders ELSE :reminders END
WHERE id = :id
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

_NONCES: Final = """
SELECT nonce FROM messages WHERE message_id IN (SELECT value FROM json_each(?))
UNION SELECT nonce FROM messages WHERE stage <> 'live' AND message_id IS NULL
"""

MARK_RESTORED: Final = """
UPDATE messages SET content = NULL, picture = NULL, attachment_id = NULL, posted_at = 0
WHERE kind <> 'score' AND stage = 'live' AND table_id IN (SELECT id FROM open_tables)
"""
"""Has messages posted again: the database is an older copy (`LiveMessage.is_restored`)."""


class Messages(Repository):
    """The messages that show tables."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._unwritten: dict[int, asyncio.Future[None]] = {}

    async def of(self, table_id: int) -> tuple[LiveMessage, ...]:
        """Return the messages of the table, oldest first."""
        await self.written(table_id)
        return await self._reading.run(partial(messages_of, table_id))

    async def written(self, table_id: int) -> None:
        """Wait until the messages of the table are stored (`update_soon`)."""
        if table_id in self._unwritten:
            await asyncio.wait({self._unwritten[table_id]})

    async def note(self, message: LiveMessage) -> LiveMessage:
        """Store a message that is about to be posted, and return it with its id."""
        return await self._writer.write(partial(_insert, message), message.table_id)

    async def posted(self, message: LiveMessage) -> LiveMessage:
        """Make a message live, and retire the live one that it replaces. Stores a message without an id.

        Its kind may have changed.
        """
        return await self._writer.write(partial(_posted, message), message.table_id)

    async def update(self, message: LiveMessage) -> None:
        """Store the present content of a message; its stage stays, and nothing happens if it has been forgotten."""
        await self._writer.write(partial(_update, message, None), message.table_id)

    def update_soon(self, message: LiveMessage, was_at: int | None = None) -> None:
        """Like `update`, in the background; `written` waits for it, and a crash may lose it.

        ``was_at`` is the version that the message showed before it was edited. If another one is recorded, another
        process has edited it as well, and nobody knows which edit came last: then its content counts as unknown.
        """
        written = self._writer.write(partial(_update, message, was_at), message.table_id)
        self._unwritten[message.table_id] = written
        written.add_done_callback(partial(self._wrote, message.table_id))

    def _wrote(self, table_id: int, written: asyncio.Future[None]) -> None:
        if self._unwritten.get(table_id) is written:
            del self._unwritten[table_id]
        if not written.cancelled() and (error := written.exception()):
            log.warning("table %s: an edited message could not be recorded: %s", table_id, error)

    async def forget(self, message: LiveMessage) -> None:
        """Remove a message from the database."""
        await self._writer.execute("DELETE FROM messages WHERE id = ?", (message.id,), message.table_id)

    async def doubt_stale(self) -> None:
        """Mark what outdated messages show, and which users boards have notified, as unknown.

        A crash may have lost the record of an edit.
        """
        await self._writer.execute(
            "UPDATE messages SET content = NULL, notified = CASE kind WHEN 'board' THEN '[]' ELSE notified END"
            " WHERE kind <> 'score' AND version < (SELECT version FROM open_tables WHERE open_tables.id = table_id)"
        )

    async def mark_restored(self, table_id: int | None = None) -> None:
        """Have all messages of an open table posted again, or those of every one: the database is an older copy."""
        one = " AND (CAST(?1 AS BIGINT) IS NULL OR table_id = ?1)"
        await self._writer.execute(MARK_RESTORED + one, (table_id,))

    async def tables_of(self, message_ids: Collection[int]) -> tuple[int, ...]:
        """Return the tables that these messages show."""
        return await self._reading.numbers(
            "SELECT DISTINCT table_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?))",
            to_json(list(message_ids)),
        )

    async def nonces(self, message_ids: Collection[int]) -> tuple[int, ...]:
        """Return the nonces of these messages, as far as they are recorded, and of all that are being posted."""
        return await self._reading.numbers(_NONCES, to_json(list(message_ids)))

    async def to_reconcile(self) -> tuple[int, ...]:
        """Return the tables whose messages are incomplete or out of date."""
        return await self._reading.numbers(_TO_RECONCILE)


async def messages_of(table_id: int, db: Transaction) -> tuple[LiveMessage, ...]:
    """Return the messages of the table, oldest first."""
    rows = await db.rows(_SELECT, (table_id,))
    return tuple(records(LiveMessage, rows, "notified"))


def _values(message: LiveMessage) -> dict[str, Any]:
    return asdict(message) | {"notified": to_json(message.notified)}


async def _update(message: LiveMessage, was_at: int | None, db: Transaction) -> None:
    if was_at is not None:
        recorded = await db.rows("SELECT version FROM messages WHERE id = ?", (message.id,))
        if recorded not in ([], [(was_at,)]):
            message = message.with_unknown_content()
    await db.execute(_UPDATE, _values(message))


async def _insert(message: LiveMessage, db: Transaction) -> LiveMessage:
    ((row_id, reminders),) = await db.rows(_INSERT, _values(message))
    return replace(message, id=row_id, reminders=reminders)


async def _posted(message: LiveMessage, db: Transaction) -> LiveMessage:
    await db.execute(
        "UPDATE messages SET stage = 'retiring'"
        " WHERE table_id = ? AND kind = ? AND user_id IS ? AND (kind <> 'score' OR deal IS ?)"
        " AND stage = 'live' AND id <> ?",
        (message.table_id, *message.slot, message.id),
    )
    live = replace(message, stage=Stage.LIVE)
    if not message.id:
        return await _insert(live, db)
    await db.execute("UPDATE messages SET stage = 'live', kind = ? WHERE id = ?", (live.kind, live.id))
    await db.execute(_UPDATE, _values(live))
    return live
