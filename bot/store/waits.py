"""Waiting times, holidays and downtime, and votes about absent players."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import msgspec

from bot.errors import NotAllowed
from bot.records.table import Table
from bot.store.database import Repository, Transaction, hold, to_json, work
from bot.store.schema import OF_SHARDS


class Wait(msgspec.Struct, frozen=True):
    """The waiting time of a table at its version, and the measures taken since.

    Parameters
    ----------
    since: When the wait started.
    away_s: How long the program was away since then, or a player that it waits for on holiday.
    steps: How many steps (reminders and so on) have been taken.
    votes: The remedy that each user voted for.
    rest_s: How much longer a player that it waits for is on holiday.
    """

    since: float
    away_s: float
    steps: int
    votes: Mapping[int, str]
    rest_s: float = 0.0


_KEEP_OUTAGES_S: Final = 60 * 24 * 60 * 60
"""Older outages don't matter: tables that wait longer are closed."""

_OF_TABLE: Final = "(SELECT coalesce(guild_id, 0) >> 22 FROM tables WHERE id = ?1) % shard_count = shard"
"""The condition for outages of the shard of a table. Direct messages are on shard 0."""

_HOLIDAYS: Final = (
    "seats JOIN holidays ON holidays.user_id = seats.user_id WHERE seats.table_id = ?1 AND seats.owes = 1"
)
"""The holidays of the users that the table waits for."""

_WAIT: Final = f"""
WITH wait AS (
    SELECT coalesce(max(since), ?3) AS since, coalesce(max(steps), 0) AS steps
    FROM waits WHERE table_id = ?1 AND version = ?2
)
SELECT since, steps,
    (SELECT coalesce(json_group_array(json_array(began, ended)), '[]')
        FROM outages WHERE ended > since AND began < ?4 AND {_OF_TABLE}),
    (SELECT coalesce(json_group_array(json_array(holidays.user_id, began, ended)), '[]')
        FROM {_HOLIDAYS} AND ended > wait.since AND began <= ?4),
    (SELECT coalesce(json_group_array(json_array(user_id, remedy)), '[]')
        FROM (SELECT * FROM votes WHERE table_id = ?1 AND version = ?2 ORDER BY user_id) AS cast_votes)
FROM wait
"""  # noqa: S608 - constant text

_MOVE_TIMES: Final = f"""
SELECT ply, by_user, at - before - (
    SELECT coalesce(sum(
            CASE WHEN ended < at THEN ended ELSE at END - CASE WHEN began > before THEN began ELSE before END
        ), 0.0) FROM outages WHERE ended > before AND began < at AND {_OF_TABLE}
)
FROM (
    SELECT at, by_user, automatic, ply, lag(at) OVER (ORDER BY ply) AS before FROM entries WHERE table_id = ?1
) AS moves WHERE by_user IS NOT NULL AND before IS NOT NULL AND automatic = 0
"""  # noqa: S608 - constant text

_NOTE_OUTAGES: Final = """
INSERT INTO outages (shard_count, shard, began, ended)
SELECT CAST(?1 AS BIGINT), value, seen, CAST(?3 AS DOUBLE PRECISION) FROM (
    SELECT value, coalesce(
        (SELECT at FROM heartbeats WHERE shard_count = ?1 AND shard = value),
        (SELECT max(at) FROM heartbeats WHERE shard_count <> ?1)
    ) AS seen FROM json_each(?2)
) AS running WHERE ?3 - seen > ?4
ON CONFLICT (shard_count, shard, began) DO UPDATE SET ended = excluded.ended
"""
"""For a shard that never ran, the outage began when the bot last ran with another number of shards."""

_BEAT: Final = """
INSERT INTO heartbeats (shard_count, shard, at)
SELECT CAST(?1 AS BIGINT), value, CAST(?3 AS DOUBLE PRECISION) FROM json_each(?2) WHERE true
ON CONFLICT (shard_count, shard) DO UPDATE SET at = excluded.at
"""


_OF_OURS: Final = "(shard_count <> ?1 OR shard IN (SELECT value FROM json_each(?2)))"
_TRIM: Final = (
    f"DELETE FROM outages WHERE began >= ?3 AND {_OF_OURS}",  # noqa: S608 - constant text
    f"UPDATE outages SET ended = ?3 WHERE ended > ?3 AND {_OF_OURS}",  # noqa: S608 - constant text
)
"""Let outages of these shards that would end in the future end now."""

_SKEW_S: Final = 60.0
"""Difference that clocks of several processes may have. A time further ahead is from before a clock was put back."""

