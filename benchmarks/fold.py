"""How long a log of 600 entries takes to be folded, in each game.

    python -m benchmarks.fold

The log is that of games played at random, one after the other until there are 600 entries.
"""

import sys
import time
from collections.abc import Mapping
from typing import Final

from benchmarks.yardstick import Luck, rng
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Entry, Value

ENTRIES: Final = 600
ROUNDS: Final = 15
TARGET_MS: Final = 5.0
LUCK: Final = Luck()


def log_of(game: AnyGame, options: Mapping[str, Value], most: int) -> list[Entry]:
    """The first entries of a game played at random."""
    state, entries = game.start(options), list[Entry]()
    while len(entries) < most and (to_act := game.to_act(state)):
        seat = next(iter(to_act))
        move = game.chance(state, LUCK) if seat is CHANCE else rng.choice(game.legal(state, seat))
        entries.append(Entry(seat, str(move)))
        state = game.apply(state, seat, move).state
    return entries


def main() -> None:
    """Measures and prints."""
    for game in GAMES.values():
        options, logs, left = game.settle({}), list[list[Entry]](), ENTRIES
        while left:
            logs.append(log_of(game, options, left))
            left -= len(logs[-1])
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.perf_counter()
            for log in logs:
                game.fold(options, log)
            best = min(best, time.perf_counter() - start)
        verdict = "" if 1000 * best <= TARGET_MS else "  MISSED"
        sys.stdout.write(
            f"  {game.title:14} {ENTRIES} entries of {len(logs)} games fold in {1000 * best:.2f} ms, "
            f"target {TARGET_MS} ms{verdict}\n"
        )


if __name__ == "__main__":
    main()
