"""Retries of the initial response to an interaction, within its deadline.

For edits and posts of boards and hands, see `bot.ui.messages.workers`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.ui.posts.discord_errors import UNREADABLE, is_outage, is_rate_limited, retry_after_header_s

log = logging.getLogger(__name__)

T = TypeVar("T")

_FIRST_PAUSE_S: Final = 0.1
"""The pause before the second try; each further one is twice as long."""


async def retried(request: Callable[[], Awaitable[T]], until: float, try_s: float) -> T:
    """Await a request, and retry it if the connection or Discord fails.

    ``until`` is the deadline on the event loop's clock, ``try_s`` the timeout of one try. Raises the last error at the
    deadline, and at once an error that retrying can't fix.
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
            log.info("retrying a request after %r", error)
            await asyncio.sleep(max(pause_s, wanted_s))
            pause_s *= 2


def _pause_after(error: Exception) -> float | None:
    """Return the minimum pause before the next try in seconds, or ``None`` if retrying is useless."""
    if is_rate_limited(error):
        return retry_after_header_s(error) or 0.0
    return 0.0 if is_outage(error) or isinstance(error, UNREADABLE) else None
