"""Shares Discord's request limits: one edit at a time in a channel, and a budget for all requests of the bot.

Discord lets a bot make 50 requests a second over all servers, and edit about five messages in five seconds in one
channel. discord.py learns the limit of a channel from response headers and waits inside the request. So that tables in
one channel take turns, and each draws its newest state in its turn, only one request of a kind is under way there.

`counting` counts every request that Discord limits globally, whoever makes it: retries, fetches and commands as well.
Answers to interactions and other requests with their tokens don't count. Invalid requests are counted, too, as Discord
bans addresses with too many of them. https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
"""

import asyncio
import heapq
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import IntEnum
from http import HTTPStatus
from itertools import count
from types import SimpleNamespace
from typing import Final
from weakref import WeakValueDictionary

import aiohttp
import discord

SLOTS: Final = 46
"""Discord's limit is 50. The rest is a margin for logins, whose three requests come before the budget."""
WINDOW_S: Final = 1.05
"""Discord counts the requests of a second; clocks may differ a little."""
MAX_INVALID: Final = 1000
"""How many invalid requests there may be in `INVALID_S`. Each further one is a reason for a pause.

Discord bans the address of a bot for an hour after 10,000, from all its processes together.
https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
"""
INVALID_S: Final = 600.0


class Priority(IntEnum):
    """Which requests go first while the budget is tight."""

    TURN = 0
    """Messages for the player to move: a ping, a new board, their hand."""
    BOARD = 1
    OTHER = 2
    """Other players' hands, and what is removed."""


HANDICAP_S: Final = {Priority.TURN: 0.0, Priority.BOARD: 1.0, Priority.OTHER: 5.0}
"""Seconds added to the arrival time of a request, by its priority.

So no request waits forever. Other requests of its table or channel wait for it, even the ping of the next turn.
"""


@dataclass
class _Slot:
    """A slot that `Budget.slot` has taken for a request."""

    priority: Priority
    is_unused: bool = True


_slot: Final[ContextVar[_Slot | None]] = ContextVar("slot", default=None)
"""The slot within which this task makes requests."""


