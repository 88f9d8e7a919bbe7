"""Taking moves back: for free until something was revealed or another seat acted, else if those concerned agree.

What is taken back leaves the log, from the seat's last entry to the end; the store keeps it apart. A deal that comes
again is the same, as it is drawn from its number. Who was asked, and who agreed, is in the database, and is good for
one version of the table only: whatever happens at the table makes it void.
"""

from dataclasses import dataclass
from typing import Final

from bot.errors import NotAllowed, Stale
from bot.games.game import CHANCE
from bot.store import Store
from bot.store.records import Table
from bot.tables.folds import Fold
from bot.tables.ledger import MOVED_ON, Ledger, Receipt
from bot.tables.seating import seated, wrong_phase

_REFUSED: Final = 0
"""Stands among those who agree if anybody refused; no user has this number."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """Whether a move was taken back: the receipt of that, or else the users who have to agree to it first."""

    table: Table
    waiting: tuple[int, ...] = ()
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What taking back a user's last move would mean: the log stands up to ``ply``, and ``concerned`` are asked."""

    ply: int
    concerned: tuple[int, ...]


def plan(table: Table, now: Fold, user_id: int) -> Plan:
    """The plan to take back the user's last move and all that followed it.

    Raises `NotSeated`, `WrongPhase`, and `NotAllowed` where he has no move to take back, or where cards were dealt
    since and a computer plays: computers agree to everything else, but nobody could make them forget a deal's worth.
    """
    seat = seated(table, user_id).seat
    if table.status != "playing":
        raise wrong_phase(table)
    plies = [ply for ply, entry in enumerate(now.entries) if entry.seat == seat]
    if not plies:
        raise NotAllowed(f"You have made no move at Table {table.name} that you could take back.")
    if now.free == seat:
        return Plan(plies[-1], ())
    has_computer = any(sitter.is_computer for sitter in table.sitters)
    if has_computer and any(entry.seat is CHANCE for entry in now.entries[plies[-1] :]):
        raise NotAllowed("Cards were dealt since your last move, and computers don't agree to take a deal back.")
    others = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
    return Plan(plies[-1], tuple(other for other in others if other != user_id))


class Undos:
    """Moves taken back, and the asking for it."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    async def undo(self, table_id: int, user_id: int, seen: int | None = None) -> Undoing:
        """Takes the user's last move back if nobody has to be asked; else notes that he asks.

        ``seen`` is the version that the user saw, ``None`` if he means the table as it is now. Raises `Stale` if the
        table is not at that version any more, `NotAllowed` if he was refused at this version, and what `plan` raises.
        """
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        version = table.version if seen is None else seen
        if version == table.version and plan(table, now, user_id).concerned:
            await self._agreed(table_id, version, user_id)
            await self._store.agree(table_id, version, user_id, user_id)
        return await self._unless_asked(table_id, user_id, version)

    async def agree(self, table_id: int, user_id: int, asker_id: int, version: int) -> Undoing:
        """The user agrees that the asker takes his move back; with the last one to agree it is done.

        Raises `NotSeated`, `Stale` if the table has moved on since, and `NotAllowed` if nobody asks any more.
        """
        table = await self._ledger.table(table_id)
        seated(table, user_id)
        if table.version != version:
            raise Stale(MOVED_ON)
        if asker_id not in await self._agreed(table_id, version, asker_id):
            raise NotAllowed("That was withdrawn already.")
        await self._store.agree(table_id, version, asker_id, user_id)
        return await self._unless_asked(table_id, asker_id, version)

    async def refuse(self, table_id: int, user_id: int, asker_id: int, version: int) -> Table:
        """The user would rather play on, which stands for this version; or he withdraws what he asked himself.

        Raises `NotSeated`, and `Stale` if the table has moved on since.
        """
        table = await self._ledger.table(table_id)
        seated(table, user_id)
        if table.version != version:
            raise Stale(MOVED_ON)
        if user_id == asker_id:
            await self._store.forget_asked(table_id, asker_id)
        else:
            await self._store.agree(table_id, version, asker_id, _REFUSED)
        return table

    async def _agreed(self, table_id: int, version: int, asker_id: int) -> frozenset[int]:
        agreed = await self._store.agreed(table_id, version, asker_id)
        if _REFUSED in agreed:
            raise NotAllowed("That was refused; it can be asked again when the table has moved on.")
        return agreed

    async def _unless_asked(self, table_id: int, asker_id: int, version: int) -> Undoing:
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        if table.version != version:
            raise Stale(MOVED_ON)
        agreed = await self._agreed(table_id, version, asker_id)
        waiting = tuple(user for user in plan(table, now, asker_id).concerned if user not in agreed)
        if waiting:
            return Undoing(table, waiting)
        receipt = await self._ledger.undo(
            table_id, lambda table, now: plan(table, now, asker_id).ply, asker_id, version
        )
        return Undoing(receipt.table, receipt=receipt)
