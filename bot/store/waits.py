"""Waiting times of tables, votes about absent players, and the times when the program was down."""

from collections.abc import Collection
from functools import partial
from typing import Final

import msgspec

from bot.store.records import Table, Wait
from bot.store.repository import Repository, hold, to_json
from bot.store.transaction import Transaction

_KEEP_OUTAGES_S: Final = 60 * 24 * 60 * 60
"""Older outages don't matter: tables that wait longer are closed."""

_OF_TABLE: Final = "(SELECT coalesce(guild_id, 0) >> 22 FROM tables WHERE id = ?1) % shard_count = shard"
"""The condition for outages of the shard of a table. Direct messages are on shard 0."""

_WAIT: Final = f"""
WITH wait AS (
    SELECT coalesce(max(since), ?3) AS since, coalesce(max(steps), 0) AS steps
    FROM waits WHERE table_id = ?1 AND version = ?2
)
SELECT since, steps,
    (SELECT coalesce(sum(
            CASE WHEN ended < ?4 THEN ended ELSE ?4 END - CASE WHEN began > since THEN began ELSE since END
        ), 0.0) FROM outages WHERE ended > since AND began < ?4 AND {_OF_TABLE}),
    (SELECT coalesce(json_group_array(json_array(user_id, remedy)), '[]')
        FROM (SELECT * FROM votes WHERE table_id = ?1 AND version = ?2 ORDER BY user_id) AS cast_votes)
FROM wait
"""  # noqa: S608 - constant text

_HAS_NEWS: Final = """
SELECT EXISTS (SELECT 1 FROM votes WHERE table_id = ?1 AND version = ?2)
    OR (?3 = 'none' AND EXISTS (SELECT 1 FROM waits WHERE table_id = ?1 AND version = ?2 AND steps > 0))
"""

_MOVE_TIMES: Final = f"""
SELECT at - before - (
    SELECT coalesce(sum(
            CASE WHEN ended < at THEN ended ELSE at END - CASE WHEN began > before THEN began ELSE before END
        ), 0.0) FROM outages WHERE ended > before AND began < at AND {_OF_TABLE}
)
FROM (SELECT at, by_user, lag(at) OVER (ORDER BY ply) AS before FROM entries WHERE table_id = ?1) AS moves
WHERE by_user IS NOT NULL AND before IS NOT NULL
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


_SKEW_S: Final = 60.0
"""Difference that clocks of several processes may have. A time further ahead is from before a clock was put back."""

_RESTART: Final = (
    "UPDATE waits SET since = ?1 WHERE since > ?2",
    """
    INSERT INTO waits (table_id, version, since, steps)
    SELECT id, version, CAST(?1 AS DOUBLE PRECISION), 0 FROM tables WHERE status = 'playing' AND changed_at > ?2
    ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, since = excluded.since, steps = 0
        WHERE waits.version < excluded.version
    """,
    "UPDATE tables SET changed_at = ?1, version = version + 1 WHERE status = 'lobby' AND changed_at > ?2",
)
"""Let waits and lobbies that would begin in the future begin now. A new version makes others read the lobby again."""


class Waits(Repository):
    """Waiting times of tables, votes about absent players, and the times when the program was down.

    A wait and its votes belong to one version of a table. The next change voids them.
    """

    async def of(self, table: Table, now: float) -> Wait:
        """Return the wait at the table's version."""
        ((since, steps, away_s, votes),) = await self._reading.rows(
            _WAIT, table.id, table.version, table.changed_at, now
        )
        return Wait(since, away_s, steps, dict(msgspec.json.decode(votes)))

    async def move_times_s(self, table_id: int) -> tuple[float, ...]:
        """Return the time that people took for each of their moves, without the time when the program was down."""
        return tuple(max(0.0, seconds) for (seconds,) in await self._reading.rows(_MOVE_TIMES, table_id))

    async def ground(self, table: Table) -> tuple[object, ...]:
        """Return what a change of the table rests on: since when it waits, and the votes. See `Changes.ground`."""
        return await self._reading.run(partial(ground_of, table.id, table.version))

    async def end_absence(self, table: Table, since: float) -> None:
        """Delete the votes about an absence and, without a clock, start the wait again.

        Votes to end the table stay, as all players may agree on that. Raises `Conflict` if the table has moved on.
        """
        await self._writer.write(partial(_end_absence, table, since), table.id)

    async def claim_step(self, table: Table, since: float, steps: int, *, pings: bool = False) -> bool:
        """Store that this many steps have been taken; return false if another process has stored that already.

        With ``pings``, count a reminder, in the same transaction. Nobody has been notified of it yet, so the pings
        follow, even if this process dies.
        """
        return await self._writer.write(partial(_claim_step, table, since, steps, pings), table.id)

    async def record_vote(self, table: Table, user_id: int, remedy: str) -> None:
        """Store the user's vote, which replaces their previous one. Raises `Conflict` if the table has moved on."""
        await self._writer.write(partial(_record_vote, table, user_id, remedy), table.id)

    async def has_news(self, table: Table) -> bool:
        """Return whether there are votes at this version of the table or, without a clock, a step has been taken."""
        return await self._reading.run(partial(has_news, table))

    async def beat(self, now: float, gap_s: float, shards: Collection[int] = (0,), shard_count: int = 1) -> None:
        """Store that these shards are running. Those whose last heartbeat is older than ``gap_s`` were away."""
        await self._writer.write(partial(_beat, (shard_count, to_json(list(shards)), now), gap_s))


