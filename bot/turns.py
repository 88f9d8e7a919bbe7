"""Keeps tables moving: where a computer is to act it plays, through the same door as everybody else."""

import asyncio
import contextlib
import logging
import random
from typing import Final, Protocol

from bot import computer
from bot.errors import IllegalMove, NotAllowed, Stale, StoreError
from bot.games.game import Move, Observation, Seat
from bot.tables import Receipt, Sight, Tables

log: Final = logging.getLogger(__name__)

_RESUMED_ALONE_S: Final = 1.0
_LONGEST_WAIT_S: Final = 300.0


class Choose(Protocol):
    """How a computer picks one of the legal moves from what its seat can know: `bot.computer.choose`."""

    def __call__(self, game_key: str, observation: Observation, rng: random.Random, /) -> Move:
        """One of the observation's legal moves."""


class Turns:
    """One task for each table where a computer is to act; it ends when none is.

    Register `changed` with `Tables.on_change`, call `resume` once after a start and `close` at the end. ``pause_s`` is
    how long a computer seems to think; ``retry_s`` how long it waits, at first, after the database has failed.
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
        """Looks at the table, if it is being played and a computer sits there."""
        table = receipt.table
        if table.status == "playing" and any(sitter.is_computer for sitter in table.sitters):
            self._wake(table.id)

    async def resume(self) -> None:
        """Takes up every table where a computer may have been about to act when the program ended."""
        for table_id in await self._tables.lists.with_computers():
            self._wake(table_id)
            # One after the other: thousands at once would keep everybody else from the database.
            await asyncio.wait({self._tasks[table_id]}, timeout=_RESUMED_ALONE_S)

    async def close(self) -> None:
        """Stops at once; `resume` goes on from there."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def settle(self, table_id: int, within_s: float) -> None:
        """Wait until no computer is to move at the table, at most this long."""
        if (task := self._tasks.get(table_id)) is not None:
            await asyncio.wait({task}, timeout=within_s)

    async def stand_in(self, table_id: int, seat: Seat) -> None:
        """Plays one turn for the absent user on this seat, by `bot.computer.stand_in`; nothing if he has played."""
        sight = await self._tables.look_for_absent(table_id, seat)
        if sight.table.status != "playing" or seat not in sight.observation.to_act:
            return
        move = self._pick(sight, seat, computer.stand_in)
        with contextlib.suppress(Stale, IllegalMove, NotAllowed):  # he came back in this very moment
            await self._tables.play_absent(table_id, seat, str(move), sight.table.version)

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
            log.exception("table %s: the computers stopped", table_id)
        finally:
            self._woken.discard(table_id)
            del self._tasks[table_id]

    async def _keep_moving(self, table_id: int) -> None:
        wait_s = self._retry_s
        while True:
            try:
                if not await self._move(table_id):
                    return
            except (Stale, NotAllowed):  # or the seat's user has come back in this very moment
                log.debug("table %s: somebody moved first; looking again", table_id)
            except StoreError:
                log.exception("table %s: the computers wait %s s for the database", table_id, wait_s)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    async def _move(self, table_id: int) -> bool:
        """Makes one move of a computer; whether there was one to make."""
        table = await self._tables.table(table_id)
        seat = next(iter(await self._tables.computers_turn(table)), None)
        if seat is None:
            return False
        if self._pause_s:
            await asyncio.sleep(self._pause_s)
        sight = await self._tables.look_as_computer(table_id, seat)
        if sight.table.status != "playing" or seat not in sight.observation.to_act:
            return True  # something happened during the pause; another computer may be to move, or none
        move = self._pick(sight, seat, self._choose)
        await self._tables.play_computer(table_id, seat, str(move), sight.table.version)
        return True

    @staticmethod
    def _pick(sight: Sight, seat: Seat, choose: Choose) -> Move:
        """The computer's choice; should it fail, any legal move, so that nobody waits for a defect."""
        table, observation = sight.table, sight.observation
        # From what everybody knows: were it drawn from the seed of the deal, a computer's whims would tell of it.
        rng = random.Random(f"{table.id} {table.version} {seat}")  # noqa: S311 - no secret hangs on it
        try:
            move = choose(table.game, observation, rng)
        except Exception:
            log.exception("table %s: the computer on seat %s can't choose; it plays at random", table.id, seat)
            return rng.choice(observation.legal)
        if move not in observation.legal:
            log.error("table %s: the computer on seat %s chose a move that isn't legal", table.id, seat)
            return rng.choice(observation.legal)
        return move