class Budget:
    """Slots for requests, and turns in each channel. A request holds its slot until a second after its answer.

    So no second has more requests than there are slots, however long they take on their way, and whichever processes
    share the slots. Waiting requests are served in the order of their arrival, with a handicap for low priorities.
    ``slots`` returns the present number of slots; call `wake` when it grows.
    """

    def __init__(self, slots: Callable[[], float] = lambda: SLOTS, window_s: float = WINDOW_S) -> None:
        self.slots = slots
        self._window_s = window_s
        self._under_way = 0
        self._answered: deque[float] = deque()
        """When the slots of answered requests are free again."""
        self._invalid: deque[float] = deque(maxlen=MAX_INVALID)
        """When the last invalid requests were answered."""
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    @property
    def in_use(self) -> int:
        """The number of slots in use."""
        now = asyncio.get_running_loop().time()
        # On a simulated Discord, the clock differs between tasks. Times that are too far in the future don't count.
        while self._answered and not now < self._answered[0] <= now + self._window_s:
            self._answered.popleft()
        return self._under_way + len(self._answered)

    @property
    def is_tight(self) -> bool:
        """Whether at least half of the slots are in use. Cosmetic edits wait then."""
        return 2 * self.in_use >= self.slots()

    def note_invalid(self, response: aiohttp.ClientResponse) -> None:
        """Count a request that Discord answered with 401, 403 or 429, unless others share that rate limit."""
        if response.status in _INVALID and response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.append(asyncio.get_running_loop().time())

    @property
    def is_near_ban(self) -> bool:
        """Whether so many requests were invalid that Discord might ban the bot's address."""
        return len(self._invalid) == MAX_INVALID and self._invalid[0] > asyncio.get_running_loop().time() - INVALID_S

    @asynccontextmanager
    async def slot(self, channel_id: int, route: str, priority: Priority) -> AsyncIterator[bool]:
        """Hold the channel and a slot of the budget for one request of this route. Yield whether it had to wait.

        Further requests take their own slots (`take_slot`).
        """
        lock = self._locks.setdefault((channel_id, route), asyncio.Lock())
        had_to_wait = lock.locked()
        async with lock:
            had_to_wait |= await self.take(priority)
            slot = _Slot(priority)
            before = _slot.set(slot)
            try:
                yield had_to_wait
            finally:
                _slot.reset(before)
                if slot.is_unused:  # no request was made, or none that the budget sees
                    slot.is_unused = False
                    self.release()

    async def take(self, priority: Priority) -> bool:
        """Wait for a slot, and return whether that took time. Call `release` when the request is answered."""
        if not self._waiting and self.in_use < self.slots():
            self._under_way += 1
            return False
        loop = asyncio.get_running_loop()
        served = loop.create_future()
        heapq.heappush(self._waiting, (loop.time() + HANDICAP_S[priority], next(self._numbers), served))
        self._set_timer()
        try:
            await served
        except asyncio.CancelledError:
            if served.done() and not served.cancelled():
                self.release()
            raise
        return True

    def release(self) -> None:
        """Free a slot, in a second."""
        self._under_way -= 1
        self._answered.append(asyncio.get_running_loop().time() + self._window_s)
        self._set_timer()

    def wake(self) -> None:
        """Serve waiting requests."""
        while self._waiting and (self._waiting[0][2].done() or self.in_use < self.slots()):
            _, _, served = heapq.heappop(self._waiting)
            if not served.done():  # it was given up
                self._under_way += 1
                served.set_result(None)
        self._set_timer()

    def _set_timer(self) -> None:
        """Serve waiting requests when the next slot is free; one timer does for thousands of them."""
        if self._timer is None and self._waiting and self._answered:
            self._timer = asyncio.get_running_loop().call_at(self._answered[0], self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self.wake()


async def take_slot(budget: Budget) -> None:
    """Take a slot for a request, or use the one that `Budget.slot` has taken for it.

    Requests without the latter go first, as answers need them.
    """
    slot = _slot.get()
    if slot is None:
        await budget.take(Priority.TURN)
    elif slot.is_unused:
        slot.is_unused = False
    else:
        await budget.take(slot.priority)


class DiscordClock:
    """Discord's time, from its last response. It is read where a wrong clock would do harm, such as deleting data."""

    def __init__(self) -> None:
        self._noted = ("", 0.0)
        """The date of the last response, and the time on this process's monotonic clock."""

    def note(self, response: aiohttp.ClientResponse) -> None:
        """Note the time at which Discord responded."""
        self._noted = response.headers.get("Date", ""), time.monotonic()

    def now(self) -> float | None:
        """Return Discord's time in seconds since 1970; ``None`` before its first response."""
        date, at = self._noted
        with suppress(ValueError, OverflowError):
            return parsedate_to_datetime(date).timestamp() + time.monotonic() - at
        return None


_patience: Final[ContextVar[tuple[asyncio.Timeout, float] | None]] = ContextVar("patience", default=None)
"""How long this task waits for the response to a request. Waiting for a rate limit doesn't count."""
_INVALID: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS})
_NOT_COUNTED: Final = ("/interactions/", "/webhooks/")
"""The beginnings of routes that don't count against the global limit."""


def counting(budget: Budget, clock: DiscordClock) -> aiohttp.TraceConfig:
    """Return a trace for discord.py's requests (`http_trace`) that lets each wait for a slot of the budget.

    It notes the time of the responses in ``clock``.
    """

    async def begins(
        _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        url, base = str(request.url), discord.http.Route.BASE
        context.counts = url.startswith(base) and not url.removeprefix(base).startswith(_NOT_COUNTED)
        if context.counts:
            await take_slot(budget)
        if patience := _patience.get():
            timeout, limit_s = patience
            timeout.reschedule(asyncio.get_running_loop().time() + limit_s)

    async def ends(
        _session: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams,
    ) -> None:
        if context.counts:
            budget.release()
        if isinstance(request, aiohttp.TraceRequestEndParams):
            budget.note_invalid(request.response)
            if context.counts:
                clock.note(request.response)
        if (patience := _patience.get()) and not patience[0].expired():
            patience[0].reschedule(None)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ends)
    trace.on_request_exception.append(ends)
    return trace


@asynccontextmanager
async def answered_within(limit_s: float) -> AsyncIterator[None]:
    """Raise `TimeoutError` if Discord doesn't begin to answer a request of this block within this time."""
    async with asyncio.timeout(None) as timeout:
        before = _patience.set((timeout, limit_s))
        try:
            yield
        finally:
            _patience.reset(before)