_RESTART: Final = (
    """
    UPDATE due SET at = ?3 WHERE at > ?3 AND EXISTS (
        SELECT 1 FROM heartbeats
        WHERE at > ?4 AND shard_count = ?1 AND shard IN (SELECT value FROM json_each(?2))
    )
    """,
    f"""
    UPDATE waits SET since = ?3 WHERE since > ?4
        AND EXISTS (SELECT 1 FROM tables WHERE id = table_id AND {OF_SHARDS})
    """,  # noqa: S608 - constant text
    f"""
    INSERT INTO waits (table_id, version, since, steps)
    SELECT id, version, CAST(?3 AS DOUBLE PRECISION), 0 FROM tables
    WHERE status = 'playing' AND changed_at > ?4 AND {OF_SHARDS}
    ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, since = excluded.since, steps = 0
        WHERE waits.version < excluded.version
    """,  # noqa: S608 - constant text
    f"""
    UPDATE tables SET changed_at = ?3, version = version + 1
    WHERE status = 'lobby' AND changed_at > ?4 AND {OF_SHARDS}
    """,  # noqa: S608 - constant text
)
"""Let waits and lobbies of these shards that would begin in the future begin now, and look at all that is to come.

A new version makes others read the lobby again. Clocks of other processes don't matter to these shards.
"""


class Waits(Repository):
    """Waiting times of tables, votes about absent players, and the times when the program was down.

    A wait and its votes belong to one version of a table. The next change voids them.
    """

    async def of(self, table: Table, now: float) -> Wait:
        """Return the wait at the table's version. Holidays don't stop a clock of seconds."""
        ((since, steps, outages, holidays, votes),) = await self._reading.rows(
            _WAIT, table.id, table.version, table.changed_at, now
        )
        down = msgspec.json.decode(outages, type=list[tuple[float, float]])
        away: dict[int, list[tuple[float, float]]] = {}
        if table.clock != "live":
            for user_id, began, ended in msgspec.json.decode(holidays, type=list[tuple[int, float, float]]):
                away.setdefault(user_id, []).append((began, ended))
        away_s = max(_covered_s([*down, *holiday], since, now) for holiday in (*away.values(), []))
        rest_s = max((ended - now for holiday in away.values() for _, ended in holiday), default=0.0)
        return Wait(since, away_s, steps, dict(msgspec.json.decode(votes)), max(0.0, rest_s))

    async def move_times_s(self, table_id: int) -> tuple[float, ...]:
        """Return the time that people took for each of their moves, without the time when the program was down."""
        return tuple(seconds for *_, seconds in await self._times(table_id))

    async def times_of(self, table_id: int, user_id: int) -> dict[int, float]:
        """Return the time that a user took for each move that they made themselves, by the number of its entry."""
        return {ply: seconds for ply, by_user, seconds in await self._times(table_id) if by_user == user_id}

    async def _times(self, table_id: int) -> list[tuple[int, int, float]]:
        rows = await self._reading.rows(_MOVE_TIMES, table_id)
        return [(ply, by_user, max(0.0, seconds)) for ply, by_user, seconds in rows]

    async def ground(self, table: Table) -> tuple[object, ...]:
        """Return what a change of the table rests on: since when it waits, and the votes. See `Changes.ground`."""
        return await self._reading.run(lambda db: ground_of(table.id, table.version, db))

    @work
    async def end_absence(self, db: Transaction, table: Table, since: float) -> None:
        """Delete the votes about an absence and, without a clock, start the wait again.

        Votes to end the table stay, as all players may agree on that. Raises `Conflict` if the table has moved on.
        """
        await hold(table.id, table.version, db)
        of_absence = "DELETE FROM votes WHERE table_id = ? AND remedy IN ('play', 'seat', 'substitute')"
        await db.execute(of_absence, (table.id,))
        if table.clock == "none":
            await db.execute(
                "INSERT INTO waits (table_id, version, since, steps) VALUES (?, ?, ?, 0) ON CONFLICT (table_id) DO"
                " UPDATE SET version = excluded.version, since = excluded.since, steps = excluded.steps",
                (table.id, table.version, since),
            )

    @work
    async def claim_step(self, db: Transaction, table: Table, since: float, steps: int, *, pings: bool = False) -> bool:
        """Store that this many steps have been taken; return false if another process has stored that already.

        With ``pings``, count a reminder, in the same transaction. Nobody has been notified of it yet, so the pings
        follow, even if this process dies.
        """
        claimed = await db.execute(
            "INSERT INTO waits (table_id, version, since, steps, reminders) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, since = excluded.since,"
            " steps = excluded.steps, reminders = waits.reminders + excluded.reminders"
            " WHERE (waits.version, waits.steps) < (excluded.version, excluded.steps)",
            (table.id, table.version, since, steps, int(pings)),
        )
        return claimed == 1

    @work
    async def record_vote(self, db: Transaction, table: Table, user_id: int, remedy: str) -> None:
        """Store the user's vote, which replaces their previous one. Raises `Conflict` if the table has moved on."""
        await hold(table.id, table.version, db)
        await db.execute(
            "INSERT INTO votes (table_id, user_id, version, remedy) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (table_id, user_id) DO UPDATE SET version = excluded.version, remedy = excluded.remedy",
            (table.id, user_id, table.version, remedy),
        )

    @work
    async def beat(
        self, db: Transaction, now: float, gap_s: float, shards: Collection[int] = (0,), shard_count: int = 1
    ) -> bool:
        """Store that these shards are running. Those whose last heartbeat is older than ``gap_s`` were away.

        Return whether tables have waited for another time than before, as the bot was away or the clock was put back.
        """
        await db.lock("heartbeats")
        beat = (shard_count, to_json(list(shards)), now)
        # If the clock was put back, outages and waits may lie in what is now the future. They end or begin now.
        changes = [await db.execute(statement, beat) for statement in _TRIM]
        changes += [await db.execute(statement, (*beat, now + _SKEW_S)) for statement in _RESTART]
        changes.append(outages := await db.execute(_NOTE_OUTAGES, (*beat, gap_s)))
        if outages:
            await db.execute("DELETE FROM outages WHERE ended < ?", (now - _KEEP_OUTAGES_S,))
        await db.execute(_BEAT, beat)
        return any(changes)


