"""Taking moves back: for free until something was revealed or another seat acted, else if those concerned agree.

What is taken back leaves the log, from the seat's last entry to the end; the store keeps it apart. A deal that comes
again is the same, as it is drawn from its number. Who was asked, and who agreed, is in the database, and is good for
one version of the table only: whatever happens at the table makes it void.

A computer can't agree, and nobody can make its opponents forget a card. So nothing is taken back that told anything of
what computers hold. Nor is anything that a player did or learned whose seat a computer keeps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.errors import NotAllowed, Stale
from bot.games.game import CHANCE, AnyGame, Entry, Event
from bot.store import Store
from bot.store.records import Sitter, Table, TakenBack
from bot.tables.folds import Fold
from bot.tables.ledger import MOVED_ON, Ledger, Receipt
from bot.tables.seating import seated, wrong_phase

_REFUSED: Final = 0
"""Stands among those who agree if anybody refused; no user has this number."""
_WITHDRAWN: Final = -1
"""Stands among those who agree if the asker withdrew the question; no user has this number."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """The result of asking for an undo: its receipt, or the users who have to agree first.

    ``is_repeated`` if the asker had asked at this version before.
    """

    table: Table
    waiting: tuple[int, ...] = ()
    receipt: Receipt | None = None
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question whether a move may be taken back.

    ``waiting`` are the users who have still to agree. ``refused`` and ``withdrawn`` tell that it has been settled.
    """

    asker_id: int
    waiting: tuple[int, ...] = ()
    refused: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What taking back a user's last move would mean: the log stands up to ``ply``, and ``concerned`` are asked."""

    ply: int
    concerned: tuple[int, ...]


def plan(game: AnyGame, table: Table, now: Fold, user_id: int) -> Plan:
    """Return the plan to take back the user's last move and all that followed it.

    Raises `NotSeated`, `WrongPhase`, and `NotAllowed` if there is no move to take back, or if it is too late because of
    a computer (`objection`).
    """
    seat = seated(table, user_id).seat
    if table.status != "playing":
        raise wrong_phase(table)
    plies = [ply for ply, entry in enumerate(now.entries) if entry.seat == seat]
    if not plies:
        raise NotAllowed(f"You have made no move at Table {table.name} that you could take back.")
    if now.free == seat:
        return Plan(plies[-1], ())
    if any(sitter.is_computer for sitter in table.sitters):
        for entry, events in _steps(game, table, now.entries, plies[-1]):
            if why := objection(game, table, entry, events):
                raise NotAllowed(f"Too late to undo: {why}")
    others = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
    return Plan(plies[-1], tuple(other for other in others if other != user_id))


def objection(game: AnyGame, table: Table, entry: Entry, events: tuple[Event, ...]) -> str:
    """Return why a step can't be taken back at a table with computers, as the end of a sentence; empty if it can."""
    if entry.seat is CHANCE:
        return "new cards have been dealt." if game.informs(events) else ""
    for sitter in table.sitters:
        if sitter.held_for is not None and (sitter.seat == entry.seat or game.reveals(events)):
            return f"it concerns {_held_name(sitter)}, who is away and can't agree."
    mover = table.sitter_at(entry.seat)
    if mover is not None and mover.is_computer:
        return "a computer has played since." if game.informs(events) else ""
    return "hidden cards have been revealed." if game.shows_others(entry.seat, events) else ""


def _held_name(sitter: Sitter) -> str:
    return sitter.began[0] if sitter.started_by == sitter.held_for else "a player"


def _steps(
    game: AnyGame, table: Table, entries: tuple[Entry, ...], ply: int
) -> Iterator[tuple[Entry, tuple[Event, ...]]]:
    """Yield each entry from that ply on with the events of its step."""
    state = game.fold(table.options, entries[:ply])
    for entry in entries[ply:]:
        state, events = game.apply(state, entry.seat, game.parse(entry.move))
        yield entry, events


