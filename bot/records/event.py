"""Dailies and the deals of matches as values."""

from collections.abc import Container, Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

import msgspec

from bot.games.game import Value
from bot.records.table import DEFAULT_LEVEL

GRACE_S: Final = 3 * 60 * 60.0
"""For how long games that were begun in time may be finished afterwards."""
COMPUTER: Final = "computer "
"""The ``player`` of a computer's result begins with this; its number follows."""


class Event(msgspec.Struct, frozen=True):
    """An event. ``secret`` is in hex, and ``None`` until it has closed. ``level`` is that of the computers."""

    name: str
    commitment: str
    closes_at: float
    secret: str | None = None
    game: str = ""
    options: Mapping[str, Value] = {}
    level: str = DEFAULT_LEVEL


class EventResult(msgspec.Struct, frozen=True):
    """A try of a user, or the result of a computer at the same deal.

    Parameters
    ----------
    user_id: ``None`` for computers, for tables of several users, and for users who have deleted their data.
    guild_id: The server from which the try began, if it was one.
    played: The number of the table.
    ends_at: Until when it could be begun, in seconds since 1970.
    score: How many points ahead; ``None`` until the game is over, and for those that ended otherwise.
    streak: How many days the user's streak has that ends with this daily: see `run_to`.
    deal: The number of the deal, from 0.
    side: The side of a match that it counts for.
    is_open: Whether the game goes on.
    is_hidden: Whether the user doesn't want to be shown.
    is_placed: Whether the user wants to have a place among their friends.
    is_hinted: Whether the user had a hint.
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
    is_placed: bool = False
    is_hinted: bool = False

    @property
    def is_computer(self) -> bool:
        """Whether a computer has played in place of a user."""
        return self.played is None

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


# ---- streaks

_DAY: Final = timedelta(days=1)
_REST_EVERY: Final = 7
"""One of so many days in a row may be missed."""
_A_STREAK: Final = 2
"""The fewest days that are called a streak."""


class Run(NamedTuple):
    """A streak: how many days were played, the first of them, and the days of rest, the latest first."""

    days: int
    first: date | None
    rests: tuple[date, ...]


def run_to(last: date, played: Container[date]) -> Run:
    """Return the streak that ends with a day.

    It is the longest stretch of days that ends there, begins with a day that was played, and lacks at most one day of
    any seven in a row. So it follows from the set of days alone.
    """
    days, first, rests, day = 0, None, list[date](), last
    while day in played or (days and day - _DAY in played and _may_rest(day, rests)):
        if day in played:
            days, first = days + 1, day
        else:
            rests.append(day)
        day -= _DAY
    return Run(days, first, tuple(rests))


def at_risk(day: date, played: frozenset[date]) -> int:
    """Return how many days the streak has that loses some if this day is missed; 0 if none does."""
    kept, tomorrow = run_to(day, played | {day}).days - 1, day + _DAY
    holds = day in played or run_to(tomorrow, played | {tomorrow}).days > kept
    return 0 if holds or kept < _A_STREAK else kept


def _may_rest(day: date, rests: list[date]) -> bool:
    return not rests or (rests[-1] - day).days >= _REST_EVERY
