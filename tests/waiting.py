"""Waiting for conditions, with a deadline that is long enough for a busy machine."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Final

DEADLINE_S: Final = 180.0


async def until(condition: Callable[[], object]) -> None:
    """Wait until the condition, which may be a coroutine function, holds. Raise `TimeoutError` after three minutes."""
    async with asyncio.timeout(DEADLINE_S):
        while not await _result(condition):  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def _result(condition: Callable[[], object]) -> object:
    result = condition()
    return await result if inspect.isawaitable(result) else result
