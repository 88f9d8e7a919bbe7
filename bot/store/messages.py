"""The messages that show tables, and a table with everything that they depend on."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from bot.store.database import Database, Repository, Transaction, records, to_json, work
from bot.store.preferences import SETTINGS, UserSettings, settings_of
from bot.store.records import Table
from bot.store.schema import OF_SHARDS
from bot.store.statements import BY_ID, COLUMNS, table_of, tables_of
from bot.store.undos import UndoAnswers, questions_of

log: Final = logging.getLogger(__name__)


class Kind(StrEnum):
    """The kind of a message: the board, one player's hand, a ping, a player's question, or a deal's score."""

    BOARD = "board"
    HAND = "hand"
    PING = "ping"
    QUESTION = "question"
    SCORE = "score"


Slot = tuple[Kind, int | None, int | None]
"""A table has at most one live message of each slot: the kind, the user, and for scores the deal."""


def slot_of(kind: Kind, user_id: int | None = None, deal: int | None = None) -> Slot:
    """Return the slot of a message. A new hand replaces the hand of the last deal, while scores stay."""
    return kind, user_id, deal if kind is Kind.SCORE else None


class Stage(StrEnum):
    """The stage of a message in its life.

    ``NOTED``: about to be posted; perhaps posted, with the answer lost. ``LIVE``: shows the table and is kept up to
    date. ``RETIRING``: replaced by another one, and still to be removed.
    """

    NOTED = "noted"
    LIVE = "live"
    RETIRING = "retiring"


class LiveMessage(msgspec.Struct, frozen=True):
    """A message on Discord that shows a table, or is about to.

    Parameters
    ----------
    id: The number of its row; 0 before it is stored.
    user_id: The user whose hand or question it is; ``None`` for boards and pings.
    message_id: ``None`` until Discord has answered.
    nonce: Marks the message on Discord: its nonce, and the component id of its outermost component.
    version: The version of the table that it shows.
    content: A digest of what it shows; ``None`` if that is unknown, so that it is edited again.
    deal: The deal that a hand or a score belongs to.
    notified: The users that it has notified of their turn.
    reminders: How many reminders the table had had by then: later ones are for these users, too. ``None`` is as many as
        it has had when the message is stored.
    picture: The name of the file of its picture; ``None`` if it has none.
    attachment_id: Discord's id of that file, by which an edit keeps it.
    """

    table_id: int
    kind: Kind
    user_id: int | None
    channel_id: int
    nonce: int
    version: int
    posted_at: float
    content: str | None = None
    deal: int | None = None
    notified: tuple[int, ...] = ()
    reminders: int | None = None
    message_id: int | None = None
    stage: Stage = Stage.NOTED
    picture: str | None = None
    attachment_id: int | None = None
    id: int = 0

    @property
    def slot(self) -> Slot:
        """The slot of the message: it replaces the live one there."""
        return slot_of(self.kind, self.user_id, self.deal)

    @property
    def sent_id(self) -> int:
        """`message_id`, or 0 before there is one. Later messages have higher ones."""
        return self.message_id or 0

    @property
    def is_restored(self) -> bool:
        """Whether its record comes from a restored database: it may show lost moves, above messages that are lost."""
        return self.posted_at == 0

    def with_unknown_content(self) -> "LiveMessage":
        """Return the record of a message that several edits may have reached, in any order."""
        return replace(self, content=None, picture=None, attachment_id=None)


def in_slot(recorded: Iterable[LiveMessage], slot: Slot, stage: Stage = Stage.LIVE) -> LiveMessage | None:
    """Return the message of a slot that is in this stage."""
    return next((message for message in recorded if message.slot == slot and message.stage is stage), None)


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

