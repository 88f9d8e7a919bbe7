"""Measure how fast Pond · frogs is played at random and searched.

Random games are played with the rulebook, with the bitboards of the yardstick, and with the engine of the computers.

python -m benchmarks.frogs
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Final

from benchmarks.frogs_bitboard import actions, board_of, play, pond_of
from bot.computer.frogs.engine import engine_of
from bot.computer.frogs.evaluation import Rules, estimate_of
from bot.computer.frogs.search import Search, Start
from bot.games.frogs.rulebook import Frogs

ROUNDS: Final = 12
RUN_S: Final = 0.25
DEPTH: Final = 7

_FROGS: Final = Frogs()
_START: Final = _FROGS.apply(_FROGS.start(_FROGS.settle({})), None, _FROGS.parse("first 0")).state
ENGINE: Final = engine_of(_START.setup.size)
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
    pond, goal = pond_of(_START.setup.size), _START.setup.goal
    board, moves = board_of(_START.position), 0
    while max(board.score, board.rival_score) < goal and (found := actions(board, pond)):
        board = play(board, _rng.choice(found))
        moves += 1
    return moves


def engine() -> int:
    """Play a random game with the strong computer's engine. Return the number of moves."""
    board, moves = ENGINE.board_of(_START.position), 0
    while max(board[5:]) < _START.setup.goal and (found := ENGINE.actions(board)):
        board = ENGINE.play(board, _rng.choice(found))
        moves += 1
    return moves


def searched(*, reductions: bool) -> tuple[float, int]:
    """Search from the opening to depth 7. Return the seconds of processor time and the nodes."""
    rules = Rules(_START.setup.goal, draws_by_repetition=True)
    search = Search(ENGINE, rules, estimate_of(ENGINE, rules.goal), reductions=reductions)
    start = time.process_time()
    found = search.run(Start(ENGINE.board_of(_START.position)), budget=10**9, max_depth=DEPTH)
    return time.process_time() - start, found.nodes


def main() -> None:
    """Print moves per second and the time of a search, the best of several runs."""
    for name, game in (("rulebook", rulebook), ("bitboards", bitboards), ("engine", engine)):
        sys.stdout.write(f"  {name:10} {max(_rate(game) for _ in range(ROUNDS)):9,.0f} moves/s\n")
    for name, reductions in (("in full", False), ("reduced", True)):
        seconds, nodes = min(searched(reductions=reductions) for _ in range(ROUNDS))
        sys.stdout.write(
            f"  depth {DEPTH} from the opening, {name}: {seconds:.2f} s, {nodes / seconds:9,.0f} nodes/s\n"
        )


def _rate(game: Callable[[], int]) -> float:
    start, moves = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - start) < RUN_S:
        moves += game()
    return moves / elapsed


if __name__ == "__main__":
    main()
