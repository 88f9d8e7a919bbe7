"""Fit the weights of `bot.computer.frogs.evaluation` by self-play.

python -m tools.fit_frogs --games 1000

The strong computer plays against itself with few nodes and some random moves. Logistic regression then finds the
weights that best predict who won, from the positions of these games. The weights printed are to be copied by hand.
"""

import argparse
import math
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.computer.frogs.engine import Board, Engine, engine_of
from bot.computer.frogs.evaluation import Endings, Rules, Weights, estimate_of, features, key_of
from bot.computer.frogs.search import Search, Start
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import PRESETS

OPENING: Final = 4
"""Random moves at the start of each game."""
NOISE: Final = 0.1
"""The share of random moves later on, so that bad positions are seen as well."""
LONGEST: Final = 200
"""Moves after which a game counts as drawn."""
STEPS: Final = 6
"""Steps of Newton's method. Four are enough."""
SCALE: Final = 100
"""Weights are hundredths of the logarithm of the odds."""

_FROGS: Final = Frogs()


class Sample(NamedTuple):
    """The features of a position to its mover, and the result of the game: 1 won, 0.5 drawn, 0 lost."""

    features: tuple[int, ...]
    result: float


def played(engine: Engine, rules: Rules, nodes: int, rng: random.Random, start: Board) -> list[Sample]:
    """Play a game, and return the positions after the opening."""
    endings = Endings(engine, rules)
    estimate = estimate_of(engine, rules.goal)
    line, seen, ply = [start], list[tuple[int, Board]](), 0
    value: int | None = None
    endings.enter(key_of(start), 0)
    while value is None and ply < LONGEST:
        board = line[-1]
        if ply < OPENING or rng.random() < NOISE:
            action = rng.choice(engine.actions(board))
        else:
            found = Search(engine, rules, estimate).run(Start(board, tuple(line[:-1])), nodes)
            action = rng.choice(found.actions)
        after = engine.play(board, action)
        is_reversible = not action.eggs and sum(after[5:]) == sum(board[5:])
        line = [*line, after] if is_reversible else [after]
        ply += 1
        value = endings.value(after, ply, len(line) - 1)
        endings.enter(key_of(after), ply & 1)
        if value is None:
            seen.append((ply, after))
    won = ((value or 0) > 0) - ((value or 0) < 0)  # by the side that moved last
    results = ((1 - won) / 2, (1 + won) / 2)
    return [Sample(features(engine, rules.goal, board), results[(ply - at) % 2]) for at, board in seen if at >= OPENING]


def samples(preset: str, games: int, nodes: int) -> Iterator[Sample]:
    """Yield the positions of some games."""
    size, _, goal = PRESETS[preset]
    engine = engine_of(size)
    rng = random.Random(preset)  # noqa: S311 - training needs no secrets
    opened = _FROGS.start(_FROGS.settle({"preset": preset}))
    start = engine.board_of(opened.position)
    for number in range(games):
        yield from played(engine, Rules(goal, draws_by_repetition=True), nodes, rng, start)
        if number % 50 == 49:
            sys.stderr.write(f"{preset}: {number + 1} of {games} games\n")


def fitted(found: Sequence[Sample]) -> list[float]:
    """Return the weights of the logistic regression, by Newton's method."""
    number = len(found[0].features)
    weights = [0.0] * number
    for _ in range(STEPS):
        gradient = [0.0] * number
        curvature = [[float(row == column) for column in range(number)] for row in range(number)]
        for sample in found:
            chance = _chance(weights, sample.features)
            for row, feature in enumerate(sample.features):
                gradient[row] += (sample.result - chance) * feature
                slope = chance * (1 - chance) * feature
                for column, other in enumerate(sample.features):
                    curvature[row][column] += slope * other
        weights = [weight + step for weight, step in zip(weights, _solved(curvature, gradient), strict=True)]
    return weights


def loss(found: Sequence[Sample], weights: Sequence[float]) -> float:
    """Return the mean logarithmic loss of the predictions. A coin has 0.693."""
    chances = [(_chance(weights, sample.features), sample.result) for sample in found]
    return -sum(result * math.log(p) + (1 - result) * math.log(1 - p) for p, result in chances) / len(found)


def _chance(weights: Sequence[float], of: Sequence[int]) -> float:
    return 1 / (1 + math.exp(-sum(weight * feature for weight, feature in zip(weights, of, strict=True))))


def _solved(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Solve a system of linear equations by elimination. The matrix is positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for at, pivot in enumerate(rows):
        for row in rows:
            if row is not pivot:
                factor = row[at] / pivot[at]
                row[:] = [value - factor * above for value, above in zip(row, pivot, strict=True)]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def main() -> None:
    """Play, fit, and print the weights for each pond."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_frogs", description="Fit weights by self-play.")
    parser.add_argument("--games", type=int, default=1000, help="games on each pond (default: 1000)")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes for each move (default: 3000)")
    parser.add_argument("--preset", choices=("standard", "big"), action="append", help="one pond only; repeatable")
    given = parser.parse_args()
    for preset in given.preset or ("standard", "big"):
        found = list(samples(preset, given.games, given.nodes))
        at = len(found) * 4 // 5  # games are in order, so that none is in both parts
        weights = fitted(found[:at])
        rounded = Weights(*(round(SCALE * weight) for weight in fitted(found)))
        sys.stdout.write(
            f"{preset}: {len(found)} positions, loss {loss(found[:at], weights):.4f}, on the last fifth "
            f"{loss(found[at:], weights):.4f}\n{rounded}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
