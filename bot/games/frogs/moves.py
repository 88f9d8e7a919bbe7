"""The squares, stages, moves and events of Pond · frogs."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Final

from bot.games.game import RESIGN, Event, Move, Seat

COLUMNS: Final = "abcde"
ROWS: Final = "12345"

Square = str
"""The name of a square: column letter, then row number downwards. ``a1`` is the top-left corner."""


@cache
def squares(size: int) -> tuple[Square, ...]:
    """Return the squares of a pond of ``size`` by ``size``, sorted as text."""
    return tuple(column + row for column, row in product(COLUMNS[:size], ROWS[:size]))


SQUARES: Final = squares(5)
"""The squares of the largest pond. Smaller ponds are its top-left corner."""


class Stage(StrEnum):
    """A stage in the life cycle of a piece."""

    EGG = "egg"
    TADPOLE = "tadpole"
    FROG = "frog"


@dataclass(frozen=True, slots=True)
class First(Move):
    """Chance draws the seat that plays Light and begins (F-01)."""

    seat: Seat

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Place an egg from the spawn on an empty square."""

    square: Square

    def __str__(self) -> str:
        return f"place {self.square}"


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """Move a tadpole or a frog. A square it hops over isn't named (F-04)."""

    origin: Square
    landing: Square

    def __str__(self) -> str:
        return f"move {self.origin} {self.landing}"


MOVES: Final[dict[str, Move]] = {
    str(move): move
    for move in (
        *map(First, (0, 1)),
        *map(Place, SQUARES),
        *(Shift(origin, landing) for origin, landing in product(SQUARES, SQUARES) if origin != landing),
        RESIGN,
    )
}
"""Every move of the game by its text."""


def landing_of(move: Move | None) -> Square:
    """Return the square where a move puts its piece; empty if there is no move."""
    return move.landing if isinstance(move, Shift) else move.square if isinstance(move, Place) else ""


@dataclass(frozen=True, slots=True)
class Began(Event):
    """The seat plays Light and moves first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """The seat placed an egg from its spawn."""

    seat: Seat
    square: Square


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The seat moved a tadpole or a frog."""

    seat: Seat
    origin: Square
    landing: Square
    stage: Stage


@dataclass(frozen=True, slots=True)
class Developed(Event):
    """A piece next to the landing square went one stage on."""

    owner: Seat
    square: Square
    before: Stage
    after: Stage


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The owner's pieces on these squares were part of a set: they leave the pond and score."""

    owner: Seat
    squares: tuple[Square, ...]
