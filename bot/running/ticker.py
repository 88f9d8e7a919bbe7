"""Does regular work of a running bot, such as renewing leases."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.errors import StoreError

log: Final = logging.getLogger(__name__)

TICK_S: Final = 1.0


class Ticker:
    """Does each work once per interval, one after the other. After an error of the database, the next tick repeats."""

    def __init__(self, *works: Callable[[], Awaitable[None]], tick_s: float) -> None:
        self._works = works
        self._tick_s = tick_s
        self.error: StoreError | None = None
        """Why the last tick failed, if it did."""
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self._is_in_hurry = False
        """Whether the next tick follows the present one at once."""

    def start(self) -> None:
        """Begin, with the first tick after one interval."""
        if not self._is_closed:
            delay_s = 0.0 if self._is_in_hurry else self._tick_s
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._tick)

    def hurry(self) -> None:
        """Tick now, or again at once after the tick that is under way."""
        if self._task is not None:
            self._is_in_hurry = True
        elif self._timer is not None and not self._is_closed:
            self._timer.cancel()
            self._tick()

    async def close(self) -> None:
        """Stop, after the work that is being done."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _tick(self) -> None:
        self._is_in_hurry = False
        self._task = asyncio.create_task(self._run(), name="tick")

    async def _run(self) -> None:
        try:
            for work in self._works:
                await work()
        except StoreError as error:
            self.error = error
            log.warning("the database can't be used; retrying: %s", error)
        else:
            if self.error is not None:
                log.warning("the database can be used again")
            self.error = None
        finally:
            self._task = None
            self.start()
