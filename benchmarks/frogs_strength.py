"""Matches between computers for Pond · frogs, with 95 % intervals.

python -m benchmarks.frogs_strength strong plain --pairs 50

A pair is two games from the same opening, a few random moves, with the sides swapped. Players are ``strong``,
``strong:NODES``, ``plain`` and ``plain:PLIES`` (see `tests.computer.frogs_plain`), ``quick`` and ``quick:PLIES``,
``fair`` and ``random``. A quick player finds the same values as a plain one with the search of the strong one, sooner.
"""

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from bot import computer
from bot.computer.frogs.engine import Board, Engine, engine_of
from bot.computer.frogs.evaluation import Estimate, Rules
from bot.computer.frogs.players import BUDGET, strong
from bot.computer.frogs.search import Search, Start
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import PRESETS, Observation, State
from bot.games.game import Move
from tests.computer import frogs_plain

Player = Callable[[Observation, random.Random], Move]

_FROGS: Final = Frogs()
_Z: Final = 1.96


class Game(NamedTuple):
    """The result of a game: the points of the first player (1, 0.5 or 0), whether it had Light, why it ended."""

    points: float
    had_light: bool
    reason: str
    plies: int


def player_of(name: str) -> Player:
    """Return the player of this name."""
    kind, _, number = name.partition(":")
    if kind == "strong":
        budget = int(number or BUDGET)
        return lambda seen, rng: strong(seen, rng, budget)
    if kind == "quick":
        return _quick(int(number or frogs_plain.PLIES))
    if kind == "plain":
        plies = int(number or frogs_plain.PLIES)
        return lambda seen, rng: frogs_plain.choose(seen, rng, plies)
    return lambda seen, rng: computer.choose("frogs", seen, rng, kind)


def plain_estimate_of(engine: Engine) -> Estimate:
    """Return the estimate of `tests.computer.frogs_plain` for boards of the strong computer's engine."""

    def lead(squares: int, board: Board) -> int:
        return (squares & board[1]).bit_count() - (squares & board[2]).bit_count()

    def estimate(board: Board) -> int:
        tadpoles, frogs = board[0] >> engine.lane, board[0] >> 2 * engine.lane
        return 10 * (board[5] - board[6]) + lead(tadpoles, board) + 2 * lead(frogs, board)

    return estimate


def _quick(plies: int) -> Player:
    def choose(seen: Observation, rng: random.Random) -> Move:
        engine = engine_of(seen.setup.size)
        *earlier, board = (engine.board_of(position) for position in seen.positions)
        rules = Rules(seen.setup.goal, draws_by_repetition=True)
        search = Search(engine, rules, plain_estimate_of(engine), reductions=False)
        return engine.moves[rng.choice(search.run(Start(board, tuple(earlier)), 10**9, plies).actions)]

    return choose


def games(first: Player, second: Player, preset: str, opening: int, seed: str) -> Iterator[Game]:
    """Yield games in pairs, without an end. ``opening`` is the number of random moves at the start."""
    rng = random.Random(seed)  # noqa: S311 - a tournament needs no secrets
    while True:
        start = opened(preset, opening, rng)
        for seat in (0, 1):
            yield played(start, (first, second) if seat == 0 else (second, first), seat, rng)


def opened(preset: str, moves: int, rng: random.Random) -> State:
    """Return a pond after some random moves. Seat 0 has Light."""
    while True:
        options = _FROGS.settle({"preset": preset})
        state = _FROGS.apply(_FROGS.start(options), None, _FROGS.parse("first 0")).state
        for _ in range(moves):
            seat = state.turn or 0
            state = _FROGS.apply(state, seat, rng.choice(_FROGS.legal(state, seat))).state
        if state.outcome is None:
            return state


def played(state: State, players: tuple[Player, Player], seat: int, rng: random.Random) -> Game:
    """Play a game to its end. ``seat`` is that of the first player."""
    plies = 0
    while state.outcome is None:
        turn = state.turn or 0
        state = _FROGS.apply(state, turn, players[turn](_FROGS.observe(state, turn), rng)).state
        plies += 1
    lead = state.outcome.places[1 - seat] - state.outcome.places[seat]
    return Game((1 + lead) / 2, seat == 0, state.outcome.reason, plies)


def interval(points: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson). Draws count half."""
    share, square = points / number, _Z * _Z
    middle = (share + square / (2 * number)) / (1 + square / number)
    half = _Z * math.sqrt(share * (1 - share) / number + square / (4 * number * number)) / (1 + square / number)
    return middle - half, middle + half


def summary(found: list[Game]) -> str:
    """Return the result of a match in words."""
    points = sum(game.points for game in found)
    low, high = interval(points, len(found))
    light = sum(game.points if game.had_light else 1 - game.points for game in found)
    of_light = interval(light, len(found))
    ends = Counter(game.reason for game in found)
    return (
        f"{len(found)} games: {100 * points / len(found):.1f} % ({100 * low:.1f} to {100 * high:.1f}); "
        f"won {sum(game.points == 1 for game in found)}, drawn {sum(game.points == 0.5 for game in found)}; "
        f"Light {100 * light / len(found):.1f} % ({100 * of_light[0]:.1f} to {100 * of_light[1]:.1f}); "
        f"{sum(game.plies for game in found) / len(found):.0f} moves; "
        + ", ".join(f"{reason} {number}" for reason, number in ends.most_common())
    )


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frogs_strength", description="Play a match.")
    parser.add_argument("first", help="strong, strong:NODES, plain, plain:PLIES, quick, quick:PLIES, fair or random")
    parser.add_argument("second", help="likewise")
    parser.add_argument("--pairs", type=int, default=50, help="pairs of games (default: 50)")
    parser.add_argument("--preset", choices=tuple(PRESETS), default="standard", help="the pond (default: standard)")
    parser.add_argument("--opening", type=int, default=2, help="random moves at the start (default: 2)")
    parser.add_argument("--seed", default="1", help="the seed of openings and choices (default: 1)")
    given = parser.parse_args()
    match = games(player_of(given.first), player_of(given.second), given.preset, given.opening, given.seed)
    found: list[Game] = []
    start = time.perf_counter()
    for game in match:
        found.append(game)
        if len(found) % 10 == 0 or len(found) == 2 * given.pairs:
            elapsed = time.perf_counter() - start
            sys.stdout.write(
                f"{given.first} against {given.second}, {given.preset}, {elapsed:.0f} s, {summary(found)}\n"
            )
            sys.stdout.flush()
        if len(found) == 2 * given.pairs:
            return


if __name__ == "__main__":
    main()
