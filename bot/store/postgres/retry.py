"""Repeats what a lost connection or a deadlock has prevented."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from bot.store.postgres.errors import DRIVER_ERRORS, may_go_away, store_error

log: Final = logging.getLogger(__name__)

LIMIT_S: Final = 7.0
"""Time after which only one more attempt begins."""

T = TypeVar("T")

PAUSES_S: Final = (0.0, 0.1, 0.3, 0.6, 1.0, 2.0, 3.0)
"""Delays before each repetition: about as long as a server takes to restart."""


async def retried(name: str, attempt: Callable[[], Awaitable[T]], pauses_s: Sequence[float] | None = None) -> T:
    """Return the result of an attempt that leaves nothing behind if it fails. Raises errors as `StoreError`."""
    started = time.monotonic()
    for pause_s in PAUSES_S if pauses_s is None else pauses_s:
        if time.monotonic() - started > LIMIT_S:  # each attempt took its timeout
            break
        try:
            return await attempt()
        except Exception as error:
            if not may_go_away(error):
                raise _as_store_error(name, error) from error
            log.warning("%s It is tried again.", _as_store_error(name, error))
        await asyncio.sleep(pause_s)
    try:
        return await attempt()
    except Exception as error:
        raise _as_store_error(name, error) from error


def _as_store_error(name: str, error: Exception) -> Exception:
    """Return errors of the driver and of the network as a sentence, and others as they are."""
    if isinstance(error, DRIVER_ERRORS):
        return store_error(name, error)
    return error
