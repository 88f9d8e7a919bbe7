"""One drawing per table at a time; asked again meanwhile, it is done once more and no oftener: the latest wins."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import aiohttp
import discord

from bot.errors import Conflict
from bot.tables import Table, Tables

log = logging.getLogger(__name__)

RETRY_AFTER_S: Final = (1, 10, 60, 300, 1800, 7200)
"""How long a drawing that failed waits for its next try, unless the table changes before; then always the last."""
OUTAGE_RETRY_S: Final = 15.0
"""The same at most where Discord or the way to it fails, rather than refuses: that is over any moment."""
LONGEST_S: Final = 600.0
"""A drawing that takes longer has failed, and others wait behind it; a limit of Discord's may last for minutes."""


async def computers_next(tables: Tables, table: Table) -> bool:
    """Whether only computers are to act: their moves follow at once, and each asks for a drawing of its own."""
    if table.status != "playing" or not any(sitter.is_computer for sitter in table.sitters):
        return False
    owing = (await tables.sight(table)).observation.to_act
    return bool(owing) and all(sitter.is_computer for sitter in table.sitters if sitter.seat in owing)


class Redraws:
    """Starts ``draw(table)`` when asked. A task exists only while there is something to draw."""

    def __init__(self, what: str, draw: Callable[[int], Awaitable[None]]) -> None:
        self._what = what
        self._draw = draw
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._mending: set[asyncio.Task[None]] = set()
        self._failures: dict[int, int] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def ask(self, table_id: int) -> asyncio.Task[None]:
        """Draws the table soon; the task never raises: a fault is logged, and the drawing tried again later."""
        if table_id in self._tasks:
            self._again.add(table_id)
            return self._tasks[table_id]
        task = asyncio.create_task(self._run(table_id), name=f"{self._what} of table {table_id}")
        self._tasks[table_id] = task
        return task

    def overtaken(
        self, noted: asyncio.Future[bool | None], table_id: int, replaced: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        """Draws the table again should ``noted`` tell that an edit may have hidden something newer: an answer, or what
        another process showed. Does what ``replaced`` says should it tell that another message is in its place by now:
        the edit may have come after that had taken the buttons from the old one.
        """

        def look(_: object) -> None:
            if noted.cancelled() or noted.exception() is not None:
                return
            if noted.result():
                self.ask(table_id)
            elif noted.result() is None:
                mending = asyncio.create_task(self._mend(table_id, replaced), name=f"an old {self._what}")
                self._mending.add(mending)
                mending.add_done_callback(self._mending.discard)

        noted.add_done_callback(look)

    async def _mend(self, table_id: int, replaced: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await replaced()
        except Exception as fault:
            story = fault if _level(fault) == logging.ERROR else None
            log.log(
                _level(fault), "an old %s of table %s stays as it is: %r", self._what, table_id, fault, exc_info=story
            )

    async def close(self) -> None:
        """Stops drawing; what is left undone is repaired at the next start."""
        for timer in self._timers.values():
            timer.cancel()
        tasks = (*self._tasks.values(), *self._mending)
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
            async with asyncio.timeout(LONGEST_S):
                await self._draw(table_id)
        except Exception as fault:
            level = _level(fault)
            story = fault if level == logging.ERROR else None
            log.log(level, "%s of table %s could not be drawn: %r", self._what, table_id, fault, exc_info=story)
            self._try_later(table_id, OUTAGE_RETRY_S if _passes(fault) else RETRY_AFTER_S[-1])
        else:
            self._failures.pop(table_id, None)
            if waiting := self._timers.pop(table_id, None):
                waiting.cancel()

    def _try_later(self, table_id: int, at_most_s: float) -> None:
        failures = self._failures.get(table_id, 0)
        self._failures[table_id] = failures + 1
        if waiting := self._timers.get(table_id):
            waiting.cancel()
        pause_s = min(RETRY_AFTER_S[min(failures, len(RETRY_AFTER_S) - 1)], at_most_s)
        self._timers[table_id] = asyncio.get_running_loop().call_later(pause_s, self._try_again, table_id)

    def _try_again(self, table_id: int) -> None:
        del self._timers[table_id]
        self.ask(table_id)


def _passes(fault: Exception) -> bool:
    """Whether the way to Discord failed, or Discord itself."""
    if isinstance(fault, ExceptionGroup):
        return any(map(_passes, fault.exceptions))
    return isinstance(fault, (discord.DiscordServerError, aiohttp.ClientError, OSError))


def _level(fault: Exception) -> int:
    """An error is the program's fault, a warning Discord's or the way's; that another process was first is normal."""
    if isinstance(fault, ExceptionGroup):
        return max(map(_level, fault.exceptions))
    if isinstance(fault, Conflict):
        return logging.INFO
    return (
        logging.WARNING if isinstance(fault, (discord.HTTPException, aiohttp.ClientError, OSError)) else logging.ERROR
    )
