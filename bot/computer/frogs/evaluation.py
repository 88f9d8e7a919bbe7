"""Estimates of the value of a board of Pond · frogs, for the search at its horizon.

The weights are fitted by ``make fit-frogs``; docs/STRENGTH.md says how.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Board, Engine

Estimate = Callable[[Board], int]
"""Returns the value of a board to its mover."""


class Weights(NamedTuple):
    """The worth of each feature to the side that has it, in hundredths of the logarithm of the odds to win.

    The stages of pieces aren't weighed: they change too often to tell who will win.
    """

    turn: int
    point: int
    piece: int
    """A piece on the pond; one in the spawn is worth nothing."""
    centre: int
    """More for a piece that isn't at the edge."""
    corner: int
    """More for a piece in a corner."""
    near: int
    """Being two points short of the goal, or fewer."""
    nearer: int
    """More for being one point short."""


WEIGHTS: Final = {4: Weights(26, 84, 38, 30, -43, 24, -6), 5: Weights(28, 81, 39, 14, -19, 4, 27)}
"""By the size of the pond."""


def features(engine: Engine, goal: int, board: Board) -> tuple[int, ...]:
    """Return the features that `Weights` weighs, as the mover's lead over the rival. The game must not be over."""
    _, own, rival, _, _, score, rival_score = board
    return (
        1,
        score - rival_score,
        own.bit_count() - rival.bit_count(),
        (own & engine.centre).bit_count() - (rival & engine.centre).bit_count(),
        (own & engine.corners).bit_count() - (rival & engine.corners).bit_count(),
        (score >= goal - 2) - (rival_score >= goal - 2),
        (score >= goal - 1) - (rival_score >= goal - 1),
    )


def estimate_of(engine: Engine, goal: int) -> Estimate:
    """Return the fast form of the weighted sum of `features`."""
    turn, point, piece, of_centre, of_corner, near, nearer = WEIGHTS[engine.size]
    centre, corners = engine.centre, engine.corners
    points = [
        point * score + near * (score >= goal - 2) + nearer * (score >= goal - 1)
        for score in range(goal + len(engine.bit))
    ]

    def estimate(board: Board) -> int:
        _, own, rival, _, _, score, rival_score = board
        return (
            turn
            + points[score]
            - points[rival_score]
            + piece * (own.bit_count() - rival.bit_count())
            + of_centre * ((own & centre).bit_count() - (rival & centre).bit_count())
            + of_corner * ((own & corners).bit_count() - (rival & corners).bit_count())
        )

    return estimate
