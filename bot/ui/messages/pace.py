"""Shares Discord's request limits: one edit at a time in a channel, and a budget for the whole bot.

Discord lets a bot make 50 requests a second over all servers, and edit about five messages in five seconds in one
channel. discord.py learns the limit of a channel from response headers and waits inside the request. So that tables in
one channel take turns, and each draws its newest state in its turn, only one request of a kind is under way there.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count
from typing import Final
from weakref import WeakValueDictionary

REQUESTS_PER_S: Final = 40
"""Discord's global limit is 50, and a burst comes on top."""


class Priority(IntEnum):
    """Which requests go first while the budget is tight."""

    TURN = 0
    """Messages for the player to move: a ping, a new board, their hand."""
    BOARD = 1
    OTHER = 2
    """Other players' hands, and what is removed."""


HANDICAP_S: Final = {Priority.TURN: 0.0, Priority.BOARD: 1.0, Priority.OTHER: 5.0}
"""Seconds added to the arrival time of a request, by its priority.

So every request is served in the end. Others of its table or channel wait for it, even the ping of the next turn.
"""


class Budget:
    """A token bucket. Requests are served in the order of their arrival, with a handicap for low priorities.

    ``burst`` is a fifth of a second's requests by default. ``clock`` returns seconds, by default the event loop's.
    """

    def __init__(
        self, per_s: float = REQUESTS_PER_S, burst: float | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        self._per_s = per_s
        self._burst = per_s / 5 if burst is None else burst
        self._clock = clock or asyncio.get_running_loop().time
        self._tokens = self._burst
        self._at = self._clock()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None

    async def spend(self, priority: Priority) -> bool:
        """Wait until a request may be made; return whether that took time."""
        if not self._waiting and self._take():
            return False
        served = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._clock() + HANDICAP_S[priority], next(self._numbers), served))
        self._set_timer()
        await served
        return True

    def _set_timer(self) -> None:
        """Serve the waiters when there is a token; one timer does for thousands of them."""
        if self._timer is None and self._waiting:
            delay_s = max(1 - self._tokens, 0.1) / self._per_s
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._serve)

    def _serve(self) -> None:
        self._timer = None
        while self._waiting and (self._waiting[0][2].done() or self._take()):
            _, _, served = heapq.heappop(self._waiting)
            if not served.done():  # it was given up
                served.set_result(None)
        self._set_timer()

    def _take(self) -> bool:
        now = self._clock()
        elapsed_s = max(now - self._at, 0.0)  # on a simulated Discord, the clock differs between tasks
        self._tokens = min(self._burst, self._tokens + elapsed_s * self._per_s)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Pace:
    """Takes turns in each channel, within the budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._turns: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, channel_id: int, route: str, priority: Priority) -> AsyncIterator[bool]:
        """Hold the channel for one request of this route. Yield whether it had to wait."""
        turn = self._turns.setdefault((channel_id, route), asyncio.Lock())
        had_to_wait = turn.locked()
        async with turn:
            yield await self._budget.spend(priority) or had_to_wait
