"""Text helpers: escaping what users wrote, titles of tables, and numbers."""

import re
import unicodedata
from typing import Final

from bot.games.game import AnyGame
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import language, translated

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")
_JOINS_EMOJI = "\N{ZERO WIDTH JOINER}"
_SELECTS_EMOJI = "\N{VARIATION SELECTOR-16}"
_BLANKS = re.compile(
    "[\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u2800\U0001d159\U00013441\U00013442"  # a pattern of no dots, a note without a head, blank hieroglyphs
    "\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]"  # not assigned, but drawn as nothing
)
_MAX_ACCENTS = 2
"""Maximum accents on one letter; more would overlap the lines above and below."""
PROOF_DIGITS: Final = 16
"""Digits of a commitment that players see: too many for anyone to find another seed that begins with them."""
_THOUSANDS = {"de": "."}
"""The separator of thousands by language, where it isn't a comma."""


def plain(text: str) -> str:
    """Escape a user's text: it can't ping, link, break the surrounding markdown or span several lines."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def title_of(game: AnyGame) -> str:
    """Return the name of a game for people: ``Pond · cards``."""
    return translated(game.title)


def table_title(table: Table, game: AnyGame) -> str:
    """Return the heading of everything about a table: ``Table Heron · Pond · cards``."""
    return _("Table {name} · {game}", name=table.name, game=title_of(game))


def proof(table: Table) -> str:
    """Return the beginning of the table's commitment, by which players recognise their table in a transcript."""
    return f"-# 🔒 {table.commitment[:PROOF_DIGITS]}…"


def status_of(table: Table) -> str:
    """Return the status of a table in words."""
    words = {"lobby": _("in the lobby"), "playing": _("in play"), "over": _("finished"), "closed": _("closed")}
    return words[table.status]


def table_choice(table: Table) -> str:
    """Return the table for autocomplete: ``Heron (number 3, in play)``."""
    return _("{name} (number {number}, {status})", name=table.name, number=table.id, status=status_of(table))


def one_line(text: str) -> str:
    """Remove line breaks, invisible marks (some reverse the rest of a line) and excess accents."""
    kept: list[str] = []
    accents = 0
    for character in _BLANKS.sub("", text):
        category = unicodedata.category(character)
        accents = accents + 1 if category in {"Mn", "Me"} and character not in _SELECTS_EMOJI else 0
        is_hidden = category in {"Cf", "Co", "Cs"} and character not in _JOINS_EMOJI
        if not is_hidden and accents <= _MAX_ACCENTS:
            kept.append(" " if category == "Cc" else character)
    return " ".join("".join(kept).split())


def clip(text: str, longest: int) -> str:
    """Return the text, shortened to ``longest`` characters with an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def number(value: int) -> str:
    """Format a number with a true minus sign, and thousands apart as the language does."""
    return f"{value:,d}".replace("-", "−").replace(",", _THOUSANDS.get(language(), ","))


def signed(value: int) -> str:
    """Format a number with its sign, including a plus; zero has none."""
    return f"+{number(value)}" if value > 0 else number(value)
