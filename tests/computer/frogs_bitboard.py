"""A second engine for Pond · frogs: the pond as bitboards, one for each stage and owner.

The yardstick of the strong computer searches with it, so that both share no code. It knows actions, development and
sets, but not how a game ends. A test plays it beside the rulebook on the same games.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from bot.games.frogs.moves import SQUARES, Place, Shift, Square, Stage, squares
from bot.games.frogs.position import NEIGHBOURS, REACH, Position

Squares = int
"""A set of squares: one bit for each."""

DOWN: Final = 1
ACROSS: Final = 6
"""Distances between the bits of neighbours. Each column of five has a spare bit, so that no line leaves the pond."""

BIT: Final[dict[Square, Squares]] = {
    square: 1 << (ACROSS * (index // 5) + DOWN * (index % 5)) for index, square in enumerate(SQUARES)
}
NAME: Final = {bit: square for square, bit in BIT.items()}
NO_SQUARE: Final[Squares] = 0


class Board(NamedTuple):
    """A position, seen by the side to move (the mover)."""

    eggs: Squares
    tadpoles: Squares
    frogs: Squares
    mover: Squares
    rival: Squares
    spawn: int
    rival_spawn: int
    score: int
    rival_score: int


class Action(NamedTuple):
    """A placing (``origin`` is `NO_SQUARE`), or the move of a piece."""

    origin: Squares
    landing: Squares

    @property
    def move(self) -> Place | Shift:
        """The same action for the rulebook."""
        landing = NAME[self.landing]
        return Shift(NAME[self.origin], landing) if self.origin else Place(landing)


def _bits(names: tuple[Square, ...]) -> Squares:
    return sum(BIT[name] for name in names)


_NEAR: Final = {BIT[square]: _bits(near) for square, near in NEIGHBOURS.items()}
_PLACINGS: Final = tuple(Action(NO_SQUARE, bit) for bit in BIT.values())
_MOVES: Final = {
    stage: {BIT[square]: tuple(Action(BIT[square], BIT[landing]) for landing in reach) for square, reach in of.items()}
    for stage, of in REACH.items()
}


def pond_of(size: int) -> Squares:
    """Return all squares of a pond of ``size`` by ``size``."""
    return _bits(squares(size))


def board_of(position: Position) -> Board:
    """Return a position of the rulebook as bitboards."""
    mover = position.turn or 0
    rival = 1 - mover
    stages = dict.fromkeys(Stage, NO_SQUARE)
    owners = [NO_SQUARE, NO_SQUARE]
    for square, owner, stage in position.pieces:
        stages[stage] |= BIT[square]
        owners[owner] |= BIT[square]
    return Board(
        eggs=stages[Stage.EGG],
        tadpoles=stages[Stage.TADPOLE],
        frogs=stages[Stage.FROG],
        mover=owners[mover],
        rival=owners[rival],
        spawn=position.spawns[mover],
        rival_spawn=position.spawns[rival],
        score=position.scores[mover],
        rival_score=position.scores[rival],
    )


def actions(board: Board, pond: Squares) -> list[Action]:
    """Return all actions of the mover."""
    empty = pond & ~(board.mover | board.rival)
    found = [action for action in _PLACINGS if action.landing & empty] if board.spawn else []
    for stage, pieces in ((Stage.TADPOLE, board.tadpoles), (Stage.FROG, board.frogs)):
        for origin in _each(pieces & board.mover):
            found += [action for action in _MOVES[stage][origin] if action.landing & empty]
    return found


def play(board: Board, action: Action) -> Board:
    """Return the board after a legal action, seen by the other side."""
    origin, landing = action
    eggs, tadpoles, frogs, mover, rival, spawn, rival_spawn, score, rival_score = board
    if origin == NO_SQUARE:
        eggs |= landing
        spawn -= 1
    elif frogs & origin:
        frogs ^= origin | landing
    else:
        tadpoles ^= origin | landing
    mover ^= origin | landing

    near = _NEAR[landing]
    eggs, tadpoles, frogs = (
        eggs & ~near | frogs & near,
        tadpoles & ~near | eggs & near,
        frogs & ~near | tadpoles & near,
    )

    sets = _sets(eggs) | _sets(tadpoles) | _sets(frogs)
    if sets:
        score += (sets & mover).bit_count()
        rival_score += (sets & rival).bit_count()
        eggs, tadpoles, frogs, mover, rival = (squares & ~sets for squares in (eggs, tadpoles, frogs, mover, rival))
    return Board(eggs, tadpoles, frogs, rival, mover, rival_spawn, spawn, rival_score, score)


def _sets(stage: Squares) -> Squares:
    """Return the squares of all lines of three or more."""
    down = stage & stage >> DOWN & stage >> 2 * DOWN
    across = stage & stage >> ACROSS & stage >> 2 * ACROSS
    return down | down << DOWN | down << 2 * DOWN | across | across << ACROSS | across << 2 * ACROSS


def _each(squares: Squares) -> Iterator[Squares]:
    while squares:
        square = squares & -squares
        yield square
        squares ^= square
