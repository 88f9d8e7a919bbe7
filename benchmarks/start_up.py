"""Measure the start with 100,000 tables in the database, 10,000 of them open.

    python -m benchmarks.start_up [TABLES OPEN]

Starts the bot on an empty database and on the full one. For each, prints the seconds until it is ready and until its
first answer, and its memory. For the full one, also prints how long people wait for answers during the first seconds,
and the memory per open table.
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
from typing import Any, Final

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
KEYS: Final = ("pond", "frogs")
CHANNEL_ID: Final = 800_000_000_000_000_001


def log_of(game_key: str) -> list[Entry]:
    """Return the first entries of a game between computers."""
    game = GAMES[game_key]
    state = game.start(game.settle({}))
    entries: list[Entry] = []
    rng = random.Random(1)  # noqa: S311 - the same games in every run
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
    """Write tables in mid-game, the last ``opened`` of them open, with two people and their messages at each."""
    await (await SqliteStore.open(path)).close()
    logs = {key: log_of(key) for key in KEYS}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for number in range(1, tables + 1):
            key = KEYS[number % 2]
            add_table(connection, number, key, logs[key], "playing" if number > tables - opened else "closed")
        connection.execute("COMMIT")


def add_table(connection: sqlite3.Connection, number: int, key: str, entries: list[Entry], status: str) -> None:
    """Write one table with its seats, entries, messages and users."""
    version, at = 3 + len(entries), time.time() - 60.0
    users = (10**17 + 2 * number, 10**17 + 2 * number + 1)
    rows: dict[str, list[dict[str, Any]]] = {
        "tables": [
            {
                "id": number,
                "name": f"Heron {number}",
                "game": key,
                "rules": 1,
                "seats": 2,
                "status": status,
                "options": json.dumps(dict(GAMES[key].settle({}))),
                "version": version,
                "plies": len(entries),
                "host_id": users[0],
                "guild_id": int(GUILD_ID),
                "channel_id": CHANNEL_ID,
                "commitment": commitment(SEED),
                "opened_at": at,
                "changed_at": at,
            }
        ],
        "secrets": [{"table_id": number, "seed": SEED}],
        "seats": [
            {"table_id": number, "seat": seat, "name": f"P{seat}", "user_id": user, "cut": ""}
            for seat, user in enumerate(users)
        ],
        "entries": [
            {"table_id": number, "ply": ply, "seat": entry.seat, "move": entry.move, "by_user": None, "at": at}
            for ply, entry in enumerate(entries)
        ],
        "messages": [
            {
                "table_id": number,
                "kind": kind,
                "user_id": user,
                "stage": "live",
                "channel_id": CHANNEL_ID,
                "message_id": 10**18 + 4 * number + place,
                "nonce": place + 1,
                "version": version,
                "notified": "[]",
                "posted_at": at,
            }
            for place, (kind, user) in enumerate([("board", None), *(("hand", user) for user in users)])
        ],
        "users": [{"id": user, "dm_closed": 1} for user in users],
    }
    for name, values in rows.items():
        columns = tuple(values[0])
        marks = ", ".join(f":{column}" for column in columns)
        connection.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", values)  # noqa: S608


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def memory_mb(bot: BotProcess) -> float:
    """Return the memory of the process."""
    with Path(f"/proc/{bot.pid}/statm").open() as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


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
            return ready, answered, memory_mb(bot), waits


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
        cuts = quantiles(waits, n=100)
        tell(f"answers meanwhile: p50 {cuts[49] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms, of {len(waits)}")
        tell(f"memory per open table: {(mb - empty_mb) * 1024 / opened:.1f} KB")


def main() -> None:
    """Read the command line, and run."""
    tables, opened = map(int, sys.argv[1:3] if len(sys.argv) > 2 else (100_000, 10_000))
    asyncio.run(run(tables, opened))


if __name__ == "__main__":
    main()
