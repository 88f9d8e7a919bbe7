"""When users want to be pinged, with quiet hours by their own clock: parsing, formatting, checking. Pure."""

import re
from typing import Final

from bot.errors import InvalidOption
from bot.store.preferences import UserSettings

_DAY: Final = 24 * 60
_HOURS: Final = re.compile(r"(\d{1,2})(?::?([0-5]\d))?\s*(?:-|–|to|until)\s*(\d{1,2})(?::?([0-5]\d))?")
_OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+\-−]?)\s*(\d{1,2})(?::?([0-5]\d))?")
_MAX_OFFSET: Final = 14 * 60
_MIN_OFFSET: Final = -12 * 60


def quiet_until(settings: UserSettings, at: float) -> float | None:
    """Return when the current quiet hours end, in seconds since 1970; ``None`` outside of quiet hours."""
    if settings.quiet is None:
        return None
    begins, ends = settings.quiet
    minute = (at / 60 + settings.utc_offset) % _DAY
    if (minute - begins) % _DAY >= (ends - begins) % _DAY:
        return None
    return at + (ends - minute) % _DAY * 60


def wants_ping(settings: UserSettings, at: float) -> bool:
    """Return whether the user may be pinged at that time."""
    return settings.pings and quiet_until(settings, at) is None


def read_quiet(text: str) -> tuple[int, int] | None:
    """Parse quiet hours such as ``22:00-8:00``, ``22-8`` or ``off``. Raises `InvalidOption`."""
    if text.strip().lower() in {"off", "none", "no"}:
        return None
    found = _HOURS.fullmatch(text.strip().lower())
    if found is not None:
        hours = [int(found[1]), int(found[3])]
        begins, ends = (hour * 60 + int(minute or 0) for hour, minute in zip(hours, (found[2], found[4]), strict=True))
        if max(hours) <= 24 and begins % _DAY != ends % _DAY and max(begins, ends) <= _DAY:
            return begins % _DAY, ends % _DAY
    raise InvalidOption("Write quiet hours like 22:00-08:00, or off.")


def read_offset(text: str) -> int:
    """Parse a time zone such as ``+2``, ``-03:30`` or ``UTC+5:45`` to minutes ahead of UTC. Raises `InvalidOption`."""
    found = _OFFSET.fullmatch(text.strip().lower())
    if found is not None:
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        offset = minutes if found[1] in {"", "+"} else -minutes
        if _MIN_OFFSET <= offset <= _MAX_OFFSET:
            return offset
    raise InvalidOption("Write your time zone as hours from UTC, such as +2, -3:30 or 0.")


def clock_text(minute: int) -> str:
    """Format a minute of the day as ``22:00``."""
    return f"{minute // 60:02}:{minute % 60:02}"


def offset_text(offset: int) -> str:
    """Format minutes ahead of UTC as ``UTC+02:00``."""
    return f"UTC{'-' if offset < 0 else '+'}{clock_text(abs(offset))}"
