"""Times in words, as people say them in English and in German, rewritten in figures. Pure.

``half past eight`` and ``halb neun`` become ``8:30``, ``in einer halben Stunde`` becomes ``in 30 min``.
"""

import re
from collections.abc import Callable
from typing import Final

_NUMBERS: Final = {
    word: str(number)
    for number, words in enumerate(
        (
            *("zwei two", "drei three", "vier four", "fünf fuenf five", "sechs six", "sieben seven", "acht eight"),
            *("neun nine", "zehn ten", "elf eleven", "zwölf zwoelf twelve"),
        ),
        2,
    )
    for word in words.split()
} | {
    "eins": "1",
    "zwanzig": "20",
    "twenty": "20",
    "fünfzehn": "15",
    "dreißig": "30",
    "dreissig": "30",
    "thirty": "30",
    "ne": "eine",
    "ner": "einer",
    "nem": "einem",
}
_SPELLINGS: Final = {
    **dict.fromkeys(("tmrw", "tmr", "2morrow", "tomorow"), "tomorrow"),
    **dict.fromkeys(("midday",), "noon"),
    **dict.fromkeys(("oclock",), "uhr"),
    **dict.fromkeys(("nite",), "night"),
    "uebermorgen": "übermorgen",
    "maerz": "märz",
    "frueh": "früh",
    "heut": "heute",
    "naechste": "nächste",
    "naechsten": "nächsten",
    "naechster": "nächster",
}
_WORD: Final = re.compile(r"[^\W\d]+|2morrow|\d+")

_GERMAN_DAY: Final = r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend"
_RULES: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern), result)
    for pattern, result in (
        # lengths
        (r"(?<=\d),5\b", ".5"),
        (r"\b(\d{1,3}) (?:1/2|and a half)\b", r"\1.5"),
        (r"\b(\d{1,3})einhalb\b", r"\1.5"),
        (r"\b(?:anderthalb|eineinhalb)\b", "1.5"),
        (r"\b(?:an?|one|1) hour and a half\b", "1.5 hours"),
        (r"\b(?:in )?(?:an? |einer )?(?:half an hour|half hour|halben stunde)\b", "in 30 min"),
        (r"\b(?:in )?(?:an? |einer )?(?:quarter of an hour|quarter hour|viertelstunde|viertel stunde)\b", "in 15 min"),
        (r"\b(?:in )?(?:einer )?(?:dreiviertelstunde|dreiviertel stunde)\b", "in 45 min"),
        (r"^(?:in )?(.+) from now$", r"in \1"),
        (r"\b(?:a )?fortnight\b", "2 weeks"),
        (r"\bstdn\b", "std"),
        # parts of the day
        (rf"\b({_GERMAN_DAY})s?(früh|morgen|vormittag|mittag|nachmittag|abend|nacht)s?\b", r"\1 \2"),
        (r"\bmittags? um 12\b(?! ?uhr \d)", "mittag"),
        (r"\bthis evening\b", "tonight"),
        (r"\bthis (?=morning|afternoon)", "today "),
        (r"\bin the morning\b", "morgens"),
        (r"\bin the afternoon\b", "nachmittags"),
        (r"\bin the evening\b|\bam abend\b", "abends"),
        (r"\bat night\b|\bin der nacht\b", "nachts"),
        (r"\b12 (?=noon\b|midnight\b|mittags?\b|mitternacht\b)", ""),
        (r"\b12 uhr (?=mittags?\b)", ""),
        # hours
        (r"\bhalf past (\d{1,2})\b", lambda found: _clock(found[1], 30)),
        (r"\bhalb (\d{1,2})\b", lambda found: _clock(found[1], -30)),
        (r"\b(?:quarter past|viertel nach) (\d{1,2})\b", lambda found: _clock(found[1], 15)),
        (r"\b(?:quarter to|viertel vor|dreiviertel) (\d{1,2})\b(?! ?[ap])", lambda found: _clock(found[1], -15)),
        (r"\b(?:quarter to) (\d|1[01])\b", lambda found: _clock(found[1], -15)),
        (r"\b([1-9]|[12]\d) (?:past|nach) (\d{1,2})\b", lambda found: _clock(found[2], int(found[1]))),
        (r"\b([1-9]|[12]\d) vor (\d{1,2})\b", lambda found: _clock(found[2], -int(found[1]))),
        (r"\b(\d{1,2}[:.][0-5]\d) ?h\b", r"\1"),
        (r"\b(\d{1,2}:[0-5]\d):00\b", r"\1"),
        (r"^0h$", "0:00"),
        (r"^(\d{1,2}) h$", r"\1h"),
        # days
        (r"\b(?:am|den) (\d{1,2})(?= um\b|$)", r"\1th"),
        (rf"\b(\d{{1,2}}) am (?={_GERMAN_DAY}|\d{{1,2}}\.\d)", r"\1 uhr am "),
    )
)  # fmt: skip


def in_figures(typed: str) -> str:
    """Return a time in lower case as it is written in figures."""
    if "acht tage" in typed:  # a week, or eight days
        return ""
    typed = _WORD.sub(lambda found: _NUMBERS.get(found[0], _SPELLINGS.get(found[0], found[0])), typed)
    typed = re.sub(r"\b(\d{1,2})einhalb\b", r"\1.5", _HALVES.sub(lambda found: _NUMBERS[found[1]] + ".5", typed))
    for pattern, result in _RULES:
        typed = pattern.sub(result, typed)
    return " ".join(typed.split())


def _clock(hour: str, minutes: int) -> str:
    """Return so many minutes after an hour: on a clock with 12 hours if the hour is one of it."""
    if not 0 < int(hour) <= 24:
        return f"{hour} {minutes}"  # unreadable
    if minutes > 0:
        return f"{hour}:{minutes:02}"
    return f"{int(hour) - 1 or 12}:{60 + minutes:02}"


_HALVES: Final = re.compile(rf"\b({'|'.join(_NUMBERS)})einhalb\b")
