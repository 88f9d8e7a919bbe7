"""Pond · frogs as integers: what can be done in a position and where it leads. The rulebook and searches share it.

Squares are the bits of a mask, in the order of their names: down the columns, each of which ends in a sixth row that
stays empty, so that no line runs on into the next one. Pieces are three such masks in one integer, the planes of eggs,
tadpoles and frogs, an empty column between them. A smaller pond is a corner of the largest and uses the same tables.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final, TypeVar

from bot.games.frogs.moves import (
    COLUMNS,
    MOVES,
    ROWS,
    SQUARES,
    STAGES,
    Developed,
    Moved,
    Place,
    Placed,
    Scored,
    Shift,
    Square,
    Stage,
    squares,
)
from bot.games.game import Event, Move, Seat

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

Position = tuple[int, int, int, int, int, int, int]
"""The pieces; the squares of the side to move and of its rival; their spawns; their scores."""

Board = int
"""The squares of a pond."""

DOWN: Final = 1  # from a square to the one below it
ACROSS: Final = 6  # and to the one on its right
TADPOLES: Final = 36  # from a plane's squares to the tadpoles on them
FROGS: Final = 72  # and to the frogs
ALL_STAGES: Final = 1 | 1 << TADPOLES | 1 << FROGS  # times a mask: all pieces that could stand on its squares

SQUARE: Final[dict[Square, int]] = {
    column + row: 1 << ACROSS * x + DOWN * y for x, column in enumerate(COLUMNS) for y, row in enumerate(ROWS)
}
PIECE: Final[dict[tuple[Square, Stage], int]] = {
    (square, stage): bit << TADPOLES * plane for square, bit in SQUARE.items() for plane, stage in enumerate(STAGES)
}
NAMES: Final = {bit: piece for piece, bit in PIECE.items()}
LARGEST: Final[Board] = sum(SQUARE.values())
LINES: Final = tuple(
    bit | bit << step | bit << 2 * step
    for bit in NAMES
    for step in (DOWN, ACROSS)
    if {bit << step, bit << 2 * step} <= NAMES.keys()
)
"""Every three equal stages in a straight line: the least that is a set (PD-13, PD-15)."""


Action = tuple[int, int, int, int, int, Move, tuple[tuple[Event, ...], tuple[Event, ...]]]
"""An action as masks: everything that changes before sets are looked for.

What changes in the pieces and in the squares of the side to move; all pieces there could be beside the landing square;
how many eggs leave the spawn; the landing square; the move; its events, by seat.
"""


def board_of(size: int) -> Board:
    """The pond of ``size`` by ``size`` squares, at most five."""
    return sum(SQUARE[square] for square in squares(size))


def _away(square: Square, distance: int) -> Iterator[Square]:
    """The squares at that distance in the four straight directions (PD-07)."""
    x, y = COLUMNS.index(square[0]), ROWS.index(square[1])
    for right, down in ((-distance, 0), (0, -distance), (0, distance), (distance, 0)):
        if x + right in range(len(COLUMNS)) and y + down in range(len(ROWS)):
            yield COLUMNS[x + right] + ROWS[y + down]


def _near(square: Square) -> int:
    return sum(PIECE[beside, stage] for beside in _away(square, 1) for stage in STAGES)


def _placing(square: Square) -> Action:
    told = ((Placed(0, square),), (Placed(1, square),))
    bit = SQUARE[square]
    return PIECE[square, Stage.EGG], bit, _near(square), 1, bit, MOVES[str(Place(square))], told


def _going(origin: Square, landing: Square, stage: Stage) -> Action:
    told = ((Moved(0, origin, landing, stage),), (Moved(1, origin, landing, stage),))
    flips = PIECE[origin, stage] | PIECE[landing, stage]
    owned = SQUARE[origin] | SQUARE[landing]
    return flips, owned, _near(landing), 0, SQUARE[landing], MOVES[str(Shift(origin, landing))], told


def _goings(stage: Stage, *distances: int) -> dict[int, dict[Square, Action]]:
    """By square and by landing square, as if all were empty; what lies between is nothing to a frog (PD-05, PD-06)."""
    reach = {square: sorted(at for distance in distances for at in _away(square, distance)) for square in SQUARES}
    return {
        SQUARE[square]: {landing: _going(square, landing, stage) for landing in landings}
        for square, landings in reach.items()
    }


PLACINGS: Final = {square: _placing(square) for square in SQUARES}
TADPOLE_GOINGS: Final = _goings(Stage.TADPOLE, 1)
FROG_GOINGS: Final = _goings(Stage.FROG, 1, 2)
_TADPOLE_REACH, _FROG_REACH = (
    {square: sum(action[4] for action in goings.values()) for square, goings in by_square.items()}
    for by_square in (TADPOLE_GOINGS, FROG_GOINGS)
)


_MOST_KEPT: Final = 1 << 15
"""So many answers of a function are remembered at the most."""


class _Table(dict[K, T]):
    """What a function says of a key. Asked once for each, as the same few stand in most positions; forgotten as soon
    as there are very many.
    """

    def __init__(self, of: Callable[[K], T]) -> None:
        self._of = of

    def __missing__(self, key: K) -> T:
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[key] = found = self._of(key)
        return found


def _grown(pieces: int) -> int:
    """The pieces one stage on: egg, tadpole, frog, egg (PD-04)."""
    return pieces << TADPOLES & LARGEST * ALL_STAGES | pieces >> FROGS


_GROWTH: Final = tuple(
    {piece: Developed(owner, *NAMES[piece], NAMES[_grown(piece)][1]) for piece in NAMES} for owner in (0, 1)
)
"""By owner: what is told of each piece that develops."""


def _told(seat: Seat, growing: tuple[int, int]) -> tuple[Event, ...]:
    pieces, rivals = growing
    own: list[Event] = []
    other: list[Event] = []
    squares_left = (pieces | pieces >> TADPOLES | pieces >> FROGS) & LARGEST
    while squares_left:
        square = squares_left & -squares_left
        squares_left ^= square
        piece = pieces & square * ALL_STAGES
        if square & rivals:
            other.append(_GROWTH[1 - seat][piece])
        else:
            own.append(_GROWTH[seat][piece])
    return (*own, *other)


DEVELOPMENTS: Final = _Table[int, int](lambda pieces: pieces | _grown(pieces))
"""What changes in the pieces when these develop."""

DEVELOPED: Final = tuple(_Table[tuple[int, int], tuple[Event, ...]](partial(_told, seat)) for seat in (0, 1))
"""By the seat that acts, by the pieces that develop and the squares of the rival's: what is told, his own first."""


