"""Workers that keep messages up to date: one attempt at a time, the latest wins, failed edits and posts are retried."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Final, Generic, TypeVar

import discord

from bot.errors import Conflict, DamagedTable, NoSuchTable, StoreError, is_defect
from bot.ui.posts.discord_errors import is_outage, retry_after_s

log: Final = logging.getLogger(__name__)

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
Release = Callable[[], object]
"""Ends a hold. It is called once."""

RETRY_AFTER_S: Final = (1, 10, 60, 300, 1800, 7200)
"""Delays before a failed attempt is repeated, unless something changes before; the last one repeats."""
OUTAGE_RETRY_S: Final = 15.0
"""Maximum delay while Discord, the database or a connection fails, as that may be over any moment."""
LONGEST_S: Final = 600.0
"""An attempt that takes longer has failed: a rate limit may last for minutes."""


async def persist(what: str, work: Callable[[], Awaitable[T]]) -> T:
    """Await the work, and repeat it after database errors until it succeeds."""
    failures = 0
    while True:
        try:
            done = await work()
        except StoreError as error:
            log.warning("%s failed; retrying in %s s: %s", what, delay_s := _delay_s(failures), error)
        else:
            if failures:
                log.warning("%s has succeeded now", what)
            return done
        await asyncio.sleep(delay_s)
        failures += 1


def _delay_s(failures: int) -> int:
    return RETRY_AFTER_S[min(failures, len(RETRY_AFTER_S) - 1)]


class Workers(Generic[K]):
    """Runs ``work(key)`` when asked. A task exists only while there is work."""

    def __init__(self, what: str, work: Callable[[K], Awaitable[None]]) -> None:
        self._what = what
        self._work = work
        self._tasks: dict[K, asyncio.Task[None]] = {}
        self._requested: set[K] = set()
        """What has changed since the present attempt began: there will be another one."""
        self._held: Counter[K] = Counter()
        self._was_held: set[K] = set()
        """What has been held since the last attempt began: what that attempt knows may be out of date."""
        self._failures: dict[K, int] = {}
        self._timers: dict[K, asyncio.TimerHandle] = {}
        self._limited_until: dict[K, float] = {}
        """When Discord takes requests again that it has rate limited, by the event loop's clock."""
        self._is_closed = False

    def request(self, key: K) -> asyncio.Future[None]:
        """Work on this soon, unless closed; the future never raises, as failures are logged and retried."""
        self._requested.add(key)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._run(key), name=f"{self._what} of {key}")
        return self._tasks[key]

    def is_planned(self, key: K) -> bool:
        """Whether this is worked on, or will be without being asked for."""
        return key in self._tasks or key in self._timers

    def working(self, key: K) -> asyncio.Future[None] | None:
        """Return the future of the work on this, ``None`` if there is none to do now."""
        return self._tasks.get(key)

    def later(self, key: K, delay_s: float) -> None:
        """Work on this after a delay, unless it is worked on before."""
        if waiting := self._timers.pop(key, None):
            waiting.cancel()
        if not self._is_closed:
            self._timers[key] = asyncio.get_running_loop().call_later(delay_s, self.request, key)

    def hold(self, key: K) -> Release:
        """Keep this from being worked on until the hold is released. An attempt that is under way asks `was_held`."""
        self._held[key] += 1
        self._was_held.add(key)
        return partial(self._release, key)

    def _release(self, key: K) -> None:
        """Work on this soon, as something may have been asked for meanwhile."""
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]
            self.request(key)

    def was_held(self, key: K) -> bool:
        """Whether this has been held since the present attempt began. The attempt gives way then."""
        return key in self._was_held

    async def close(self) -> None:
        """Stop; what is left undone is repaired at the next start."""
        self._is_closed = True
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _run(self, key: K) -> None:
        # There is no await between the last look at `_requested` and the end of the task, so no request is lost.
        try:
            while key in self._requested:
                await self._attempt(key)
        finally:
            del self._tasks[key]

    async def _attempt(self, key: K) -> None:
        self._requested.discard(key)
        if self._is_closed or key in self._held:  # its release asks again
            return
        wait_s = self._limited_until.get(key, 0.0) - asyncio.get_running_loop().time()
        if wait_s > 0:
            self.later(key, wait_s)
            return
        self._was_held.discard(key)
        self._limited_until.pop(key, None)
        if waiting := self._timers.pop(key, None):
            waiting.cancel()
        try:
            async with asyncio.timeout(LONGEST_S):
                await self._work(key)
        except (NoSuchTable, DamagedTable):  # it was deleted, or has ended and can't be read
            self._failures.pop(key, None)
        except Exception as error:  # noqa: BLE001 - logged, and retried whatever it is
            self._failed(key, error, await retry_after_s(error))
        else:
            self._failures.pop(key, None)

    def _failed(self, key: K, error: Exception, min_delay_s: float) -> None:
        level = _level(error)
        trace = error if level == logging.ERROR else None
        log.log(level, "%s of %s can't be brought up to date: %r", self._what, key, error, exc_info=trace)
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        if min_delay_s:
            self._limited_until[key] = asyncio.get_running_loop().time() + min_delay_s
        max_delay_s = OUTAGE_RETRY_S if _passes(error) else RETRY_AFTER_S[-1]
        self.later(key, max(min_delay_s, min(_delay_s(failures), max_delay_s)))


def _passes(error: Exception) -> bool:
    return is_outage(error) or not is_defect(error)


def _level(error: Exception) -> int:
    """Our failures are errors, others' are warnings; that another process was first is normal."""
    if isinstance(error, Conflict):
        return logging.INFO
    is_others = isinstance(error, discord.HTTPException) or _passes(error)
    return logging.WARNING if is_others else logging.ERROR
