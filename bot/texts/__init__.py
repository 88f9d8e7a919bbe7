"""Texts that players read, in their language. English is the source language.

A text is written in place, with named placeholders, and translated when it is built:

    _("Waiting for {names}.", names=listed(names))
    ngettext("{n} card", "{n} cards", n)

The language is the current context's: see `using`. Nothing translated may be cached or stored. Rulebooks and tables
don't translate: their errors hold the template and its values (`bot.errors`).

The catalogues are in ``locales``. `tools.texts` extracts the texts and compiles the catalogues.
"""

import gettext as stdlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final

from bot.errors import LilypadError, Text

SOURCE: Final = "en"
"""The language of the texts in the code."""
LOCALES: Final = Path(__file__).with_name("locales")
DOMAIN: Final = "lilypad"

_NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Français"}
_THOUSANDS: Final = {"de": ".", "fr": "\u202f"}
"""The separator of thousands by language, where it isn't a comma."""

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
    """Return the language for one of Discord's locales, such as ``de`` or ``en-GB``."""
    name = (locale or SOURCE).partition("-")[0]
    return name if name in languages() else SOURCE


def name_of(language: str) -> str:
    """Return the name of a language in itself."""
    return _NAMES.get(language, language)


@cache
def _catalogue(name: str) -> stdlib.NullTranslations:
    if name == SOURCE:
        return stdlib.NullTranslations()
    return stdlib.translation(DOMAIN, LOCALES, [name])


def gettext(message: str, **values: object) -> str:
    """Return the message with its placeholders filled in."""
    return translated(message).format(**values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """Like `gettext` for messages that depend on the number ``n``, which is a placeholder too."""
    chosen = _catalogue(_language.get()).ngettext
    return chosen(singular, plural, n).format(n=number(n), **values)


def number(value: int) -> str:
    """Format a number with a true minus sign, and thousands apart as the language does."""
    return f"{value:,d}".replace("-", "−").replace(",", _THOUSANDS.get(language(), ","))


def translated(message: str) -> str:
    """Return the translation of a message, with its placeholders as they are."""
    chosen = _catalogue(_language.get()).gettext
    return str(chosen(message)) if message else message  # a `Text` becomes a plain string


def sentence_of(error: LilypadError) -> str:
    """Return the text of an error, without its ruling. Errors and texts among its values are translated, too."""
    values = {key: _in_text(value) for key, value in error.values.items()}
    template = translated(error.template)
    return template.format(**values) if values else template


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
