"""Slow computers' turns: thought about in worker processes, so that nobody's answer waits for them."""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, TypeVar

from bot import computer
from bot.computer.thoughts import Recalled, Thought, Verdict
from bot.errors import LilypadError
from bot.games.game import Move, Observation, Seat
from bot.records.table import Table
from bot.tables.tables import Sight, Tables
from bot.worker_processes import NoWorker, Worker, WorkerDied

R = TypeVar("R")

log: Final = logging.getLogger(__name__)

MEMORY_BYTES: Final = 768 * 1024 * 1024
"""Maximum address space of a process; a search that needs more fails."""
IDLE_S: Final = 60.0
"""Time without work after which the processes end."""
LIMIT_S: Final = 30.0
"""A process that takes longer for one move is killed."""


class NoThought(LilypadError):
    """No process could choose a move."""


def severity(error: NoThought) -> int:
    """Return the level at which a failed thought is logged. That no process can start is logged once for all."""
    return logging.DEBUG if isinstance(error.__cause__, NoWorker) else logging.WARNING


def _generator(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - it is as secret as its seed


class Thinkers:
    """At most ``count`` processes. Each thinks about one move at a time; further moves wait for their turn.

    Hints take at most half of the processes. The others wait in a queue of their own, so that a computer's move waits
    for one of them at most.
    A process that dies, fails or takes too long is replaced when the next one is needed.
    """

    def __init__(self, count: int, *, idle_s: float = IDLE_S, limit_s: float = LIMIT_S) -> None:
        self.count = count
        self._idle_s = idle_s
        self._limit_s = limit_s
        self._threads = ThreadPoolExecutor(count, "thinker")
        self._free = asyncio.Semaphore(count)
        self._free_for_hints = asyncio.Semaphore(max(1, count // 2))
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._ending: asyncio.TimerHandle | None = None

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the running processes."""
        return tuple(pid for worker in (*self._idle, *self._busy) if (pid := worker.pid) is not None)

    async def choose(self, game_key: str, observation: Observation, seed: str, level: str) -> Move:
        """Return the move of a computer, as `bot.computer.choose` does with a generator of this seed.

        Raises `NoThought`.
        """
        async with self._free:
            return await self._think(computer.choose, game_key, observation, _generator(seed), level)

    async def explain(self, game_key: str, observation: Observation, seed: str) -> Thought:
        """Return the strong computer's thought, as `bot.computer.explain` does with a generator of this seed.

        If no process can think, or none within the limit, it is the guess of a quick computer.
        """
        try:
            async with self._free_for_hints, self._free:
                return await self._think(computer.explain, game_key, observation, _generator(seed))
        except NoThought as error:
            log.log(severity(error), "a hint comes from rules of thumb", exc_info=True)
            return await asyncio.to_thread(computer.guess, game_key, observation, _generator(seed))

    async def judge(self, game_key: str, observation: Observation, played: Move, seed: str) -> Verdict:
        """Return the best move and by how much the played one is worse, like `bot.computer.judge`. Raises `NoThought`.

        It waits for a process among the hints.
        """
        async with self._free_for_hints, self._free:
            return await self._think(computer.judge, game_key, observation, played, _generator(seed))

    async def recall(self, game_key: str, observation: Observation, played: Move, seed: str, level: str) -> Recalled:
        """Return how a computer came to its move, like `bot.computer.recall`. Raises `NoThought`.

        It waits for a process among the hints.
        """
        async with self._free_for_hints, self._free:
            return await self._think(computer.recall, game_key, observation, played, seed, level)

    async def run(self, function: Callable[..., R], /, *arguments: object) -> R:
        """Return the result of any pure function, which waits for a process among the hints.

        If no process can run it, a thread does.
        """
        try:
            async with self._free_for_hints, self._free:
                return await self._think(function, *arguments)
        except NoThought as error:
            log.log(severity(error), "%s runs in a thread", function.__name__, exc_info=True)
            return await asyncio.to_thread(function, *arguments)

    def close(self) -> None:
        """End all processes."""
        self._end_idle()
        for worker in self._busy:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _think(self, function: Callable[..., R], *arguments: object) -> R:
        worker = self._idle_worker() or Worker("thinker", MEMORY_BYTES)
        self._busy.add(worker)
        try:
            thinking = asyncio.wrap_future(self._threads.submit(worker.run, function, *arguments))
            async with asyncio.timeout(self._limit_s):
                result = await thinking
        except BaseException as error:
            worker.end()
            if isinstance(error, WorkerDied | TimeoutError | RuntimeError | OSError):
                raise NoThought(f"A computer couldn't choose: {type(error).__name__} {error}") from error
            raise
        finally:
            self._busy.discard(worker)
        self._idle.append(worker)
        self._end_later()
        return result

    def _idle_worker(self) -> Worker | None:
        while self._idle:
            worker = self._idle.pop()
            if worker.pid is not None:
                return worker
            log.warning("a process in which computers think has died; starting another one")
        return None

    def _end_later(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(self._idle_s, self._end_idle)

    def _end_idle(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        while self._idle:
            self._idle.pop().end()


PATIENCE_S: Final = 3 * (LIMIT_S + 5.0)
"""Time after which a turn that waits for a worker is given up."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A computer's turn: what its seat sees, and the secret seed of its choice, from which no deal can be inferred."""

    sight: Sight
    seat: Seat
    seed: str = field(repr=False)

    @property
    def level(self) -> str:
        """The level at which the computer plays."""
        return level_of(self.sight.table, self.seat)


async def turn_of(tables: Tables, sight: Sight, seat: Seat) -> Turn:
    """Return the turn of the computer on a seat, which sees this. Where the table's seed is lost, it draws afresh."""
    return Turn(sight, seat, await tables.choice_seed(sight, seat) or secrets.token_hex())


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
