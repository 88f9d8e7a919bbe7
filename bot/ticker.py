"""Repeats work on the database at an interval, such as renewing leases."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.errors import StoreError

log: Final = logging.getLogger(__name__)

TICK_S: Final = 1.0


class Ticker:
    """Does each work once per interval, one after the other. After an error of the database, the next tick repeats."""

    def __init__(self, *works: Callable[[], Awaitable[None]], tick_s: float = TICK_S) -> None:
        self._works = works
        self._tick_s = tick_s
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def start(self) -> None:
        """Begin, with the first tick after one interval."""
        if not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(self._tick_s, self._tick)

    async def close(self) -> None:
        """Stop, after the work that is being done."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _tick(self) -> None:
        self._task = asyncio.create_task(self._run(), name="tick")

    async def _run(self) -> None:
        try:
            for work in self._works:
                await work()
        except StoreError as error:
            log.warning("the database can't be used; that is retried: %s", error)
        finally:
            self._task = None
            self.start()
