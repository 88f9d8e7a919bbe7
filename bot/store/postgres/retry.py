"""Repeats what a lost connection or a deadlock has prevented."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from bot.store.postgres.errors import DRIVER_ERRORS, is_silent, may_go_away, store_error

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

PAUSES_S: Final = (0.0, 0.1, 0.3, 0.6, 1.0, 2.0, 3.0)
"""Delays before each repetition: about as long as a server takes to restart."""

MOST_SILENCES: Final = 2
"""Attempts that may end without an answer: one on a connection that is lost unnoticed, and one on a new connection.

Each takes as long as its time limit. More would keep players waiting.
"""


async def retried(name: str, attempt: Callable[[], Awaitable[T]], pauses_s: Sequence[float] | None = None) -> T:
    """Return the result of an attempt that leaves nothing behind if it fails. Raises errors as `StoreError`."""
    silences = 0
    for pause_s in PAUSES_S if pauses_s is None else pauses_s:
        try:
            return await attempt()
        except Exception as error:
            silences += is_silent(error)
            if silences == MOST_SILENCES or not may_go_away(error):
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
