"""Translation of everything that players read, by gettext. English is the source language.

A text is written in place, with named placeholders, and translated when it is built:

    _("Waiting for {names}.", names=listed(names))
    ngettext("{n} card", "{n} cards", n)

The language is that of the message being built. `use_language` sets it for a block: one block per message, as the board
is in the server's language and a hand in its player's. Nothing translated may be cached or stored.

Rulebooks and tables don't translate: their errors hold the template and its values (`bot.errors`).
"""

import gettext as stdlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.errors import LilypadError

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH,)
"""The languages that have a catalogue."""
_CATALOGUES: Final = Path(__file__).parent / "catalogues"

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the language of the message being built."""
    return _language.get()


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Build the messages of this block in a language; an unknown one means English."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


@lru_cache
def catalogue(language: str) -> stdlib.NullTranslations:
    """Return the translations into a language; without a catalogue, texts stay English."""
    return stdlib.translation("lilypad", _CATALOGUES, [language], fallback=True)


def gettext(message: str, **values: object) -> str:
    """Return the message in the current language with its placeholders filled in."""
    return catalogue(_language.get()).gettext(message).format(**values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> str:
    """Like `gettext` for messages that depend on the number ``n``, which is a placeholder too."""
    return catalogue(_language.get()).ngettext(singular, plural, n).format(n=n, **values)


def sentence_of(error: LilypadError) -> str:
    """Return what an error says in the current language, without its ruling."""
    return (
        gettext(error.template, **error.values) if error.values else catalogue(_language.get()).gettext(error.template)
    )
