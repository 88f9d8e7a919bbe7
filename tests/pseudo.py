"""A pseudo-language: every text is in brackets and at least 40 % longer, so that it shows what isn't translated.

It takes the place of Swedish, which has no catalogue.
"""

import gettext
import re
from collections.abc import Collection
from functools import cache
from typing import Final

import pytest

from bot import texts
from bot.texts.rules_pages import first_advice
from cogs import server, user_settings
from tools.texts import extract

LANGUAGE: Final = "sv"
_OPEN, _FILLER, _CLOSE = "⟦", "~", "⟧"
_LONGER: Final = 0.4


def marked(text: str) -> str:
    """Return the text as the pseudo-language has it."""
    return f"{_OPEN}{text}{_FILLER * max(1, round(_LONGER * len(text)) - 2)}{_CLOSE}"


def unmarked(text: str) -> str:
    """Return a message in the pseudo-language in English. Other messages stay as they are."""
    if _OPEN not in text:
        return text
    return text.replace(_OPEN, "").replace(_CLOSE, "").replace(_FILLER, "")


def outside(text: str) -> str:
    """Return what isn't in brackets."""
    kept, depth = [], 0
    for character in text:
        depth += (character == _OPEN) - (character == _CLOSE)
        if not depth and character != _CLOSE:
            kept.append(character)
    return "".join(kept)


def is_whole(text: str) -> bool:
    """Return whether nothing was cut off, and no placeholder was left."""
    return text.count(_OPEN) == text.count(_CLOSE) and not re.search(r"\{\w*\}", text)


@cache
def _messages() -> Collection[str]:
    ids = [message.id for message in extract() if message.id]
    return frozenset(text for each in ids for text in ((each,) if isinstance(each, str) else each))


class _Pseudo(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return marked(message) if message in _messages() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _first_advice(game: str, language: str) -> Collection[str]:
    """Return the tips of a game: texts of its rules, of which the language has no file."""
    lines = first_advice(game, language)
    return tuple(marked(line) for line in lines) if language == LANGUAGE else lines


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the language. It replaces what reads the catalogues, as it has no file."""
    catalogue = texts._catalogue
    for module in (texts, user_settings, server):
        monkeypatch.setattr(module, "languages", lambda: (texts.SOURCE, LANGUAGE))
    monkeypatch.setattr("bot.ui.messages.hand.first_advice", _first_advice)
    monkeypatch.setattr(texts, "_catalogue", lambda name: _Pseudo() if name == LANGUAGE else catalogue(name))