def _by_empty(actions: Iterable[Action], what: Callable[[Action], T]) -> tuple[int, dict[int, tuple[T, ...]]]:
    """The landing squares of some actions, and for each set of them that is empty the actions that are left."""
    landings, by_empty = 0, dict[int, tuple[T, ...]]({0: ()})
    for action in actions:
        landing, shown = action[4], (what(action),)
        by_empty |= {empty | landing: left + shown for empty, left in by_empty.items()}
        landings |= landing
    return landings, by_empty


def _chooser(what: Callable[[Action], T]) -> Callable[[Position, Board], tuple[T, ...]]:
    """A function that lists what can be done, each action as ``what`` shows it, looked up in tables of its own."""
    of_tadpole = {square: _by_empty(goings.values(), what) for square, goings in TADPOLE_GOINGS.items()}
    of_frog = {square: _by_empty(goings.values(), what) for square, goings in FROG_GOINGS.items()}
    left, right = (sum(SQUARE[square] for square in SQUARES if square[0] in columns) for columns in ("abc", "de"))
    placings = _Table[int, tuple[T, ...]](
        lambda empty: tuple(what(action) for action in PLACINGS.values() if action[4] & empty)
    )

    def choices(position: Position, board: Board) -> tuple[T, ...]:
        pieces, mover, rival, spawn, _, _, _ = position
        empty = board ^ (mover | rival)
        found: tuple[T, ...] = ()
        frogs = pieces >> 72 & mover
        mobile = pieces >> 36 & mover | frogs
        while mobile:
            square = mobile & -mobile
            mobile ^= square
            reach, by_empty = of_frog[square] if frogs & square else of_tadpole[square]
            found += by_empty[reach & empty]
        if spawn:
            found += placings[empty & left] + placings[empty & right]
        return found

    return choices


actions: Final = _chooser(lambda action: action)
"""All that the side to move can do in a position on a board, sorted as text: none means elimination (PD-20)."""

moves: Final = _chooser(lambda action: action[5])
"""The same as moves."""


def can_act(position: Position, board: Board) -> bool:
    """Whether the side to move can do anything."""
    pieces, mover, rival, spawn, _, _, _ = position
    empty = board & ~(mover | rival)
    if spawn and empty:
        return True
    frogs = pieces >> FROGS & mover
    tadpoles = pieces >> TADPOLES & mover
    return _any_in_reach(frogs, _FROG_REACH, empty) or _any_in_reach(tadpoles, _TADPOLE_REACH, empty)


def _any_in_reach(movers: int, reach: Mapping[int, int], empty: int) -> bool:
    while movers:
        square = movers & -movers
        if reach[square] & empty:
            return True
        movers ^= square
    return False


def play(position: Position, action: Action) -> Position:
    """The position after the action, seen from the other side: it acts, neighbours develop, sets score.

    The neighbours of the landing square develop all at once (PD-02 to PD-04, PD-08, PD-09).
    """
    flips, owned, near, eggs, _, _, _ = action
    pieces, mover, rival, spawn, rival_spawn, score, rival_score = position
    pieces ^= flips
    pieces ^= DEVELOPMENTS[pieces & near]
    return score_sets(pieces, mover ^ owned, rival, spawn - eggs, rival_spawn, score, rival_score)


def score_sets(  # noqa: PLR0913, PLR0917 - a position in its parts: that is quicker than one more tuple
    pieces: int, mover: int, rival: int, spawn: int, rival_spawn: int, score: int, rival_score: int
) -> Position:
    """The position after scoring, seen from the other side; what is given is seen from the side that acted.

    Every line of three or more equal stages anywhere scores for its pieces' owners and is gone (PD-12 to PD-18): all
    lines are found before anything is taken away.
    """
    down = pieces & pieces >> 1
    down &= down >> 1
    across = pieces & pieces >> 6
    across &= across >> 6
    if down or across:
        sets = down | down << 1 | down << 2 | across | across << 6 | across << 12
        gone = (sets | sets >> TADPOLES | sets >> FROGS) & LARGEST
        score += (gone & mover).bit_count()
        rival_score += (gone & rival).bit_count()
        pieces ^= sets
        mover &= ~gone
        rival &= ~gone
    return pieces, rival, mover, rival_spawn, spawn, rival_score, score


def names(mask: int) -> tuple[Square, ...]:
    """The names of the squares in a mask, in their order."""
    return tuple(square for square, bit in SQUARE.items() if bit & mask)


@lru_cache(maxsize=1024)
def scored(owner: Seat, mask: int) -> tuple[Event, ...]:
    """What is told of the owner's pieces that leave the pond, nothing if there are none (PD-16).

    Kept, as the same few lines score again and again.
    """
    return (Scored(owner, names(mask)),) if mask else ()
