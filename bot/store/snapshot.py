"""A table with everything that its messages depend on, and how it is read."""

from collections.abc import Mapping
from typing import Final

import msgspec

from bot.store.messages import messages_of
from bot.store.preferences import UserSettings
from bot.store.records import Kind, LiveMessage, Table, UndoAnswers
from bot.store.repository import to_json
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


class Reader(msgspec.Struct, frozen=True):
    """Stored facts about a user who gets messages about a table.

    Parameters
    ----------
    dm_closed: Whether direct messages to them have failed, so that they get their hand by button.
    settings: How they want to see tables, and when they want to be pinged.
    moved_at: When they last moved at the table.
    pinged_at: When they were last pinged there.
    language: The language they chose, otherwise their app's; ``None`` is the source language.
    """

    dm_closed: bool = False
    settings: UserSettings = UserSettings()
    moved_at: float | None = None
    pinged_at: float | None = None
    language: str | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """A table with everything that its messages depend on, all at one moment.

    Parameters
    ----------
    messages: The table's messages, oldest first.
    readers: The players, the guests, and everyone who has a hand, by id.
    questions: The answers to each question for an undo, by the asker's id.
    has_news: Whether there are votes or, without a clock, a step has been taken about absent players.
    language: That of the server or, outside of servers, of the host; ``None`` is the source language.
    """

    table: Table
    messages: tuple[LiveMessage, ...] = ()
    readers: Mapping[int, Reader] = {}
    questions: Mapping[int, UndoAnswers] = {}
    has_news: bool = False
    language: str | None = None

    def reader(self, user_id: int) -> Reader:
        """Return the stored facts about a user: the defaults for strangers."""
        return self.readers.get(user_id) or Reader()

    def language_for(self, user_id: int | None) -> str | None:
        """Return the language of a user's messages, or of those in the channel (``None``)."""
        return self.language if user_id is None else self.reader(user_id).language


async def read_snapshot(table_id: int, known: Table | None, db: Transaction) -> Snapshot | None:
    """Return a snapshot of a table. ``known`` is the table as it was last read."""
    rows = await db.rows(_CURRENT, (table_id,))
    if not rows:
        return None
    ((version, is_open, language),) = rows
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
