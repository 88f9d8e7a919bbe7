"""Dailies and the deals of matches as values."""

from collections.abc import Mapping
from datetime import date
from typing import Final

import msgspec

from bot.games.game import Value

GRACE_S: Final = 3 * 60 * 60.0
"""For how long games that were begun in time may be finished afterwards."""
COMPUTER: Final = "computer "
"""The ``player`` of a computer's result begins with this; its number follows."""


class Event(msgspec.Struct, frozen=True):
    """An event. ``secret`` is in hex, and ``None`` until it has closed. ``game`` is ``None`` for that of its day."""

    name: str
    commitment: str
    closes_at: float
    secret: str | None = None
    game: str | None = None
    options: Mapping[str, Value] = {}


class EventResult(msgspec.Struct, frozen=True):
    """A try of a user, or the result of a computer at the same deal.

    Parameters
    ----------
    user_id: ``None`` for computers, for tables of several users, and for users who have deleted their data.
    guild_id: The server from which the try began, if it was one.
    played: The number of the table.
    ends_at: Until when it could be begun, in seconds since 1970.
    score: ``None`` until the game is over, and for those that ended otherwise.
    streak: For how many days in a row the user has finished the daily.
    deal: The number of the deal, from 0.
    side: The side of a match that it counts for.
    is_open: Whether the game goes on.
    is_hidden: Whether the user doesn't want to be shown.
    """

    event: str
    user_id: int | None
    guild_id: int | None
    name: str
    played: int | None = None
    ends_at: float | None = None
    score: int | None = None
    streak: int = 0
    deal: int = 0
    side: int = 0
    is_open: bool = True
    is_hidden: bool = False

    @property
    def finish_by(self) -> float | None:
        """When the try ends."""
        return None if self.ends_at is None else self.ends_at + GRACE_S


_DAILY: Final = "daily "


_MATCH: Final = "match "


def daily_name(day: date) -> str:
    """Return the name of the daily of a day."""
    return f"{_DAILY}{day.isoformat()}"


def day_of(name: str) -> date | None:
    """Return the day of a daily; ``None`` for other events."""
    return date.fromisoformat(name.removeprefix(_DAILY)) if name.startswith(_DAILY) else None


def match_name(match_id: int) -> str:
    """Return the name of the event of a match."""
    return f"{_MATCH}{match_id}"


def match_of(name: str) -> int | None:
    """Return the id of the match of an event; ``None`` for other events."""
    return int(name.removeprefix(_MATCH)) if name.startswith(_MATCH) else None