async def has_news(table: Table, db: Transaction) -> bool:
    """Return whether there are votes at this version of the table or, without a clock, a step has been taken."""
    ((has_news,),) = await db.rows(_HAS_NEWS, (table.id, table.version, table.clock))
    return bool(has_news)


async def ground_of(table_id: int, version: int, db: Transaction) -> tuple[object, ...]:
    """Return since when the table waits, and the votes: what a remedy or a closing rests on."""
    wait = "SELECT since FROM waits WHERE table_id = ? AND version = ?"
    votes = "SELECT user_id, remedy FROM votes WHERE table_id = ? AND version = ? ORDER BY user_id"
    values = (table_id, version)
    return (*await db.rows(wait, values), *await db.rows(votes, values))


async def _end_absence(table: Table, since: float, db: Transaction) -> None:
    await hold(table.id, table.version, db)
    await db.execute("DELETE FROM votes WHERE table_id = ? AND remedy <> 'end'", (table.id,))
    if table.clock == "none":
        await db.execute(
            "INSERT INTO waits (table_id, version, since, steps) VALUES (?, ?, ?, 0) ON CONFLICT (table_id) DO UPDATE"
            " SET version = excluded.version, since = excluded.since, steps = excluded.steps",
            (table.id, table.version, since),
        )


async def _record_vote(table: Table, user_id: int, remedy: str, db: Transaction) -> None:
    await hold(table.id, table.version, db)
    await db.execute(
        "INSERT INTO votes (table_id, user_id, version, remedy) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO UPDATE SET version = excluded.version, remedy = excluded.remedy",
        (table.id, user_id, table.version, remedy),
    )


async def _claim_step(table: Table, since: float, steps: int, pings: bool, db: Transaction) -> bool:  # noqa: FBT001 - whether pings follow
    claimed = await db.execute(
        "INSERT INTO waits (table_id, version, since, steps, reminders) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, since = excluded.since,"
        " steps = excluded.steps, reminders = waits.reminders + excluded.reminders"
        " WHERE (waits.version, waits.steps) < (excluded.version, excluded.steps)",
        (table.id, table.version, since, steps, int(pings)),
    )
    return claimed == 1


async def _beat(shards: tuple[int, str, float], gap_s: float, db: Transaction) -> None:
    await db.lock("heartbeats")
    # If the clock was put back, outages and waits may lie in what is now the future. They end or begin now.
    now = shards[2]
    await db.execute("DELETE FROM outages WHERE began >= ?", (now,))
    await db.execute("UPDATE outages SET ended = ?1 WHERE ended > ?1", (now,))
    for statement in _RESTART:
        await db.execute(statement, (now, now + _SKEW_S))
    if await db.execute(_NOTE_OUTAGES, (*shards, gap_s)):
        await db.execute("DELETE FROM outages WHERE ended < ?", (now - _KEEP_OUTAGES_S,))
    await db.execute(_BEAT, shards)
