"""Text helpers: escaping what users wrote, titles of tables, signs, and the lines of texts on a phone."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from bot.games.game import AnyGame
from bot.records.table import Table
from bot.texts import gettext as _, number, translated

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
EARLIER: Final = "◀\ufe0e"
LATER: Final = "▶\ufe0e"
"""Arrows on buttons. Without the variation selector, some fonts draw them as emojis."""


def plain(text: str) -> str:
    """Escape a user's text: it can't ping, link, break the surrounding markdown or span several lines."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))


def title_of(game: AnyGame) -> str:
    """Return the name of a game for people: ``Pond · cards``."""
    return translated(game.title)


def table_title(table: Table, game: AnyGame) -> str:
    """Return the heading of everything about a table: ``Table Heron · Pond · cards``."""
    return _("Table {name} · {game}", name=table.name, game=title_of(game))


def proof(commitment: str, *, has_hands: bool) -> str:
    """Return a commitment in full, in small print: its beginning alone would bind nobody."""
    return f"-# {_('Fair deal') if has_hands else _('Fair start')} {commitment}"


def status_of(table: Table) -> str:
    """Return the status of a table in words."""
    words = {"lobby": _("in the lobby"), "playing": _("in play"), "over": _("finished"), "closed": _("closed")}
    return words[table.status]


def table_choice(table: Table) -> str:
    """Return the table for autocomplete: ``Heron (number 3, in play)``."""
    return _("{name} (number {number}, {status})", name=table.name, number=table.number, status=status_of(table))


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


def signed(value: int) -> str:
    """Format a number with its sign, including a plus; zero has none."""
    return f"+{number(value)}" if value > 0 else number(value)


# Each pattern begins with a rare character, which `re` finds quickly; a lookbehind then checks what precedes it.
_RULING: Final = re.compile(r"-(?<=[A-Z]-)(?=\d\d\b)")
"""The hyphen of a ruling, such as ``PD-10``."""
_RANGE: Final = re.compile(r"–(?<=\d–)(?=\d)")
_SUIT: Final = "[♠♥♦♣]\ufe0e"
_PIECE: Final = "[○●△▲☆★]\ufe0e"
_HELD: Final = re.compile(
    " (?:"
    rf"(?={_SUIT})(?:(?<=[^\W\d_]{{2}} )|(?<=[+−]\d ))"  # poison ♥, +1 ♥
    rf"|(?<=(?<![0-9AJQK]){_SUIT} )(?=[\w*+−])"  # ♥ hearts, ♥ 9 5, ♥ −25
    r"|(?<=\d )(?=[+−=] \d|× \w)|(?<=[ \xa0][+−=] )(?=\d)|(?<=\d[ \xa0]× )(?=\w)"  # 9 − 4 = 5, 2 × poison
    rf"|(?={_PIECE})(?<=[a-e][1-5] )"  # b2 ○
    r"|(?=→ )(?:(?<=[a-e][1-5] )|(?<=[a-e][1-5]\*\* ))|(?<=→ )(?=(?:\*\*)?[a-e][1-5])"  # b2 → b4
    r"|(?<=🤖 )(?=\w)"  # 🤖 fair
    r"|(?<=\S )(?=· )"  # so that no line begins with a separator
    ")"
)
"""The spaces at which no line ends."""


def held_together(text: str) -> str:
    """Return the text with rulings, results such as ``6–3``, arithmetic, moves, and signs beside words on one line."""
    text = _RULING.sub("\N{NON-BREAKING HYPHEN}", text)
    return _HELD.sub("\N{NO-BREAK SPACE}", _RANGE.sub("–\N{WORD JOINER}", text))


_MARKUP = re.compile(r"\*\*|\\|^(-#|#+) ", re.MULTILINE)
"""Markup that takes no room on the screen."""
_SIGN = re.compile(".\ufe0e")
"""A sign for which there may be an emoji, which is as wide as three characters."""
ROOM = 23.0
"""Lines that fit on a phone's screen along with the author's name, a row of buttons and a ping."""
ROW = 2.2
"""The height of a row of buttons or a menu, in lines."""
PAGE: Final = ROOM - ROW
"""Lines of a page of text with its heading, as two rows of buttons may follow."""
_LINE_LENGTH = 32
"""Characters on a line of a phone."""
GAP = 0.7
"""The gap between paragraphs, in lines. Above a grid, they are one text without gaps."""
_MAX_SHORT_BUTTONS: Final = 3
"""Buttons in a row of a phone; `ROOM` counts one row."""
_ROW_LENGTH: Final = 36
_MARGIN: Final = 4
"""Characters of labels that fit on a row, and those that a button takes besides its label."""
_CACHED_PARAGRAPHS = 2048  # the board and hands of a table share most of them


def lines_of(paragraphs: Iterable[str], gap: float = GAP) -> float:
    """Return about how many lines of a phone's screen the paragraphs take, with a gap between them."""
    return sum(gap + _lines_of(paragraph) for paragraph in paragraphs if paragraph)


@lru_cache(maxsize=_CACHED_PARAGRAPHS)
def _lines_of(paragraph: str) -> int:
    text = _SIGN.sub("mmm", _MARKUP.sub("", paragraph))
    return sum(max(1, ceil(len(line) / _LINE_LENGTH)) for line in text.split("\n"))


def without_remarks(paragraphs: Sequence[str], room: float) -> tuple[str, ...]:
    """Return the paragraphs, with as many lines of those below the first as fit ``room`` lines of the screen."""
    first, remarks = tuple(paragraphs[:1]), "\n".join(paragraphs[1:]).split("\n")
    while remarks and lines_of((*first, "\n".join(remarks))) > room:
        remarks.pop(0)
    return tuple(filter(None, (*first, "\n".join(remarks))))


def rows_of(labels: Iterable[str]) -> int:
    """Return how many rows the buttons with these labels take on a phone."""
    rows = placed = left = 0
    for width in (len(label) + _MARGIN for label in labels):
        if width > left or placed == _MAX_SHORT_BUTTONS:
            rows, placed, left = rows + 1, 0, _ROW_LENGTH
        placed, left = placed + 1, left - width
    return rows
