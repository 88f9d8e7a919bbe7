"""The statements about waiting: how long a table has waited, who wants what done, when the program was away."""

import sqlite3
from typing import Final

from bot.store.records import Table, Wait

_REMEMBERED_S: Final = 60 * 24 * 60 * 60
"""Outages that ended longer ago concern no table any more: those who wait so long were closed."""

_MISSED: Final = """
SELECT EXISTS (SELECT 1 FROM seats WHERE table_id = ?1 AND held_for = ?2)
    OR EXISTS (SELECT 1 FROM seats WHERE table_id = ?1 AND user_id = ?2 AND (
        offered
        OR EXISTS (SELECT 1 FROM votes JOIN tables USING (version) WHERE table_id = ?1 AND id = ?1)
        OR EXISTS (SELECT 1 FROM waits JOIN tables USING (version)
                   WHERE table_id = ?1 AND id = ?1 AND steps > 0 AND clock = 'none')))
"""

_BEAT: Final = "INSERT INTO heartbeat VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1"


def wait(table: Table, now: float, connection: sqlite3.Connection) -> Wait:
    """How far the waiting at the table has come."""
    row = connection.execute(
        "SELECT since, steps FROM waits WHERE table_id = ? AND version = ?", (table.id, table.version)
    ).fetchone()
    since, steps = row or (table.changed_at, 0)
    (away_s,) = connection.execute(
        "SELECT coalesce(sum(min(ended, ?2) - max(began, ?1)), 0.0) FROM outages WHERE ended > ?1 AND began < ?2",
        (since, now),
    ).fetchone()
    votes = connection.execute(
        "SELECT user_id, remedy FROM votes WHERE table_id = ? AND version = ? ORDER BY user_id",
        (table.id, table.version),
    )
    return Wait(since, away_s, steps, dict(votes.fetchall()))


def record_wait(table: Table, since: float, steps: int, connection: sqlite3.Connection) -> None:
    """Remembers since when the waiting at this version counts, and how many of its steps are done."""
    connection.execute(
        "INSERT OR REPLACE INTO waits (table_id, version, since, steps) VALUES (?, ?, ?, ?)",
        (table.id, table.version, since, steps),
    )


def claim_step(table: Table, since: float, steps: int, connection: sqlite3.Connection) -> bool:
    """Notes that so many steps are done at this version; whether nobody else has noted it before."""
    claimed = connection.execute(
        "INSERT INTO waits (table_id, version, since, steps) VALUES (?, ?, ?, ?) ON CONFLICT (table_id) DO UPDATE"
        " SET version = excluded.version, since = excluded.since, steps = excluded.steps"
        " WHERE (waits.version, waits.steps) < (excluded.version, excluded.steps)",
        (table.id, table.version, since, steps),
    )
    return claimed.rowcount == 1


def record_vote(table: Table, user_id: int, remedy: str, connection: sqlite3.Connection) -> None:
    """Remembers what the user wants done, in place of what he wanted before."""
    connection.execute(
        "INSERT OR REPLACE INTO votes (table_id, user_id, version, remedy) VALUES (?, ?, ?, ?)",
        (table.id, user_id, table.version, remedy),
    )


def forget_votes(table_id: int, connection: sqlite3.Connection) -> None:
    """Forgets what anybody wanted done at the table."""
    connection.execute("DELETE FROM votes WHERE table_id = ?", (table_id,))


def is_missed(table_id: int, user_id: int, connection: sqlite3.Connection) -> bool:
    """Whether others wait for the user there, or have begun to help themselves, so that his coming is news."""
    ((missed,),) = connection.execute(_MISSED, (table_id, user_id)).fetchall()
    return bool(missed)


def beat(now: float, patience_s: float, connection: sqlite3.Connection) -> None:
    """Notes that the program runs; if it was last known to run longer ago than ``patience_s``, it was away since.

    A clock that was put back may have left outages in what is now the future: they end here.
    """
    connection.execute("DELETE FROM outages WHERE began >= ?", (now,))
    connection.execute("UPDATE outages SET ended = ?1 WHERE ended > ?1", (now,))
    row = connection.execute("SELECT at FROM heartbeat").fetchone()
    if row is not None and now - row[0] > patience_s:
        connection.execute("INSERT OR REPLACE INTO outages (began, ended) VALUES (?, ?)", (row[0], now))
        connection.execute("DELETE FROM outages WHERE ended < ?", (now - _REMEMBERED_S,))
    connection.execute(_BEAT, (now,))
