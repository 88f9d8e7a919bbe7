"""Times to come, as people type them: when a game night begins, and until when somebody is away. Pure.

Libraries misread days: dateparser takes ``friday at 8`` for a day in August, and ``1.5.`` for the 5th of January.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from bot.errors import InvalidOption
from bot.games.typed import clean
from bot.records.preference import UserSettings
from bot.tables.absence.deadlines import HOUR
from bot.tables.time_zones import local_time
from bot.tables.typed_days import Days, days_of, is_alone
from bot.tables.typed_vocabulary import Translated, Vocabulary, any_of, folded, vocabulary
from bot.tables.typed_words import in_figures

_STAMP: Final = re.compile(r"<t:(\d{1,11})(?::[a-z])?>")
"""Discord's own form of a moment: https://discord.com/developers/docs/reference#message-formatting."""
_ISO_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?|\d{8}t\d{4}(?:\d\d)?z?"
)
_UNITS: Final = (timedelta(weeks=1), timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(minutes=1))
_CLOCK_HOUR: Final = re.compile(r"(?:1[3-9]|2[0-3])h(?:[0-5]\d)?")
"""``20h`` is a time of the day where people write it like that, but ``2h`` is in two hours."""

_MERIDIAN: Final = re.compile(r"\b((?:0?[1-9]|1[0-2])(?:[:.][0-5]\d)?) ?([ap])\.? ?m\b\.?")

_TIME: Final = re.compile(r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d)|h)?(?P<half>[ap])?")
_HALF_DAY: Final = 12 * 60
_WHOLE_DAY: Final = 24 * 60
_BY_NAME: Final = {
    "noon": (_HALF_DAY,),
    "midnight": (_WHOLE_DAY, 0),
}
_NIGHT_ENDS: Final = 5 * 60
"""*Tonight at 1* is tomorrow."""

_DATE_ALONE: Final = re.compile(r"\s*\d{1,2}\.\s*\d{1,2}\.\s*")
"""``12.10.`` is a date, though ``12.10`` is a time."""

_Groups = Sequence[Sequence[float]]
"""The moments that a text may mean: those of the first day that isn't over count."""


class Moment(NamedTuple):
    """A time that somebody typed, in seconds since 1970, and another one that they may have meant."""

    at: float
    other: float | None = None


def read_when(text: str, zone: tzinfo, now: float, translated: Translated) -> Moment:
    """Parse ``20:00``, ``fri 8pm``, ``24.12. 18:30``, ``8pm dec 24``, ``<t:…>``, ``2h`` or ``in 2 hours``.

    The words are those of the language to which ``translated`` translates, and English. Without a day it is the next
    time of that hour. Raises `InvalidOption`, also for times that are over.
    """
    moments = _moments(text, zone, now, vocabulary(translated))
    if not moments:
        raise InvalidOption("Write a time such as 20:00, fri 20:00 or 2026-12-24 18:30.")
    return _to_come(moments, now)


def read_away(text: str, settings: UserSettings, now: float, translated: Translated) -> Moment | None:
    """Parse the end of a holiday: a day, which it includes, or what `read_when` reads; ``None`` for ``off``.

    Raises `InvalidOption`, also for times that are over.
    """
    spoken = vocabulary(translated)
    if spoken.is_one_of("ends", folded(clean(text))):
        return None
    today = local_time(settings, now)
    zone = today.tzinfo
    assert zone is not None  # noqa: S101 - local times have a zone
    day = days_of(_words(text, spoken), today, spoken)
    if day is not None and day.is_named and not day.part and _length(_tidied(text, spoken), spoken) is None:
        groups = _groups(day, (_WHOLE_DAY,), today)
    else:
        groups = _moments(text, zone, now, spoken)
    if not groups:
        raise InvalidOption("Write how long you're away: 2026-12-24, 5 days, fri 20:00, or off.")
    moment = _to_come(groups, now)
    if moment.at < now + HOUR:
        raise InvalidOption("That's {when}. Write a time that is at least an hour away.", when=f"<t:{moment.at:.0f}:F>")
    return moment


