"""Slow computers' turns: thought about in this process's own workers, or as jobs that any process takes.

On SQLite, each process thinks about its tables itself. On PostgreSQL, jobs in the database let all processes, and
machines that do nothing else (``python -m bot think``), share the work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from bot.errors import LilypadError, StoreError
from bot.games.game import Move, Seat
from bot.store.open_store import open_store
from bot.store.thinking_jobs import Job, Thoughts
from bot.store.ticker import Ticker
from bot.tables import Sight, Table, Tables
from bot.thinking.thinkers import LIMIT_S, NoThought, Thinkers

log: Final = logging.getLogger(__name__)

POLL_S: Final = 0.2
"""Interval of looking for jobs, and for the answer to one."""
TAKEN_S: Final = LIMIT_S + 5.0
"""Time after which a process that has taken a job has died."""
_NO_MOVE: Final = ""
"""The answer to a job if there is no move: the table has moved on, or a worker has failed."""
PATIENCE_S: Final = 3 * TAKEN_S
"""Time after which a turn without a move is given up, whether it is a job or in this process's own queue."""


class Turn(NamedTuple):
    """A computer's turn: what its seat sees, and whether it plays for an absent user."""

    sight: Sight
    seat: Seat
    for_absent: bool = False

    @property
    def seed(self) -> str:
        """Public values as a seed: the deal's seed could be inferred from the moves."""
        return f"{self.sight.table.id} {self.sight.table.version} {self.seat}"

    @property
    def level(self) -> str:
        """The level at which the computer plays."""
        return level_of(self.sight.table, self.seat)


def level_of(table: Table, seat: Seat) -> str:
    """Return the level of the computer on a seat, or of one that plays for an absent user there."""
    sitter = table.sitter_at(seat)
    return sitter.level if sitter is not None and sitter.is_computer else table.level


Think = Callable[[Turn], Awaitable[Move]]
"""Chooses the move of a slow computer. Raises `NoThought`."""


def think_here(thinkers: Thinkers, patience_s: float = PATIENCE_S) -> Think:
    """Think in the workers of this process. Give up a turn after ``patience_s``, including the wait for a worker."""

    async def think(turn: Turn) -> Move:
        try:
            async with asyncio.timeout(patience_s):
                return await thinkers.choose(turn.sight.table.game, turn.sight.observation, turn.seed, turn.level)
        except TimeoutError:
            raise NoThought(f"No worker had time for table {turn.sight.table.id}.") from None

    return think


async def think_for_others(database: str, thinkers: int) -> None:
    """Think about the jobs in a PostgreSQL database until cancelled. Raises `StoreError`."""
    workers = Thinkers(thinkers)
    async with await open_store(database) as store:
        sharing = SharedThinking(store.thoughts, Tables(store), workers)
        sharing.start()
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await sharing.close()
            workers.close()


class SharedThinking:
    """Asks for moves by jobs, and thinks about the jobs of any process.

    Call `start`, and `close` at the end. ``poll_s`` is the interval of looking for jobs and answers.
    """

    def __init__(self, thoughts: Thoughts, tables: Tables, thinkers: Thinkers, poll_s: float = POLL_S) -> None:
        self._thoughts = thoughts
        self._tables = tables
        self._thinkers = thinkers
        self._think = think_here(thinkers)
        self._poll_s = poll_s
        self._tasks: set[asyncio.Task[None]] = set()
        self._ticker = Ticker(self._work, tick_s=poll_s)

    def start(self) -> None:
        """Begin to take jobs."""
        self._ticker.start()

    async def ask(self, turn: Turn) -> Move:
        """Ask for the move of a turn. Raises `NoThought` if nobody answers."""
        job = Job(turn.sight.table.id, turn.sight.table.version, turn.seat, turn.for_absent)
        await self._thoughts.ask(job)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (text := await self._thoughts.move(job)) is None:  # noqa: ASYNC110 - by another process
                    await asyncio.sleep(self._poll_s)
        except TimeoutError:
            raise NoThought(f"Nobody has thought about {job}.") from None
        finally:
            await self._thoughts.forget(job)
        found = next((move for move in turn.sight.observation.legal if str(move) == text), None)
        if found is None:
            raise NoThought(f"The answer to {job} is {text!r}.")
        return found

    async def _work(self) -> None:
        """Take jobs while there are free workers."""
        while len(self._tasks) < self._thinkers.count:
            job = await self._thoughts.take(TAKEN_S)
            if job is None:
                return
            task = asyncio.create_task(self._do(job), name=f"thinking about table {job.table_id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop. What isn't answered is taken by another process."""
        await self._ticker.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(self, job: Job) -> None:
        try:
            await self._thoughts.answer(job, await self._move(job))
        except StoreError as error:
            log.warning("table %s: a move wasn't saved; another process will try: %s", job.table_id, error)

    async def _move(self, job: Job) -> str:
        """Return the move for a job, or `_NO_MOVE`. Raises `StoreError`."""
        try:
            sight = await self._tables.look_as_computer(job.table_id, job.seat, for_absent=job.for_absent)
            if sight.table.version != job.version:
                return _NO_MOVE
            return str(await self._think(Turn(sight, job.seat, job.for_absent)))
        except StoreError:
            raise
        except LilypadError as error:  # the seat isn't a computer's any more, or no worker found a move
            log.warning("table %s: no move was found: %s", job.table_id, error)
            return _NO_MOVE
