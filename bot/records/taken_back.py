"""Entries that were taken back, and questions for that, as values."""

from typing import Final

import msgspec

from bot.games.game import Entry

REFUSED: Final = 0
"""Stored as the user of a refusal. No user has this id."""


WITHDRAWN: Final = -1
"""Stored as the user of a withdrawal. No user has this id."""


class TakenBack(msgspec.Struct, frozen=True):
    """An entry that was taken back.

    Parameters
    ----------
    undone_at: The version of the table after that.
    by_user: The user who made the move; ``None`` for computers and chance.
    taken_by: The user who asked for the undo.
    """

    undone_at: int
    ply: int
    entry: Entry
    by_user: int | None
    taken_by: int
    taken_at: float


class UndoAnswers(msgspec.Struct, frozen=True):
    """The answers to a question for an undo. ``agreed`` are the users who agree, the asker among them."""

    agreed: frozenset[int] = frozenset()
    is_refused: bool = False
    is_withdrawn: bool = False
