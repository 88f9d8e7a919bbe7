"""Measure the start with 100,000 tables in the database, 10,000 of them open.

    python -m benchmarks.start_up [TABLES OPEN]

Starts the bot on an empty database and on the full one. For each, prints the seconds until it is ready and until its
first answer, and its memory. For the full one, also prints how long people wait for answers during the first seconds,
and the memory per open table.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.filled import fill
from benchmarks.percentiles import percentiles
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.people import Person

WATCHED_S: Final = 20.0


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def start(path: Path, *, watch: bool) -> tuple[float, float, float, list[float]]:
    """Return the seconds until ready and until the first answer, the memory at the end, and the waits for answers."""
    waits = []
    async with Discord(1) as discord:
        began = time.perf_counter()
        async with running(discord.url, path, log_level="ERROR") as bot:
            await discord.gateway.until_ready()
            ready = time.perf_counter() - began
            ann = Person(discord, "Ann")
            await ann.type("help")
            answered = time.perf_counter() - began
            until = time.perf_counter() + (WATCHED_S if watch else 0.0)
            while time.perf_counter() < until:
                asked = time.perf_counter()
                await ann.type("tables")
                waits.append(time.perf_counter() - asked)
                await asyncio.sleep(0.05)
            return ready, answered, bot.memory_mb, waits


async def run(tables: int, opened: int) -> None:
    """Measure both databases, and print the results."""
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.db"
        await fill(full, tables, opened)
        tell(f"{tables} tables, {opened} open: a file of {full.stat().st_size / 2**20:.0f} MB")
        empty_ready, empty_answered, empty_mb, _ = await start(Path(folder) / "empty.db", watch=False)
        tell(f"empty: ready after {empty_ready:.2f} s, first answer after {empty_answered:.2f} s, {empty_mb:.0f} MB")
        ready, answered, mb, waits = await start(full, watch=True)
        tell(f"full:  ready after {ready:.2f} s, first answer after {answered:.2f} s, {mb:.0f} MB")
        tell(f"answers meanwhile: {percentiles(waits)}, of {len(waits)}")
        tell(f"memory per open table: {(mb - empty_mb) * 1024 / opened:.1f} KB")


def main() -> None:
    """Read the command line, and run."""
    tables, opened = map(int, sys.argv[1:3] if len(sys.argv) > 2 else (100_000, 10_000))
    asyncio.run(run(tables, opened))


if __name__ == "__main__":
    main()
