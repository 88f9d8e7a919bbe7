"""Counts every request that Discord limits globally, whoever makes it: retries, fetches and commands as well.

Invalid requests are counted, too, as Discord bans addresses with too many of them.

Answers to interactions and other requests with their tokens don't count.
https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from http import HTTPStatus
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord

from bot.ui.messages.discord_clock import DiscordClock
from bot.ui.messages.pace import Budget, take_slot

_patience: Final[ContextVar[tuple[asyncio.Timeout, float] | None]] = ContextVar("patience", default=None)
"""How long this task waits for the response to a request. Waiting for a rate limit doesn't count."""
_INVALID: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS})
_NOT_COUNTED = ("/interactions/", "/webhooks/")


def counting(budget: Budget, clock: DiscordClock) -> aiohttp.TraceConfig:
    """Return a trace for discord.py's requests (`http_trace`) that lets each wait for a slot of the budget.

    It notes the time of the responses in ``clock``.
    """

    async def begins(
        _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        context.counts = is_counted(str(request.url))
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
            if is_invalid(request.response):
                budget.note_invalid()
            if context.counts:
                clock.note(request.response)
        if (patience := _patience.get()) and not patience[0].expired():
            patience[0].reschedule(None)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ends)
    trace.on_request_exception.append(ends)
    return trace


def is_invalid(response: aiohttp.ClientResponse) -> bool:
    """Return whether a request counts against the limit of invalid ones. Limits shared with other bots don't."""
    is_shared = response.headers.get("X-RateLimit-Scope") == "shared"
    return response.status in _INVALID and not is_shared


@asynccontextmanager
async def answered_within(limit_s: float) -> AsyncIterator[None]:
    """Raise `TimeoutError` if Discord doesn't begin to answer a request of this block within this time."""
    async with asyncio.timeout(None) as timeout:
        before = _patience.set((timeout, limit_s))
        try:
            yield
        finally:
            _patience.reset(before)


def is_counted(url: str) -> bool:
    """Return whether a request to this address counts against the global limit."""
    base = discord.http.Route.BASE
    return url.startswith(base) and not url.removeprefix(base).startswith(_NOT_COUNTED)
