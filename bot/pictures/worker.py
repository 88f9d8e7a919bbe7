"""Draws pictures in a process of its own, so that drawing delays nobody, and keeps the latest ones.

The process starts when the first picture is needed, and is replaced if it dies.
"""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Literal

from bot.games.game import Observation
from bot.pictures import Picture, draw, draw_move, draw_result
from bot.processes import begin, context

log: Final = logging.getLogger(__name__)

What = Literal["board", "hand", "move", "result"]

MAX_BYTES: Final = 32_000_000
"""Maximum size of the files that are kept."""
TIMEOUT_S: Final = 5.0
"""How long a message waits for its picture. Without one it is shown in words."""
NICENESS: Final = 5
"""How far the priority of the process is below that of its parent."""


class Painter:
    """Draws pictures in another process. Pictures of equal keys are drawn once, as long as they are kept.

    ``pool`` replaces the process, for tests.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, pool: Executor | None = None) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, Picture] = OrderedDict()
        self._kept_bytes = 0
        self._pool = pool

    async def draw(
        self, key: str, what: What, observation: Observation, names: Sequence[str], language: str, *more: Any
    ) -> Picture | None:
        """Return the picture of this key; ``None`` if it can't be drawn. ``more`` is a *move* and its effects."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        try:
            async with asyncio.timeout(TIMEOUT_S):
                picture = await self._drawn(what, observation, tuple(names), language, *more)
        except TimeoutError:
            log.warning("a picture took more than %s s; showing its message in words", TIMEOUT_S)
            return None
        except Exception:
            log.exception("a picture couldn't be drawn; showing its message in words")
            return None
        self._keep(key, picture)
        return picture

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _drawn(self, *arguments: Any) -> Picture:
        loop, pool = asyncio.get_running_loop(), self._running()
        try:
            return await loop.run_in_executor(pool, _draw, *arguments)
        except BrokenProcessPool:
            if self._pool is pool:  # otherwise another picture has noticed it before
                log.warning("the process that draws pictures has died; starting another one")
                self._pool = None
            return await loop.run_in_executor(self._running(), _draw, *arguments)

    def _running(self) -> Executor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=context(), initializer=_begin)
        return self._pool

    def _keep(self, key: str, picture: Picture) -> None:
        if key in self._kept:
            return
        self._kept[key] = picture
        self._kept_bytes += len(picture.png)
        while self._kept_bytes > self._max_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.png)


painter: Final = Painter()
"""The one of this process."""


# ---- in the other process


def _begin() -> None:
    """Prepare the process.

    The lower priority keeps the parent's event loop quick where both need the same processor.
    """
    os.nice(NICENESS)
    begin()


def _draw(what: What, observation: Any, names: Sequence[str], language: str, *more: Any) -> Picture:
    if what == "move":
        move, preview = more
        return draw_move(observation, names, move, preview, language)
    return (draw_result if what == "result" else draw)(observation, names, language)
