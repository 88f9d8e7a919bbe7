"""How long a start takes with 100,000 tables in the file, of which 10,000 are open, and what an open table costs.

    python -m benchmarks.start_up [TABLES OPEN]

Runs the bot as a process on a Discord of our own, once on an empty file and once on the full one, and prints for each:
the seconds from the process's start until Discord has told it that it is ready and until its first answer; then, while
the full one takes up its tables, how long people wait for an answer; and at last its memory for each open table.
"""

import asyncio
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from typing import Final

from bot.computer import choose
from bot.fairness import Deals, commitment
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.store.sqlite import SqliteStore
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.objects import GUILD_ID
from tests.wire.people import Person

SEED: Final = bytes(32)
MOVES: Final = 12
WATCHED_S: Final = 20.0


def log_of(game_key: str) -> list[Entry]:
    """The first entries of a game among computers."""
    game = GAMES[game_key]
    state = game.start(game.settle({}))
    entries: list[Entry] = []
    rng = random.Random(1)  # noqa: S311 - the same games each time
    deals = Deals(SEED, ("",) * game.seats(game.settle({})))
    while len(entries) < MOVES and game.outcome(state) is None:
        if CHANCE in game.to_act(state):
            dealt = sum(entry.seat is CHANCE for entry in entries)
            progress = game.run_chance(state, dealt, deals)
            state, entries = progress[0], [*entries, *progress[1]]
            continue
        seat = next(seat for seat in game.to_act(state) if seat is not None)
        move = choose(game_key, game.observe(state, seat), rng)
        state, _ = game.apply(state, seat, move)
        entries.append(Entry(seat, str(move)))
    return entries


async def fill(path: Path, tables: int, opened: int) -> None:
    """Writes tables in mid-game, the last ``opened`` of them open, with two people and their messages at each."""
    await (await SqliteStore.open(path)).close()
    logs = {key: log_of(key) for key in ("pond", "frogs")}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for number in range(1, tables + 1):
            key = ("pond", "frogs")[number % 2]
            entries, at = logs[key], time.time() - 60.0
            version = 3 + len(entries)
            status = "playing" if number > tables - opened else "closed"
            users = (10**17 + 2 * number, 10**17 + 2 * number + 1)
            options = json.dumps(dict(GAMES[key].settle({})))
            connection.execute(
                "INSERT INTO tables (id, name, game, rules, options, seats, status, version, plies, host_id, guild_id,"
                " channel_id, commitment, opened_at, changed_at) VALUES (?, ?, ?, 1, ?, 2, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (number, f"Heron {number}", key, options, status, version, len(entries), users[0], int(GUILD_ID),
                 800_000_000_000_000_001, commitment(SEED), at, at),
            )  # fmt: skip
            connection.execute("INSERT INTO secrets VALUES (?, ?)", (number, SEED))
            connection.executemany(
                "INSERT INTO seats (table_id, seat, name, user_id, cut) VALUES (?, ?, ?, ?, '')",
                [(number, seat, f"P{seat}", user) for seat, user in enumerate(users)],
            )
            connection.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                [(number, ply, entry.seat, entry.move, None, at) for ply, entry in enumerate(entries)],
            )
            messages = [("board", 0), *(("hand", user) for user in users)]
            connection.executemany(
                "INSERT INTO shown (table_id, kind, user_id, channel_id, message_id, version, posted_at, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                [
                    (number, kind, user, 800_000_000_000_000_001, 10**18 + 4 * number + place, version, at)
                    for place, (kind, user) in enumerate(messages)
                ],
            )
            connection.executemany("INSERT OR IGNORE INTO users (id, dm_closed) VALUES (?, 1)", [(u,) for u in users])
        connection.execute("COMMIT")


def tell(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def memory_mb(bot: BotProcess) -> float:
    """What the process holds in memory now."""
    with Path(f"/proc/{bot.pid}/statm").open() as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


async def start(path: Path, *, watch: bool) -> tuple[float, float, float, list[float]]:
    """Seconds until ready and until the first answer, memory at the end, and the waits for answers meanwhile."""
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
            return ready, answered, memory_mb(bot), waits


async def run(tables: int, opened: int) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "full.db"
        await fill(full, tables, opened)
        tell(f"{tables} tables, {opened} open: a file of {full.stat().st_size / 2**20:.0f} MB")
        empty_ready, empty_answered, empty_mb, _ = await start(Path(folder) / "empty.db", watch=False)
        tell(f"empty: ready after {empty_ready:.2f} s, first answer after {empty_answered:.2f} s, {empty_mb:.0f} MB")
        ready, answered, mb, waits = await start(full, watch=True)
        tell(f"full:  ready after {ready:.2f} s, first answer after {answered:.2f} s, {mb:.0f} MB")
        cuts = quantiles(waits, n=100)
        tell(f"answers meanwhile: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms, of {len(waits)}")
        tell(f"memory per open table: {(mb - empty_mb) * 1024 / opened:.1f} KB")


def main() -> None:
    """Reads the command line."""
    tables, opened = map(int, sys.argv[1:3] if len(sys.argv) > 2 else (100_000, 10_000))
    asyncio.run(run(tables, opened))


if __name__ == "__main__":
    main()
