"""Which turns of Pond · frogs are illegal, and why."""

from bot.errors import IllegalMove
from bot.games.frogs.moves import Place, Shift, Square, Stage, squares
from bot.games.frogs.position import REACH, Action, Position
from bot.games.game import Move


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
