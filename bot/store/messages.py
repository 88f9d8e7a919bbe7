"""The messages that show tables and other subjects, and a table with everything that its messages depend on."""

import asyncio
import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Final

from msgspec.structs import asdict, replace

from bot.records.live_message import TABLE, Kind, LiveMessage, Reader, Snapshot, Stage
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.store.database import Database, Repository, Transaction, records, to_json, work
from bot.store.preferences import SETTINGS, settings_of
from bot.store.schema import OF_SHARDS
from bot.store.statements import BY_ID, COLUMNS, table_of, tables_of
from bot.store.undos import questions_of

log: Final = logging.getLogger(__name__)


_SELECT: Final = """
SELECT subject_id, kind, user_id, channel_id, nonce, version, posted_at, content, deal,
    CASE WHEN kind IN ('board', 'ping') AND reminders < latest THEN '[]' ELSE notified END,
    latest, message_id, stage, picture, attachment_id, id, subject
FROM messages, (SELECT coalesce(max(reminders), 0) AS latest FROM waits WHERE table_id = ?1) AS reminded
WHERE table_id = ?1 ORDER BY id
"""
"""A reminder is due to everyone, so whom boards and pings notified before it doesn't count."""

_PLAIN: Final = """
SELECT subject_id, kind, user_id, channel_id, nonce, version, posted_at, content, deal, notified,
    reminders, message_id, stage, picture, attachment_id, id, subject
FROM messages
"""
_OF_SUBJECT: Final = f"{_PLAIN} WHERE subject = ?"

_INSERT: Final = """
INSERT INTO messages (table_id, subject, subject_id, kind, user_id, channel_id, nonce, version, posted_at, content,
    deal, notified, reminders, message_id, stage, picture, attachment_id)
VALUES (:table_id, :subject, :subject_id, :kind, :user_id, :channel_id, :nonce, :version, :posted_at, :content,
    :deal, :notified, coalesce(:reminders, (SELECT reminders FROM waits WHERE table_id = :table_id), 0),
    :message_id, :stage, :picture, :attachment_id)
RETURNING id, reminders
"""

_UPDATE: Final = """
UPDATE messages SET channel_id = :channel_id, message_id = :message_id, version = :version,
    deal = :deal, posted_at = :posted_at,
    content = CASE WHEN version = coalesce(:was_at, version) THEN :content END,
    picture = CASE WHEN version = coalesce(:was_at, version) THEN :picture END,
    attachment_id = CASE WHEN version = coalesce(:was_at, version) THEN CAST(:attachment_id AS BIGINT) END,
    notified = CASE WHEN reminders > :reminders THEN notified ELSE :notified END,
    reminders = CASE WHEN reminders > :reminders THEN reminders ELSE :reminders END
WHERE id = :id
"""

_TO_RECONCILE: Final = """
SELECT table_id FROM messages WHERE stage <> 'live' AND table_id IS NOT NULL
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

_DOUBT_STALE: Final = f"""
UPDATE messages SET content = NULL, notified = CASE WHEN kind = 'board' AND stage = 'live' THEN '[]' ELSE notified END
WHERE kind <> 'score'
    AND version < (SELECT version FROM open_tables WHERE open_tables.id = table_id AND {OF_SHARDS})
