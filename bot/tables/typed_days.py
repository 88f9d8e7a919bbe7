"""Days, as people type them: ``fri``, ``next Monday``, ``24.12.``, ``dec 24``. Pure.

The words come from a `Vocabulary`, and texts are as `in_figures` returns them.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from bot.errors import InvalidOption
from bot.tables.typed_vocabulary import Vocabulary, any_of
from bot.tables.typed_words import NEXT_WEEK

_NO_MONTH: Final = r"1[3-9]|2\d|3[01]"
_DATES: Final = tuple(
    map(
        re.compile,
        (
            r"(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
            r"(?P<day>\d{1,2})[. ](?P<month>\d{1,2})(?:[. ](?P<year>\d{4})|\.(?P<short>\d\d))?",
            r"(?P<day>\d{1,2})(?:th)? (?P<month>[a-z]{3,10})(?: (?P<year>\d{4}))?",
            r"(?P<month>[a-z]{3,10}) (?P<day>\d{1,2})(?:th)?(?: (?P<year>\d{4}))?",
            rf"(?P<day>{_NO_MONTH})[/](?P<month>\d{{1,2}})(?:[/](?P<year>\d{{4}}))?",
            rf"(?P<month>\d{{1,2}})[/](?P<day>{_NO_MONTH})(?:[/](?P<year>\d{{4}}))?",
            rf"(?P<day>{_NO_MONTH})-(?P<month>\d{{1,2}})-(?P<year>\d{{4}})",
        ),
    )
)
"""`clean` leaves only the space of ``24. 12.``. Slashes are read if one of the numbers can't be a month."""
_DAY_OF_MONTH: Final = re.compile(r"(\d{1,2})th")
_YEARS: Final = range(1000, 9999)
_TODAY: Final = 2
"""The entry of today among the days near by."""
_FEASTS: Final = ("24.12", "31.12")
_SHORTEST: Final = 2
"""Letters that suffice for a day of the week: *So* is Sunday in German."""
_SHORTEST_MONTH: Final = 3
_WEEK: Final = 7
_SUNDAY: Final = 6
_NEXT, _COMING, _LAST = range(3)
_PARTS: Final = ("morning", "afternoon", "night")
_ALONE: Final = (*_PARTS, "nights")
"""Parts of whichever day comes."""
_NIGHTS: Final = frozenset(("night", "nights"))


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


def days_of(words: Sequence[str], today: datetime, spoken: Vocabulary) -> Days | None:
    """Return the days that these words may mean; ``None`` if they are no day.

    Raises `InvalidOption` if the day of the week isn't that of the date.
    """
    text = " ".join(words)
    if not text or is_alone(text, spoken):
        part = _part(text, spoken).removesuffix("s")
        return Days([today + timedelta(days=ahead) for ahead in (-1, 0, 1)], part, is_named=False)
    part = _part(words[-1], spoken)
    return _part_of_day(words, part, today, spoken) if part and len(words) > 1 else _whole_days(words, today, spoken)


def _part_of_day(words: Sequence[str], part: str, today: datetime, spoken: Vocabulary) -> Days | None:
    """Return the part that the last word names of the days of the others; ``None`` if these are no day."""
    day = days_of(words[:-1], today, spoken)
    return _in_part(day, part, today) if day is not None and day.is_named else None


def _whole_days(words: Sequence[str], today: datetime, spoken: Vocabulary) -> Days | None:
    text = " ".join(words)
    named = _days_of_week(words, today, spoken) or _next_week(words, today, spoken) or _later(text, today, spoken)
    if named is not None:
        return named
    days = _dated(text, today, spoken) or _with_weekday(words, today, spoken)
    return Days(days) if days else None


def is_alone(word: str, spoken: Vocabulary) -> bool:
    """Whether a word is a part of whichever day comes."""
    return spoken.entry("alone", word) is not None


def _part(word: str, spoken: Vocabulary) -> str:
    """Return the part of the day that a word names after a day; empty if it names none."""
    if (alone := spoken.entry("alone", word)) is not None:
        return _ALONE[alone]
    part = next(
        (nth for each in (word, word.removesuffix("s")) if (nth := spoken.entry("parts", each)) is not None), None
    )
    return "" if part is None else _PARTS[part]


def _in_part(day: Days, part: str, today: datetime) -> Days:
    """Return a part of a day. After midnight, *tonight at 1* may be of the night before, and so is *Friday night*."""
    if part not in _NIGHTS:
        return day._replace(part=part)
    if list(day.days) == [today]:
        return Days([today - timedelta(days=1), today], part, is_open=True)
    before = [] if day.is_open else [day.days[0] - timedelta(days=_WEEK)] * (len(day.days) > 1)
    return day._replace(part=part, days=[*before, *day.days])