def other_text(moment: Moment, zone: tzinfo) -> tuple[str, str]:
    """Return the moment that was taken and the other one, as short as tells them apart: ``08:00`` and ``20:00``."""
    both = [datetime.fromtimestamp(at, zone) for at in (moment.at, moment.other or moment.at)]
    form = "%H:%M" if both[0].date() == both[1].date() else "%Y-%m-%d %H:%M"
    if f"{both[0]:{form}}" == f"{both[1]:{form}}":  # the hour that there is twice when clocks are put back
        form = "%H:%M %Z"
    return f"{both[0]:{form}}", f"{both[1]:{form}}"


def _to_come(groups: _Groups, now: float) -> Moment:
    """Return what is to come of the first group that isn't over. Raises `InvalidOption` if all are."""
    for group in groups:
        if left := list(dict.fromkeys(at for at in group if at > now)):
            return Moment(*left[:2])
    raise InvalidOption("{when} is over. Write a time to come.", when=f"<t:{groups[-1][-1]:.0f}:F>")


# ---- what the text may mean


def _moments(text: str, zone: tzinfo, now: float, spoken: Vocabulary) -> _Groups:
    """Return the moments that a text may mean; none if it is unreadable."""
    typed, today = _tidied(text, spoken), datetime.fromtimestamp(now, zone)
    if stamp := _STAMP.fullmatch(typed.rpartition(" ")[2]):
        return [[float(stamp[1])]]
    iso = re.sub(r" ?utc$", "z", typed).replace(" +", "+").replace(" z", "z")
    if _ISO_MOMENT.fullmatch(iso):
        return _of_iso(iso, zone)
    length = _length(typed, spoken)
    if length is not None and not _is_clock(typed, spoken):
        return [[now + length.total_seconds()]]
    if _DATE_ALONE.fullmatch(text):
        return []
    for time, words in _splits(_words(text, spoken), spoken):
        day = days_of(words, today, spoken)
        readings = _readings(time, day.part, is_named=day.is_named) if day is not None else ()
        if day is not None and readings:
            groups = _groups(day, readings, today)
            return groups if length is None else [[*groups[0], now + length.total_seconds()]]
    return []


def _is_clock(typed: str, spoken: Vocabulary) -> bool:
    """Whether a length of time is a time of the day in the language: *8h* in French, and *20h* in all."""
    of_clock = re.fullmatch(rf"\d{{1,2}} ?(?:{spoken.words('o_clock')})(?: ?[0-5]\d)?", typed)
    return bool(of_clock or _CLOCK_HOUR.fullmatch(typed))


def _of_iso(typed: str, zone: tzinfo) -> _Groups:
    try:
        moment = datetime.fromisoformat(typed.upper())
        return [_on_clocks(moment.replace(tzinfo=zone)) if moment.tzinfo is None else [moment.timestamp()]]
    except (ValueError, OverflowError):
        return []


def _length(typed: str, spoken: Vocabulary) -> timedelta | None:
    found = _length_pattern(spoken).fullmatch(typed)
    if found is None or not any(found.groups()):
        return None
    numbers = [0.0 if part is None else float(part) if part[0].isdigit() else 1.0 for part in found.groups()]
    return sum([number * unit for number, unit in zip(numbers, _UNITS, strict=True)], timedelta())


@lru_cache(maxsize=16)
def _length_pattern(spoken: Vocabulary) -> re.Pattern[str]:
    number = rf"(\d{{1,3}}(?:\.5)? ?|(?:{spoken.words('one')}) )"
    week, day, hour, minute = (spoken.words("units", nth) for nth in range(4))
    return re.compile(
        rf"(?:(?:{spoken.words('around')}) )?(?:{number}(?:{week}))? ?(?:{number}(?:{day}))?"
        rf" ?(?:{number}(?:{hour}))? ?(?:(?:{spoken.words('around', 2)}) )?"
        rf"(?:{number}(?:{minute})|(?:(?<=h)|(?<=h ))([0-5]\d))?"
    )


def _words(text: str, spoken: Vocabulary) -> Sequence[str]:
    """Return the words that matter, with a time in one of them: ``8p`` for ``at 8:00 p.m.``."""
    typed = _with_meridian(_tidied(text, spoken), spoken)
    o_clock = spoken.words("o_clock")
    typed = re.sub(rf"\b(\d{{1,2}}) ?(?:{o_clock}) ?([0-5]\d)\b", r"\1:\2", typed)
    typed = re.sub(rf"(?<=\d) ?(?:{o_clock})(?!\w)", "", typed)
    return [word for word in (each.strip(".?") for each in typed.split(" ")) if word and word not in spoken.fillers]


