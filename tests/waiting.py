"""Waiting for conditions, with a deadline that is long enough for a busy machine."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

DEADLINE_S: Final = 180.0
_FIRST_PAUSE_S: Final = 0.01
_LONGEST_PAUSE_S: Final = 0.1
"""Pauses between looks, which cost processor time that others need."""


async def until(condition: Callable[[], object]) -> None:
    """Wait until the condition, which may be a coroutine function, holds. Raise `TimeoutError` after three minutes."""
    pause_s = _FIRST_PAUSE_S
    async with asyncio.timeout(DEADLINE_S):
        while not await _result(condition):
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 1.2, _LONGEST_PAUSE_S)


@asynccontextmanager
async def answered_within(seconds: float, requests: Sequence[object]) -> AsyncIterator[None]:
    """Raise `TimeoutError` if the block takes longer. Below the failure, pytest then shows the last ``requests``."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        print(*requests[-12:], sep="\n")  # noqa: T201 - for pytest
        raise


async def _result(condition: Callable[[], object]) -> object:
    result = condition()
    return await result if inspect.isawaitable(result) else result
