"""Measure the store's appends per second, compared with a loop that writes and syncs.

    python -m benchmarks.store [DIRECTORY]

Prints one line for each number of concurrent writers: appends per second, and their ratio to the rate at which a plain
loop appends 4 KB pages with fsync. The loop is measured before and after in the same directory.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from bot.commands import fast_loop
from bot.games.game import Entry
from bot.store.records import Changes, Place, Sitter, Table
from bot.store.sqlite import SqliteStore

SECONDS: Final = 1.0
WRITERS: Final = (1, 4, 16, 64)
PAGE: Final = b"x" * 4096


def synced_appends(path: Path) -> float:
    """Return how many pages per second can be appended to a file with fsync."""
    count, start = 0, time.perf_counter()
    with path.open("ab", buffering=0) as file:
        while time.perf_counter() - start < SECONDS:
            file.write(PAGE)
            os.fsync(file.fileno())
            count += 1
    return count / (time.perf_counter() - start)


def _table(number: int) -> Table:
    return Table(
        id=0,
        name=f"Heron {number}",
        game="pond",
        options={"players": 2, "rounds": 4},
        seats=2,
        status="playing",
        version=1,
        host_id=1,
        place=Place(1, 2),
        sitters=(Sitter(0, "Ann", 1), Sitter(1, "Ben", 2)),
        commitment="0" * 64,
        seed=None,
        outcome=None,
        opened_at=0.0,
        changed_at=0.0,
    )


async def _write(store: SqliteStore, number: int, until: float) -> int:
    table = await store.open_table(_table(number), bytes(32))
    version = table.version
    while time.perf_counter() < until:
        entry = Entry(version % 2, "play QS")
        changes = Changes(time.time(), number, to_act=frozenset({1 - version % 2}))
        version = (await store.append(table.id, version, [entry], changes)).version
    return version - table.version


async def appends(path: Path, writers: int) -> float:
    """Return the acknowledged appends per second while this many tables write."""
    async with await SqliteStore.open(path) as store:
        start = time.perf_counter()
        counts = await asyncio.gather(*(_write(store, number, start + SECONDS) for number in range(writers)))
        return sum(counts) / (time.perf_counter() - start)


def main() -> None:
    """Measure each number of writers, and print the results."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as directory:
        for writers in WRITERS:
            before = synced_appends(Path(directory) / "plain")
            with asyncio.Runner(loop_factory=fast_loop()) as runner:  # the bot's loop
                rate = runner.run(appends(Path(directory) / f"{writers}.db", writers))
            disk = (before + synced_appends(Path(directory) / "plain")) / 2
            sys.stdout.write(f"{writers:3} writers {rate:8.0f} /s   {rate / disk:5.1f} × the disk's {disk:6.0f} /s\n")


if __name__ == "__main__":
    main()
