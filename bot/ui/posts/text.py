"""Text that comes from users, made harmless, and small turns of phrase that all messages share."""

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.games.game import AnyGame, Seat
from bot.tables import Sitter, Table

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")
_JOINS_EMOJI = "\N{ZERO WIDTH JOINER}"
_SELECTS_EMOJI = "\N{VARIATION SELECTOR-16}"
_LONGEST_NAME = 24
_BLANKS = re.compile(
    "[\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u2800\U0001d159\U00013441\U00013442"  # a pattern of no dots, a note without a head, blank hieroglyphs
    "\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]"  # not assigned, but drawn as nothing
)
_MOST_MARKS = 2
"""So many accents may be heaped on a letter; more would run into the lines above and below."""
COMPUTER = "\N{ROBOT FACE}"
"""Stands before the name of every computer, and in no name of a user: so nobody can pass for one."""
_UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\u200d\ufe00-\ufe0f]")
"""Marks that change at most how the character before them is drawn."""
_KEPT_NAMES = 4096  # a board says the same few names dozens of times
_KEPT_TABLES = 512


def plain(text: str) -> str:
    """The text of a user as text: it can't ping, link, break the markdown around it or take a second line."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def short_label(name: str, seat: Seat) -> str:
    """Shorten a display name for a label, where Discord knows no markdown. `label_of` tells equal names apart."""
    return _short(name, seat)


def name_of(table: Table, seat: Seat) -> str:
    """Return the name of who sits there, with markdown escaped. No two seats of a table have the same.

    A computer's name begins with `COMPUTER`.
    """
    return _names(table.sitters).get(seat, _free(seat)).escaped


def label_of(table: Table, seat: Seat) -> str:
    """As `name_of` for a label, where Discord knows no markdown."""
    return _names(table.sitters).get(seat, _free(seat)).label


def seats_named(table: Table, who: str) -> tuple[Seat, ...]:
    """Return the seats a player may mean: the one with this number (from 0), else those of players with this name."""
    names = _names(table.sitters)
    if (number := next((seat for seat in names if who == str(seat)), None)) is not None:
        return (number,)
    meant = _as_read(_visible(who))
    exact = tuple(seat for seat, name in names.items() if name.number > 1 and meant == _as_read(name.unmarked))
    return exact or tuple(seat for seat, name in names.items() if meant == _as_read(name.base))


def side_names(table: Table, game: AnyGame) -> list[tuple[str, tuple[int, ...]]]:
    """Each side with the names of who is on it (``Ann & Cleo``), and its seats."""
    return [(" & ".join(name_of(table, seat) for seat in seats), seats) for seats in side_seats(table, game)]


def side_seats(table: Table, game: AnyGame) -> tuple[tuple[int, ...], ...]:
    """The seats of each side."""
    return _seats_of(game.sides(table.options))


@lru_cache
def _seats_of(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(seat for seat, of in enumerate(sides) if of == side) for side in sorted(set(sides)))


class _Name(NamedTuple):
    """A name at a table. ``number`` is above 1 if a lower seat has the same ``base``."""

    base: str
    mark: str
    number: int

    @property
    def unmarked(self) -> str:
        suffix = self.suffix
        return f"{_cut(self.base, _LONGEST_NAME - len(suffix))}{suffix}"

    @property
    def suffix(self) -> str:
        return f" ({self.number})" if self.number > 1 else ""

    @property
    def label(self) -> str:
        return f"{self.mark}{self.unmarked}"

    @property
    def escaped(self) -> str:
        # After a space the brackets of the suffix can't complete a link, so they stay as they are.
        return f"{self.mark}{plain(self.unmarked.removesuffix(self.suffix))}{self.suffix}"


@lru_cache(maxsize=_KEPT_TABLES)
def _names(sitters: tuple[Sitter, ...]) -> Mapping[Seat, _Name]:
    """The names at a table, compared as people read them; of equal ones the lowest seat's stays as it is."""
    names: dict[Seat, _Name] = {}
    taken: set[str] = set()
    for sitter in sitters:
        base, mark = _short(sitter.name, sitter.seat), f"{COMPUTER} " if sitter.is_computer else ""
        candidates = (_Name(base, mark, number) for number in itertools.count(1))
        names[sitter.seat] = next(name for name in candidates if _as_read(name.label) not in taken)
        taken.add(_as_read(names[sitter.seat].label))
    return names


def _free(seat: Seat) -> _Name:
    return _Name(f"Seat {seat + 1}", "", 1)


def _short(name: str, seat: Seat) -> str:
    return _visible(name) or f"Player {seat + 1}"


@lru_cache(maxsize=_KEPT_NAMES)
def _visible(name: str) -> str:
    """The name as one short line; empty if it has no visible character."""
    one_line = _one_line(name.replace(COMPUTER, ""))
    if all(_draws_nothing(character) for character in one_line):
        return ""
    return _cut(one_line, _LONGEST_NAME)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _draws_nothing(character: str) -> bool:
    """Whether nothing can be seen of the character where it stands alone. Python may not know the newest emojis."""
    category = unicodedata.category(character)
    return category[0] in "ZM" or (category[0] == "C" and category != "Cn")


def _as_read(name: str) -> str:
    """The name as people compare it: case, width and what can't be seen make no difference."""
    seen = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    return unicodedata.normalize("NFKC", " ".join(seen.split()).casefold())


def _one_line(text: str) -> str:
    """Without line breaks, without invisible marks (some turn the rest of a line around) and heaps of accents."""
    kept: list[str] = []
    heaped = 0
    for character in _BLANKS.sub("", text):
        category = unicodedata.category(character)
        heaped = heaped + 1 if category in {"Mn", "Me"} and character not in _SELECTS_EMOJI else 0
        is_hidden = category in {"Cf", "Co", "Cs"} and character not in _JOINS_EMOJI
        if not is_hidden and heaped <= _MOST_MARKS:
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
