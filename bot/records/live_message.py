"""Live messages as values, and what is stored about a table and the readers of its messages."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec.structs import replace

from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.records.taken_back import UndoAnswers

TABLE: Final = "table"
"""The subject of messages about tables. Others are registered by features (`LiveMessages.add`)."""


class Kind(StrEnum):
    """The kind of a message: the board, one player's hand, a ping, a player's question, or a deal's score.

    Those of other subjects are a card, the ping with a result or with the new time of a night, and the news of a table
    to somebody who asked for it.
    """

    BOARD = "board"
    HAND = "hand"
    PING = "ping"
    QUESTION = "question"
    SCORE = "score"
    CARD = "card"
    RESULT = "result"
    ALERT = "alert"


Slot = tuple[Kind, int | None, int | None]
"""A subject has at most one live message of each slot: the kind, the user, and for scores and cards the deal."""
_EACH_DEAL: Final = frozenset({Kind.SCORE, Kind.CARD})


def slot_of(kind: Kind, user_id: int | None = None, deal: int | None = None) -> Slot:
    """Return the slot of a message. A new hand replaces the hand of the last deal, while scores stay."""
    return kind, user_id, deal if kind in _EACH_DEAL else None


class Stage(StrEnum):
    """The stage of a message in its life.

    ``NOTED``: about to be posted; perhaps posted, with the answer lost. ``LIVE``: shows its subject and is kept up to
    date. ``RETIRING``: replaced by another one, and still to be removed. ``LEFT``: a card that isn't kept up to date
    any more, as it shows the end, or as somebody has deleted it.
    """

    NOTED = "noted"
    LIVE = "live"
    RETIRING = "retiring"
    LEFT = "left"


class LiveMessage(msgspec.Struct, frozen=True):
    """A message on Discord that shows a subject, such as a table, or is about to.

    Parameters
    ----------
    id: The number of its row; 0 before it is stored.
    subject_id: The table, match or game night, or the server of a daily.
    user_id: The user whose hand or question it is; ``None`` for boards and pings.
    message_id: ``None`` until Discord has answered.
    nonce: Marks the message on Discord: its nonce, and the component id of its outermost component.
    version: The version of the table that it shows; 0 for other subjects.
    content: A digest of what it shows; ``None`` if that is unknown, so that it is edited again.
    deal: The deal that a hand or a score belongs to, the day of a daily, counted from 0001-01-01, or how often the time
        of a night had been changed.
    notified: The users that it has notified of their turn.
    reminders: How many reminders the table had had by then: later ones are for these users, too. ``None`` is as many as
        it has had when the message is stored.
    picture: The name of the file of its picture; ``None`` if it has none.
    attachment_id: Discord's id of that file, by which an edit keeps it.
    """

    subject_id: int
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
    subject: str = TABLE

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
    has_learned: Whether they have finished the lesson of the table's game.
    """

    dm_closed: bool = False
    settings: UserSettings = UserSettings()
    moved_at: float | None = None
    pinged_at: float | None = None
    language: str | None = None
    is_awaited: bool = False
    has_learned: bool = False


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
