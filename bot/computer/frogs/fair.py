"""A rule of thumb for Pond · frogs: an alpha-beta search that counts scored pieces and pieces that can move.

The rulebook plays the first move of each line, so that repetitions and other ends of the game are seen there. The
search below it uses the engine.
"""

import random
from typing import Final

from bot.computer.frogs.engine import Board, Engine, engine_of
from bot.games.frogs.observation import Observation, state_of
from bot.games.frogs.rulebook import Frogs
from bot.games.game import Move, Outcome, Seat

DEPTH: Final = 3
"""The depth of the search in plies, including the computer's own move."""

_WIN: Final = 1000
"""The value of a win; `_search` adds a little for a sooner one."""
_TOP: Final = _WIN + DEPTH + 1
_PIECE: Final = 10
_TADPOLE: Final = 1
_FROG: Final = 2
_RULEBOOK: Final = Frogs()


def choose(observation: Observation, rng: random.Random, depth: int = DEPTH) -> Move:
    """Return the best legal move of the observing seat, whose turn it is. ``rng`` decides between equal ones."""
    state = state_of(observation)
    engine, goal = engine_of(observation.setup.size), observation.setup.goal
    best, chosen = -_TOP, observation.legal[0]
    for move in rng.sample(observation.legal, len(observation.legal)):
        after = _RULEBOOK.apply(state, observation.seat, move).state
        if after.outcome is not None:
            value = _value_of(after.outcome, observation.seat or 0)
        else:
            value = -_Search(engine, goal).value(engine.board_of(after.position), depth - 1, -_TOP, -best)
        if value > best:
            best, chosen = value, move
    return chosen


def _value_of(outcome: Outcome, seat: Seat) -> int:
    """Return the value of a game that the seat's own move ends: a win, a draw or a loss."""
    return (outcome.places[1 - seat] - outcome.places[seat]) * (_WIN + DEPTH)


class _Search:
    """Alpha-beta search on one pond."""

    def __init__(self, engine: Engine, goal: int) -> None:
        self._engine = engine
        self._goal = goal

    def value(self, board: Board, depth: int, low: int, high: int) -> int:
        """Return the value of the board to the mover. It is exact between ``low`` and ``high``."""
        *_, score, rival_score = board
        if score >= self._goal or rival_score >= self._goal:
            return ((score > rival_score) - (score < rival_score)) * (_WIN + depth)
        if depth == 0:
            return self._estimate(board)
        found = self._engine.actions(board)
        if not found:
            return -_WIN - depth
        for action in found:
            low = max(low, -self.value(self._engine.play(board, action), depth - 1, -high, -low))
            if low >= high:
                break
        return low

    def _estimate(self, board: Board) -> int:
        """Estimate the value of a board: scored pieces count most, then frogs, then tadpoles."""
        pieces, own, rival, _, _, score, rival_score = board
        tadpoles, frogs = pieces >> self._engine.lane, pieces >> 2 * self._engine.lane
        return (
            _PIECE * (score - rival_score)
            + _TADPOLE * ((tadpoles & own).bit_count() - (tadpoles & rival).bit_count())
            + _FROG * ((frogs & own).bit_count() - (frogs & rival).bit_count())
        )
