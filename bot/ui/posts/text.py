"""Text helpers: escaping what users wrote, names of players, lists and numbers."""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from bot.games.game import AnyGame, Seat
from bot.tables import Sitter, StandIn, Table
from bot.texts import gettext as _
from bot.texts import language, translated

_MARKUP = re.compile(r"\*\*|\\|^(-#|#+) ", re.MULTILINE)
"""What takes no room on the screen."""
_SIGN = re.compile(".\ufe0e")
"""A sign for which there may be an emoji, which is as wide as three characters."""
ROOM = 23.0
"""Lines on a phone's screen beside the author's name, a row of buttons and a ping."""
ROW = 2.2
"""The height of a row of buttons or a menu, in lines."""
_LINE_LENGTH = 32
"""Characters on a line of a phone."""
GAP = 0.7
"""The gap between paragraphs, in lines. Above a grid, they are one text without gaps."""
_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")
_JOINS_EMOJI = "\N{ZERO WIDTH JOINER}"
_SELECTS_EMOJI = "\N{VARIATION SELECTOR-16}"
_MAX_NAME_LENGTH = 24
_MAX_ON_BOARDS = {2: 16, 3: 12}
"""Maximum length of names on boards and hands by the number of seats: they have to fit a phone."""
_MAX_OF_MANY = 9
_BLANKS = re.compile(
    "[\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u2800\U0001d159\U00013441\U00013442"  # a pattern of no dots, a note without a head, blank hieroglyphs
    "\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]"  # not assigned, but drawn as nothing
)
_MAX_ACCENTS = 2
"""Maximum accents on one letter; more would overlap the lines above and below."""
COMPUTER = "\N{ROBOT FACE}"
"""Prefix of computers' names. It is removed from users' names, so that no user can pass for a computer."""
_UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\u200d\ufe00-\ufe0f]")
"""Marks that at most change how the preceding character is drawn."""
_THOUSANDS = {"de": "."}
"""The separator of thousands by language, where it isn't a comma."""
_CACHED_NAMES = 4096  # a board repeats a few names dozens of times
_CACHED_TABLES = 512
_CACHED_PARAGRAPHS = 2048  # the board and hands of a table share most of them


def plain(text: str) -> str:
    """Escape a user's text: it can't ping, link, break the surrounding markdown or span several lines."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def name_of(table: Table, seat: Seat) -> str:
    """Return the name of the player in a seat, with markdown escaped. It is unique at the table.

    Names of computers begin with `COMPUTER`.
    """
    return _escaped(_names(table.sitters, language()).get(seat) or _free(seat))


def label_of(table: Table, seat: Seat) -> str:
    """Return the name like `name_of`, but unescaped, for labels: Discord doesn't apply markdown there."""
    return (_names(table.sitters, language()).get(seat) or _free(seat)).label


def seats_named(table: Table, who: str) -> tuple[Seat, ...]:
    """Return the seats that ``who`` may mean: the one with this number (from 0), otherwise those with this name."""
    names = _names(table.sitters, language())
    if (number := next((seat for seat in names if who == str(seat)), None)) is not None:
        return (number,)
    meant = _as_read(_visible(who))
    exact = tuple(seat for seat, name in names.items() if name.number > 1 and meant == _as_read(name.unmarked))
    return exact or tuple(seat for seat, name in names.items() if meant == _as_read(name.base))


def title_of(game: AnyGame) -> str:
    """Return the name of a game for people: ``Pond · cards``."""
    return translated(game.title)


def with_short_names(table: Table) -> Table:
    """Return the table with names that are short enough for a board or a hand."""
    return replace(table, sitters=_shortened(table.sitters, _MAX_ON_BOARDS.get(table.seats, _MAX_OF_MANY)))


@lru_cache(maxsize=_CACHED_TABLES)
def _shortened(sitters: tuple[Sitter, ...], longest: int) -> tuple[Sitter, ...]:
    return tuple(replace(sitter, name=clip(_visible(sitter.name), longest)) for sitter in sitters)


def with_stand_in(table: Table, by: StandIn) -> Table:
    """Return the table with the computer that played for the absent user of a seat: ``🤖 Moss for Ben``."""
    sitter = table.sitter_at(by.seat)
    if sitter is None:
        return table
    absent = clip(_visible(sitter.began[0]), _MAX_OF_MANY)
    name = _("{computer} for {player}", computer=by.name, player=absent)
    stand_in = replace(sitter, name=name, user_id=None)
    return replace(table, sitters=tuple(stand_in if each is sitter else each for each in table.sitters))


