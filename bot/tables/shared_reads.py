"""Reads that several tasks share."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedReads(Generic[T]):
    """Reads tables. Tasks that ask for the same table at the same time share one read.

    Each gets the table as it is after it has asked: a read that has begun is not shared any more.
    """

    def __init__(self, read: Callable[[int], Awaitable[T]]) -> None:
        self._read = read
        self._starting: dict[int, asyncio.Task[T]] = {}

    async def get(self, table_id: int) -> T:
        """Return the result of reading the table."""
        if table_id not in self._starting:
            self._starting[table_id] = asyncio.create_task(self._start(table_id), name=f"a read of table {table_id}")
        return await asyncio.shield(self._starting[table_id])

    async def _start(self, table_id: int) -> T:
        del self._starting[table_id]
        return await self._read(table_id)
