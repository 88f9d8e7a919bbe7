"""Draws pictures in a process of its own, so that drawing delays nobody, and keeps the latest ones.

The process starts when the first picture is needed, and is replaced if it dies.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

from bot.games.game import Observation
from bot.pictures import Drawing, Picture, draw
from bot.pictures.animation import Size, frame
from bot.pictures.canvas import TEXT, Canvas
from bot.pictures.palette import DEEP
from bot.worker_processes import NoWorker, Worker, WorkerDied

R = TypeVar("R")

log: Final = logging.getLogger(__name__)

MAX_BYTES: Final = 32_000_000
"""Maximum size of the files that are kept."""
TIMEOUT_S: Final = 5.0
"""Maximum time that a message waits for its picture. Without one it is shown in words."""
FIRST_TIMEOUT_S: Final = 30.0
"""The same for the first picture of a process, which has to start on a machine that may be busy."""
NICENESS: Final = 5
"""Niceness of the process, to keep the parent's event loop quick."""
MEMORY_BYTES: Final = 768 * 1024 * 1024
"""Maximum address space of the process."""


def _start() -> Worker:
    return Worker("painter", MEMORY_BYTES, NICENESS)


class Painter:
    """Draws pictures in another process. Pictures of equal keys are drawn once, as long as they are kept."""

    def __init__(self, start: Callable[[], Worker] = _start) -> None:
        self._kept: OrderedDict[str, Picture] = OrderedDict()
        self._kept_bytes = 0
        self._start = start
        self._worker = start()
        self._thread = ThreadPoolExecutor(1, "painter")
        """Waits for the process, for one picture after the other."""
        self._is_warm = False
        """Whether the process has drawn anything."""
        self._overdue: Future[Any] | None = None
        """A picture that is being drawn, though nobody waits for it any more."""

    @property
    def pid(self) -> int | None:
        """The id of the process, while it runs."""
        return self._worker.pid

    async def warm(self, *drawings: Drawing) -> None:
        """Start the process, with what these drawings need, so that the first message with a picture doesn't wait."""
        await self._run(_warmed, *drawings)

    async def draw(
        self,
        key: str,
        drawing: Drawing,
        observation: Observation | None,
        names: Sequence[str],
        language: str,
        *details: object,
    ) -> Picture | None:
        """Return the picture of this key; ``None`` if it can't be drawn in time. For the arguments, see `draw`.

        While an overdue picture occupies the process, nobody waits for another one.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        picture = await self._run(draw, drawing, observation, tuple(names), language, *details)
        if picture is not None:
            self._keep(key, picture)
        return picture

    async def frame(
        self, before: bytes | None, png: bytes, size: Size, duration_ms: int, scale: int = 1
    ) -> bytes | None:
        """Return a frame like `bot.pictures.animation.frame`; ``None`` if it can't be made in time.

        Frames wait among the pictures, so that a long animation delays none of them.
        """
        return await self._run(frame, before, png, size, duration_ms, scale)

    async def _run(self, function: Callable[..., R], *arguments: object) -> R | None:
        if self._overdue is not None and not self._overdue.done():
            return None
        limit_s = TIMEOUT_S if self._is_warm else FIRST_TIMEOUT_S
        drawn = self._thread.submit(self._drawn, function, *arguments)
        try:
            async with asyncio.timeout(limit_s):
                return await asyncio.wrap_future(drawn)
        except TimeoutError:
            log.warning("a picture took more than %s s; showing its message in words", limit_s)
            if drawn.running():
                self._overdue = drawn
            return None
        except NoWorker:
            return None
        except Exception:
            log.exception("a picture couldn't be drawn; showing its message in words")
            return None

    def _drawn(self, function: Callable[..., R], *arguments: object) -> R:
        try:
            result = self._worker.run(function, *arguments)
        except NoWorker:
            raise
        except WorkerDied:
            log.warning("the process that draws pictures has died; starting another one")
            self._worker, self._is_warm = self._start(), False
            result = self._worker.run(function, *arguments)
        self._is_warm = True
        return result

    def _keep(self, key: str, picture: Picture) -> None:
        if key in self._kept:
            return
        self._kept[key] = picture
        self._kept_bytes += len(picture.png)
        while self._kept_bytes > MAX_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.png)


def _warmed(*_drawings: Drawing) -> None:
    """Load what all pictures need. The modules of the drawings are imported when these arguments arrive."""
    canvas = Canvas(TEXT)
    canvas.text(0, 0, "Lilypad", ground=DEEP)
    canvas.card("??", 0, 0, DEEP)
    canvas.png()


painter: Final = Painter()
"""This process's painter."""