def _days_of_week(words: Sequence[str], today: datetime, spoken: Vocabulary) -> Days | None:
    """Return the days of ``fri``, ``next fri``, ``coming fri`` or ``last fri``; in other languages *fri next*, too."""
    which = [nth for word in words if (nth := spoken.entry("which", word)) is not None]
    weekday = _weekday([word for word in words if spoken.entry("which", word) is None], spoken)
    if weekday is None or len(which) > 1:
        return None
    is_later, is_last = which in ([_NEXT], [_COMING]), which == [_LAST]
    ahead = (weekday - today.weekday() - is_later) % _WEEK + is_later
    if is_last:
        return Days([today + timedelta(days=ahead - _WEEK)])
    return Days([today + timedelta(days=ahead + more) for more in (0, _WEEK)], is_open=which == [_NEXT])


def _weekday(words: Sequence[str], spoken: Vocabulary) -> int | None:
    return spoken.begun("weekdays", words[0], _SHORTEST) if len(words) == 1 else None


def _next_week(words: Sequence[str], today: datetime, spoken: Vocabulary) -> Days | None:
    """Return a day of the week after this one, which begins on Monday, or for some on Sunday."""
    found = next((word for word in words if word in NEXT_WEEK), None)
    weekday = _weekday([word for word in words if word != found], spoken) if found else None
    if found is None or weekday is None:
        return None
    day = today + timedelta(days=_WEEK - today.weekday() + weekday)
    if found == NEXT_WEEK[0] or (today.weekday() == _SUNDAY) == (weekday == _SUNDAY):
        return Days([day])
    return Days([day, day + timedelta(days=_WEEK if today.weekday() == _SUNDAY else -_WEEK)], is_open=True)


def _later(text: str, today: datetime, spoken: Vocabulary) -> Days | None:
    """Return the day of ``in 3 days``, or of ``fri in a week``."""
    found = _later_pattern(spoken).search(text)
    if found is None or found.end() < len(text):
        return None
    number = int(found["number"]) if found["number"].isdigit() else 1
    ahead = timedelta(days=number * (_WEEK if found["weeks"] else 1))
    before = text[: found.start()].split()
    if not before:
        return Days([today + ahead])
    is_near = spoken.entry("near", before[0]) is not None
    first = _days_of_week(before, today, spoken) or Days(_dated(" ".join(before), today, spoken) if is_near else [])
    return Days([first.days[0] + ahead]) if first.days and not first.is_open else None


@lru_cache(maxsize=16)
def _later_pattern(spoken: Vocabulary) -> re.Pattern[str]:
    """Return the pattern of ``in 3 days``, of whose first words only some may be left."""
    before = any_of({each for words in spoken.words("around").split("|") for each in words.split("\\ ")})
    days, weeks, one = spoken.words("units", 1), spoken.words("units"), spoken.words("one")
    return re.compile(rf"(?:\b(?:{before}) ){{0,3}}\b(?P<number>\d{{1,2}}|{one}) (?:(?:{days})|(?P<weeks>{weeks}))\b")


def _dated(text: str, today: datetime, spoken: Vocabulary) -> list[datetime]:
    """Return the days of a date, or of a word for a day near by."""
    if (near := spoken.entry("near", text)) is not None:
        return [today + timedelta(days=near - _TODAY)]
    if of_month := _DAY_OF_MONTH.fullmatch(text):
        months = [(today.year + (today.month + ahead) // 12, (today.month + ahead) % 12 + 1) for ahead in (-1, 0, 1, 2)]
        dates = [_date(today, year, month, int(of_month[1])) for year, month in months]
        return [date for date in dates if date is not None]
    feast = spoken.entry("feasts", text)
    return _dates(text if feast is None else _FEASTS[feast], today, spoken)


def _with_weekday(words: Sequence[str], today: datetime, spoken: Vocabulary) -> list[datetime]:
    """Return the day of a date with its day of the week, before or after it."""
    for weekday, rest in ((words[:1], words[1:]), (words[-1:], words[:-1])):
        wanted, days = _weekday(weekday, spoken), _dated(" ".join(rest), today, spoken)
        if wanted is None or not days:
            continue
        day = next((each for each in days if each >= today), days[-1])
        if day.weekday() == wanted:
            return [day]
        raise InvalidOption("{date} is another day of the week.", date=f"{day:%Y-%m-%d}")
    return []


def _dates(text: str, today: datetime, spoken: Vocabulary) -> list[datetime]:
    """Return the days of a date: without a year, that of this year and the next one."""
    date = next((found for form in _DATES if (found := form.fullmatch(text))), None)
    if date is None:
        return []
    given = date.groupdict()
    year = given["year"] or (f"20{given['short']}" if given.get("short") else None)
    years = [int(year)] if year else [today.year, today.year + 1]
    month = _month(date["month"], spoken)
    return [day for year in years if (day := _date(today, year, month, int(date["day"]))) is not None]


def _month(text: str, spoken: Vocabulary) -> int:
    """Return the number of a month; 0 if it is none."""
    if text.isdigit():
        return int(text)
    month = spoken.begun("months", text, _SHORTEST_MONTH)
    return 0 if month is None else month + 1


def _date(today: datetime, year: int, month: int, day: int) -> datetime | None:
    try:
        return today.replace(year=year, month=month, day=day) if year in _YEARS else None
    except ValueError:
        return None
