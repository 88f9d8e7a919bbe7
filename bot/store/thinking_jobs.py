"""Computers' turns as jobs: a process asks for a move, and any process that is free thinks about it.

A job is about one version of a table, so an answer that comes too late does no harm. A process that takes a job holds
it for a time; if it dies, the job is taken again. All times are the database's.
"""

from typing import Final, NamedTuple

from bot.games.game import Seat
from bot.store.database import NOW, Repository, Transaction, work


class Job(NamedTuple):
    """A turn that a computer is to think about. ``for_absent``: it plays for an absent user."""

    table_id: int
    version: int
    seat: Seat
    for_absent: bool


_ASK: Final = f"""
INSERT INTO thoughts (table_id, version, seat, for_absent, asked_at, taken_until) VALUES (?, ?, ?, ?, {NOW}, 0)
ON CONFLICT DO NOTHING
"""  # noqa: S608 - constant text

_LONGEST_S: Final = 300.0
"""A job that is taken until later was taken before the clock was put back."""

_IS_FREE: Final = f"move IS NULL AND taken_until NOT BETWEEN {NOW} AND {NOW} + {_LONGEST_S}"

_TAKE: Final = f"""
UPDATE thoughts SET taken_until = {NOW} + ? WHERE (table_id, version, seat) IN (
    SELECT table_id, version, seat FROM thoughts WHERE {_IS_FREE} ORDER BY asked_at LIMIT 1
) RETURNING table_id, version, seat, for_absent
"""  # noqa: S608 - constant text

_FREE: Final = f"SELECT 1 FROM thoughts WHERE {_IS_FREE} LIMIT 1"  # noqa: S608 - constant text

_OF: Final = "table_id = ? AND version = ? AND seat = ?"
_ANSWER: Final = f"UPDATE thoughts SET move = ? WHERE {_OF}"  # noqa: S608 - constant text
_MOVE: Final = f"SELECT move FROM thoughts WHERE {_OF}"  # noqa: S608 - constant text
_FORGET: Final = f"DELETE FROM thoughts WHERE {_OF}"  # noqa: S608 - constant text


class Thoughts(Repository):
    """The jobs of computers."""

    @work
    async def ask(self, db: Transaction, job: Job) -> None:
        """Store a job, unless it is stored already, and forget jobs for earlier versions of the table."""
        await db.execute("DELETE FROM thoughts WHERE table_id = ? AND version < ?", job[:2])
        await db.execute(_ASK, (*job[:3], int(job.for_absent)))

    async def take(self, for_s: float) -> Job | None:
        """Take the job that has waited longest, if there is one. After ``for_s``, another process may take it."""
        if not await self._reading.rows(_FREE):  # processes look often, and a transaction to write costs more
            return None
        return await self._take(for_s)

    @work
    async def _take(self, db: Transaction, for_s: float) -> Job | None:
        await db.lock("thoughts")  # two processes would wait for the same row, and take it one after the other
        taken = await db.rows(_TAKE, (for_s,))
        return next((Job(table_id, version, seat, bool(absent)) for table_id, version, seat, absent in taken), None)

    async def answer(self, job: Job, move: str) -> None:
        """Store the move for a job; nothing happens if nobody waits for it any more."""
        await self._writer.execute(_ANSWER, (move, *job[:3]))

    async def move(self, job: Job) -> str | None:
        """Return the move for a job, if it is known."""
        rows = await self._reading.rows(_MOVE, *job[:3])
        return rows[0][0] if rows else None

    async def forget(self, job: Job) -> None:
        """Delete a job."""
        await self._writer.execute(_FORGET, job[:3])

    async def waiting(self) -> int:
        """Return the number of jobs without a move."""
        (count,) = await self._reading.numbers("SELECT count(*) FROM thoughts WHERE move IS NULL")
        return count