def _covered_s(spans: Iterable[tuple[float, float]], since: float, now: float) -> float:
    """Return how much of the time from ``since`` to ``now`` is in any of these spans, in seconds."""
    covered, end = 0.0, since
    for began, ended in sorted(spans):
        covered += max(0.0, min(ended, now) - max(began, end))
        end = max(end, ended)
    return covered


async def ground_of(table_id: int, version: int, db: Transaction) -> tuple[object, ...]:
    """Return since when the table waits, and the votes: what a remedy or a closing rests on."""
    wait = "SELECT since FROM waits WHERE table_id = ? AND version = ?"
    votes = "SELECT user_id, remedy FROM votes WHERE table_id = ? AND version = ? ORDER BY user_id"
    values = (table_id, version)
    return (*await db.rows(wait, values), *await db.rows(votes, values))


DAY_S: Final = 24 * 60 * 60
MOST_DAYS: Final = 21
"""Maximum days of holiday within `WINDOW_DAYS`, so that nobody can stop their clocks for good."""
WINDOW_DAYS: Final = 90


class Holidays(Repository):
    """Holidays of users. Each begins when it is set; past ones are kept as long as they count against the maximum."""

    @work
    async def begin(self, db: Transaction, user_id: int, now: float, until: float) -> None:
        """Let the user's holiday last until then, also one that has begun. Raises `NotAllowed` if it is too long."""
        await db.lock("holidays")
        await db.execute("DELETE FROM holidays WHERE ended < ?", (now - WINDOW_DAYS * DAY_S,))
        known = await db.rows("SELECT began, ended FROM holidays WHERE user_id = ?", (user_id,))
        taken_s = sum(min(ended, now) - max(began, now - WINDOW_DAYS * DAY_S) for began, ended in known if began < now)
        if taken_s + until - now > MOST_DAYS * DAY_S:
            raise NotAllowed(
                "That's {when}. You can be away for {most} days in {window}. You have {left} left.",
                when=f"<t:{until:.0f}:F>",
                most=MOST_DAYS,
                window=WINDOW_DAYS,
                left=max(0, int(MOST_DAYS - taken_s / DAY_S)),
            )
        running = next((began for began, ended in known if began <= now < ended), now)
        await db.execute(
            "INSERT INTO holidays (user_id, began, ended) VALUES (?, ?, ?)"
            " ON CONFLICT (user_id, began) DO UPDATE SET ended = excluded.ended",
            (user_id, running, until),
        )
        await db.execute("INSERT INTO users (id) VALUES (?) ON CONFLICT DO NOTHING", (user_id,))

    async def end(self, user_id: int, now: float) -> None:
        """End the user's holiday now, if they have one."""
        await self._writer.execute(
            "UPDATE holidays SET ended = ?2 WHERE user_id = ?1 AND began <= ?2 AND ended > ?2", (user_id, now)
        )
