"""The pond between two turns, what the side to move may do and why not, and what a turn does to the pond."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from bot.errors import IllegalMove
from bot.games.frogs.moves import (
    COLUMNS,
    ROWS,
    SQUARES,
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

Action = Place | Shift
Pair = tuple[int, int]
"""A number for each seat."""


class Piece(NamedTuple):
    """A piece on the pond."""

    square: Square
    owner: Seat
    stage: Stage


class Position(NamedTuple):
    """The pond and the side to move: two equal positions are a repetition (F-03).

    ``turn`` is ``None`` until the first player is drawn. ``pieces`` are sorted by square, ``spawns`` and ``scores``
    are by seat.
    """

    turn: Seat | None
    pieces: tuple[Piece, ...]
    spawns: Pair
    scores: Pair


class Turn(NamedTuple):
    """The result of a turn: the position after it, its events, and the pieces that scored."""

    position: Position
    events: tuple[Event, ...]
    gone: tuple[Piece, ...]


# ---- geometry


def _away(square: Square, *distances: int) -> tuple[Square, ...]:
    """Return the squares at these distances, straight up, down, left and right, sorted (PD-07)."""
    x, y = COLUMNS.index(square[0]), ROWS.index(square[1])
    steps = [step for distance in distances for step in (-distance, distance)]
    targets = [(x + step, y) for step in steps] + [(x, y + step) for step in steps]
    size = range(len(ROWS))
    return tuple(sorted(COLUMNS[right] + ROWS[down] for right, down in targets if right in size and down in size))


NEIGHBOURS: Final = {square: _away(square, 1) for square in SQUARES}
REACH: Final[Mapping[Stage, Mapping[Square, tuple[Square, ...]]]] = {
    Stage.EGG: dict.fromkeys(SQUARES, ()),
    Stage.TADPOLE: NEIGHBOURS,
    Stage.FROG: {square: _away(square, 1, 2) for square in SQUARES},
}
"""The squares that a piece reaches if they are empty. Pieces in between don't matter (PD-05, PD-06)."""

LINES: Final = tuple(
    [COLUMNS[x + step * right] + ROWS[y + step * down] for step in range(3)]
    for right, down in ((0, 1), (1, 0))
    for x in range(len(COLUMNS) - 2 * right)
    for y in range(len(ROWS) - 2 * down)
)
"""All runs of three squares, across and down: the shortest sets (PD-13, PD-15)."""

NEXT_STAGE: Final = {Stage.EGG: Stage.TADPOLE, Stage.TADPOLE: Stage.FROG, Stage.FROG: Stage.EGG}

# ---- a turn


def actions(position: Position, size: int) -> Iterator[Action]:
    """Yield all actions of the side to move, sorted as text (PD-10)."""
    empty = set(squares(size)).difference([piece.square for piece in position.pieces])
    for square, owner, stage in position.pieces:
        if owner == position.turn:
            yield from (Shift(square, landing) for landing in REACH[stage][square] if landing in empty)
    if position.spawns[position.turn or 0]:
        yield from map(Place, sorted(empty))


def can_act(position: Position, size: int) -> bool:
    """Return whether the side to move has any action. If not, it loses (PD-20 to PD-22)."""
    can_place = position.spawns[position.turn or 0] > 0 and len(position.pieces) < size * size
    return can_place or any(True for _ in actions(position, size))


def play(position: Position, seat: Seat, action: Action) -> Turn:
    """Play a legal turn of ``seat``: act, develop the neighbours, then score all sets.

    Events of the seat's own pieces come before events of the rival's pieces.
    """
    pieces = {piece.square: piece for piece in position.pieces}
    acted, landing = _act(pieces, seat, action)
    developed = _develop(pieces, seat, landing)
    gone = tuple([pieces.pop(square) for square in sorted(in_sets(pieces))])
    scored = _scored(gone, seat)
    spawns, scores = position.spawns, position.scores
    if isinstance(action, Place):
        spawns = _added(spawns, seat, -1)
    for event in scored:
        scores = _added(scores, event.owner, len(event.squares))
    after = Position(1 - seat, tuple(sorted(pieces.values())), spawns, scores)
    return Turn(after, (acted, *developed, *scored), gone)


