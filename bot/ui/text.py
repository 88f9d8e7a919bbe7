"""Text that comes from users, made harmless, and small turns of phrase that all messages share."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from bot.games.game import AnyGame
from bot.tables import Table

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")
_JOINS_EMOJI = "\N{ZERO WIDTH JOINER}"
_SELECTS_EMOJI = "\N{VARIATION SELECTOR-16}"
_LONGEST_NAME = 24
_BLANKS = "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{BRAILLE PATTERN BLANK}\N{HANGUL FILLER}\uffa0"
_MOST_MARKS = 2
"""So many accents may be heaped on a letter; more would run into the lines above and below."""
COMPUTER = "\N{ROBOT FACE}"
"""Stands before the name of every computer, and in no name of a user: so nobody can pass for one."""
_KEPT_NAMES = 4096  # a board says the same few names dozens of times


def plain(text: str) -> str:
    """The text of a user as text: it can't ping, link, break the markdown around it or take a second line."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


@lru_cache(maxsize=_KEPT_NAMES)
def short_name(name: str) -> str:
    """A display name that fits on a phone beside a score, made harmless by `plain`."""
    return plain(_short(name))


def short_label(name: str) -> str:
    """As `short_name` for a label, where Discord knows no markdown."""
    return _short(name)


def name_of(table: Table, seat: int) -> str:
    """The name of who sits there, harmless; a computer's begins with `COMPUTER`."""
    sitter = table.sitter_at(seat)
    name = short_name(_sitter_name(table, seat))
    return f"{COMPUTER} {name}" if sitter and sitter.is_computer else name


def label_of(table: Table, seat: int) -> str:
    """As `name_of` for a label, where Discord knows no markdown."""
    sitter = table.sitter_at(seat)
    name = _short(_sitter_name(table, seat))
    return f"{COMPUTER} {name}" if sitter and sitter.is_computer else name


def side_names(table: Table, game: AnyGame) -> list[tuple[str, tuple[int, ...]]]:
    """Each side with the names of who is on it (``Ann & Cleo``), and its seats."""
    return [(" & ".join(name_of(table, seat) for seat in seats), seats) for seats in side_seats(table, game)]


def side_seats(table: Table, game: AnyGame) -> tuple[tuple[int, ...], ...]:
    """The seats of each side."""
    return _seats_of(game.sides(table.options))


@lru_cache
def _seats_of(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(seat for seat, of in enumerate(sides) if of == side) for side in sorted(set(sides)))


def _sitter_name(table: Table, seat: int) -> str:
    sitter = table.sitter_at(seat)
    return sitter.name if sitter else f"Seat {seat + 1}"


@lru_cache(maxsize=_KEPT_NAMES)
def _short(name: str) -> str:
    one_line = _one_line(name.replace(COMPUTER, "")) or "?"
    return one_line if len(one_line) <= _LONGEST_NAME else one_line[: _LONGEST_NAME - 1] + "…"


def _one_line(text: str) -> str:
    """Without line breaks, without invisible marks (some turn the rest of a line around) and heaps of accents."""
    kept: list[str] = []
    heaped = 0
    for character in text:
        category = unicodedata.category(character)
        heaped = heaped + 1 if category in {"Mn", "Me"} and character not in _SELECTS_EMOJI else 0
        is_hidden = category in {"Cf", "Co", "Cs"} and character not in _JOINS_EMOJI
        if not is_hidden and character not in _BLANKS and heaped <= _MOST_MARKS:
            kept.append(" " if category == "Cc" else character)
    return " ".join("".join(kept).split())


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nobody"


def clip(text: str, longest: int) -> str:
    """The text, at most so many characters, an ellipsis where something was cut."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def number(value: int) -> str:
    """The number with a real minus sign."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """The number with its sign, a plus too."""
    return f"{value:+d}".replace("-", "−")
