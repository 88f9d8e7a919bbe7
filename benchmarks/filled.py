"""Fill a database with tables in mid-game."""

import json
import random
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.computer import choose
from bot.fairness import Deals, commitment
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.store.sqlite import SqliteStore
from tests.wire.objects import GUILD_ID

SEED: Final = bytes(32)
MOVES: Final = 12
KEYS: Final = ("pond", "frogs")
CHANNEL_ID: Final = 800_000_000_000_000_001

Row: TypeAlias = dict[str, Any]
"""The values of a row by column."""


def log_of(game_key: str) -> list[Entry]:
    """Return the first entries of a game between computers."""
    game = GAMES[game_key]
    state = game.start(game.settle({}))
    entries: list[Entry] = []
    rng = random.Random(1)  # noqa: S311 - the same games in every run
    deals = Deals(SEED, ("",) * game.seats(game.settle({})))
    while len(entries) < MOVES and state.outcome is None:
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
    at = time.time() - 60.0
    insert(connection, "tables", [table_row(number, key, entries, status, at)])
    insert(connection, "secrets", [{"table_id": number, "seed": SEED}])
    insert(connection, "seats", seat_rows(number))
    insert(connection, "entries", entry_rows(number, entries, at))
    insert(connection, "messages", message_rows(number, version_after(entries), at))
    insert(connection, "users", [{"id": user, "dm_closed": 1} for user in users_of(number)])


def users_of(number: int) -> tuple[int, int]:
    """Return the ids of the players at a table."""
    return 10**17 + 2 * number, 10**17 + 2 * number + 1


def version_after(entries: Sequence[Entry]) -> int:
    """Return the version of a table with these entries: two people sat down, and one started."""
    return 3 + len(entries)


def table_row(number: int, key: str, entries: Sequence[Entry], status: str, at: float) -> Row:
    """Return the row of a table."""
    return {
        "id": number,
        "name": f"Heron {number}",
        "number": number,
        "game": key,
        "status": status,
        "version": version_after(entries),
        "plies": len(entries),
        "host_id": users_of(number)[0],
        "guild_id": int(GUILD_ID),
        "channel_id": CHANNEL_ID,
        "opened_at": at,
        "changed_at": at,
        "record": json.dumps(
            {
                "options": dict(GAMES[key].settle({})),
                "seats": 2,
                "sitters": [
                    {"seat": seat, "name": f"P{seat}", "user_id": user} for seat, user in enumerate(users_of(number))
                ],
                "commitment": commitment(SEED),
                "seed": None,
                "outcome": None,
            }
        ),
    }


def seat_rows(number: int) -> list[Row]:
    """Return the rows of a table's seats."""
    users = enumerate(users_of(number))
    return [{"table_id": number, "seat": seat, "user_id": user} for seat, user in users]


def entry_rows(number: int, entries: Sequence[Entry], at: float) -> list[Row]:
    """Return the rows of a table's log."""
    return [
        {"table_id": number, "ply": ply, "seat": entry.seat, "move": entry.move, "by_user": None, "at": at}
        for ply, entry in enumerate(entries)
    ]


def message_rows(number: int, version: int, at: float) -> list[Row]:
    """Return the rows of a table's board and hands, which are up to date."""
    shown = [("board", None), *(("hand", user) for user in users_of(number))]
    return [
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
        for place, (kind, user) in enumerate(shown)
    ]


def insert(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    """Insert rows, all with the same columns."""
    columns = tuple(rows[0])
    marks = ", ".join(f":{column}" for column in columns)
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608
