"""Measure how long the close of a daily takes that many are playing, on SQLite and on PostgreSQL.

python -m benchmarks.daily [--players N]
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date
from functools import partial
from pathlib import Path
from typing import Final

from bot import computer
from bot.cli.commands import fast_loop
from bot.store.database import Transaction
from bot.store.open_store import open_store
from bot.tables import Person, Place, Table, Tables
from bot.tables.events import midnight
from tests.postgres_server import MISSING, programs, running_server

PLAYERS: Final = 1000
ALLOWED_S: Final = 10.0
DAY: Final = date(2026, 11, 26)
ANN: Final = Person(7, "Ann")
MOVES: Final = 12
_COLUMNS: Final = "game, guild_id, channel_id, opened_at, status, version, plies, host_id, changed_at, record"
_COPIES: Final = (
    f"""WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    INSERT INTO tables ({_COLUMNS}, name, number) SELECT {_COLUMNS}, name || n, n FROM tables, numbers""",  # noqa: S608
    "INSERT INTO secrets SELECT tables.id, seed FROM tables, secrets WHERE tables.id > secrets.table_id",
    """INSERT INTO entries (table_id, ply, seat, move, by_user, at)
    SELECT tables.id, ply, seat, move, by_user, at FROM tables, entries WHERE tables.id > table_id""",
    """INSERT INTO seats (table_id, seat, user_id, held_for, owes, since)
    SELECT tables.id, seat, user_id, held_for, owes, since FROM tables, seats WHERE tables.id > table_id""",
    """INSERT INTO event_results (event, player, user_id, played, ends_at)
    SELECT event, player || id, user_id + id, id, ends_at FROM tables, event_results WHERE id > played""",
)


async def _copied(players: int, db: Transaction) -> None:
    """Copy the only table, and its try, to as many."""
    first, *others = _COPIES
    await db.execute(first, (players,))
    for statement in others:
        await db.execute(statement)


async def _played(tables: Tables, table: Table) -> None:
    """Make some moves, so that the game is under way."""
    for _ in range(MOVES):
        actor = min(await tables.sitters_to_act(table), key=lambda sitter: sitter.seat)
        sight = await tables.look_as_computer(table.id, actor.seat, for_absent=actor.user_id is not None)
        move = str(computer.choose(table.game, sight.observation, random.Random(1), "easy"))  # noqa: S311 - not secret
        if actor.user_id is None:
            table = (await tables.play_computer(table.id, actor.seat, move)).table
        else:
            table = (await tables.play(table.id, actor.user_id, move)).table


async def close(database: Path | str, players: int) -> float:
    """Return the time of closing a daily with so many open tables, in seconds."""
    noon = midnight(DAY, UTC) - 12 * 3600.0
    async with await open_store(database) as store:
        opening = Tables(store, now=lambda: noon)
        await _played(opening, await opening.events.begin(DAY, ANN, Place(None, 8), 1, midnight(DAY, UTC)))
        await store.database.writer.write(partial(_copied, players))
        tables = Tables(store, now=lambda: noon + 48 * 3600.0)
        start = time.perf_counter()
        await tables.events.close_due()
        took_s = time.perf_counter() - start
        if not all(table.is_revealed for table in await store.lists.all()):
            raise RuntimeError("the daily isn't closed")
        return took_s


@contextmanager
def _databases() -> Iterator[list[tuple[str, Path | str]]]:
    """Yield the addresses of empty databases by the names of their engines."""
    with tempfile.TemporaryDirectory() as folder:
        sqlite = ("SQLite", Path(folder) / "lilypad.db")
        if programs() is None:
            sys.stdout.write(f"{MISSING}\n")
            yield [sqlite]
            return
        with running_server(is_durable=True) as server:
            server.sql("CREATE DATABASE daily")
            yield [sqlite, ("PostgreSQL", server.url("daily"))]


def measure(players: int) -> float:
    """Print the time of each database, and return the longer one in seconds."""
    longest = 0.0
    with _databases() as databases:
        for engine, address in databases:
            with asyncio.Runner(loop_factory=fast_loop()) as runner:
                took_s = runner.run(close(address, players))
            longest = max(longest, took_s)
            missed = f"   MISSED: at most {ALLOWED_S:.0f} s" if took_s > ALLOWED_S else ""
            sys.stdout.write(f"{engine:10} {players} players {took_s:5.1f} s{missed}\n")
            sys.stdout.flush()
    return longest


def in_passing() -> None:
    """Measure with the default options."""
    measure(PLAYERS)


def main() -> None:
    """Measure, and exit with an error if it takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS)
    sys.exit(measure(parser.parse_args().players) > ALLOWED_S)


if __name__ == "__main__":
    main()
