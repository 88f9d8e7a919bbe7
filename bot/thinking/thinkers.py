"""Lets computers think in worker processes, so that nobody's answer waits for them."""

import asyncio
import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from bot import computer
from bot.computer.thoughts import Thought
from bot.errors import LilypadError
from bot.games.game import Move, Observation
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
            text = await self._think(choose, game_key, observation, seed, level)
        return next(move for move in observation.legal if str(move) == text)

    async def explain(self, game_key: str, observation: Observation, seed: str) -> Thought:
        """Return the strong computer's thought, as `bot.computer.explain` does with a generator of this seed.

        If no process can think, it is the move of a quick computer, without reasons.
        """
        try:
            async with self._free_for_hints, self._free:
                return await self._think(explain, game_key, observation, seed)
        except NoThought as error:
            log.log(severity(error), "a hint comes from rules of thumb", exc_info=True)
            return Thought(computer.choose(game_key, observation, random.Random(seed)))  # noqa: S311 - as below

    def close(self) -> None:
        """End all processes."""
        self._end_idle()
        for worker in self._busy:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _think(self, function: Callable[..., R], *arguments: object) -> R:
        worker = self._idle_worker() or Worker("thinker", MEMORY_BYTES)
        self._busy.add(worker)
        thinking = asyncio.wrap_future(self._threads.submit(worker.run, function, *arguments))
        try:
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


def choose(game_key: str, observation: Observation, seed: str, level: str) -> str:
    """Return the move of a computer as text. This runs in a worker process."""
    return str(computer.choose(game_key, observation, random.Random(seed), level))  # noqa: S311 - nothing is secret


def explain(game_key: str, observation: Observation, seed: str) -> Thought:
    """Return the thought of the strong computer. This runs in a worker process."""
    return computer.explain(game_key, observation, random.Random(seed))  # noqa: S311 - nothing is secret
