"""Texts that players read, in their language. English is the source language.

A text is written in place, with named placeholders, and translated when it is built:

    _("Waiting for {names}.", names=listed(names))
    ngettext("{n} card", "{n} cards", n)

The language is the current context's: see `using`. Nothing translated may be cached or stored. Rulebooks and tables
don't translate: their errors hold the template and its values (`bot.errors`).

The catalogues are in ``locales``. `tools.texts` extracts the texts and compiles the catalogues.
"""

import gettext as stdlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from bot.errors import LilypadError, Text

SOURCE: Final = "en"
"""The language of the texts in the code."""
LOCALES: Final = Path(__file__).with_name("locales")
DOMAIN: Final = "lilypad"


class _Habits(NamedTuple):
    """How a language is called in itself, and how it writes numbers.

    Parameters
    ----------
    ungrouped: Digits up to which there is no separator of thousands.
    """

    name: str
    thousands: str = ","
    point: str = "."
    ungrouped: int = 3


_HABITS: Final = {
    "en": _Habits("English"),
    "de": _Habits("Deutsch", ".", ","),
    "fr": _Habits("Français", "\N{NARROW NO-BREAK SPACE}", ","),
    # Half of Latin America writes 12,345 where Spain writes 12.345. The space is right for all of them.
    "es": _Habits("Español", "\N{NARROW NO-BREAK SPACE}", ",", ungrouped=4),
    "pt-BR": _Habits("Português (Brasil)", ".", ","),
}

_SOUNDS: Final = {
    "es": {
        "y": ("e", re.compile(r"[\W_]*(?:(?!hi[aeo])h?[ií]|y(?![aeiouáéíóú]))", re.IGNORECASE)),
        "o": ("u", re.compile(r"[\W_]*(?:h?[oó]|8|11(?!\d)|11\d{3}(?!\d))", re.IGNORECASE)),
    }
}
"""Words that are others before a sound: *Ana e Inés*, *7 u 8*. There may be markup and signs before it."""
_BEFORE_VALUE: Final = re.compile(r"\b(\w+)(?= \**\{(\w+)\})")

_language: Final = ContextVar("language", default=SOURCE)


@contextmanager
def using(language: str) -> Iterator[None]:
    """Translate to this language in the block. Tasks created there start with it."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def use(language: str) -> None:
    """Translate to this language in the rest of the current task."""
    _language.set(language)


def language() -> str:
    """Return the current language."""
    return _language.get()


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are catalogues of, and `SOURCE`."""
    return (SOURCE, *sorted(path.parts[-3] for path in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


def supported(locale: str | None) -> str:
    """Return the language for one of Discord's locales: that of its region, ``pt-BR``, or of ``es-419`` ``es``."""
    name = locale or SOURCE
    return next((each for each in (name, name.partition("-")[0]) if each in languages()), SOURCE)


def name_of(language: str) -> str:
    """Return the name of a language in itself."""
    return _HABITS[language].name if language in _HABITS else language


def _habits() -> _Habits:
    return _HABITS.get(language(), _HABITS[SOURCE])


@cache
def _catalogue(name: str) -> stdlib.NullTranslations:
    if name == SOURCE:
        return stdlib.NullTranslations()
    with (LOCALES / name / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return stdlib.GNUTranslations(file)


def gettext(message: str, **values: object) -> str:
    """Return the message with its placeholders filled in."""
    return _filled(translated(message), values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """Like `gettext` for messages that depend on the number ``n``, which is a placeholder too."""
    chosen = _catalogue(_language.get()).ngettext
    return _filled(chosen(singular, plural, n), {"n": number(n), **values})


def _filled(template: str, values: Mapping[str, object]) -> str:
    """Fill in the placeholders. Words before them heed the next sound (`_SOUNDS`)."""
    sounds = _SOUNDS.get(language())
    if sounds is None:
        return template.format(**values)

    def heeding(found: re.Match[str]) -> str:
        instead, sound = sounds.get(found[1], ("", None))
        return instead if sound and sound.match(str(values[found[2]])) else found[1]

    return _BEFORE_VALUE.sub(heeding, template).format(**values)


def number(value: int) -> str:
    """Format a number with a true minus sign, and thousands apart as the language does."""
    habits = _habits()
    text = f"{value:,d}" if abs(value) >= 10**habits.ungrouped else f"{value:d}"
    return text.replace("-", "−").replace(",", habits.thousands)


def decimal(value: float, *, has_sign: bool = False, places: int = 1) -> str:
    """Format a number with one decimal or more, as the language does; with its sign if it ``has_sign``."""
    text = f"{value:+.{places}f}" if has_sign else f"{value:.{places}f}"
    return text.replace("-", "−").replace(".", _habits().point)


def translated(message: str) -> str:
    """Return the translation of a message, with its placeholders as they are."""
    chosen = _catalogue(_language.get()).gettext
    return str(chosen(message)) if message else message  # a `Text` becomes a plain string


def sentence_of(error: LilypadError) -> str:
    """Return the text of an error, without its ruling. Errors and texts among its values are translated, too."""
    values = {key: _in_text(value) for key, value in error.values.items()}
    template = translated(error.template)
    return _filled(template, values) if values else template


def _in_text(value: object) -> object:
    if isinstance(value, LilypadError):
        return sentence_of(value)
    return translated(value) if isinstance(value, Text) else value


def listed(words: Sequence[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return words[0] if words else gettext("nobody")
    return gettext("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


def either(words: Sequence[str]) -> str:
    """Join alternatives: ``a``, ``a or b``, ``a, b or c``; empty without any."""
    if len(words) < 2:
        return "".join(words)
    return gettext("{words} or {last}", words=", ".join(words[:-1]), last=words[-1])
