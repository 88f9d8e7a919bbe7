"""Plays the turns of computers, and of absent players, through the same methods as for people."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable
from typing import Final

from bot import computer
from bot.errors import IllegalMove, NotAllowed, Stale, StoreError
from bot.games.game import Move, Observation, Seat
from bot.tables import Receipt, Sight, Table, Tables

log: Final = logging.getLogger(__name__)

_RESUME_TIMEOUT_S: Final = 1.0
"""How long `resume` waits for one table before it goes on with the next."""
_MAX_RETRY_S: Final = 300.0


Choose = Callable[[str, Observation, random.Random, str], Move]
"""Returns one of the legal moves of an observation at a level, as `bot.computer.choose` does. The first is the game."""


class Turns:
    """Runs a task for each table where computers are to move.

    Register `changed` with `Tables.on_change`, call `resume` once after a start and `close` at the end. ``pause_s`` is
    the pause before each move, ``retry_s`` the first delay after a database error; delays double up to a maximum.
    """

    def __init__(
        self, tables: Tables, *, choose: Choose = computer.choose, pause_s: float = 0.0, retry_s: float = 1.0
    ) -> None:
        self._tables = tables
        self._choose = choose
        self._pause_s = pause_s
        self._retry_s = retry_s
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._woken: set[int] = set()

    def changed(self, receipt: Receipt) -> None:
        """Let computers move at the table, if they have seats there."""
        table = receipt.table
        if table.status == "playing" and any(sitter.is_computer for sitter in table.sitters):
            self._wake(table.id)

    async def resume(self) -> None:
        """Let computers move at all tables, after a start."""
        for table in await self._tables.lists.open_tables():
            self.changed(Receipt(table, table.version))
            # One table at a time: thousands at once would block the database for everybody else.
            await self.settle(table.id, _RESUME_TIMEOUT_S)

    async def close(self) -> None:
        """Stop all tasks."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def settle(self, table_id: int, within_s: float) -> None:
        """Wait until no computer is to move at the table, with a timeout."""
        if (task := self._tasks.get(table_id)) is not None:
            await asyncio.wait({task}, timeout=within_s)

    async def stand_in(self, table_id: int, seat: Seat) -> None:
        """Play one turn for the absent user on this seat, unless they have played."""
        with contextlib.suppress(Stale, IllegalMove, NotAllowed):  # the user has just come back, or left for good
            await self._play(table_id, seat, computer.stand_in, for_absent=True)

    def _wake(self, table_id: int) -> None:
        self._woken.add(table_id)
        if table_id not in self._tasks:
            self._tasks[table_id] = asyncio.create_task(self._run(table_id), name=f"computers at table {table_id}")

    async def _run(self, table_id: int) -> None:
        try:
            while table_id in self._woken:
                self._woken.discard(table_id)
                await self._keep_moving(table_id)
        except Exception:
            log.exception("table %s: computers stopped after an error", table_id)
        finally:
            self._woken.discard(table_id)
            del self._tasks[table_id]

    async def _keep_moving(self, table_id: int) -> None:
        delay_s = self._retry_s
        while True:
            try:
                if not await self._move(table_id):
                    return
            except (Stale, NotAllowed):  # or the user has just taken the seat back
                log.debug("table %s: another player moved first; retrying", table_id)
            except StoreError:
                log.exception("table %s: database error; computers retry in %s s", table_id, delay_s)
                await asyncio.sleep(delay_s)
                delay_s = min(2 * delay_s, _MAX_RETRY_S)

    async def _move(self, table_id: int) -> bool:
        """Make one move of a computer; return false if none is to move."""
        table = await self._tables.table(table_id)
        seat = next(iter(await self._tables.computers_turn(table)), None)
        if seat is None:
            return False
        if self._pause_s:
            await asyncio.sleep(self._pause_s)
        await self._play(table_id, seat, self._choose)
        return True

    async def _play(self, table_id: int, seat: Seat, choose: Choose, *, for_absent: bool = False) -> None:
        """Play one turn on the seat, unless the table has changed so that none is due."""
        sight = await self._tables.look_as_computer(table_id, seat, for_absent=for_absent)
        if sight.table.status == "playing" and seat in sight.observation.to_act:
            move = str(self._pick(sight, seat, choose))
            await self._tables.play_computer(table_id, seat, move, sight.table.version, for_absent=for_absent)

    @staticmethod
    def _pick(sight: Sight, seat: Seat, choose: Choose) -> Move:
        """Return the computer's choice, or a random legal move if it fails, so that a bug doesn't block the table."""
        table, observation = sight.table, sight.observation
        # Seeded with public values: the deal's seed could be inferred from the moves.
        rng = random.Random(f"{table.id} {table.version} {seat}")  # noqa: S311 - nothing secret depends on it
        try:
            move = choose(table.game, observation, rng, _level(table, seat))
        except Exception:
            log.exception("table %s: the computer on seat %s failed to choose; it plays at random", table.id, seat)
            return rng.choice(observation.legal)
        if move not in observation.legal:
            log.error("table %s: the computer on seat %s chose an illegal move", table.id, seat)
            return rng.choice(observation.legal)
        return move


def _level(table: Table, seat: Seat) -> str:
    """Return how the computer on a seat plays, or one that plays for an absent user there."""
    sitter = table.sitter_at(seat)
    return sitter.level if sitter is not None and sitter.is_computer else table.level
