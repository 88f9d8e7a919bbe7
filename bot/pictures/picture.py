"""A picture, and the seats in it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from bot.games.cards import Card, face
from bot.games.game import Observation, Seat
from bot.pictures.canvas import MAX_HEIGHT
from bot.pictures.lettering import writable
from bot.texts import gettext as _, listed

COMPUTER: Final = "\N{ROBOT FACE}"
"""Prefix of computers' names. It is removed from users' names, so that no user can pass for a computer."""
MAX_ALT: Final = 300
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
"""Follows the symbols of suits. Screen readers don't need it."""


class Picture(NamedTuple):
    """A PNG file, and what it shows in words, the most important first."""

    png: bytes
    alt: str


Drawing = Callable[..., Picture]
"""Draws an observation, with the names of the players by seat. It is at the top level of a module, so that another
process finds it by its name.
"""


def _max_height(_observation: Any) -> int:
    return MAX_HEIGHT


class Drawings(NamedTuple):
    """How a game is drawn.

    Parameters
    ----------
    table: Draws the board, with the hand if the observation has a seat.
    result: Draws the result card of a finished game.
    move: Draws the board with the effects of a move that isn't confirmed yet, its third argument.
    height: Returns the height of a table's picture, or its maximum.
    result_height: Returns the height of a result card, or its maximum.
    """

    table: Drawing
    result: Drawing
    move: Drawing | None = None
    height: Callable[[Any], int] = _max_height
    result_height: Callable[[Any], int] = _max_height


class Player(NamedTuple):
    """A player's name as pictures can write it."""

    name: str
    is_computer: bool


def players(names: Sequence[str]) -> tuple[Player, ...]:
    """Return the players with these names, by seat. Names of computers begin with `COMPUTER`."""
    return tuple(Player(writable(name, seat), name.startswith(COMPUTER)) for seat, name in enumerate(names))


def around(seats: int, seat: Seat | None) -> tuple[Seat, ...]:
    """Return the seats clockwise, from the one at the bottom: the observer's, or seat 0 for the public."""
    first = seat or 0
    return tuple((first + step) % seats for step in range(seats))


def described(*parts: str) -> str:
    """Join sentences to an alt text. The last ones are left out if there isn't room for them."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text} {part}".strip().replace(_AS_TEXT, "")
        if len(longer) >= MAX_ALT:
            break
        text = longer
    return text


def turn_of(observation: Observation) -> tuple[Seat, ...]:
    """Return the seats to act, in order."""
    return tuple(sorted(seat for seat in observation.to_act if seat is not None))


def turn_in_words(observation: Observation, names: Sequence[str]) -> str:
    """Return a sentence on whose turn it is for the observing seat, or that the game is over."""
    if observation.outcome is not None:
        return _("The game is over.")
    seats = turn_of(observation)
    if observation.seat in seats:
        return _("Your turn.")
    return _("Waiting for {names}.", names=listed([names[seat] for seat in seats])) if seats else ""


def hand_in_words(cards: Iterable[Card]) -> str:
    """Return the cards of a hand, empty if there are none."""
    faces = " ".join(map(face, cards))
    return _("Your hand: {cards}.", cards=faces) if faces else ""
