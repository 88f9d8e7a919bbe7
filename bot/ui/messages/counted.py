"""Counts every request that Discord limits globally, whoever makes it: retries, fetches and commands as well.

Answers to interactions and other requests with their tokens don't count.
https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
"""

from types import SimpleNamespace

import aiohttp
import discord

from bot.ui.messages.pace import Budget, take_slot

_NOT_COUNTED = ("/interactions/", "/webhooks/")


def counting(budget: Budget) -> aiohttp.TraceConfig:
    """Return a trace for discord.py's requests (`http_trace`) that lets each wait for a slot of the budget."""

    async def begins(
        _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        context.counts = is_counted(str(request.url))
        if context.counts:
            await take_slot(budget)

    async def ends(
        _session: aiohttp.ClientSession,
        context: SimpleNamespace,
        _request: aiohttp.TraceRequestEndParams | aiohttp.TraceRequestExceptionParams,
    ) -> None:
        if context.counts:
            budget.release()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ends)
    trace.on_request_exception.append(ends)
    return trace


def is_counted(url: str) -> bool:
    """Return whether a request to this address counts against the global limit."""
    base = discord.http.Route.BASE
    return url.startswith(base) and not url.removeprefix(base).startswith(_NOT_COUNTED)
