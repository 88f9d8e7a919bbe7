"""Measure what `/friends` reads on a server with many members and games.

python -m benchmarks.friends [--members N] [--games N]
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.store.database import Transaction
from bot.store.open_store import open_store

GUILD: Final = 1
GAME: Final = "pond"
SEATS: Final = 4
ALLOWED_MS: Final = 100.0
_COLUMNS: Final = (
    "guild_id, game, nth, seat, number, ended_at, options, reason, side, place, won, score, margin, user_id, level, "
    "decisions, own, mu, sigma, gain"
)


def results(members: int, games: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of random games of two partnerships."""
    rng = random.Random(1)  # noqa: S311 - for a benchmark
    for nth in range(1, games + 1):
        users, margin = rng.sample(range(1, members + 1), SEATS), rng.randrange(1, 900)
        for seat, user in enumerate(users):
            won = seat % 2 == nth % 2
            row = (GUILD, GAME, nth, seat, nth, float(nth), "{}", "scored", seat % 2, 2 - won, int(won))
            yield (*row, 400 + margin * won, margin, user, None, 20, 20, 25.0, 2.0, 0.1)


async def _fill(members: int, games: int, db: Transaction) -> None:
    marks = ", ".join("?" * (_COLUMNS.count(",") + 1))
    await db.execute_many(f"INSERT INTO results ({_COLUMNS}) VALUES ({marks})", results(members, games))  # noqa: S608
    await db.execute(
        "INSERT INTO ratings (guild_id, game, user_id, name, mu, sigma, games, wins, streak, longest)"
        " SELECT guild_id, game, user_id, 'Player ' || user_id, 20 + user_id % 17, 2, count(*), sum(won), 0,"
        " 1 + user_id % 9 FROM results GROUP BY guild_id, game, user_id"
    )


async def measure(members: int, games: int) -> float:
    """Print the time of each query, and return the longest in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        async with await open_store(Path(folder) / "lilypad.db") as store:
            await store.database.writer.write(partial(_fill, members, games))
            longest = 0.0
            for what, read in (
                ("standings", partial(store.standings.of, GUILD, GAME)),
                ("records", partial(store.standings.bests, GUILD, GAME)),
                ("two players", partial(store.standings.meetings, GUILD, 1, 2)),
            ):
                start = time.perf_counter()
                await read()
                took_ms = (time.perf_counter() - start) * 1000
                longest = max(longest, took_ms)
                sys.stdout.write(f"{what:12} {took_ms:6.1f} ms\n")
            return longest


def main() -> None:
    """Measure, and exit with an error if it takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=500)
    parser.add_argument("--games", type=int, default=50_000)
    given = parser.parse_args()
    sys.exit(asyncio.run(measure(given.members, given.games)) > ALLOWED_MS)


if __name__ == "__main__":
    main()