def _act(pieces: dict[Square, Piece], seat: Seat, action: Action) -> tuple[Event, Square]:
    """Place an egg or move a piece. Return the event and the landing square."""
    if isinstance(action, Place):
        pieces[action.square] = Piece(action.square, seat, Stage.EGG)
        return Placed(seat, action.square), action.square
    stage = pieces.pop(action.origin).stage
    pieces[action.landing] = Piece(action.landing, seat, stage)
    return Moved(seat, action.origin, action.landing, stage), action.landing


def _develop(pieces: dict[Square, Piece], seat: Seat, landing: Square) -> list[Developed]:
    """Develop all neighbours of the landing square by one stage, whoever owns them (PD-02 to PD-04, PD-08, PD-09)."""
    neighbours = [pieces[square] for square in NEIGHBOURS[landing] if square in pieces]
    events = []
    for square, owner, before in sorted(neighbours, key=lambda piece: piece.owner != seat):
        after = NEXT_STAGE[before]
        pieces[square] = Piece(square, owner, after)
        events.append(Developed(owner, square, before, after))
    return events


def _scored(gone: tuple[Piece, ...], seat: Seat) -> list[Scored]:
    """Return the scores of the pieces in sets, which leave the pond. Each scores for its owner (PD-12 to PD-18)."""
    if not gone:
        return []
    by_owner = [(owner, tuple([piece.square for piece in gone if piece.owner == owner])) for owner in (seat, 1 - seat)]
    return [Scored(owner, scored) for owner, scored in by_owner if scored]


def in_sets(pieces: Mapping[Square, Piece]) -> set[Square]:
    """Return the squares of all lines of three or more equal stages, found before any is removed (PD-14)."""
    return {
        square
        for first, middle, last in LINES
        if first in pieces and middle in pieces and last in pieces
        if pieces[first].stage == pieces[middle].stage == pieces[last].stage
        for square in (first, middle, last)
    }


def _added(pair: Pair, seat: Seat, number: int) -> Pair:
    return (pair[0] + number, pair[1]) if seat == 0 else (pair[0], pair[1] + number)


# ---- why a turn is illegal


def legal_action(position: Position, size: int, move: Move) -> Action:
    """Return the move if the side to move may make it. Raise `IllegalMove` with the first rule that it breaks."""
    match move:
        case Place(square):
            _check_landing(position, size, square, "PD-10")
            if not position.spawns[position.turn or 0]:
                raise IllegalMove("You have no eggs left to place. Move a tadpole or a frog.", "PD-21")
            return move
        case Shift(origin, landing):
            stage = _check_origin(position, origin)
            _check_landing(position, size, landing, "PD-07" if stage == Stage.FROG else "PD-10")
            _check_distance(stage, origin, landing)
            return move
        case _:
            raise IllegalMove("Place an egg, or move a tadpole or a frog.", "PD-10")


def _check_landing(position: Position, size: int, square: Square, ruling: str) -> None:
    """Raise `IllegalMove` with the ruling that explains where the piece can go."""
    if square not in squares(size):
        raise IllegalMove("This pond has no square {square}.", "PD-06", square=square)
    if square in [piece.square for piece in position.pieces]:
        raise IllegalMove("{square} is taken. Choose an empty square.", ruling, square=square)


def _check_origin(position: Position, square: Square) -> Stage:
    """Return the stage of the piece that moves."""
    stages = {piece.square: piece.stage for piece in position.pieces if piece.owner == position.turn}
    if square not in stages:
        raise IllegalMove("You have no piece on {square}.", "PD-11", square=square)
    if stages[square] == Stage.EGG:
        raise IllegalMove("Your piece on {square} is an egg. Eggs don't move.", "PD-10", square=square)
    return stages[square]


def _check_distance(stage: Stage, origin: Square, landing: Square) -> None:
    if landing in REACH[stage][origin]:
        return
    if stage == Stage.TADPOLE:
        raise IllegalMove("Tadpoles move one square up, down, left or right.", "PD-10")
    raise IllegalMove("Frogs move one or two squares up, down, left or right, in a straight line.", "PD-07")
