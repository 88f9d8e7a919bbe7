"""The statements about waiting: how long a table has waited, who wants what done, when the program was away."""

import sqlite3
from typing import Final

import msgspec

from bot.store.records import Table, Wait

_REMEMBERED_S: Final = 60 * 24 * 60 * 60
"""Outages that ended longer ago concern no table any more: those who wait so long were closed."""

_WAIT: Final = """
WITH wait AS (
    SELECT coalesce(max(since), ?3) AS since, coalesce(max(steps), 0) AS steps
    FROM waits WHERE table_id = ?1 AND version = ?2
)
SELECT since, steps,
    (SELECT coalesce(sum(min(ended, ?4) - max(began, since)), 0.0) FROM outages WHERE ended > since AND began < ?4),
    (SELECT json_group_array(json_array(user_id, remedy))
        FROM (SELECT * FROM votes WHERE table_id = ?1 AND version = ?2 ORDER BY user_id))
FROM wait
"""

_MISSED: Final = """
SELECT EXISTS (SELECT 1 FROM votes WHERE table_id = ?1 AND version = ?2)
    OR (?3 = 'none' AND EXISTS (SELECT 1 FROM waits WHERE table_id = ?1 AND version = ?2 AND steps > 0))
"""

_MOVES_S: Final = """
SELECT at - before - (
    SELECT coalesce(sum(min(ended, at) - max(began, before)), 0.0) FROM outages WHERE ended > before AND began < at
)
FROM (SELECT at, by_user, lag(at) OVER (ORDER BY ply) AS before FROM entries WHERE table_id = ?)
WHERE by_user IS NOT NULL AND before IS NOT NULL
"""

_BEAT: Final = "INSERT INTO heartbeat VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1"


def wait(table: Table, now: float, connection: sqlite3.Connection) -> Wait:
    """How far the waiting at the table has come."""
    asked = (table.id, table.version, table.changed_at, now)
    ((since, steps, away_s, votes),) = connection.execute(_WAIT, asked).fetchall()
    return Wait(since, away_s, steps, dict(msgspec.json.decode(votes)))


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


def has_votes(table: Table, connection: sqlite3.Connection) -> bool:
    """Return whether there are votes at this version of the table."""
    query = "SELECT 1 FROM votes WHERE table_id = ? AND version = ? LIMIT 1"
    return connection.execute(query, (table.id, table.version)).fetchone() is not None


def forget_votes(table_id: int, connection: sqlite3.Connection) -> None:
    """Forget what anybody wanted done about an absence. Votes to end the table stay, as all may agree on that."""
    connection.execute("DELETE FROM votes WHERE table_id = ? AND remedy <> 'end'", (table_id,))


def moves_s(table_id: int, connection: sqlite3.Connection) -> tuple[float, ...]:
    """Return how long people took for each of their moves, without the time in which the program was away."""
    return tuple(max(0.0, seconds) for (seconds,) in connection.execute(_MOVES_S, (table_id,)))


def is_missed(table: Table, connection: sqlite3.Connection) -> bool:
    """Whether the others have voted about who is waited for, or have been told that it takes long."""
    ((missed,),) = connection.execute(_MISSED, (table.id, table.version, table.clock)).fetchall()
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
