"""Waiting for a condition, however long a busy machine takes."""

import asyncio
from collections.abc import Callable
from typing import Final

DEADLINE_S: Final = 60.0


async def until(what: Callable[[], object]) -> None:
    """Wait until it is so. Raises `TimeoutError` after a minute."""
    async with asyncio.timeout(DEADLINE_S):
        while not what():  # noqa: ASYNC110 - whatever makes it so sets no event
            await asyncio.sleep(0.01)
