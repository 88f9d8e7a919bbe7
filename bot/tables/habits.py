"""When a user wants to be pinged: quiet hours by his own clock, read, written and asked. Pure."""

import re
from typing import Final

from bot.errors import InvalidOption
from bot.store.records import Habits

_DAY: Final = 24 * 60
_HOURS: Final = re.compile(r"(\d{1,2})(?::?([0-5]\d))?\s*(?:-|–|to|until)\s*(\d{1,2})(?::?([0-5]\d))?")
_OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+\-−]?)\s*(\d{1,2})(?::?([0-5]\d))?")
_MOST_AHEAD: Final = 14 * 60
_MOST_BEHIND: Final = -12 * 60


def quiet_until(habits: Habits, at: float) -> float | None:
    """When the user's quiet hours end, in seconds since 1970; ``None`` if it isn't quiet at that time."""
    if habits.quiet is None:
        return None
    begins, ends = habits.quiet
    minute = (at / 60 + habits.utc_offset) % _DAY
    if (minute - begins) % _DAY >= (ends - begins) % _DAY:
        return None
    return at + (ends - minute) % _DAY * 60


def wants_ping(habits: Habits, at: float) -> bool:
    """Whether the user may be pinged at that time."""
    return habits.pings and quiet_until(habits, at) is None


def read_quiet(text: str) -> tuple[int, int] | None:
    """Quiet hours as people type them: ``22:00-8:00``, ``22-8``; ``off`` for none. Raises `InvalidOption`."""
    if text.strip().lower() in {"off", "none", "no"}:
        return None
    found = _HOURS.fullmatch(text.strip().lower())
    if found is not None:
        hours = [int(found[1]), int(found[3])]
        begins, ends = (hour * 60 + int(minute or 0) for hour, minute in zip(hours, (found[2], found[4]), strict=True))
        if max(hours) <= 24 and begins % _DAY != ends % _DAY and max(begins, ends) <= _DAY:
            return begins % _DAY, ends % _DAY
    raise InvalidOption("Quiet hours are written as 22:00-08:00, or off.")


def read_offset(text: str) -> int:
    """A time zone as minutes ahead of UTC, from ``+2``, ``-03:30`` or ``UTC+5:45``. Raises `InvalidOption`."""
    found = _OFFSET.fullmatch(text.strip().lower())
    if found is not None:
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        offset = minutes if found[1] in {"", "+"} else -minutes
        if _MOST_BEHIND <= offset <= _MOST_AHEAD:
            return offset
    raise InvalidOption("A time zone is written as what your clock is ahead of UTC: +2, -03:30 or 0.")


def clock_text(minute: int) -> str:
    """A minute of the day as ``22:00``."""
    return f"{minute // 60:02}:{minute % 60:02}"


def offset_text(offset: int) -> str:
    """Minutes ahead of UTC as ``UTC+02:00``."""
    return f"UTC{'-' if offset < 0 else '+'}{clock_text(abs(offset))}"
