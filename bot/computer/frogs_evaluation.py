"""Estimates of the value of a board of Pond · frogs, for the search at its horizon.

The weights are fitted by ``make fit-frogs``; docs/STRENGTH.md says how.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.computer.frogs_engine import Board, Engine

Estimate = Callable[[Board], int]
"""Returns the value of a board to its mover."""


class Weights(NamedTuple):
    """The worth of each feature to the side that has it; an egg in the spawn is worth nothing."""

    turn: int
    score: int
    egg: int
    tadpole: int
    frog: int


WEIGHTS: Final = {4: Weights(0, 1000, 0, 100, 200), 5: Weights(0, 1000, 0, 100, 200)}
"""By the size of the pond."""


def features(engine: Engine, board: Board) -> tuple[int, ...]:
    """Return what `Weights` weighs, as the mover's lead over the rival."""
    pieces, own, rival, _, _, score, rival_score = board
    lanes = [pieces >> engine.lane * stage for stage in range(3)]
    return (1, score - rival_score, *((lane & own).bit_count() - (lane & rival).bit_count() for lane in lanes))


def estimate_of(engine: Engine, weights: Weights | None = None) -> Estimate:
    """Return the fast form of the weighted sum of `features`."""
    turn, point, egg, tadpole, frog = weights or WEIGHTS[engine.size]
    second, third = engine.lane, 2 * engine.lane

    def estimate(board: Board) -> int:
        pieces, own, rival, _, _, score, rival_score = board
        tadpoles, frogs = pieces >> second, pieces >> third
        return (
            turn
            + point * (score - rival_score)
            + egg * ((pieces & own).bit_count() - (pieces & rival).bit_count())
            + tadpole * ((tadpoles & own).bit_count() - (tadpoles & rival).bit_count())
            + frog * ((frogs & own).bit_count() - (frogs & rival).bit_count())
        )

    return estimate