"""  # noqa: S608 - constant text

MARK_RESTORED: Final = """
UPDATE messages SET content = NULL, picture = NULL, attachment_id = NULL, posted_at = 0
WHERE kind <> 'score' AND stage = 'live' AND table_id IN (SELECT id FROM open_tables)
"""
"""Has messages posted again: the database is an older copy (`LiveMessage.is_restored`)."""


class Messages(Repository):
    """The messages that show tables and other subjects."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._unwritten: dict[tuple[str, int], asyncio.Future[None]] = {}
        self.on_unrecorded: Callable[[LiveMessage], object] = lambda _: None
        """Called when a message was edited, but what it shows couldn't be stored: what is stored isn't right."""

    async def of(self, table_id: int) -> tuple[LiveMessage, ...]:
        """Return the messages of the table, oldest first."""
        await self.written(table_id)
        return await self._reading.run(partial(_messages_of, table_id))

    async def about(self, subject: str, subject_id: int) -> tuple[LiveMessage, ...]:
        """Return the messages of a subject that isn't a table, oldest first."""
        await self.written(subject_id, subject)
        rows = await self._reading.rows(f"{_OF_SUBJECT} AND subject_id = ? ORDER BY id", subject, subject_id)
        return tuple(records(LiveMessage, rows, "notified"))

    async def kept(self, subject: str, day: int | None = None) -> tuple[LiveMessage, ...]:
        """Return the messages of a kind of subject that are kept up to date, and those that were left of this day."""
        rows = await self._reading.rows(f"{_OF_SUBJECT} AND (stage <> 'left' OR deal = ?) ORDER BY id", subject, day)
        return tuple(records(LiveMessage, rows, "notified"))

    async def written(self, subject_id: int, subject: str = TABLE) -> None:
        """Wait until the messages of a subject are stored (`update_soon`)."""
        if (written := self._unwritten.get((subject, subject_id))) is not None:
            self._writer.flush()
            await asyncio.wait({written})

    @work
    async def note(self, db: Transaction, message: LiveMessage) -> LiveMessage:
        """Store a message that is about to be posted, and return it with its id."""
        return await _insert(message, db)

    @work
    async def open(self, db: Transaction, card: LiveMessage) -> None:
        """Store a card that is about to be posted, unless its subject has one. One that was left is replaced."""
        await db.lock("messages")
        same, values = "subject = ? AND subject_id = ? AND kind = ? AND deal IS ?", (card.subject, card.subject_id)
        await db.execute(f"DELETE FROM messages WHERE {same} AND stage = 'left'", (*values, card.kind, card.deal))  # noqa: S608 - constant text
        if not await db.rows(f"SELECT 1 FROM messages WHERE {same}", (*values, card.kind, card.deal)):  # noqa: S608 - constant text
            await _insert(card, db)

    @work
    async def posted(self, db: Transaction, message: LiveMessage) -> LiveMessage:
        """Make a message live, and retire the live one that it replaces. Stores a message without an id.

        Its kind may have changed.
        """
        await db.execute(
            "UPDATE messages SET stage = 'retiring'"
            " WHERE subject = ? AND subject_id = ? AND kind = ? AND user_id IS ?"
            " AND (kind NOT IN ('score', 'card') OR deal IS ?) AND stage = 'live' AND id <> ?",
            (message.subject, message.subject_id, *message.slot, message.id),
        )
        live = replace(message, stage=Stage.LIVE)
        if not message.id:
            return await _insert(live, db)
        await db.execute("UPDATE messages SET stage = 'live', kind = ? WHERE id = ?", (live.kind, live.id))
        await _update(live, None, db)
        return live

    @work
    async def update(self, db: Transaction, message: LiveMessage) -> None:
        """Store the present content of a message; its stage stays, and nothing happens if it has been forgotten."""
        await _update(message, None, db)

    def update_soon(self, message: LiveMessage, was_at: int | None = None) -> None:
        """Like `update`, in the background; `written` waits for it, and a crash may lose it.

        ``was_at`` is the version that the message showed before it was edited. If another one is recorded, another
        process has edited it as well, and nobody knows which edit came last: then its content counts as unknown.
        """
        written = self._writer.write_soon(partial(_update, message, was_at))
        subject = message.subject, message.subject_id
        self._unwritten[subject] = written
        written.add_done_callback(partial(self._wrote, subject, message))

    def _wrote(self, subject: tuple[str, int], message: LiveMessage, written: asyncio.Future[None]) -> None:
        if self._unwritten.get(subject) is written:
            del self._unwritten[subject]
        if not written.cancelled() and (error := written.exception()):
            log.warning("%s %s: an edited message could not be recorded: %s", *subject, error)
            self.on_unrecorded(message)

    async def leave(self, message: LiveMessage) -> LiveMessage:
        """Store that a message isn't kept up to date any more."""
        await self._writer.execute("UPDATE messages SET stage = 'left' WHERE id = ?", (message.id,))
        return replace(message, stage=Stage.LEFT)

    async def forget(self, message: LiveMessage) -> None:
        """Remove a message from the database."""
        await self._writer.execute("DELETE FROM messages WHERE id = ?", (message.id,))

    async def doubt_stale(self, shards: Collection[int] = (0,), shard_count: int = 1) -> None:
        """Forget the content of outdated messages at tables of these shards, and the users that boards have notified.

        A crash may have lost the record of an edit. A board that was about to be posted keeps them: if it was posted,
        they were pinged just now.
        """
        await self._writer.execute(_DOUBT_STALE, (shard_count, to_json(list(shards))))

    async def mark_restored(self, table_id: int | None = None) -> None:
        """Have all messages of an open table posted again, or those of every one: the database is an older copy."""
        one = " AND (CAST(?1 AS BIGINT) IS NULL OR table_id = ?1)"
        await self._writer.execute(MARK_RESTORED + one, (table_id,))

    async def among(self, message_ids: Collection[int]) -> tuple[LiveMessage, ...]:
        """Return those of these messages that are recorded."""
        query = f"{_PLAIN} WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id"  # noqa: S608 - constant text
        return tuple(records(LiveMessage, await self._reading.rows(query, to_json(list(message_ids))), "notified"))

    async def nonces(self, message_ids: Collection[int]) -> tuple[int, ...]:
        """Return the nonces of these messages, as far as they are recorded, and of all that are being posted."""
        return await self._reading.numbers(_NONCES, to_json(list(message_ids)))

    async def to_reconcile(self) -> tuple[int, ...]:
        """Return the tables whose messages are incomplete or out of date."""
        return await self._reading.numbers(_TO_RECONCILE)


