"""Times in words, as people say them in their language and in English, rewritten in figures. Pure.

``half past eight`` and ``halb neun`` become ``8:30``, ``in einer halben Stunde`` becomes ``in 30 min``.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from bot.tables.typed_vocabulary import Vocabulary, any_of, folded

Result = str | Callable[[re.Match[str]], str]
Rule = tuple[re.Pattern[str], Result]

_MINUTES: Final = (30, -30, 15, -15)
"""Those after the hour of the first phrases of a clock."""
_LENGTHS: Final = ("30 min", "15 min", "45 min")
_TODAY: Final = ("today morning", "today afternoon", "today night")
NEXT_WEEK: Final = ("next_week", "next_week_or")
"""The week after this one, if it begins on one day for all, and if it begins on another day for some."""

_UNIVERSAL: Final = (
    (r"\b(\d{1,2}[:.][0-5]\d) ?h\b", r"\1"),
    (r"\b(\d{1,2}:[0-5]\d):00\b", r"\1"),
    (r"^0h$", "0:00"),
    (r"^(\d{1,2}) h$", r"\1h"),
)


def in_figures(typed: str, spoken: Vocabulary) -> str:
    """Return a time in lower case as it is written in figures."""
    typed = folded(typed)
    for pattern, result in _rules(spoken):
        typed = pattern.sub(result, typed)
    return "" if _UNCLEAR in typed else " ".join(typed.split())


_UNCLEAR: Final = "?!"


@lru_cache(maxsize=16)
def _rules(spoken: Vocabulary) -> tuple[Rule, ...]:
    rules = (*_lengths(spoken), *_parts(spoken), *_clock(spoken), *_UNIVERSAL, *_days(spoken))
    return tuple((re.compile(pattern), result) for pattern, result in rules)


def _lengths(spoken: Vocabulary) -> Iterator[tuple[str, Result]]:
    """Yield the rules for lengths of time, and that for numbers."""
    yield rf"\b(?:{any_of(word for each in spoken.languages for word in each['lengths'][6])})\b", _UNCLEAR
    hour, unit = spoken.words("units", 2), "|".join(spoken.words("units", nth) for nth in range(4))
    yield r"(?<=\d),5\b", ".5"
    for each in spoken.languages:
        for phrase in each["lengths"][4]:
            more = re.escape(phrase).replace(r"\{n\}", f"({spoken.number})")
            yield rf"\b{more}(?= ?(?:{unit})\b)", lambda found: f"{spoken.value(found[1])}.5"
            yield rf"\b{more}\b", lambda found: f"{spoken.value(found[1])}.5 h"
    yield r"^.+$", lambda found: spoken.figures(found[0])
    yield r"\b(\d{1,3}) 1/2\b", r"\1.5"
    yield rf"\b(?:{spoken.words('lengths', 3)})(?= ?(?:{hour})\b)", "1.5"
    before = rf"\b(?:(?:{spoken.words('around')}) )?"
    yield rf"{before}(?:{spoken.words('lengths', 3)})\b", "in 1.5 h"
    before += rf"(?:(?:{spoken.words('one')}|1) )?"
    for nth, length in enumerate(_LENGTHS):
        yield rf"{before}(?:{spoken.words('lengths', nth)})\b", f"in {length}"
    yield rf"\b(?:(?:{spoken.words('one')}|1) )?(?:{spoken.words('lengths', 5)})\b", "2 weeks"
    yield rf"^(?:(?:{spoken.words('around')}) )?(.+) (?:{spoken.words('around', 1)})$", r"in \1"


def _parts(spoken: Vocabulary) -> Iterator[tuple[str, Result]]:
    """Yield the rules for parts of the day, which become words or phrases to be looked up."""
    for nth, today in enumerate(_TODAY):
        yield rf"\b(?:{spoken.words('this', nth)})\b", today
    for each in spoken.languages:
        days, parts = (any_of(w for words in each[name] for w in words) for name in ("weekdays", "parts"))
        yield rf"\b({days})s?({parts}|{any_of(each['noon'][0])})s?\b", r"\1 \2"
    for nth, week in enumerate(NEXT_WEEK):
        weeks = [w for each in spoken.languages if (len(each["next_week"][1]) > 1) == nth for w in each["next_week"][0]]
        yield rf"\b(?:{any_of(weeks)})\b", week
    yield r"^.+$", lambda found: spoken.joined(found[0])
    at, uhr = spoken.words("fillers"), spoken.words("o_clock")
    for nth, noon in enumerate(("noon", "midnight")):
        words = spoken.words("noon", nth).replace(r"\ ", "_")
        yield rf"\b(?:{words}) (?:{at}) 12\b(?! ?(?:{uhr}) \d)", noon
        yield rf"\b(?:12 ?(?:(?:{uhr}) )?)?(?:{words})(?!\w)", noon


def _clock(spoken: Vocabulary) -> Iterator[tuple[str, Result]]:
    """Yield the rules for hours, unless the text begins like a length of time."""
    for each in spoken.languages:
        for nth, words in enumerate(each["clock"]):
            for phrase in words:
                yield _clock_pattern(phrase, spoken), _clock_result(nth, spoken)


def _clock_pattern(phrase: str, spoken: Vocabulary) -> str:
    hour = rf"(?P<hour>\d{{1,2}})(?: ?(?:{spoken.words('units', 2)})(?= ))?"
    text = (
        re.escape(spoken.figures(phrase)).replace(r"\{hour\}", hour).replace(r"\{minutes\}", r"(?P<minutes>[1-5]?\d)")
    )
    # "quarter to 12 pm" may be before noon or midnight, and "1 hora y 30 minutos" is a length.
    after = r"(?!(?<=12) ?[ap]\.? ?m\b)"
    return rf"(?<!\S){text}\b{after}(?! ?(?:{spoken.words('units', 3)})\b)"


def _clock_result(nth: int, spoken: Vocabulary) -> Callable[[re.Match[str]], str]:
    is_length = re.compile(rf"(?:{spoken.words('around')}) ")

    def result(found: re.Match[str]) -> str:
        minutes = _MINUTES[nth] if nth < len(_MINUTES) else int(found["minutes"]) * (1 if nth == len(_MINUTES) else -1)
        return found[0] if is_length.match(found.string) else _time(found["hour"], minutes)

    return result


def _days(spoken: Vocabulary) -> Iterator[tuple[str, Result]]:
    """Yield the rules for the days of a month, which become ``24th``."""
    yield rf"\b(\d{{1,2}})(?:{spoken.words('ordinals')})\b", r"\1th"
    on, at = spoken.words("fillers", 1), spoken.words("fillers")
    yield rf"\b(?:{on}) (\d{{1,2}})(?= (?:{at})\b|$)", r"\1th"
    for each in spoken.languages:
        days = any_of(word for words in each["weekdays"] for word in words)
        before = rf"\b(\d{{1,2}}) (?:{any_of(each['fillers'][1])}) (?=(?:{days})\b|\d{{1,2}}\.\d)"
        yield before, r"\1 "  # "8 am Montag" is German, and not in the morning


def _time(hour: str, minutes: int) -> str:
    """Return so many minutes after an hour: on a clock with 12 hours if the hour is one of it."""
    if not 0 < int(hour) <= 24:
        return f"{hour} {minutes}"  # unreadable
    if minutes > 0:
        return f"{hour}:{minutes:02}"
    return f"{int(hour) - 1 or 12}:{60 + minutes:02}"
