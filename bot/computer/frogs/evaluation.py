"""The value of a board of Pond · frogs at the horizon of the search: estimates, and endings that are known.

The weights are fitted by ``make fit-frogs``; docs/STRENGTH.md says how.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Board, Engine
from bot.games.frogs.rulebook import QUIET_PLIES

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


WIN: Final = 1_000_000
"""The value of a win now. A later one is worth one less for each ply."""
DRAW: Final = 0

Key = tuple[int, int, int]
"""The identity of a board: pieces by stage, the mover's squares, both scores. The spawns follow from these."""


class Rules(NamedTuple):
    """The points to win, and whether the third occurrence of a position is a draw."""

    goal: int
    draws_by_repetition: bool


def key_of(board: Board) -> Key:
    """Return the key of a board."""
    return board[0], board[1], board[5] << 8 | board[6]


class Endings:
    """The tests for the end of a game, and the positions of its line so far.

    Boards are seen by their mover, so that the same key may stand for two positions: one for each side. A ``side`` is
    therefore given as well: the parity of the ply.
    """

    def __init__(self, engine: Engine, rules: Rules) -> None:
        self._engine = engine
        self.rules: Final = rules
        self.goal, self._draws_by_repetition = rules
        self._seen: tuple[dict[Key, int], dict[Key, int]] = ({}, {})
        """How often each position has occurred on the line, by side."""
        self.twice: set[tuple[Key, int]] = set()
        """The positions that have occurred twice, unless repetition is no draw."""

    def enter(self, key: Key, side: int) -> None:
        """Add a position to the line."""
        seen = self._seen[side]
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2 and self._draws_by_repetition:
            self.twice.add((key, side))

    def leave(self, key: Key, side: int) -> None:
        """Take a position back."""
        seen = self._seen[side]
        seen[key] -= 1
        if seen[key] == 1:
            self.twice.discard((key, side))

    def reason(self, board: Board, side: int, quiet: int) -> str | None:
        """Return why the game is over, or ``None``. The tests are in the order of F-02.

        ``quiet`` is the number of plies since the last placing or score.
        """
        if board[5] >= self.goal or board[6] >= self.goal:
            return "draw" if board[5] == board[6] else "goal"
        if not (board[3] and board[1] | board[2] != self._engine.all) and not self._engine.can_act(board):
            return "elimination"
        if quiet and self.twice and (key_of(board), side) in self.twice:
            return "repetition"
        return "no_progress" if quiet >= QUIET_PLIES else None

    def value(self, board: Board, ply: int, quiet: int) -> int | None:
        """Return the value to the side that moved last if the game is over after ``ply`` plies, else ``None``."""
        reason = self.reason(board, ply & 1, quiet)
        if reason is None:
            return None
        if reason == "elimination":
            return WIN - ply
        if reason == "goal":
            return WIN - ply if board[6] > board[5] else ply - WIN
        return DRAW
