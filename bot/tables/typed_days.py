"""Days, as people type them in English and in German: ``fri``, ``next Monday``, ``24.12.``, ``dec 24``. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

_DATES: Final = tuple(
    map(
        re.compile,
        (
            r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
            r"(?P<day>\d{1,2})[. ](?P<month>\d{1,2})(?:[. ](?P<year>\d{4})|\.(?P<short>\d\d))?",
            r"(?P<day>\d{1,2})(?:st|nd|rd|th)? (?P<month>[a-zä]{3,9})(?: (?P<year>\d{4}))?",
            r"(?P<month>[a-zä]{3,9}) (?P<day>\d{1,2})(?:st|nd|rd|th)?(?: (?P<year>\d{4}))?",
        ),
    )
)
"""`clean` leaves only the space of ``24. 12.``."""
_MONTHS: Final = (
    *("january januar", "february februar", "march märz", "april", "may mai", "june juni", "july juli", "august"),
    *("september", "october oktober", "november", "december dezember"),
)
_YEARS: Final = range(1000, 9999)
_NEAR: Final = {
    **dict.fromkeys(("today", "tonight", "heute"), 0),
    **dict.fromkeys(("tomorrow", "morgen"), 1),
    **dict.fromkeys(("day after tomorrow", "übermorgen"), 2),
    **dict.fromkeys(("yesterday", "gestern"), -1),
}
_WEEKDAYS: Final = (
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
_NEXT: Final = frozenset(("next", "nächsten", "nächster", "nächste"))
_HALVES: Final = {
    **dict.fromkeys(("morning", "früh", "vormittag"), "morning"),
    **dict.fromkeys(("afternoon", "nachmittag"), "afternoon"),
    **dict.fromkeys(("evening", "night", "abend", "nacht"), "night"),
}


class Days(NamedTuple):
    """The days that words may mean, the first ones at the front, and the part of the day that they name.

    Parameters
    ----------
    part: ``morning``, ``afternoon`` or ``night``, if there is one.
    is_named: Whether there are words at all.
    is_open: Whether people disagree about which day that is, as for *next Friday*.
    """

    days: Sequence[datetime]
    part: str = ""
    is_named: bool = True
    is_open: bool = False


def days_of(words: Sequence[str], today: datetime) -> Days | None:
    """Return the days that these words may mean; ``None`` if they are no day."""
    if not words:
        return Days([today, today + timedelta(days=1)], is_named=False)
    if part := _HALVES.get(words[-1].removesuffix("s")):
        day = days_of(words[:-1], today)
        return day._replace(part=part) if day is not None and day.is_named else None
    text = " ".join(words)
    if text in _NEAR:
        return Days([today + timedelta(days=_NEAR[text])], "night" if text == "tonight" else "")
    is_next = words[0] in _NEXT
    if (weekday := _weekday(words[1:] if is_next else words)) is not None:
        ahead = (weekday - today.weekday() - is_next) % _WEEK + is_next
        return Days([today + timedelta(days=ahead + more) for more in (0, _WEEK)], is_open=is_next)
    days = _dates(text, today)
    return Days(days) if days else None


def _weekday(words: Sequence[str]) -> int | None:
    if len(words) != 1 or len(words[0]) < _SHORTEST:
        return None
    fitting = [number for number, names in enumerate(_WEEKDAYS) if any(name.startswith(words[0]) for name in names)]
    return fitting[-1] if fitting else None


def _dates(text: str, today: datetime) -> list[datetime]:
    """Return the days of a date: without a year, that of this year and the next one."""
    date = next((found for form in _DATES if (found := form.fullmatch(text))), None)
    if date is None:
        return []
    given = date.groupdict()
    year = given["year"] or (f"20{given['short']}" if given.get("short") else None)
    years = [int(year)] if year else [today.year, today.year + 1]
    month = _month(date["month"])
    return [day for year in years if (day := _date(today, year, month, int(date["day"]))) is not None]


def _month(text: str) -> int:
    """Return the number of a month; 0 if it is none."""
    if text.isdigit():
        return int(text)
    fitting = [nth for nth, names in enumerate(_MONTHS, 1) if any(name.startswith(text) for name in names.split())]
    return fitting[0] if fitting else 0


def _date(today: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return today.replace(year=year, month=month, day=day) if year in _YEARS else None
    except ValueError:
        return None
