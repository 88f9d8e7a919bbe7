"""Measure how long it takes to fold a log of 600 entries, in each game.

    python -m benchmarks.fold

The log is that of random games, one after the other until there are 600 entries.
"""

import random
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Value

ENTRIES: Final = 600
ROUNDS: Final = 15
TARGET_MS: Final = 12.0

T = TypeVar("T")
_rng: Final = random.Random(0)  # noqa: S311 - a benchmark needs no secrets


class Luck:
    """Chance from a generator."""

    below = _rng.randrange

    @staticmethod
    def shuffle(pack: Sequence[T]) -> list[T]:
        """Return the pack in random order."""
        return _rng.sample(pack, len(pack))


def log_of(game: AnyGame, options: Mapping[str, Value], most: int) -> list[Entry]:
    """Return the first entries of a random game."""
    state, entries = game.start(options), list[Entry]()
    while len(entries) < most and (to_act := game.to_act(state)):
        seat = next(iter(to_act))
        move = game.chance(state, Luck()) if seat is CHANCE else _rng.choice(game.legal(state, seat))
        entries.append(Entry(seat, str(move)))
        state = game.apply(state, seat, move).state
    return entries


def main() -> None:
    """Print the best of several runs for each game."""
    for game in GAMES.values():
        options, logs, left = game.settle({}), list[list[Entry]](), ENTRIES
        while left:
            logs.append(log_of(game, options, left))
            left -= len(logs[-1])
        best, best_cpu = best_ms(game, options, logs)
        verdict = "" if best <= TARGET_MS else "  MISSED"
        sys.stdout.write(
            f"  {game.title:14} {ENTRIES} entries of {len(logs)} games fold in {best:.2f} ms "
            f"({best_cpu:.2f} ms of processor time), target {TARGET_MS} ms{verdict}\n"
        )


def best_ms(game: AnyGame, options: Mapping[str, Value], logs: Sequence[Sequence[Entry]]) -> tuple[float, float]:
    """Return the shortest time and the shortest processor time for folding the logs, in milliseconds."""
    times, cpu_times = list[float](), list[float]()
    for _ in range(ROUNDS):
        start, cpu_start = time.perf_counter(), time.process_time()
        for log in logs:
            game.fold(options, log)
        times.append(time.perf_counter() - start)
        cpu_times.append(time.process_time() - cpu_start)
    return 1000 * min(times), 1000 * min(cpu_times)


if __name__ == "__main__":
    main()