_DOUBT_STALE: Final = f"""
UPDATE messages SET content = NULL, notified = CASE kind WHEN 'board' THEN '[]' ELSE notified END
WHERE kind <> 'score'
    AND version < (SELECT version FROM open_tables WHERE open_tables.id = table_id AND {OF_SHARDS})
"""  # noqa: S608 - constant text

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
        return await self._reading.run(partial(_messages_of, table_id))

    async def written(self, table_id: int) -> None:
        """Wait until the messages of the table are stored (`update_soon`)."""
        if table_id in self._unwritten:
            self._writer.flush()
            await asyncio.wait({self._unwritten[table_id]})

    @work
    async def note(self, db: Transaction, message: LiveMessage) -> LiveMessage:
        """Store a message that is about to be posted, and return it with its id."""
        return await _insert(message, db)

    @work
    async def posted(self, db: Transaction, message: LiveMessage) -> LiveMessage:
        """Make a message live, and retire the live one that it replaces. Stores a message without an id.

        Its kind may have changed.
        """
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
        self._unwritten[message.table_id] = written
        written.add_done_callback(partial(self._wrote, message.table_id))

    def _wrote(self, table_id: int, written: asyncio.Future[None]) -> None:
        if self._unwritten.get(table_id) is written:
            del self._unwritten[table_id]
        if not written.cancelled() and (error := written.exception()):
            log.warning("table %s: an edited message could not be recorded: %s", table_id, error)

    async def forget(self, message: LiveMessage) -> None:
        """Remove a message from the database."""
        await self._writer.execute("DELETE FROM messages WHERE id = ?", (message.id,))

    async def doubt_stale(self, shards: Collection[int] = (0,), shard_count: int = 1) -> None:
        """Forget the content of outdated messages at tables of these shards, and the users that boards have notified.

        A crash may have lost the record of an edit.
        """
        await self._writer.execute(_DOUBT_STALE, (shard_count, to_json(list(shards))))

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


async def _messages_of(table_id: int, db: Transaction) -> tuple[LiveMessage, ...]:
    """Return the messages of the table, oldest first."""
    rows = await db.rows(_SELECT, (table_id,))
    return tuple(records(LiveMessage, rows, "notified"))


def _values(message: LiveMessage) -> dict[str, Any]:
    return asdict(message) | {"notified": to_json(message.notified)}


async def _update(message: LiveMessage, was_at: int | None, db: Transaction) -> None:
    await db.execute(_UPDATE, _values(message) | {"was_at": was_at})


async def _insert(message: LiveMessage, db: Transaction) -> LiveMessage:
    ((row_id, reminders),) = await db.rows(_INSERT, _values(message))
    return replace(message, id=row_id, reminders=reminders)


_READERS: Final = f"""
SELECT value, dm_closed,
    (SELECT at FROM entries WHERE table_id = ?1 AND by_user = value ORDER BY ply DESC LIMIT 1),
    (SELECT at FROM pings WHERE table_id = ?1 AND user_id = value),
    coalesce(language, locale),
    EXISTS (SELECT 1 FROM seats WHERE user_id = value AND owes = 1 AND since IS NOT NULL AND table_id <> ?1),
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


class Reader(msgspec.Struct, frozen=True):
    """Stored facts about a user who gets messages about a table.

    Parameters
    ----------
    dm_closed: Whether direct messages to them have failed, so that they get their hand by button.
    settings: How they want to see tables, and when they want to be pinged.
    moved_at: When they last moved at the table.
    pinged_at: When they were last pinged there.
    language: The language they chose, otherwise their app's; ``None`` is the source language.
    is_awaited: Whether another table waits for their move.
    """

    dm_closed: bool = False
    settings: UserSettings = UserSettings()
    moved_at: float | None = None
    pinged_at: float | None = None
    language: str | None = None
    is_awaited: bool = False


class Snapshot(msgspec.Struct, frozen=True):
    """A table with everything that its messages depend on, all at one moment.

    Parameters
    ----------
    messages: The table's messages, oldest first.
    readers: The players, the guests, and everyone who has a hand, by id.
    questions: The answers to each question for an undo, by the asker's id.
    has_news: Whether there are votes or, without a clock, a step has been taken about absent players.
    language: That of the server or, outside of servers, of the host; ``None`` is the source language.
    before: The table whose rematch this lobby is for.
    """

    table: Table
    messages: tuple[LiveMessage, ...] = ()
    readers: Mapping[int, Reader] = {}
    questions: Mapping[int, UndoAnswers] = {}
    has_news: bool = False
    language: str | None = None
    before: Table | None = None

    def reader(self, user_id: int) -> Reader:
        """Return the stored facts about a user: the defaults for strangers."""
        return self.readers.get(user_id) or Reader()


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
    rows = await db.rows(_READERS, (table.id, to_json(users - {None})))
    return {
        user_id: Reader(
            bool(dm_closed),
            UserSettings() if known is None else settings_of(columns),
            moved_at,
            pinged_at,
            language,
            bool(is_awaited),
        )
        for user_id, dm_closed, moved_at, pinged_at, language, is_awaited, known, *columns in rows
    }
