"""One drawing per table at a time; asked again meanwhile, it is done once more and no oftener: the latest wins."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.tables import Table, Tables

log = logging.getLogger(__name__)


async def computers_next(tables: Tables, table: Table) -> bool:
    """Whether only computers are to act: their moves follow at once, and each asks for a drawing of its own."""
    if table.status != "playing":
        return False
    owing = (await tables.look(table.id, None)).observation.to_act
    return bool(owing) and all(sitter.is_computer for sitter in table.sitters if sitter.seat in owing)


class Redraws:
    """Starts ``draw(table)`` when asked. A task exists only while there is something to draw."""

    def __init__(self, what: str, draw: Callable[[int], Awaitable[None]]) -> None:
        self._what = what
        self._draw = draw
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()

    def ask(self, table_id: int) -> asyncio.Task[None]:
        """Draws the table soon; the task never raises, a fault is logged with the number of the table."""
        if table_id in self._tasks:
            self._again.add(table_id)
            return self._tasks[table_id]
        task = asyncio.create_task(self._run(table_id), name=f"{self._what} of table {table_id}")
        self._tasks[table_id] = task
        return task

    async def close(self) -> None:
        """Stops drawing; what is left undone is repaired at the next start."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, table_id: int) -> None:
        # between the last test for `again` and the end of the task there is no await: no request falls between them
        try:
            await self._draw_once(table_id)
            while table_id in self._again:
                await self._draw_once(table_id)
        finally:
            del self._tasks[table_id]

    async def _draw_once(self, table_id: int) -> None:
        self._again.discard(table_id)
        try:
            await self._draw(table_id)
        except Exception:
            log.exception("%s of table %s could not be drawn", self._what, table_id)
