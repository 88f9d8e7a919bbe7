"""The ledger: changes tables one at a time from their latest version, and notifies listeners after the commit."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Concatenate, Final, NamedTuple, ParamSpec
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from bot.errors import (
    Conflict,
    DamagedTable,
    IllegalMove,
    NoSuchTable,
    OutcomeUnknown,
    Stale,
    StoreError,
    Unreachable,
    WrongPhase,
    damage_to,
)
from bot.fairness import Deals
from bot.games import by_rules
from bot.games.game import CHANCE, NOBODY, Actor, AnyGame, Entry, Seat
from bot.store.records import Changes, Log, Sitter, Status, Table
from bot.store.snapshot import Snapshot
from bot.store.store import Store
from bot.tables.folds import Fold, Progress, VersionCache, fold, read
from bot.tables.seating import close_outdated, not_allowed, stand_in_at, under_current_rules, wrong_phase
from bot.tables.shared_reads import SharedReads
from bot.tables.soundness import Damages, unsound

log: Final = logging.getLogger(__name__)

P = ParamSpec("P")

_CACHED: Final = 512
"""Maximum number of cached tables, and of cached folds."""
_MAX_TRIES: Final = 5
"""Tries of a change that conflicts with other processes."""
_SETTLE_AFTER_S: Final = 1.0
"""Interval of asking whether a change was saved whose outcome is unknown."""
MOVED_ON: Final = "The game has moved on. This is how it stands now."


class Receipt(msgspec.Struct, frozen=True):
    """The result of a change: the table after it, the version before it, and the users who owed a move then.

    ``removed`` is the user who was removed from the table.
    """

    table: Table
    before: int
    owed: frozenset[int] = frozenset()
    removed: int | None = None


Listener = Callable[[Receipt], None]
SeatOf = Callable[[Table], Seat]
SittersOf = Callable[[Table], tuple[Sitter, ...] | None]
PlyOf = Callable[[Table, Fold], Awaitable[int]]


class _Proposal(NamedTuple):
    """A change that is about to be written.

    ``base`` is the game that ``progress`` continues: all of it, or after an undo what is left. Changes without entries
    have none.
    """

    changes: Changes
    base: Fold | None = None
    progress: Progress = Progress(None)

    def with_sitters(self, sitters: tuple[Sitter, ...] | None) -> "_Proposal":
        return self._replace(changes=replace(self.changes, sitters=sitters))


class Ledger:
    """Reads, folds and changes tables."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        now: Callable[[], float],
        older: Iterable[AnyGame],
        *,
        closes_damaged: bool = True,
    ) -> None:
        """``games`` are the current rulebooks; ``older`` are for tables in play under earlier rules.

        With ``closes_damaged``, tables that can't be read or folded are closed when that is noticed.
        """
        self._store = store
        self._games = games
        self._rulebooks = by_rules(games.values(), older)
        self._now = now
        self._damages = Damages(store, now, self._closed, closes=closes_damaged)
        self._tables = VersionCache[Table](_CACHED)
        self._folds = VersionCache[Fold](_CACHED)
        self._snapshots = SharedReads(self._read_snapshot)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._settling: set[asyncio.Task[None]] = set()

    def on_change(self, listener: Listener) -> None:
        """Call the listener after each commit, in the order of the commits of each table. Its errors are logged."""
        self._listeners.append(listener)

    def _closed(self, table: Table) -> None:
        self._tables.put(table.id, table)
        self.announce(Receipt(table, table.version - 1))

    def announce(self, receipt: Receipt) -> None:
        """Call every listener."""
        for listener in self._listeners:
            try:
                listener(receipt)
            except Exception:
                log.exception("table %s: a listener failed at version %s", receipt.table.id, receipt.table.version)

    # ---- rulebooks

    def has_rulebook(self, table: Table) -> bool:
        """Return whether this program has the table's rules, so that it can be shown."""
        return (table.game, table.rules) in self._rulebooks

    def rulebook(self, table: Table) -> AnyGame:
        """Return the table's rulebook. Raises `WrongPhase` if this program lacks it."""
        game = self._rulebooks.get((table.game, table.rules))
        if game is None:
            raise WrongPhase("I can't show Table {name}: the game's rules have changed.", name=table.name)
        return game

    # ---- reading

    async def table(self, table_id: int) -> Table:
        """Return the current table. Raises `NoSuchTable`.

        A table in play whose rules this program lacks is closed first.
        """
        table = await self._load(table_id)
        if table.status != "playing" or self.has_rulebook(table):
            return table
        log.info("table %s has unknown rules (%s %s) and is closed", table.id, table.game, table.rules)
        with contextlib.suppress(WrongPhase):  # another process has closed it
            return (await self.update(table.id, close_outdated)).table
        return await self._load(table.id)

    async def found(self, table_id: int) -> Table | None:
        """Return the table. The cache is left alone, so that one that exists takes one query, like one that doesn't."""
        try:
            return await self._store.table(table_id)
        except DamagedTable as damage:
            return await self._damages.close(damage)

    async def _load(self, table_id: int) -> Table:
        known = self._tables.latest(table_id)
        try:
            table = await self._store.table(table_id, known)
            if table is not None and table is not known:
                self._check(table)
        except DamagedTable as damage:
            table = await self._damages.close(damage)
        if table is None:
            raise no_table(str(table_id))
        self._tables.put(table_id, table)
        return table

    def _check(self, table: Table) -> None:
        """Raise `DamagedTable` if the game of an open table can't have what is stored of it."""
        if what := unsound(table, self._games, self._rulebooks.get((table.game, table.rules))):
            raise damage_to(table.id, what)

    def cannot_go_on(self, table: Table) -> bool:
        """Return whether `table` closes this open table: it is damaged, or this program lacks its rules."""
        rulebook = self._rulebooks.get((table.game, table.rules))
        return (rulebook is None and table.status == "playing") or unsound(table, self._games, rulebook) is not None

    async def snapshot(self, table_id: int) -> Snapshot:
        """Return the current table with everything that its messages depend on. Raises `NoSuchTable`.

        Calls at the same time share one read.
        """
        snapshot = await self._snapshots.get(table_id)
        if snapshot.table.status == "playing" and not self.has_rulebook(snapshot.table):
            await self.table(table_id)  # closes it
            snapshot = await self._snapshots.get(table_id)
        return snapshot

    async def _read_snapshot(self, table_id: int) -> Snapshot:
        known = self._tables.latest(table_id)
        try:
            snapshot = await self._store.snapshot(table_id, known)
            if snapshot is not None and snapshot.table is not known:
                self._check(snapshot.table)
        except DamagedTable as damage:
            await self._damages.close(damage)
            snapshot = await self._store.snapshot(table_id)
        if snapshot is None:
            raise no_table(str(table_id))
        self._tables.put(table_id, snapshot.table)
        return snapshot

    async def fold(self, table: Table) -> tuple[Table, Fold]:
        """Return the table, or a newer version of it, and its fold. Raises `WrongPhase` before the start."""
        cached = self._folds.latest(table.id)
        if cached is not None and cached.version == table.version:
            return table, cached
        async with self._damages.noticing(table):
            written = await self._store.log(table.id)
            if written is None or not (written.entries or written.table.status in {"playing", "over"}):
                raise wrong_phase(table)  # a lobby, or one that was closed
            folded = fold(self.rulebook(written.table), written)
        self._folds.put(table.id, folded)
        return written.table, folded

    async def to_act(self, table: Table) -> frozenset[Actor]:
        """Return the seats, and chance, that owe an entry; none unless the table is in play."""
        if table.status != "playing" or not self.has_rulebook(table):
            return NOBODY
        table, folded = await self.fold(table)
        return self.rulebook(table).to_act(folded.state)

    # ---- writing

    async def update(
        self, table_id: int, change: Callable[Concatenate[Table, P], Changes], *args: P.args, **kwargs: P.kwargs
    ) -> Receipt:
        """Make changes without entries. ``change`` gets the table and the arguments; it may raise a refusal."""

        async def propose(table: Table) -> _Proposal:
            return _Proposal(change(table, *args, **kwargs))

        return await self._change(table_id, propose)

    async def change(self, table_id: int, change: Callable[[Table], Awaitable[Changes]]) -> Receipt:
        """Like `update`, for a change that depends on more than the table."""

        async def propose(table: Table) -> _Proposal:
            return _Proposal(await change(table))

        return await self._change(table_id, propose)

    async def seat(
        self,
        table_id: int,
        user_id: int,
        change: Callable[Concatenate[Table, P], Changes],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Receipt:
        """Like `update`, for a change that gives the user a seat. Raises `NotAllowed` if they may not sit here.

        That is read after the table: who is removed or leaves in the meantime moves the table on, and this conflicts.
        """

        async def seated(table: Table) -> Changes:
            bar = await self._store.users.bar(table.id, user_id)
            changes = change(table, *args, **kwargs)
            if bar is not None and table.sitter(user_id) is None:
                raise not_allowed(table, bar)
            return changes

        return await self.change(table_id, seated)

    async def start(self, table_id: int, check: Callable[[Table], None], by_user: int) -> Receipt:
        """Start the game with the first chance entries, unless ``check`` raises."""

        async def propose(table: Table) -> _Proposal:
            check(table)
            current = under_current_rules(table, self._games[table.game])
            unplayed = Fold(table.version, self.rulebook(current).start(current.options))
            proposal = await self._proposal(current, unplayed, Progress(unplayed.state), by_user)
            changes = replace(proposal.changes, rules=current.rules, options=current.options)
            return proposal._replace(changes=changes)

        return await self._change(table_id, propose)

    async def play(  # noqa: PLR0913 - the last three are for users alone
        self,
        table_id: int,
        seat_of: SeatOf,
        text: str,
        seen: int | None = None,
        by_user: int | None = None,
        *,
        renamed: SittersOf | None = None,
    ) -> Receipt:
        """Write the seat's move and the chance that follows; see `Tables.play`. Without a user, a computer plays.

        ``renamed`` returns the players if one has a new name.
        """

        async def propose(table: Table) -> _Proposal:
            seat = seat_of(table)
            if table.status != "playing":
                raise wrong_phase(table) if seen in {None, table.version} else Stale(MOVED_ON)
            table, before = await self.fold(table)
            progress = self._move(self.rulebook(table), before, seat, text, seen)
            if by_user is None and (stand_in := stand_in_at(table, seat)) is not None:
                progress = progress._replace(stand_in=stand_in, freely_undone_by=None)
            proposal = await self._proposal(table, before, progress, by_user)
            return proposal if renamed is None else proposal.with_sitters(renamed(table))

        return await self._change(table_id, propose)

    async def undo(self, table_id: int, ply_of: PlyOf, by_user: int, seen: int) -> Receipt:
        """Take back all entries from a ply on. Raises `Stale` unless the table is at version ``seen``."""

        async def propose(table: Table) -> _Proposal:
            if table.version != seen:
                raise Stale(MOVED_ON)
            table, before = await self.fold(table)
            ply = await ply_of(table, before)
            standing = fold(self.rulebook(table), Log(table, before.entries[:ply], _until(before.stand_ins, ply)))
            to_act = seats_of(self.rulebook(table).to_act(standing.state))
            changes = Changes(by_user=by_user, taken_back=len(before.entries) - ply, to_act=to_act)
            return _Proposal(changes, standing, Progress(standing.state, freely_undone_by=standing.freely_undone_by))

        return await self._change(table_id, propose)

    def _move(self, game: AnyGame, before: Fold, seat: Seat, text: str, seen: int | None) -> Progress:
        move = read(game, text, game.legal(before.state, seat))
        if not before.is_fresh(seen, seat):
            raise Stale(MOVED_ON)
        try:
            state, events = game.apply(before.state, seat, move)
        except IllegalMove:
            if seen in {None, before.version}:
                raise
            raise Stale(MOVED_ON) from None
        return Progress(state, (Entry(seat, str(move)),), events, None if game.reveals(events) else seat)

    async def _proposal(self, table: Table, before: Fold, progress: Progress, by_user: int | None) -> _Proposal:
        """Add the chance entries that follow, and the changes of the table: its status, outcome, and who is to act."""
        game = self.rulebook(table)
        if CHANCE in game.to_act(progress.state):
            async with self._damages.noticing(table):
                deals = Deals(await self._store.seed(table.id), table.cuts)
                state, entries, events = game.run_chance(progress.state, before.dealt, deals)
            progress = Progress(
                state, (*progress.entries, *entries), (*progress.events, *events), None, progress.stand_in
            )
        outcome = progress.state.outcome
        status: Status = "over" if outcome else "playing"
        changes = Changes(
            by_user=by_user,
            status=status if status != table.status else None,
            outcome=outcome,
            to_act=seats_of(game.to_act(progress.state)),
            stand_in=progress.stand_in,
        )
        return _Proposal(changes, before, progress)

    async def _change(self, table_id: int, propose: Callable[[Table], Awaitable[_Proposal]]) -> Receipt:
        """Write what ``propose`` returns for the latest version. If another process writes first, propose again.

        `fold` may read a version that is newer still. The proposal then conflicts as well.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            for _ in range(_MAX_TRIES):
                table = await self._load(table_id)
                proposal = await propose(table)
                owed = frozenset(table.users_at(await self.to_act(table)))
                try:
                    changes = replace(proposal.changes, at=self._now())
                    entries = proposal.progress.entries
                    after = await self._store.append(table_id, table.version, entries, changes, known=table)
                except OutcomeUnknown:
                    self._settle_later(table, owed)
                    raise
                except Conflict:
                    log.info("table %s: another process wrote first after version %s", table_id, table.version)
                    continue
                return self._committed(table.version, after, proposal, owed)
        raise Stale(MOVED_ON)

    def _settle_later(self, before: Table, owed: frozenset[int]) -> None:
        """Announce a change that may have been saved, once the database can tell."""
        task = asyncio.create_task(self._settle(before, owed), name=f"outcome at table {before.id}")
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    async def _settle(self, before: Table, owed: frozenset[int]) -> None:
        while True:
            await asyncio.sleep(_SETTLE_AFTER_S)
            try:
                after = await self._store.settled(before.id)
            except StoreError as error:
                log.warning("table %s: it isn't known yet whether the last change was saved: %s", before.id, error)
                if not isinstance(error, Unreachable | OutcomeUnknown):
                    return
            else:
                break
        if after is not None and after.version > before.version:
            self.announce(Receipt(after, before.version, owed))

    def _committed(self, before: int, after: Table, proposal: _Proposal, owed: frozenset[int]) -> Receipt:
        self._tables.put(after.id, after)
        if proposal.base:
            self._folds.put(after.id, proposal.base.after(proposal.progress, after.version, after.undone_at))
        receipt = Receipt(after, before, owed, proposal.changes.removed)
        self.announce(receipt)
        return receipt


def _until(stand_ins: Mapping[int, str], ply: int) -> Mapping[int, str]:
    return {at: name for at, name in stand_ins.items() if at < ply}


def seats_of(actors: Iterable[Actor]) -> frozenset[Seat]:
    """Return the actors other than chance."""
    return frozenset(actor for actor in actors if actor is not CHANCE)


def no_table(ref: str) -> NoSuchTable:
    """Return the error for a number or name that no table has."""
    return NoSuchTable("There's no table {ref} here.", ref=ref)
