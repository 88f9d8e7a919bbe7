"""The words of Pond · frogs: squares, stages, moves, and what happens on the pond."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Final

from bot.games.game import RESIGN, Event, Move, Seat

COLUMNS: Final = "abcde"
ROWS: Final = "12345"

Square = str
"""A square's name, ``a1`` in the top-left corner: column letter, then row number downwards."""

SQUARES: Final[tuple[Square, ...]] = tuple(column + row for column, row in product(COLUMNS, ROWS))
"""The squares of the largest pond, sorted as text; smaller ponds are its top-left corner."""


def squares(size: int) -> tuple[Square, ...]:
    """The squares of a pond of ``size`` by ``size``, sorted as text."""
    return tuple(column + row for column, row in product(COLUMNS[:size], ROWS[:size]))


class Stage(StrEnum):
    """A piece's place in its life cycle."""

    EGG = "egg"
    TADPOLE = "tadpole"
    FROG = "frog"


STAGES: Final = tuple(Stage)


@dataclass(frozen=True, slots=True)
class First(Move):
    """Chance: which seat plays Light and begins (F-01)."""

    seat: Seat

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Put an egg from the spawn on an empty square."""

    square: Square

    def __str__(self) -> str:
        return f"place {self.square}"


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """Take one's own tadpole or frog to another square; what is hopped over is not named (F-04)."""

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
"""Every move of the game by its text; rulebook and search hand out these very objects."""


@dataclass(frozen=True, slots=True)
class Began(Event):
    """The seat plays Light and moves first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """The seat put an egg from its spawn on the square."""

    seat: Seat
    square: Square


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The seat's tadpole or frog went from one square to another."""

    seat: Seat
    origin: Square
    landing: Square
    stage: Stage


@dataclass(frozen=True, slots=True)
class Developed(Event):
    """The owner's piece on the square went one stage on."""

    owner: Seat
    square: Square
    before: Stage
    after: Stage


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The owner's pieces on these squares stood in sets; they leave the pond and count for him."""

    owner: Seat
    squares: tuple[Square, ...]
