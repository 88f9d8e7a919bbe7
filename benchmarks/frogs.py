"""How fast Pond · frogs is played at random, against OpenSpiel's breakthrough on 4 by 4 squares driven from Python.

    python -m benchmarks.frogs

Prints moves a second of both, and how many times OpenSpiel's rate ours is: once through the public rulebook (`to_act`,
`legal`, `apply`) and once by the functions that searches use (`actions`, `play`). The loops have the same shape, take
turns, and the best of their runs counts, so that a busy machine spoils no ratio. OpenSpiel is no dependency:
``pip install open_spiel`` where it is wanted.
"""

import importlib
import importlib.util
import random
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from bot.games.frogs import Frogs
from bot.games.frogs.masks import actions, play

ROUNDS: Final = 40
GAMES: Final = 60
TARGETS: Final = {"rulebook": 0.25, "search": 0.5}

_choice: Final = random.Random(0).choice  # noqa: S311 - nothing is at stake


def rulebook() -> int:
    """The moves of some games through the rulebook."""
    frogs, count = Frogs(), 0
    start = frogs.apply(frogs.start(frogs.settle({})), None, frogs.parse("first 0")).state
    for _ in range(GAMES):
        state = start
        while to_act := frogs.to_act(state):
            (seat,) = to_act
            state = frogs.apply(state, seat, _choice(frogs.legal(state, seat or 0))).state
            count += 1
    return count


def search() -> int:
    """The moves of some games by the functions that searches use."""
    frogs, count = Frogs(), 0
    start = frogs.start(frogs.settle({}))
    board, goal = start.terms.board, start.terms.goal
    for _ in range(GAMES):
        position = start.positions[-1]
        while position[5] < goal and position[6] < goal and (found := actions(position, board)):
            position = play(position, _choice(found))
            count += 1
    return count


def open_spiel(breakthrough: Any) -> int:
    """The moves of some games of OpenSpiel's breakthrough, which are shorter."""
    count = 0
    for _ in range(4 * GAMES):
        state = breakthrough.new_initial_state()
        while not state.is_terminal():
            state.apply_action(_choice(state.legal_actions(state.current_player())))
            count += 1
    return count


def rate(moves: Callable[[], int]) -> float:
    """Moves a second in one run."""
    start = time.perf_counter()
    return moves() / (time.perf_counter() - start)


def main() -> None:
    """Measures and prints, one line each."""
    if importlib.util.find_spec("pyspiel") is None:
        sys.stdout.write("skipped: OpenSpiel is not installed here (pip install open_spiel)\n")
        return
    breakthrough = importlib.import_module("pyspiel").load_game("breakthrough(rows=4,columns=4)")
    runs: dict[str, Callable[[], int]] = {
        "open_spiel": lambda: open_spiel(breakthrough),
        "rulebook": rulebook,
        "search": search,
    }
    best = dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, moves in runs.items():
            best[name] = max(best[name], rate(moves))
    sys.stdout.write(f"open_spiel  {best['open_spiel']:9,.0f} moves a second\n")
    for name, target in TARGETS.items():
        ratio = best[name] / best["open_spiel"]
        sys.stdout.write(f"{name:10}  {best[name]:9,.0f} moves a second, ratio {ratio:.2f}, target {target}\n")


if __name__ == "__main__":
    main()