def table_title(table: Table, game: AnyGame) -> str:
    """Return the heading of everything about a table: ``Table Heron · Pond · cards``."""
    return _("Table {name} · {game}", name=table.name, game=title_of(game))


def status_of(table: Table) -> str:
    """Return the status of a table in words."""
    words = {"lobby": _("in the lobby"), "playing": _("in play"), "over": _("finished"), "closed": _("closed")}
    return words[table.status]


def numbered(table: Table) -> str:
    """Return the table for autocomplete: ``Heron (number 3, in play)``."""
    return _("{name} (number {number}, {status})", name=table.name, number=table.id, status=status_of(table))


def side_names(table: Table, game: AnyGame) -> list[tuple[str, tuple[int, ...]]]:
    """Return each side as the names of its players (``Ann & Cleo``) and its seats."""
    return [(" & ".join(name_of(table, seat) for seat in seats), seats) for seats in side_seats(table, game)]


def side_seats(table: Table, game: AnyGame) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side."""
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
        return f"{clip(self.base, _MAX_NAME_LENGTH - len(self.suffix))}{self.suffix}"

    @property
    def suffix(self) -> str:
        return f" ({self.number})" if self.number > 1 else ""

    @property
    def label(self) -> str:
        return f"{self.mark}{self.unmarked}"


@lru_cache(maxsize=_CACHED_TABLES)
def _names(sitters: tuple[Sitter, ...], _language: str) -> Mapping[Seat, _Name]:
    """Return the names at a table. Of names that look equal, all but that of the lowest seat get a number.

    Names that nobody can see are replaced, in the language by which they are cached.
    """
    names: dict[Seat, _Name] = {}
    taken: set[str] = set()
    for sitter in sitters:
        base, mark = short_name(sitter.name, sitter.seat), f"{COMPUTER}\N{NO-BREAK SPACE}" if sitter.is_computer else ""
        candidates = (_Name(base, mark, number) for number in itertools.count(1))
        names[sitter.seat] = next(name for name in candidates if _as_read(name.label) not in taken)
        taken.add(_as_read(names[sitter.seat].label))
    return names


@lru_cache(maxsize=_CACHED_NAMES)
def _escaped(name: _Name) -> str:
    # After a space the brackets of the suffix can't complete a link, so they stay as they are.
    return f"{name.mark}{plain(name.unmarked.removesuffix(name.suffix))}{name.suffix}"


def _free(seat: Seat) -> _Name:
    return _Name(_("Seat {n}", n=seat + 1), "", 1)


def short_name(name: str, seat: Seat) -> str:
    """Shorten a display name to one visible line, without telling equal names apart or escaping markdown."""
    return _visible(name) or _("Player {n}", n=seat + 1)


@lru_cache(maxsize=_CACHED_NAMES)
def _visible(name: str) -> str:
    """Return the name as one short line; empty if it has no visible character."""
    one_line = _one_line(name.replace(COMPUTER, ""))
    if all(_draws_nothing(character) for character in one_line):
        return ""
    return clip(one_line, _MAX_NAME_LENGTH)


def _draws_nothing(character: str) -> bool:
    """Whether the character alone is invisible. Unassigned ones count as visible: they may be new emojis."""
    category = unicodedata.category(character)
    return category[0] in "ZM" or (category[0] == "C" and category != "Cn")


def _as_read(name: str) -> str:
    """Return the name in the form for comparison: without case, width and invisible characters."""
    visible = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    return unicodedata.normalize("NFKC", " ".join(visible.split()).casefold())


def _one_line(text: str) -> str:
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


def listed(words: Sequence[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return words[0] if words else _("nobody")
    return _("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


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


def clip(text: str, longest: int) -> str:
    """Return the text, shortened to ``longest`` characters with an ellipsis."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def number(value: int) -> str:
    """Format a number with a true minus sign, and thousands apart as the language does."""
    return f"{value:,d}".replace("-", "−").replace(",", _THOUSANDS.get(language(), ","))


def signed(value: int) -> str:
    """Format a number with its sign, including a plus; zero has none."""
    return f"+{number(value)}" if value > 0 else number(value)
