"""The words for times that people type, from the catalogue of their language and in English. Pure.

Each of `LISTS` is one text for translators. Its entries are separated by commas, and words for the same entry by
slashes; an entry that a language doesn't have is a hyphen. If a word means one thing in the language and another in
English, the language counts: *di* is Tuesday in German, and Sunday in French.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from bot.errors import Text

T = TypeVar("T")

_NONE: Final = "-"
LISTS: Final = {
    "weekdays": Text("monday, tuesday, wednesday / weds, thursday, friday, saturday, sunday"),
    "months": Text("january, february, march, april, may, june, july, august, september, october, november, december"),
    "numbers": Text(
        "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, fifteen, twenty, thirty"
    ),
    "near": Text(
        "day before yesterday, yesterday, today, tomorrow / tmrw / tmr / 2morrow / tomorow, day after tomorrow"
    ),
    "feasts": Text("christmas eve, new year's eve / new years eve"),
    "parts": Text("morning, afternoon, evening / night / nite"),
    "alone": Text("in the morning, in the afternoon, in the evening, at night"),
    "this": Text("this morning, this afternoon, tonight / this evening"),
    "noon": Text("noon / midday, midnight"),
    "which": Text("next, coming, last"),
    "next_week": Text("next week, monday / sunday"),
    "units": Text("w / week / weeks, d / day / days, h / hr / hrs / hour / hours, m / min / mins / minute / minutes"),
    "one": Text("a / an / one"),
    "lengths": Text(
        "half an hour / half hour, quarter of an hour / quarter hour, three quarters of an hour"
        ", an hour and a half / one hour and a half, {n} and a half, fortnight, -"
    ),
    "around": Text("in / for, from now, and"),
    "clock": Text("half past {hour}, -, quarter past {hour}, quarter to {hour}, {minutes} past {hour}, -"),
    "o_clock": Text("o'clock / oclock"),
    "ordinals": Text("st / nd / rd / th"),
    "fillers": Text("at, on / the, am / of / this / until / till / around / about / sharp / from"),
    "until": Text("to / until / till"),
    "ends": Text("off / none / no, now / back"),
}
"""What the entries stand for, where their order doesn't say it:

alone: Parts of whichever day comes.
which: The day after today, however soon; the same, without doubt; the one before.
next_week: The week after this one, and the days with which weeks begin there.
lengths: 30, 15, 45 and 90 minutes, so much and a half, two weeks, and what may be two lengths.
around: Before and after a length of time, and in the middle.
clock: 30 minutes after and before an hour, 15 after and before, minutes after and before.
o_clock: What stands after an hour of the clock.
fillers: Before a time, before a day, and anywhere.
until: Between two hours of the clock.
ends: Nothing, and what else ends a holiday.
"""
_VALUES: Final = tuple(map(str, (*range(1, 13), 15, 20, 30)))
"""Those of the numbers."""
_JOINED: Final = ("near", "feasts", "parts", "alone", "this", "noon", "which")
"""The lists whose words are looked up one by one."""

Translated = Callable[[str], str]
"""Translates a text to a language, as `bot.texts.translated` does."""
Lists = Mapping[str, tuple[tuple[str, ...], ...]]
"""By the name of a list, the words for each of its entries."""


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of these words; if there are none, of nothing that can be typed."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


class Vocabulary:
    """The words of one language and those of English.

    Words are without accents, and in figures where they are numbers. A phrase of several words is one with
    underscores (`joined`), so that it can be looked up.
    """

    def __init__(self, *languages: Lists) -> None:
        self.languages: Final = tuple(languages)
        self._numbers = self._meanings("numbers", _VALUES)
        self._number: Final = re.compile(rf"\b(?:{any_of(self._numbers)})\b")
        self._months: Final = [name for each in languages for names in each["months"] for name in names]
        self.number: Final = rf"\d{{1,3}}|{any_of(self._numbers)}"
        self._phrases: Final = re.compile(rf"\b(?:{any_of(self._long())})(?!\w)")
        every = {word for each in languages for words in each["fillers"] for word in words}
        self.fillers: Final = frozenset(word for words in every for word in words.split())
        self._meant: Final = {name: self._meanings(name, range(9)) for name in _JOINED}

    def words(self, name: str, entry: int = 0) -> str:
        """Return a pattern of the words for an entry of a list."""
        return any_of({self.figures(word) for each in self.languages for word in each[name][entry]})

    def entry(self, name: str, word: str) -> int | None:
        """Return which entry of a list the word is; ``None`` if it is none. The list is one of `_JOINED`."""
        return self._meant[name].get(word)

    def is_one_of(self, name: str, word: str) -> bool:
        """Whether the word is among those of a list, for whichever entry."""
        return any(word in words for each in self.languages for words in each[name])

    def begun(self, name: str, word: str, shortest: int) -> int | None:
        """Return the entry of which the word is the beginning, at least as long as this; ``None`` if it isn't clear."""
        for each in self.languages if len(word) >= shortest else ():
            exact = [nth for nth, words in enumerate(each[name]) if word in words]
            fitting = [nth for nth, words in enumerate(each[name]) if any(f"{w}s".startswith(word) for w in words)]
            if found := exact or fitting:
                return found[0] if len(found) == 1 else None
        return None

    def value(self, number: str) -> str:
        """Return a number, or a word for one, in figures."""
        return self._numbers.get(number, number)

    def figures(self, text: str) -> str:
        """Return the text with the words for numbers in figures."""
        return self._number.sub(self._figure, text)

    def _figure(self, found: re.Match[str]) -> str:
        is_month = any(name.startswith(found[0]) for name in self._months)
        is_date = is_month and re.search(r"\d $", found.string[: found.start()])  # "24 sept" is French
        return found[0] if is_date else self._numbers[found[0]]

    def joined(self, text: str) -> str:
        """Return the text with its phrases as words."""
        return self._phrases.sub(lambda found: found[0].replace(" ", "_"), text)

    def _long(self) -> set[str]:
        every = {self.figures(word) for each in self.languages for name in _JOINED for w in each[name] for word in w}
        return {word for word in every if " " in word}

    def _meanings(self, name: str, values: Iterable[T]) -> dict[str, T]:
        """Return the value of each word of a list. Those of the first language count."""
        found: dict[str, T] = {}
        for each in reversed(self.languages):
            found |= {word: value for words, value in zip(each[name], values, strict=False) for word in words}
        return found if name == "numbers" else {self.figures(word).replace(" ", "_"): at for word, at in found.items()}


def vocabulary(translated: Translated) -> Vocabulary:
    """Return the words of the language to which a function translates, and the English ones."""
    return _vocabulary(tuple(translated(text) for text in LISTS.values()))


@lru_cache(maxsize=16)
def _vocabulary(texts: tuple[str, ...]) -> Vocabulary:
    english = {name: _entries(text) for name, text in LISTS.items()}
    own = {name: _entries(text) for name, text in zip(LISTS, texts, strict=True)}
    for name, entries in english.items():
        if len(own[name]) != len(entries):  # a test finds these
            own[name] = entries
    return Vocabulary(english) if own == english else Vocabulary(own, english)


def _entries(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words for each entry of a list."""
    split = [[word.strip() for word in entry.split(" / ")] for entry in folded(text).split(", ")]
    return tuple(tuple(word for word in words if word != _NONE) for words in split)


def folded(text: str) -> str:
    """Return the text in lower case and without accents."""
    letters = unicodedata.normalize("NFD", text.lower().replace("’", "'"))
    return "".join(each for each in letters if not unicodedata.combining(each))
