"""When users want to be pinged, with quiet hours by their own clock: parsing, formatting, checking. Pure."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from bot.errors import InvalidOption
from bot.games.typed import clean
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.store.preferences import Users
from bot.tables.time_zones import local_time
from bot.tables.typed_vocabulary import Translated, folded, vocabulary

_DAY: Final = 24 * 60
_HOUR: Final = r"(\d{1,2})(?:[:.h]?([0-5]\d))?h?"


def quiet_until(settings: UserSettings, at: float) -> float | None:
    """Return when the current quiet hours end, in seconds since 1970; ``None`` outside of quiet hours.

    Where clocks are put back, an end that comes twice ends them twice. One that is skipped comes an hour later.
    """
    if settings.quiet is None:
        return None
    begins, ends = settings.quiet
    now = local_time(settings, at)
    minute = now.hour * 60 + now.minute + (now.second + now.microsecond / 1e6) / 60
    if (minute - begins) % _DAY >= (ends - begins) % _DAY:
        return None
    day = now + timedelta(days=1) if ends <= minute else now
    end = day.replace(hour=ends // 60, minute=ends % 60, second=0, microsecond=0, fold=0)
    return end.timestamp() if end.timestamp() > at else end.replace(fold=1).timestamp()


def is_away(settings: UserSettings, at: float) -> bool:
    """Return whether the user is on holiday."""
    return settings.away_until is not None and at < settings.away_until


def unreachable_until(settings: UserSettings, at: float) -> float | None:
    """Return when the user's quiet hours or holidays end; ``None`` if they may be pinged now."""
    return settings.away_until if is_away(settings, at) else quiet_until(settings, at)


def wants_ping(settings: UserSettings, at: float) -> bool:
    """Return whether the user may be pinged at that time."""
    return settings.pings and unreachable_until(settings, at) is None


async def pingable(users: Users, user_ids: Iterable[int], at: float) -> tuple[int, ...]:
    """Return those of the users who may be pinged at that time."""
    return tuple([user_id for user_id in user_ids if wants_ping(await users.settings(user_id), at)])


def wants_digest(settings: UserSettings, table: Table) -> bool:
    """Return whether a digest tells the user about this table. Where seconds count, it would come too late."""
    return settings.digest and table.status == "playing" and table.clock != "live"


def read_quiet(text: str, translated: Translated) -> tuple[int, int] | None:
    """Parse quiet hours such as ``22:00-8:00``, ``22 to 8`` or ``off``, in English or another language.

    ``translated`` translates to that. Raises `InvalidOption`.
    """
    typed, spoken = folded(clean(text)), vocabulary(translated)
    if re.fullmatch(spoken.words("ends"), typed):
        return None
    found = re.fullmatch(rf"{_HOUR}\s*(?:-+|>|{spoken.words('until')})\s*{_HOUR}", typed)
    if found is not None:
        hours = [int(found[1]), int(found[3])]
        begins, ends = (hour * 60 + int(minute or 0) for hour, minute in zip(hours, (found[2], found[4]), strict=True))
        if max(hours) <= 24 and begins % _DAY != ends % _DAY and max(begins, ends) <= _DAY:
            return begins % _DAY, ends % _DAY
    raise InvalidOption("Write quiet hours like 22:00-08:00, or off.")


def clock_text(minute: int) -> str:
    """Format a minute of the day as ``22:00``."""
    return f"{minute // 60:02}:{minute % 60:02}"
