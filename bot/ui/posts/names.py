"""Names of players, as people see them.

A user's display name becomes one visible line (`short_name`), unique at its table (`name_of`), without markdown that
Discord would apply. Computers' names begin with `COMPUTER`, which is removed from users' names.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from bot.games.game import AnyGame, Seat
from bot.games.typed import clean
from bot.pictures.picture import COMPUTER
from bot.records.table import Sitter, Table
from bot.tables.folds import StandIn
from bot.texts import gettext as _, language
from bot.ui.posts.text import clip, one_line, plain

_MAX_NAME_LENGTH = 24
_MAX_ON_BOARDS = {2: 16, 3: 12}
"""Maximum length of names on boards and hands by the number of seats: they have to fit a phone."""
_MAX_OF_MANY = 9
_UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\u200d\ufe00-\ufe0f]")
"""Marks that at most change how the preceding character is drawn."""
_CACHED_NAMES = 4096  # a board repeats a few names dozens of times
_CACHED_TABLES = 512


def name_of(table: Table, seat: Seat) -> str:
    """Return the name of the player in a seat, with markdown escaped. It is unique at the table.

    Names of computers begin with `COMPUTER`.
    """
    return (_names(table.sitters, language()).get(seat) or _free(seat)).escaped


def label_of(table: Table, seat: Seat) -> str:
    """Return the name like `name_of`, but unescaped, for labels: Discord doesn't apply markdown there."""
    return (_names(table.sitters, language()).get(seat) or _free(seat)).label


def seats_named(table: Table, who: str) -> tuple[Seat, ...]:
    """Return the seats that ``who`` may mean: the one with this number (from 1), otherwise those with this name."""
    names = _names(table.sitters, language())
    if (numbered := next((seat for seat in names if clean(who) == str(seat + 1)), None)) is not None:
        return (numbered,)
    meant = {_as_read(_visible(who)), _as_read(clean(who)) or None}
    exact = tuple(seat for seat, name in names.items() if name.number > 1 and _as_read(name.unmarked) in meant)
    return exact or tuple(seat for seat, name in names.items() if _as_read(name.base) in meant)


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


def with_absent(table: Table, but: AbstractSet[Seat] = frozenset()) -> Table:
    """Return the table with absent users in place of the computers that keep their seats, for what they played.

    The seats in ``but`` stay as they are.
    """
    present = (sitter if sitter.seat in but else _in_person(sitter) for sitter in table.sitters)
    return replace(table, sitters=tuple(present))


def _in_person(sitter: Sitter) -> Sitter:
    name, user_id = sitter.began
    is_kept = sitter.held_for is not None and sitter.held_for == user_id
    return replace(sitter, name=name, user_id=user_id) if is_kept else sitter


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
    """A name at a table, without and with the mark of computers, and with markdown escaped.

    ``number`` is above 1 if a lower seat has the same ``base``.
    """

    base: str
    number: int
    unmarked: str
    label: str
    escaped: str


def _numbered(base: str, mark: str, number: int) -> _Name:
    # After a space the brackets of the suffix can't complete a link, so they aren't escaped.
    suffix = f" ({number})" if number > 1 else ""
    clipped = clip(base, _MAX_NAME_LENGTH - len(suffix))
    return _Name(base, number, f"{clipped}{suffix}", f"{mark}{clipped}{suffix}", f"{mark}{plain(clipped)}{suffix}")


@lru_cache(maxsize=_CACHED_TABLES)
def _names(sitters: tuple[Sitter, ...], _language: str) -> Mapping[Seat, _Name]:
    """Return the names at a table. Names that look the same get a number, except the one on the lowest seat.

    Names that nobody can see are replaced, in the language by which they are cached.
    """
    names: dict[Seat, _Name] = {}
    taken: set[str] = set()
    for sitter in sitters:
        base, mark = short_name(sitter.name, sitter.seat), f"{COMPUTER}\N{NO-BREAK SPACE}" if sitter.is_computer else ""
        candidates = (_numbered(base, mark, number) for number in itertools.count(1))
        names[sitter.seat] = next(name for name in candidates if _as_read(name.label) not in taken)
        taken.add(_as_read(names[sitter.seat].label))
    return names


def _free(seat: Seat) -> _Name:
    return _numbered(_("Seat {n}", n=seat + 1), "", 1)


def short_name(name: str, seat: Seat) -> str:
    """Shorten a display name to one visible line, without telling equal names apart or escaping markdown."""
    return _visible(name) or _("Player {n}", n=seat + 1)


def told_apart(names: Iterable[str]) -> list[str]:
    """Return display names in short; those that look like an earlier one get a number: ``Ann (2)``."""
    shown: list[str] = []
    for name in names:
        base, taken = short_name(name, 0), {*map(_as_read, shown)}
        candidates = (_numbered(base, "", number).label for number in itertools.count(1))
        shown.append(next(label for label in candidates if _as_read(label) not in taken))
    return shown


@lru_cache(maxsize=_CACHED_NAMES)
def _visible(name: str) -> str:
    """Return the name as one short line; empty if it has no visible character."""
    line = one_line(name.replace(COMPUTER, ""))
    if all(_draws_nothing(character) for character in line):
        return ""
    return clip(line, _MAX_NAME_LENGTH)


def _draws_nothing(character: str) -> bool:
    """Whether the character alone is invisible. Unassigned ones count as visible: they may be new emojis."""
    category = unicodedata.category(character)
    return category[0] in "ZM" or (category[0] == "C" and category != "Cn")


def _as_read(name: str) -> str:
    """Return the name in the form for comparison: without case, width and invisible characters."""
    visible = unicodedata.normalize("NFKC", _UNSEEN.sub("", name))
    return unicodedata.normalize("NFKC", " ".join(visible.split()).casefold())
