"""Days, as people type them in English and in German: ``fri``, ``next Monday``, ``24.12.``, ``dec 24``. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.errors import InvalidOption

_NO_MONTH: Final = r"1[3-9]|2\d|3[01]"
_DATES: Final = tuple(
    map(
        re.compile,
        (
            r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
            r"(?P<day>\d{1,2})[. ](?P<month>\d{1,2})(?:[. ](?P<year>\d{4})|\.(?P<short>\d\d))?",
            r"(?P<day>\d{1,2})(?:st|nd|rd|th)? (?P<month>[a-zä]{3,9})(?: (?P<year>\d{4}))?",
            r"(?P<month>[a-zä]{3,9}) (?P<day>\d{1,2})(?:st|nd|rd|th)?(?: (?P<year>\d{4}))?",
            rf"(?P<day>{_NO_MONTH})[/](?P<month>\d{{1,2}})(?:[/](?P<year>\d{{4}}))?",
            rf"(?P<month>\d{{1,2}})[/](?P<day>{_NO_MONTH})(?:[/](?P<year>\d{{4}}))?",
            rf"(?P<day>{_NO_MONTH})-(?P<month>\d{{1,2}})-(?P<year>\d{{4}})",
        ),
    )
)
"""`clean` leaves only the space of ``24. 12.``. Slashes are read if one of the numbers can't be a month."""
_DAY_OF_MONTH: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
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
    **dict.fromkeys(("day before yesterday", "vorgestern"), -2),
}
_FEASTS: Final = {
    **dict.fromkeys(("christmas eve", "heiligabend"), "24.12"),
    **dict.fromkeys(("new year's eve", "new years eve", "silvester"), "31.12"),
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
_SUNDAY: Final = 6
_NEXT: Final = frozenset(("next", "nächsten", "nächster", "nächste"))
_COMING: Final = frozenset(("coming", "kommenden", "kommender"))
_LAST: Final = frozenset(("last", "letzten", "letzter"))
_NEXT_WEEK: Final = re.compile(r"(?:in )?(?:next week|nächsten? woche)")
_LATER: Final = re.compile(r"(?:in )?(\d{1,2}|an?|one|eine[rm]?) (days?|tage?n?|weeks?|wochen?)")
_HALVES: Final = {
    **dict.fromkeys(("morning", "morgen", "früh", "vormittag"), "morning"),
    **dict.fromkeys(("afternoon", "nachmittag"), "afternoon"),
    **dict.fromkeys(("evening", "night", "abend", "nacht"), "night"),
}
_NIGHTS: Final = frozenset(("night", "nights"))
ALONE: Final = {"morgens": "morning", "vormittags": "morning", "nachmittags": "afternoon"} | dict.fromkeys(
    ("abends", "nachts"), "night"
)
"""Parts of whichever day comes."""


class Days(NamedTuple):
    """The days that words may mean, the first ones at the front, and the part of the day that they name.

    Parameters
    ----------
    part: ``morning``, ``afternoon`` or ``night``, if there is one; ``nights`` if it may be the night before the day.
    is_named: Whether there are words for a day at all.
    is_open: Whether people disagree about which day that is, as for *next Friday*.
    """

    days: Sequence[datetime]
    part: str = ""
    is_named: bool = True
    is_open: bool = False


def days_of(words: Sequence[str], today: datetime) -> Days | None:
    """Return the days that these words may mean; ``None`` if they are no day.

    Raises `InvalidOption` if the day of the week isn't that of the date.
    """
    text = " ".join(words)
    if text in {"", *ALONE}:
        return Days([today + timedelta(days=ahead) for ahead in (-1, 0, 1)], ALONE.get(text, ""), is_named=False)
    if text == "tonight":
        return _in_part(Days([today]), "night", today)
    if len(words) > 1 and words[-1].removesuffix("s") in _HALVES:
        return _part_of_day(words, today)
    named = _days_of_week(words, today) or _next_week(text, today) or _later(text, today)
    if named is not None:
        return named
    days = _dated(text, today) or _with_weekday(words, today)
    return Days(days) if days else None


def _part_of_day(words: Sequence[str], today: datetime) -> Days | None:
    """Return the part that the last word names of the days of the others; ``None`` if these are no day."""
    day = days_of(words[:-1], today)
    part = "nights" if words[-1] == "nachts" else _HALVES[words[-1].removesuffix("s")]
    return _in_part(day, part, today) if day is not None and day.is_named else None


def _in_part(day: Days, part: str, today: datetime) -> Days:
    """Return a part of a day. After midnight, *tonight at 1* may be of the night before, and so is *Friday night*."""
    if part not in _NIGHTS:
        return day._replace(part=part)
    if list(day.days) == [today]:
        return Days([today - timedelta(days=1), today], part, is_open=True)
    before = [] if day.is_open else [day.days[0] - timedelta(days=_WEEK)] * (len(day.days) > 1)
    return day._replace(part=part, days=[*before, *day.days])


def _days_of_week(words: Sequence[str], today: datetime) -> Days | None:
    """Return the days of ``fri``, ``next fri``, ``coming fri`` or ``last fri``."""
    first = words[0]
    is_later, is_last = first in _NEXT | _COMING, first in _LAST
    weekday = _weekday(words[1:] if is_later or is_last else words)
    if weekday is None:
        return None
    ahead = (weekday - today.weekday() - is_later) % _WEEK + is_later
    if is_last:
        return Days([today + timedelta(days=ahead - _WEEK)])
    return Days([today + timedelta(days=ahead + more) for more in (0, _WEEK)], is_open=first in _NEXT)


def _weekday(words: Sequence[str]) -> int | None:
    if len(words) != 1 or len(words[0]) < _SHORTEST:
        return None
    fitting = [number for number, names in enumerate(_WEEKDAYS) if any(name.startswith(words[0]) for name in names)]
    return fitting[-1] if fitting else None


def _next_week(text: str, today: datetime) -> Days | None:
    """Return a day of the week after this one, which begins on Monday, or for some on Sunday."""
    found = _NEXT_WEEK.search(text)
    weekday = _weekday(text.replace(found[0], "").split()) if found else None
    if found is None or weekday is None:
        return None
    day = today + timedelta(days=_WEEK - today.weekday() + weekday)
    if "week" not in found[0] or (today.weekday() == _SUNDAY) == (weekday == _SUNDAY):
        return Days([day])
    return Days([day, day + timedelta(days=_WEEK if today.weekday() == _SUNDAY else -_WEEK)], is_open=True)


def _later(text: str, today: datetime) -> Days | None:
    """Return the day of ``in 3 days``, or of ``fri in a week``."""
    found = _LATER.search(text)
    if found is None or found.end() < len(text):
        return None
    number = int(found[1]) if found[1].isdigit() else 1
    ahead = timedelta(days=number * (_WEEK if found[2].startswith("w") else 1))
    before = text[: found.start()].split()
    if not before:
        return Days([today + ahead])
    first = _days_of_week(before, today) or Days(_dated(" ".join(before), today) if before[0] in _NEAR else [])
    return Days([first.days[0] + ahead]) if first.days and not first.is_open else None


def _dated(text: str, today: datetime) -> list[datetime]:
    """Return the days of a date, or of a word for a day near by."""
    if text in _NEAR:
        return [today + timedelta(days=_NEAR[text])]
    if of_month := _DAY_OF_MONTH.fullmatch(text):
        months = [(today.year + (today.month + ahead) // 12, (today.month + ahead) % 12 + 1) for ahead in (-1, 0, 1, 2)]
        dates = [_date(today, year, month, int(of_month[1])) for year, month in months]
        return [date for date in dates if date is not None]
    return _dates(_FEASTS.get(text, text), today)


def _with_weekday(words: Sequence[str], today: datetime) -> list[datetime]:
    """Return the day of a date with its day of the week, before or after it."""
    for weekday, rest in ((words[:1], words[1:]), (words[-1:], words[:-1])):
        wanted, days = _weekday(weekday), _dated(" ".join(rest), today)
        if wanted is None or not days:
            continue
        day = next((each for each in days if each >= today), days[-1])
        if day.weekday() == wanted:
            return [day]
        raise InvalidOption("{date} is another day of the week.", date=f"{day:%Y-%m-%d}")
    return []


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
