"""The statements about moves taken back: what no longer stands, and who agreed to that. As in `bot.store.rows`."""

import sqlite3

from bot.errors import Conflict
from bot.games.game import Entry
from bot.store.records import Changes, TakenBack


def take_back(table_id: int, version: int, changes: Changes, connection: sqlite3.Connection) -> None:
    """Moves the last entries of the log to those that stand no more, at the version from which they are gone."""
    count = changes.taken_back
    moved = connection.execute(
        "INSERT INTO taken_back (table_id, undone_at, ply, seat, move, by_user, at, taken_by, taken_at)"
        " SELECT table_id, ?2, ply, seat, move, by_user, at, ?3, ?4 FROM entries"
        " WHERE table_id = ?1 AND ply >= (SELECT plies FROM tables WHERE id = ?1) - ?5",
        (table_id, version, changes.by_user, changes.at, count),
    ).rowcount
    if moved != count:
        raise Conflict(f"Table {table_id} has no {count} entries to take back; nothing was changed.")
    connection.execute("UPDATE tables SET plies = plies - ?2, undone_at = ?3 WHERE id = ?1", (table_id, count, version))
    connection.execute(
        "DELETE FROM entries WHERE table_id = ?1 AND ply >= (SELECT plies FROM tables WHERE id = ?1)", (table_id,)
    )
    connection.execute("DELETE FROM undo_votes WHERE table_id = ?", (table_id,))


def taken_back(table_id: int, connection: sqlite3.Connection) -> tuple[TakenBack, ...]:
    """All that was taken back at the table, in the order of its going."""
    rows = connection.execute(
        "SELECT undone_at, ply, seat, move, by_user, taken_by, taken_at FROM taken_back WHERE table_id = ?"
        " ORDER BY undone_at, ply",
        (table_id,),
    )
    return tuple(TakenBack(at, ply, Entry(seat, move), *who) for at, ply, seat, move, *who in rows)


def agree(table_id: int, version: int, asker_id: int, user_id: int, connection: sqlite3.Connection) -> None:
    """Notes that the user agrees; what was asked at older versions is forgotten."""
    connection.execute("DELETE FROM undo_votes WHERE table_id = ? AND version < ?", (table_id, version))
    connection.execute(
        "INSERT OR IGNORE INTO undo_votes (table_id, version, asker_id, user_id) VALUES (?, ?, ?, ?)",
        (table_id, version, asker_id, user_id),
    )


def questions(table_id: int, version: int, connection: sqlite3.Connection) -> dict[int, frozenset[int]]:
    """Return who asks for an undo at this version, each with the users who have answered."""
    rows = connection.execute(
        "SELECT asker_id, user_id FROM undo_votes WHERE table_id = ? AND version = ?", (table_id, version)
    )
    answers: dict[int, set[int]] = {}
    for asker_id, user_id in rows:
        answers.setdefault(asker_id, set()).add(user_id)
    return {asker_id: frozenset(users) for asker_id, users in answers.items()}
