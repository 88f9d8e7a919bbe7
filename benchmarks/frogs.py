"""Measure how fast Pond · frogs is played at random: with the rulebook, and with the bitboards of the computer player.

python -m benchmarks.frogs
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Final

from bot.computer.frogs_bitboard import actions, board_of, play, pond_of
from bot.games.frogs import Frogs

ROUNDS: Final = 12
RUN_S: Final = 0.25

_FROGS: Final = Frogs()
_START: Final = _FROGS.apply(_FROGS.start(_FROGS.settle({})), None, _FROGS.parse("first 0")).state
_rng: Final = random.Random(0)  # noqa: S311 - a benchmark needs no secrets


def rulebook() -> int:
    """Play a random game with the rulebook. Return the number of moves."""
    state, moves = _START, 0
    while state.outcome is None:
        seat = state.turn or 0
        state = _FROGS.apply(state, seat, _rng.choice(_FROGS.legal(state, seat))).state
        moves += 1
    return moves


def bitboards() -> int:
    """Play a random game with bitboards. Return the number of moves."""
    pond, goal = pond_of(_START.terms.size), _START.terms.goal
    board, moves = board_of(_START.position), 0
    while max(board.score, board.rival_score) < goal and (found := actions(board, pond)):
        board = play(board, _rng.choice(found))
        moves += 1
    return moves


def main() -> None:
    """Print moves per second, the best of several runs."""
    for name, game in (("rulebook", rulebook), ("bitboards", bitboards)):
        sys.stdout.write(f"  {name:10} {max(_rate(game) for _ in range(ROUNDS)):9,.0f} moves/s\n")


def _rate(game: Callable[[], int]) -> float:
    start, moves = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < RUN_S:
        moves += game()
    return moves / elapsed


if __name__ == "__main__":
    main()
