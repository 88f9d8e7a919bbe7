"""Retries of requests to Discord within a deadline."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, TypeVar

import aiohttp
import discord

log = logging.getLogger(__name__)

T = TypeVar("T")

_FIRST_PAUSE_S: Final = 0.1
"""The pause before the second try; each further one is twice as long."""


async def retried(request: Callable[[], Awaitable[T]], until: float, try_s: float) -> T:
    """Await the request, and again while the connection or Discord fails and the time ``until`` allows another try.

    ``until`` is a time of the event loop. A try that takes longer than ``try_s`` counts as failed. When no time is left
    the last error is raised; an error that another try can't cure is raised at once.
    """
    loop = asyncio.get_running_loop()
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            async with asyncio.timeout(try_s):
                return await request()
        except Exception as error:
            wanted_s = _pause_after(error)
            if wanted_s is None or loop.time() > until - max(pause_s, wanted_s):
                raise
            log.info("a request is tried again: %r", error)
            await asyncio.sleep(max(pause_s, wanted_s))
            pause_s *= 2


def _pause_after(error: Exception) -> float | None:
    """Return the minimum pause in seconds before the next try, or ``None`` if another try is of no use."""
    if isinstance(error, discord.HTTPException):
        if error.status == HTTPStatus.TOO_MANY_REQUESTS:
            told = error.response.headers.get("Retry-After", "")
            return float(told) if told.isdecimal() else 0.0
        return 0.0 if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR else None
    # A timeout is an OSError. discord.py raises the last three if a proxy answers instead of Discord.
    return 0.0 if isinstance(error, (aiohttp.ClientError, OSError, LookupError, TypeError, ValueError)) else None
