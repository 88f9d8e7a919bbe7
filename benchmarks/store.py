"""Measure the store's durable appends per second, on SQLite and on PostgreSQL.

    python -m benchmarks.store [DIRECTORY]

Prints one line for each number of tables that are written at the same time: appends per second, their ratio to a
yardstick, and the processor time of this process for each. The yardstick of SQLite is the rate at which a plain loop
appends 4 KB pages with fsync, measured before and after in the same directory. That of PostgreSQL is pgbench with 64
clients that insert one row each, on the same server. Discord's limits allow a bot about 25 moves a second.
"""

import asyncio
import math
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from bot.cli.commands import fast_loop
from bot.games.game import Entry
from bot.store.open_store import open_store
from bot.store.records import Change, Place, Sitter, Table
from bot.store.store import Store
from tests.postgres_server import MISSING, PostgresServer, programs, running_server

SECONDS: Final = 1.0
WRITERS: Final = (1, 16, 64, 256)
CLIENTS: Final = 64
TARGET: Final = {64: 500.0}
"""Wanted appends per second, by the number of tables."""
PAGE: Final = b"x" * 4096


class Rate(NamedTuple):
    """Appends per second, and the processor time of each in microseconds."""

    per_s: float
    worked_us: float


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


async def _write(store: Store, table: Table, until: float) -> int:
    first = table.version
    while time.perf_counter() < until:
        entry = Entry(table.version % 2, "play QS")
        change = Change(table, [entry], by_user=table.id, to_act=frozenset({1 - table.version % 2}))
        table = await store.write(table, change, time.time())
    return table.version - first


async def appends(database: Path | str, writers: int) -> Rate:
    """Return the acknowledged appends per second while this many tables write, and the processor time of each."""
    async with await open_store(database) as store:
        tables = await asyncio.gather(*(store.open_table(_table(number), bytes(32)) for number in range(writers)))
        start, worked = time.perf_counter(), time.process_time()
        counts = await asyncio.gather(*(_write(store, table, start + SECONDS) for table in tables))
        seconds, worked_s = time.perf_counter() - start, time.process_time() - worked
        return Rate(sum(counts) / seconds, 1e6 * worked_s / sum(counts))


def measured(database: Path | str, writers: int) -> Rate:
    """Run `appends` in the bot's event loop."""
    with asyncio.Runner(loop_factory=fast_loop()) as runner:
        return runner.run(appends(database, writers))


def inserts(server: PostgresServer) -> float:
    """Return how many rows per second pgbench inserts."""
    server.sql("CREATE TABLE IF NOT EXISTS moves (id BIGSERIAL PRIMARY KEY, game INT, move TEXT, at FLOAT)")
    script = server.folder / "insert.sql"
    script.write_text("INSERT INTO moves (game, move, at) VALUES (1, 'play QS', 1.5);\n")
    load = ("--client", CLIENTS, "--jobs", os.cpu_count(), "--time", math.ceil(SECONDS), "--protocol", "prepared")
    printed = server.run("pgbench", "--no-vacuum", *load, "--file", script, *server.where("postgres"))
    return float(re.findall(r"tps = ([0-9.]+)", printed)[-1])


def _print(writers: int, rate: Rate, yardstick: float, of: str) -> None:
    wanted = TARGET.get(writers, 0.0)
    missed = f"   MISSED: at least {wanted:.0f} /s" if rate.per_s < wanted else ""
    sys.stdout.write(
        f"{writers:3} tables {rate.per_s:8.0f} /s   {rate.per_s / yardstick:5.2f} × {of} {yardstick:6.0f} /s"
        f"   {rate.worked_us:6.0f} µs{missed}\n"
    )
    sys.stdout.flush()


def _measure_sqlite(directory: Path) -> None:
    for writers in WRITERS:
        before = synced_appends(directory / "plain")
        rate = measured(directory / f"{writers}.db", writers)
        _print(writers, rate, (before + synced_appends(directory / "plain")) / 2, "the disk's")


def _measure_postgres() -> None:
    if programs() is None:
        sys.stdout.write(f"{MISSING}\n")
        return
    with running_server(is_durable=True) as server:
        for writers in WRITERS:
            server.sql(f"CREATE DATABASE of_{writers}")
            before = inserts(server)
            rate = measured(server.url(f"of_{writers}"), writers)
            _print(writers, rate, (before + inserts(server)) / 2, "pgbench's")


def main() -> None:
    """Measure each number of tables on both databases, and print the results."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as directory:
        sys.stdout.write("SQLite\n")
        _measure_sqlite(Path(directory))
    sys.stdout.write("PostgreSQL\n")
    _measure_postgres()


if __name__ == "__main__":
    main()
