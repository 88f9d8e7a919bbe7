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
    """

    dm_closed: bool = False
    settings: UserSettings = UserSettings()
    moved_at: float | None = None
    pinged_at: float | None = None


class Snapshot(msgspec.Struct, frozen=True):
    """A table with everything that its messages depend on, all at one moment.

    Parameters
    ----------
    messages: The table's messages, oldest first.
    readers: The players, the guests, and everyone who has a hand, by id.
    questions: The answers to each question for an undo, by the asker's id.
    has_news: Whether there are votes or, without a clock, a step has been taken about absent players.
    """

    table: Table
    messages: tuple[LiveMessage, ...] = ()
    readers: Mapping[int, Reader] = {}
    questions: Mapping[int, UndoAnswers] = {}
    has_news: bool = False

    def reader(self, user_id: int) -> Reader:
        """Return the stored facts about a user: the defaults for strangers."""
        return self.readers.get(user_id) or Reader()
