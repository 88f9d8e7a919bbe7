"""Which turns of Pond · frogs are illegal, and why."""

from bot.errors import IllegalMove
from bot.games.frogs.moves import Place, Shift, Square, Stage, squares
from bot.games.frogs.position import REACH, Action, Position
from bot.games.game import Move


def legal_action(position: Position, size: int, move: Move) -> Action:
    """Return the move if the side to move may make it. Raise `IllegalMove` with the first rule that it breaks."""
    match move:
        case Place(square):
            _check_landing(position, size, square)
            if not position.spawns[position.turn or 0]:
                raise IllegalMove("Your spawn is empty, so you have to move a tadpole or a frog.", "PD-21")
            return move
        case Shift(origin, landing):
            stage = _check_origin(position, origin)
            _check_landing(position, size, landing)
            _check_distance(stage, origin, landing)
            return move
        case _:
            raise IllegalMove("On your turn you place an egg or move a tadpole or a frog.", "PD-10")


def _check_landing(position: Position, size: int, square: Square) -> None:
    if square not in squares(size):
        raise IllegalMove(f"There is no square {square} on this pond.", "PD-06")
    if square in [piece.square for piece in position.pieces]:
        raise IllegalMove(f"{square} is not empty.", "PD-07")


def _check_origin(position: Position, square: Square) -> Stage:
    """Return the stage of the piece that moves."""
    stages = {piece.square: piece.stage for piece in position.pieces if piece.owner == position.turn}
    if square not in stages:
        raise IllegalMove(f"No piece of yours stands on {square}.", "PD-11")
    if stages[square] == Stage.EGG:
        raise IllegalMove(f"Your piece on {square} is an egg, and eggs don't move.", "PD-10")
    return stages[square]


def _check_distance(stage: Stage, origin: Square, landing: Square) -> None:
    if landing in REACH[stage][origin]:
        return
    if stage == Stage.TADPOLE:
        raise IllegalMove("A tadpole moves one square, up, down, left or right.", "PD-10")
    raise IllegalMove("A frog moves one or two squares in a straight line, up, down, left or right.", "PD-07")
