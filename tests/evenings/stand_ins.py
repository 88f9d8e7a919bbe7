"""What an evening replaces: threads, clocks, the system's randomness, and drawing. All else is the real program."""

import asyncio
import contextlib
import hashlib
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from simcord._clock import Clock

from bot.games.game import Observation
from bot.pictures import Drawing, Picture
from bot.pictures.worker import painter
from bot.store.sqlite.sqlite_store import commit
from bot.texts import using
from bot.ui.actions import permissions
from bot.ui.interactions import respond
from bot.worker_processes import NoWorker
from tests.databases import without_sync
from tests.discord.env import fast_copies
from tests.evenings.loop import EveningLoop, run_of_bot
from tests.inline_sqlite import Call

EPOCH: Final = datetime(2026, 3, 28, 18, 30, tzinfo=UTC)
"""An evening before a change of summer time."""
_STATEMENT_S: Final = 0.0005
"""Mean time that a statement takes."""


class LoopClock(Clock):
    """SimCord's clock, which is the loop's."""

    def __init__(self, loop: EveningLoop) -> None:
        super().__init__()
        self._loop = loop

    def now(self) -> datetime:
        """Return the simulated time."""
        return EPOCH + timedelta(seconds=self._loop.time())


class Connections:
    """The open connections to the database, by the bot's run. Statements of one run one after the other.

    ``fault_of_commit`` returns how long a commit takes, or the error with which it fails.
    """

    def __init__(self, chance: Random, fault_of_commit: Callable[[], float | sqlite3.Error]) -> None:
        self._chance = chance
        self._fault_of_commit = fault_of_commit
        self._open: dict[int, list[sqlite3.Connection]] = {}

    def cut(self, run: int) -> None:
        """Close the connections of a run that has crashed. What it hasn't committed is rolled back."""
        for connection in self._open.pop(run, ()):
            connection.close()

    def queue(self) -> SimpleNamespace:
        """Return what aiosqlite takes for the queue of a connection's thread."""
        free_at = 0.0

        def put_nowait(call: Call) -> None:
            nonlocal free_at
            future, function = call
            loop, delay_s = asyncio.get_running_loop(), self._chance.expovariate(1 / _STATEMENT_S)
            if getattr(function, "func", None) is commit:
                fault = self._fault_of_commit()
                if isinstance(fault, sqlite3.Error):
                    function = _raising(fault)
                else:
                    delay_s += fault
            free_at = max(free_at, loop.time()) + delay_s
            loop.call_at(free_at, self._run, future, function)

        return SimpleNamespace(put_nowait=put_nowait)

    def _run(self, future: asyncio.Future[Any] | None, function: Callable[[], Any]) -> None:
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - raised in the caller, as aiosqlite does
            if future is not None and not future.done():
                future.set_exception(error)
            return
        if isinstance(result, sqlite3.Connection):
            self._open.setdefault(run_of_bot.get(), []).append(result)
        if future is not None and not future.done():
            future.set_result(result)


def _raising(error: sqlite3.Error) -> Callable[[], Any]:
    def function() -> Any:
        raise error

    return function


class Sketches:
    """Pictures that are only their keys, with the players whose observation they show."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        """The player by the digest in the picture's file name. Pictures of what everybody sees have none."""

    async def draw(
        self,
        key: str,
        drawing: Drawing,
        observation: Observation | None,
        names: Sequence[str],
        language: str,
        *details: object,
    ) -> Picture:
        """Return a picture that shows nothing, with the words of the real one."""
        png = f"picture {key}".encode()
        if observation is not None and observation.seat is not None:
            self.owners[hashlib.sha256(png).hexdigest()[:16]] = names[observation.seat]
        return Picture(png, _in_words(drawing, observation, names, language, details))

    async def frame(self, *_: object) -> bytes:
        """Return a frame that shows nothing."""
        return b"frame"


@contextlib.contextmanager
def replaced(loop: EveningLoop, connections: Connections, sketches: Sketches, chance: Random) -> Iterator[None]:
    """Replace them until the context ends."""
    now, monotonic = loop.time, loop.time
    with contextlib.ExitStack() as patches:
        for target, value in {
            "random._urandom": chance.randbytes,
            "os.urandom": chance.randbytes,
            "time.monotonic": monotonic,
            "time.perf_counter": monotonic,
            "time.time": lambda: EPOCH.timestamp() + now(),
            "discord.utils.utcnow": lambda: EPOCH + timedelta(seconds=now()),
            "aiosqlite.core.SimpleQueue": connections.queue,
            "aiosqlite.core.Thread": lambda **_: SimpleNamespace(start=lambda: None),
            "bot.worker_processes.Worker.run": _no_worker,
            "concurrent.futures.ThreadPoolExecutor.submit": _submit,
            "bot.running.client.Translator": lambda: None,
        }.items():
            patches.enter_context(patch(target, value))
        for limiter in (respond._limiter, permissions._questions):  # they were created with the real clock
            patches.enter_context(patch.object(limiter, "_clock", monotonic))
        patches.enter_context(patch.object(painter, "draw", sketches.draw))
        patches.enter_context(patch.object(painter, "frame", sketches.frame))
        patches.enter_context(fast_copies())
        patches.enter_context(without_sync())
        yield


def _in_words(
    drawing: Drawing, observation: Observation | None, names: Sequence[str], language: str, details: tuple[object, ...]
) -> str:
    """Return the alt text of the picture of a table. To draw it takes most of its time."""
    describe = getattr(sys.modules[drawing.__module__], "_alt", None)
    if observation is None or describe is None or drawing.__name__ != "draw":
        return f"A picture for {len(names)} people."
    with using(language):
        missing = describe.__code__.co_argcount - 2 - len(details)
        alt: str = describe(observation, names, *details, *([None] * missing))
    return alt


def _no_worker(*_: object) -> None:
    raise NoWorker("computers play by rules of thumb in an evening")


def _submit(_: object, function: Callable[..., Any], /, *args: Any) -> futures.Future[Any]:
    """Run at once what a pool's thread would run later."""
    future: futures.Future[Any] = futures.Future()
    try:
        future.set_result(function(*args))
    except Exception as error:  # noqa: BLE001 - raised in the caller
        future.set_exception(error)
    return future
