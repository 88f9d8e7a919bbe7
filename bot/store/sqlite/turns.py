"""Whose turn it is, stored with each append so that lists don't need the logs."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from bot.errors import Conflict
from bot.games.game import Seat
from bot.store.records import Table

Turn = tuple[int | None, float | None]
"""Whether a seat owes a move, and since when."""

UNKNOWN: Final = "SELECT DISTINCT table_id FROM seats WHERE owes IS NULL AND since IS NOT NULL"
"""Selects the tables in play that were written by a version of the program that didn't store turns."""

_NOTE: Final = """
UPDATE seats SET owes = ?2 >> seat & 1, since = ?3
WHERE table_id = ?1 AND since IS NOT NULL AND owes IS NOT ?2 >> seat & 1
"""


def turns(table_id: int, connection: sqlite3.Connection) -> dict[Seat, Turn]:
    """Return the turn of each seat of the table."""
    rows = connection.execute("SELECT seat, owes, since FROM seats WHERE table_id = ?", (table_id,))
    return {seat: (owes, since) for seat, owes, since in rows}


def note_turns(table_id: int, to_act: Iterable[Seat], at: float, connection: sqlite3.Connection) -> None:
    """Store which seats of an open table owe a move from now on."""
    connection.execute(_NOTE, (table_id, sum(1 << seat for seat in to_act), at))


def forget_turns(table_id: int, connection: sqlite3.Connection) -> None:
    """Clear the turns of a table that is no longer open."""
    connection.execute("UPDATE seats SET owes = 0, since = NULL WHERE table_id = ?", (table_id,))


def fill_in(table: Table, to_act: Iterable[Seat], connection: sqlite3.Connection) -> None:
    """Store the turns of a table that has none. Raises `Conflict` if it isn't at this version any more."""
    query = "SELECT 1 FROM tables WHERE id = ? AND version = ?"
    if connection.execute(query, (table.id, table.version)).fetchone() is None:
        raise Conflict(f"Table {table.id} isn't at version {table.version} any more; nothing was changed.")
    note_turns(table.id, to_act, table.changed_at, connection)
