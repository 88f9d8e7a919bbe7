"""Times to come, as people type them: when a game night begins, and how long somebody is away. Pure."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from typing import Final

from bot.errors import InvalidOption
from bot.games.typed import clean
from bot.store.preferences import UserSettings
from bot.tables.absence.deadlines import DAY, HOUR
from bot.tables.time_zones import local_time

_IN: Final = re.compile(r"in (\d{1,3}) ?(min|minutes?|minuten|m|h|hours?|stunden?|days?|d|tage?n?)")
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "s": timedelta(hours=1)}
_DAY_UNITS: Final = ("d", "t")
_TIME: Final = re.compile(
    r"(?:at |um )?(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))? ?(?P<half>[ap]\.?m)?(?: ?uhr|h)?"
)
_ISO: Final = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_DOTTED: Final = re.compile(r"(?P<day>\d{1,2})[. ](?P<month>\d{1,2})[. ]?(?P<year>\d{4})?")
"""`clean` leaves only the space of ``24. 12.``."""
_TODAY: Final = {"": 0, "today": 0, "tonight": 0, "heute": 0, "tomorrow": 1, "morgen": 1}
_DAYS: Final = (
    ("mondays", "montags"),
    ("tuesdays", "dienstags"),
    ("wednesdays", "weds", "mittwochs"),
    ("thursdays", "donnerstags"),
    ("fridays", "freitags"),
    ("saturdays", "samstags", "sonnabends"),
    ("sundays", "sonntags"),
)
"""The days of the week in English and in German, of which the first two letters suffice: *So* is Sunday."""
_SHORTEST: Final = 2
_WEEK: Final = 7
_LENGTH: Final = re.compile(r"(\d{1,2}) ?(d|days?|tage?|w|weeks?|wochen?)")
_ENDS: Final = frozenset({"off", "none", "no", "now", "back", "aus"})


def read_when(text: str, zone: tzinfo, now: float) -> float:
    """Parse ``20:00``, ``fri 8pm``, ``tomorrow 20:00``, ``2026-12-24 18:30``, ``24.12. 18:30`` or ``in 2 hours``.

    Without a day it is the next time of that hour. Raises `InvalidOption`.
    """
    typed, today = clean(text.replace(",", " ")).lower(), datetime.fromtimestamp(now, zone)
    if length := _IN.fullmatch(typed):
        unit = timedelta(days=1) if length[2].startswith(_DAY_UNITS) else _UNITS[length[2][0]]
        return now + int(length[1]) * unit.total_seconds()
    for day_text, time in _splits(typed):
        if (days := _days(day_text, today)) and (at := _first(days, time, today)) is not None:
            return at
    raise InvalidOption("Write a time such as 20:00, fri 20:00 or 2026-12-24 18:30.")


def _splits(typed: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield each way to read the end of the text as a time, with what is before it."""
    words = typed.split(" ")
    for count in (1, 2, 3):
        if count <= len(words) and (time := _TIME.fullmatch(" ".join(words[-count:]))):
            yield " ".join(words[:-count]), time


def _weekday(text: str) -> int | None:
    if len(text) < _SHORTEST:
        return None
    fitting = [number for number, names in enumerate(_DAYS) if any(name.startswith(text) for name in names)]
    return fitting[-1] if fitting else None


def _days(text: str, today: datetime) -> list[datetime]:
    """Return the days that the text may mean, the first ones at the front; none if it is no day."""
    if text in _TODAY:
        first = _TODAY[text]
        return [today + timedelta(days=first + more) for more in range(1 if text else 2)]
    if date := _ISO.fullmatch(text) or _DOTTED.fullmatch(text):
        years = [int(date["year"])] if date["year"] else [today.year, today.year + 1]
        return [day for year in years if (day := _date(today, year, int(date["month"]), int(date["day"])))]
    weekday = _weekday(text)
    if weekday is None:
        return []
    ahead = (weekday - today.weekday()) % _WEEK
    return [today + timedelta(days=ahead), today + timedelta(days=ahead + _WEEK)]


def _date(today: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return today.replace(year=year, month=month, day=day)
    except ValueError:
        return None


def _first(days: list[datetime], time: re.Match[str], today: datetime) -> float | None:
    """Return the first of these times that is to come, ``None`` if it is no time of a day or all are over."""
    hour = int(time["hour"])
    if time["half"]:
        hour = hour % 12 + (12 if time["half"][0] == "p" else 0) if hour <= 12 else 24
    if hour > 23:
        return None
    times = [day.replace(hour=hour, minute=int(time["minute"] or 0), second=0, microsecond=0, fold=0) for day in days]
    return next((each.timestamp() for each in times if each.timestamp() > today.timestamp()), None)


def read_away(text: str, settings: UserSettings, now: float) -> float | None:
    """Parse ``2026-12-24``, ``24.12.`` or ``5 days`` to the end of a holiday; ``off`` to ``None``.

    A holiday includes its last day, by the user's clock. Raises `InvalidOption`.
    """
    typed = clean(text).lower()
    if typed in _ENDS:
        return None
    if length := _LENGTH.fullmatch(typed):
        until = now + int(length[1]) * DAY * (7 if length[2][0] == "w" else 1)
    elif date := _ISO.fullmatch(typed) or _DOTTED.fullmatch(typed):
        until = _end_of(date, local_time(settings, now))
    else:
        raise _unreadable()
    if until < now + HOUR:
        raise InvalidOption("That day is over. Write one to come, such as 2026-12-24.")
    return until


def _end_of(date: re.Match[str], today: datetime) -> float:
    """Return when a day ends; without a year, the next one of that date."""
    try:
        day = today.replace(
            year=int(date["year"] or today.year),
            month=int(date["month"]),
            day=int(date["day"]),
            hour=0,
            minute=0,
            second=0,
            microsecond=0,
            fold=0,
        )
        if date["year"] is None and day.date() < today.date():
            day = day.replace(year=today.year + 1)
        return (day + timedelta(days=1)).timestamp()
    except (ValueError, OverflowError):
        raise _unreadable() from None


def _unreadable() -> InvalidOption:
    return InvalidOption("Write how long you're away: 2026-12-24, 5 days, or off.")