class Undos:
    """Moves taken back, and the asking for it."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    async def undo(self, table_id: int, user_id: int, seen: int | None = None) -> Undoing:
        """Take the user's last move back if nobody has to be asked; else record that they ask.

        ``seen`` is the version that the user saw, ``None`` if they mean the table as it is now. Raises `Stale` if the
        table is not at that version any more, `NotAllowed` if the question was refused or withdrawn at this version,
        and what `plan` raises.
        """
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        version = table.version if seen is None else seen
        is_repeated = False
        if version == table.version and self._plan(table, now, user_id).concerned:
            is_repeated = user_id in await self._agreed(table_id, version, user_id)
            await self._store.undos.agree(table_id, version, user_id, user_id)
        return await self._unless_asked(table_id, user_id, version, is_repeated=is_repeated)

    async def agree(self, table_id: int, user_id: int, asker_id: int, version: int) -> Undoing:
        """The user agrees that the asker takes their move back; with the last one to agree it is done.

        Raises `NotSeated`, `Stale` if the table has moved on since, and `NotAllowed` if nobody asks any more.
        """
        table = await self._ledger.table(table_id)
        seated(table, user_id)
        if table.version != version:
            raise Stale(MOVED_ON)
        if asker_id not in await self._agreed(table_id, version, asker_id):
            raise NotAllowed("Nobody asks for this any more.")
        await self._store.undos.agree(table_id, version, asker_id, user_id)
        return await self._unless_asked(table_id, asker_id, version)

    async def refuse(self, table_id: int, user_id: int, asker_id: int, version: int) -> Table:
        """The user would rather play on, or withdraws their own question. Both stand for this version.

        Raises `NotSeated`, and `Stale` if the table has moved on since.
        """
        table = await self._ledger.table(table_id)
        seated(table, user_id)
        if table.version != version:
            raise Stale(MOVED_ON)
        answer = _WITHDRAWN if user_id == asker_id else _REFUSED
        await self._store.undos.agree(table_id, version, asker_id, answer)
        return table

    async def questions(self, table: Table) -> tuple[Question, ...]:
        """Return the questions asked at the present version of the table."""
        asked = await self._store.undos.questions(table.id, table.version)
        if not asked:
            return ()
        table, now = await self._ledger.fold(table)
        return tuple(self._question(table, now, asker_id, answers) for asker_id, answers in asked.items())

    def _question(self, table: Table, now: Fold, asker_id: int, answers: frozenset[int]) -> Question:
        if _WITHDRAWN in answers or _REFUSED in answers or table.sitter(asker_id) is None:
            return Question(asker_id, refused=_REFUSED in answers, withdrawn=_REFUSED not in answers)
        concerned = self._plan(table, now, asker_id).concerned
        return Question(asker_id, tuple(user for user in concerned if user not in answers))

    async def taken_back(self, table_id: int) -> tuple[TakenBack, ...]:
        """Return the entries of the table that were taken back, in that order."""
        return await self._store.undos.taken_back(table_id)

    async def forget(self, table_id: int, asker_id: int) -> None:
        """Forget a question that could not be posted, so that it can be asked later."""
        await self._store.undos.forget(table_id, asker_id)

    async def _agreed(self, table_id: int, version: int, asker_id: int) -> frozenset[int]:
        agreed = await self._store.undos.agreed(table_id, version, asker_id)
        if _WITHDRAWN in agreed:
            raise NotAllowed("That was withdrawn. It can be asked again after the next move.")
        if _REFUSED in agreed:
            raise NotAllowed("That was refused. It can be asked again after the next move.")
        return agreed

    async def _unless_asked(self, table_id: int, asker_id: int, version: int, *, is_repeated: bool = False) -> Undoing:
        table, now = await self._ledger.fold(await self._ledger.table(table_id))
        if table.version != version:
            raise Stale(MOVED_ON)
        agreed = await self._agreed(table_id, version, asker_id)
        waiting = tuple(user for user in self._plan(table, now, asker_id).concerned if user not in agreed)
        if waiting:
            return Undoing(table, waiting, is_repeated=is_repeated)
        receipt = await self._ledger.undo(
            table_id, lambda table, now: self._plan(table, now, asker_id).ply, asker_id, version
        )
        return Undoing(receipt.table, receipt=receipt)

    def _plan(self, table: Table, now: Fold, user_id: int) -> Plan:
        return plan(self._ledger.rulebook(table), table, now, user_id)