async def _messages_of(table_id: int, db: Transaction) -> tuple[LiveMessage, ...]:
    """Return the messages of the table, oldest first."""
    rows = await db.rows(_SELECT, (table_id,))
    return tuple(records(LiveMessage, rows, "notified"))


def _values(message: LiveMessage) -> dict[str, Any]:
    table_id = message.subject_id if message.subject == TABLE else None
    return asdict(message) | {"notified": to_json(message.notified), "table_id": table_id}


async def _update(message: LiveMessage, was_at: int | None, db: Transaction) -> None:
    await db.execute(_UPDATE, _values(message) | {"was_at": was_at})


async def _insert(message: LiveMessage, db: Transaction) -> LiveMessage:
    ((row_id, reminders),) = await db.rows(_INSERT, _values(message))
    return replace(message, id=row_id, reminders=reminders)


_IS_LAST_CARD: Final = """(automatic = 1 AND EXISTS (
    SELECT 1 FROM entries AS before
    WHERE before.table_id = entries.table_id AND before.ply = entries.ply - 1 AND before.at = entries.at
))"""
"""It has played itself in the step of the move before, whether its player is here or not."""
_READERS: Final = f"""
SELECT value, dm_closed,
    (SELECT at FROM entries WHERE table_id = ?1 AND by_user = value AND NOT {_IS_LAST_CARD} ORDER BY ply DESC LIMIT 1),
    (SELECT at FROM pings WHERE table_id = ?1 AND user_id = value),
    coalesce(language, locale),
    EXISTS (SELECT 1 FROM seats WHERE user_id = value AND owes = 1 AND since IS NOT NULL AND table_id <> ?1),
    EXISTS (SELECT 1 FROM lessons WHERE user_id = value AND game = ?3 AND finished = 1),
    users.id, {SETTINGS}
FROM json_each(?2) LEFT JOIN users ON users.id = value
"""  # noqa: S608 - constant text

_TABLE: Final = f"""
SELECT {", ".join(COLUMNS)},
    CASE WHEN guild_id IS NULL THEN (SELECT coalesce(language, locale) FROM users WHERE users.id = host_id)
        ELSE (SELECT coalesce(language, locale) FROM servers WHERE servers.guild_id = tables.guild_id) END
FROM tables WHERE id = ?
"""  # noqa: S608 - constant names

_NEWS: Final = """
SELECT asker_id, user_id FROM undo_votes WHERE table_id = ?1 AND version = ?2
UNION ALL SELECT NULL, NULL FROM votes WHERE table_id = ?1 AND version = ?2
UNION ALL SELECT NULL, NULL FROM waits WHERE table_id = ?1 AND version = ?2 AND steps > 0 AND ?3 = 'none'
"""
"""The answers to questions for an undo, and a row without any for each piece of news about absent players."""


async def read_snapshot(table_id: int, known: Table | None, db: Transaction) -> Snapshot | None:
    """Return a snapshot of a table. ``known`` is the table as it was last read."""
    rows = await db.rows(_TABLE, (table_id,))
    if not rows:
        return None
    ((*row, language),) = rows
    table = table_of(row, known)
    messages = await _messages_of(table_id, db)
    readers = await _readers(table, messages, db)
    news = await db.rows(_NEWS, (table_id, table.version, table.clock))
    answers = [(asker_id, user_id) for asker_id, user_id in news if asker_id is not None]
    has_before = table.status == "lobby" and table.rematch_of is not None
    before = next(tables_of(await db.rows(BY_ID, (table.rematch_of,))), None) if has_before else None
    return Snapshot(table, messages, readers, questions_of(answers), len(answers) < len(news), language, before)


async def _readers(table: Table, messages: tuple[LiveMessage, ...], db: Transaction) -> dict[int, Reader]:
    users = {sitter.user_id for sitter in table.sitters} | {guest.user_id for guest in table.guests}
    users |= {message.user_id for message in messages if message.kind is Kind.HAND}
    rows = await db.rows(_READERS, (table.id, to_json(users - {None}), table.game))
    return {
        user_id: Reader(
            bool(dm_closed),
            UserSettings() if known is None else settings_of(columns),
            moved_at,
            pinged_at,
            language,
            bool(is_awaited),
            bool(has_learned),
        )
        for user_id, dm_closed, moved_at, pinged_at, language, is_awaited, has_learned, known, *columns in rows
    }
