"""A table with everything that its messages depend on."""

from collections.abc import Mapping

import msgspec

from bot.store.preferences import UserSettings
from bot.store.records import LiveMessage, Table, UndoAnswers


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