def _with_meridian(typed: str, spoken: Vocabulary) -> str:
    """Return the text with ``8a`` for *8 a.m.*, unless *am* stands before a day: *um 12 am Freitag* is German."""
    for words in spoken.languages:
        at, on = words["fillers"][:2]
        if "am" in on and re.search(rf"\b(?:{any_of(at)})\b", typed):
            return typed
    return _MERIDIAN.sub(r"\1\2", typed)


def _tidied(text: str, spoken: Vocabulary) -> str:
    separator = rf",(?!5 ?(?:{spoken.words('units', 2)})\b)"
    return in_figures(clean(re.sub(separator, " ", folded(text))), spoken)


def _splits(words: Sequence[str], spoken: Vocabulary) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the last word, then the first one, as the time, with the words of the day."""
    if len(words) > 1 and is_alone(words[-1], spoken):  # "Freitag 8 Uhr abends"
        yield words[-2], [*words[:-2], words[-1]]
    if words:
        yield words[-1], words[:-1]
        yield words[0], words[1:]


def _readings(time: str, part: str, *, is_named: bool) -> tuple[int, ...]:
    """Return the minutes after midnight that a time may mean, that of a clock with 24 hours at the front.

    On a named day, *12 am* may be the midnight with which it begins or ends, and *1 Uhr nachts* of its night or before.
    """
    if time in _BY_NAME:
        return _BY_NAME[time]
    minutes = _minutes(time)
    if minutes is None:
        return ()
    if part:
        at = _in_part(minutes, part.removesuffix("s"))
        return (at, at - _WHOLE_DAY) if part == "nights" and at >= _WHOLE_DAY and is_named else (at,)
    if time == "12a" and is_named:
        return 0, _WHOLE_DAY
    return (minutes, minutes + _HALF_DAY) if _may_be_afternoon(time, minutes) else (minutes,)


def _may_be_afternoon(time: str, minutes: int) -> bool:
    """Whether a time without a half of the day may be of the afternoon: *8*, not *08:00*."""
    return 60 <= minutes < _HALF_DAY and not time.startswith("0") and not time.endswith(("a", "p"))


def _minutes(time: str) -> int | None:
    """Return the minutes after midnight, up to those of the whole day; ``None`` if it is no time.

    ``a`` or ``p`` at the end is of a clock with 12 hours.
    """
    found = _TIME.fullmatch(time)
    if found is None:
        return None
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    at = 60 * hour + minute if half is None else 60 * (hour % 12) + minute + (_HALF_DAY if half == "p" else 0)
    return at if at <= _WHOLE_DAY else None


def _in_part(minutes: int, part: str) -> int:
    """Return the minutes after midnight in a part of the day: *8* in the evening is 20:00."""
    if part == "night" and minutes < _NIGHT_ENDS:
        return minutes + _WHOLE_DAY
    first_after = {"night": _HALF_DAY + 60, "afternoon": _HALF_DAY}.get(part, 0)  # *12* at night is midnight
    return minutes + _HALF_DAY if minutes < first_after else minutes


def _groups(day: Days, readings: Sequence[int], today: datetime) -> _Groups:
    """Return the moments of each day. Without words, each reading is of the first day on which it is to come."""
    of_days = [[_on_clocks(_midnight(each) + timedelta(minutes=reading)) for reading in readings] for each in day.days]
    if not day.is_named:
        now = today.timestamp()
        of_readings = zip(*of_days, strict=True)
        return [[*chain(*(next(each for each in of_one if each[-1] > now) for of_one in of_readings))]]
    groups = [[*chain(*of_day)] for of_day in of_days]
    return [[*chain(*groups)]] if day.is_open else groups


def _midnight(day: datetime) -> datetime:
    return day.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def _on_clocks(wall: datetime) -> list[float]:
    """Return when clocks show this: twice when they are put back. What they skip is as much later."""
    first, second = wall.replace(fold=0), wall.replace(fold=1)
    is_twice = (first.utcoffset() or timedelta()) > (second.utcoffset() or timedelta())
    return [first.timestamp(), second.timestamp()] if is_twice else [first.timestamp()]
