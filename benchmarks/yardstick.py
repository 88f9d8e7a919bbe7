"""OpenSpiel driven from Python, played at random beside our own games in the same run.

Its loop is that of its own Python example: `random.choice` of the legal actions, and `numpy.random.choice` by the
chance outcomes' probabilities. The leanest loop there can be is told beside it: one generator for both, chance drawn
evenly. OpenSpiel is a development extra (``bench``); without it there is nothing to measure against.
"""

import importlib
import importlib.util
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

T = TypeVar("T")

RUN_S: Final = 0.25
ROUNDS: Final = 12

rng: Final = random.Random(0)  # noqa: S311 - nothing is at stake


class Luck:
    """Chance as quick as the library has it."""

    below = rng.randrange

    @staticmethod
    def shuffle(pack: Sequence[T]) -> list[T]:
        """The pack in random order."""
        cards = list(pack)
        rng.shuffle(cards)
        return cards


@dataclass(frozen=True)
class Contestant:
    """A way to play our game. ``play`` plays one game and counts it; ``target`` is the least ratio to OpenSpiel."""

    play: Callable[[], int]
    target: float


def is_there() -> bool:
    """Whether OpenSpiel is installed; says so if not."""
    if importlib.util.find_spec("pyspiel") is not None:
        return True
    sys.stdout.write("  skipped: OpenSpiel is not installed here (pip install open_spiel)\n")
    return False


def measure(name: str, unit: str, ours: Mapping[str, Contestant], *, deals: bool = False) -> None:
    """Prints a line for OpenSpiel's game and one for each of ours: units a second, ratios, targets.

    A unit is a move of a player, or with ``deals`` a whole game of OpenSpiel's. All take turns, and the best run of
    each counts, so that a busy machine spoils no ratio.
    """
    if not is_there():
        return
    game = importlib.import_module("pyspiel").load_game(name)
    example, lean = _example_loop(game), _lean_loop(game)
    runs: dict[str, Callable[[], int]] = {
        "its example": (lambda: bool(example())) if deals else example,
        "leanest": (lambda: bool(lean())) if deals else lean,
        **{key: contestant.play for key, contestant in ours.items()},
    }
    best = dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for key, play in runs.items():
            best[key] = max(best[key], _rate(play))
    by_example, by_lean = best.pop("its example"), best.pop("leanest")
    sys.stdout.write(
        f"OpenSpiel {name}: {by_example:,.0f} {unit}/s as its example, {by_lean:,.0f} by the leanest loop\n"
    )
    for key, contestant in ours.items():
        ratio = best[key] / by_example
        verdict = "" if ratio >= contestant.target else "  MISSED"
        sys.stdout.write(
            f"  {key:9} {best[key]:11,.0f} {unit}/s   {ratio:5.2f} ×, target {contestant.target} ×{verdict}"
            f"   ({best[key] / by_lean:.2f} × the leanest)\n"
        )


def _rate(play: Callable[[], int]) -> float:
    start, count = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < RUN_S:
        count += play()
    return count / passed


def _example_loop(game: Any) -> Callable[[], int]:
    """A game as `open_spiel/python/examples/example.py` plays it; gives the moves of its players."""
    draw = importlib.import_module("numpy").random.choice
    choice = rng.choice

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(draw(outcomes, p=chances))
            else:
                state.apply_action(choice(state.legal_actions(state.current_player())))
                moves += 1
        return moves

    return play


def _lean_loop(game: Any) -> Callable[[], int]:
    choice = rng.choice

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choice(state.chance_outcomes())[0])
            else:
                state.apply_action(choice(state.legal_actions()))
                moves += 1
        return moves

    return play
