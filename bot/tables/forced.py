"""Plays forced moves for users who want that: `bot.tables.forced_moves` decides which, and when.

Where one person plays, `bot.thinking.turns` asks for the move among those of the computers (`Forced.play_at_once`).
Among people, it waits: a row in the calendar says until when. The wait is drawn again after a restart.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from bot.errors import DamagedTable, IllegalMove, NoSuchTable, NotAllowed, Stale, StoreError, WrongPhase
from bot.games.game import Move, Seat
from bot.records.table import Receipt, Table
from bot.store.store import Store
from bot.tables.folds import Fold
from bot.tables.forced_moves import forced, free_times, is_alone, is_to_offer, wait_s
from bot.tables.ledger import MOVED_ON, Ledger
from bot.tables.seating import seated

log: Final = logging.getLogger(__name__)


class _Wait(NamedTuple):
    """Until when a forced move waits, and the position that it belongs to."""

    at: float
    position: tuple[int, int]
    version: int
    move: Move


class Forced:
    """Register `changed` with `Tables.on_change`, and `due` with the calendar; call `resume` after a start.

    ``expect`` lets the calendar look in time, ``offer`` shows an offer in a user's hand, and ``wake`` has the
    move played at a table of one person.
    """

    def __init__(self, store: Store, ledger: Ledger, now: Callable[[], float]) -> None:
        self._store = store
        self._ledger = ledger
        self._now = now
        self._waits: dict[int, dict[int, _Wait]] = {}
        """The waits at each table, by user."""
        self._offers: dict[int, tuple[int, int]] = {}
        """The table, and its number of entries, at which a user was asked."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self.expect: Callable[[float], object] = lambda _at: None
        self.offer: Callable[[Table, int], object] = lambda _table, _user_id: None
        self.wake: Callable[[Receipt], object] = lambda _receipt: None

    def is_offered(self, table: Table, user_id: int | None) -> bool:
        """Whether the user is asked now whether such moves are to play themselves."""
        return user_id is not None and self._offers.get(user_id) == (table.id, table.plies)

    def changed(self, receipt: Receipt) -> None:
        """Look for forced moves that are to wait. Those of one person are played by `play_at_once`."""
        table = receipt.table
        users = [each.user_id for each in table.sitters if each.user_id is not None]
        if table.status != "playing":
            self._waits.pop(table.id, None)
        if table.status == "playing" and not all(is_alone(table, user) for user in users):
            task = asyncio.create_task(self._look_logged(table), name=f"forced moves at table {table.id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def resume(self, concerns: Callable[[Table], bool]) -> None:
        """Look at the tables where users owe a move who want that, after a start."""
        for table_id in await self._store.users.tables_with_forced():
            table = await self._ledger.found(table_id)
            if table is not None and concerns(table):
                self.changed(Receipt(table, table.version))

    async def reconsider(self, user_id: int) -> None:
        """Look at the tables of a user who has changed their mind."""
        for table in await self._store.lists.open_tables(user_id=user_id):
            if table.status == "playing":
                self.changed(receipt := Receipt(table, table.version))
                self.wake(receipt)

    async def close(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def play_at_once(self, table: Table) -> bool:
        """Make a forced move of the only person at a table, if they want that. Return whether one was made."""
        table, folded = await self._ledger.fold(table)
        for seat, move in forced(self._ledger.rulebook(table), table, folded.state).items():
            (user_id,) = table.users_at({seat})
            if is_alone(table, user_id) and await self._is_wanted(table, folded, seat, user_id):
                await self._play(table.id, user_id, move, table.version)
                return True
        return False

    async def due(self, table_id: int, now: float) -> float | None:
        """Make the forced moves of a table whose wait is over, and return until when others wait, if any do."""
        try:
            waits = await self._look(await self._ledger.table(table_id))
            for user_id, wait in waits.items():
                if wait.at > now:
                    continue
                self._waits.pop(table_id, None)
                if not await self._store.undos.questions(table_id, wait.version):  # else it waits again
                    await self._play(table_id, user_id, wait.move, wait.version)
            waits = await self._look(await self._ledger.table(table_id))
            return min((wait.at for wait in waits.values()), default=None)
        except (Stale, NotAllowed, IllegalMove):  # somebody has just moved: `changed` looks again
            return None
        except (NoSuchTable, WrongPhase, DamagedTable):
            return None

    async def _look_logged(self, table: Table) -> None:
        try:
            await self._look(table)
        except (NoSuchTable, WrongPhase, DamagedTable):  # it has just ended
            return
        except StoreError as error:
            log.warning("table %s: a forced move is left to its player: %s", table.id, error)

    async def _look(self, table: Table) -> dict[int, _Wait]:
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            return await self._look_alone(table)

    async def _look_alone(self, table: Table) -> dict[int, _Wait]:
        """Return the waits at a table among people, and draw those that have just begun."""
        table, folded = await self._ledger.fold(table)
        table_id = table.id
        known, waits = self._waits.get(table_id, {}), dict[int, _Wait]()
        position = table.plies, table.undone_at
        for seat, move in forced(self._ledger.rulebook(table), table, folded.state).items():
            (user_id,) = table.users_at({seat})
            if is_alone(table, user_id) or not await self._is_wanted(table, folded, seat, user_id):
                continue
            wait = known.get(user_id)
            at = wait.at if wait and wait.position == position else await self._drawn_at(table, folded, seat, user_id)
            if at is not None:
                waits[user_id] = _Wait(at, position, table.version, move)
        if not waits:
            self._waits.pop(table_id, None)
        elif waits != known:
            self._waits[table_id] = waits
            at = min(wait.at for wait in waits.values())
            await self._store.due.put("forced", table_id, table.place.guild_id, at)
            self.expect(at)
        return waits

    async def _drawn_at(self, table: Table, folded: Fold, seat: Seat, user_id: int) -> float | None:
        """Return when a forced move plays itself that comes up now."""
        times = await self._store.waits.times_of(table.id, user_id)
        secret = await self._store.seed(table.id)
        choose = random.Random(f"{secret.hex()} {table.version}").choice  # noqa: S311 - its seed is secret
        wait = wait_s(free_times(self._ledger.rulebook(table), table, folded, seat, times), choose)
        return None if wait is None else self._now() + wait

    async def _is_wanted(self, table: Table, folded: Fold, seat: Seat, user_id: int) -> bool:
        """Whether the user wants their forced moves to play themselves. Ask them once."""
        settings = await self._store.users.settings(user_id)
        is_new = is_to_offer(self._ledger.rulebook(table), table, folded, seat, settings)
        if is_new and await self._store.users.claim_forced_offer(user_id):
            self._offers[user_id] = table.id, table.plies
            self.offer(table, user_id)
        return settings.forced == "on"

    async def _play(self, table_id: int, user_id: int, move: Move, version: int) -> None:
        def seat_of(table: Table) -> Seat:
            if table.version != version:
                raise Stale(MOVED_ON)
            return seated(table, user_id).seat

        await self._ledger.play(table_id, seat_of, str(move), version, user_id, is_automatic=True)
