"""The ledger: changes tables one at a time from their latest version, and notifies listeners after the commit."""

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from msgspec.structs import replace

from bot import errors
from bot.fairness import Deals
from bot.games import by_rules
from bot.games.game import CHANCE, NOBODY, RESIGNED, Actor, AnyGame, Entry, Resigned, Seat
from bot.records.live_message import Snapshot
from bot.records.table import Change, Chosen, Log, Receipt, Table
from bot.store.results import margin_of, result_of
from bot.store.store import Store
from bot.tables.closing import check_concedes_alone, close_outdated
from bot.tables.damage import Damages, unsound
from bot.tables.folds import Fold, Progress, VersionCache, fold, read
from bot.tables.forced_moves import with_last_cards
from bot.tables.rematches import with_beginner
from bot.tables.seating import no_table, renamed, seated, stand_in_at, under_current_rules, wrong_phase

log: Final = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_CACHED: Final = 512
"""Maximum number of cached tables, and of cached folds."""
_MAX_TRIES: Final = 20
"""Tries of a change that conflicts with other processes."""
_SETTLE_AFTER_S: Final = 1.0
"""How often the store is asked whether a change was saved, if its outcome is unknown."""
MOVED_ON: Final = "The game has moved on. This is how it stands now."


Listener = Callable[[Receipt], None]
PlyOf = Callable[[Table, Fold], Awaitable[tuple[int, bool]]]
"""Returns the ply from which on entries are taken back, and whether the game can't raise ratings after that."""
_Proposal = tuple[Change, Fold | None]
"""A change that is about to be written, and the fold after it; ``None`` if it adds and removes no entries."""


class Ledger:
    """Reads, folds and changes tables."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        now: Callable[[], float],
        older: Iterable[AnyGame],
        *,
        closes: bool = True,
    ) -> None:
        """``games`` are the current rulebooks; ``older`` are for tables in play under earlier rules.

        With ``closes``, tables that can't go on are closed when that is noticed.
        """
        self._store = store
        self._games = games
        self._rulebooks = by_rules(games.values(), older)
        self._now = now
        self.damages = Damages(store, now, self.announce, closes=closes)
        self._tables = VersionCache[Table](_CACHED)
        self._folds = VersionCache[Fold](_CACHED)
        self._snapshots: dict[int, asyncio.Task[Snapshot]] = {}
        """Reads that haven't begun yet."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._settling: set[asyncio.Task[None]] = set()

    def on_change(self, listener: Listener) -> None:
        """Call the listener after each commit, in the order of the commits of each table. Its errors are logged."""
        self._listeners.append(listener)

    def announce(self, receipt: Receipt) -> None:
        """Remember the table as the latest, and call every listener."""
        self._tables.put(receipt.table.id, receipt.table)
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
            raise errors.WrongPhase("I can't show Table {name}: the game's rules have changed.", name=table.name)
        return game

    # ---- reading

    async def table(self, table_id: int) -> Table:
        """Return the current table. Raises `NoSuchTable`.

        A table in play whose rules this program lacks is closed first, if this process serves it.
        """
        table = await self._load(table_id)
        if table.status != "playing" or self.has_rulebook(table) or not await self.damages.may_close(table_id):
            return table
        log.info("table %s has unknown rules (%s %s) and is closed", table.id, table.game, table.rules)
        with contextlib.suppress(errors.WrongPhase):  # another process has closed it
            return (await self.update(table.id, close_outdated)).table
        return await self._load(table.id)

    async def checked(self, table: Table) -> Table:
        """Return a table that has just been read, after the checks of `table`. The latest known one has passed them."""
        if self.is_latest(table) and self.has_rulebook(table):
            return table
        return await self.table(table.id) if self.cannot_go_on(table) else table

    async def found(self, table_id: int) -> Table | None:
        """Return the table. The cache is left alone, so that one that exists takes one query, like one that doesn't."""
        try:
            return await self._store.table(table_id)
        except errors.DamagedTable as damage:
            return await self.damages.close(damage)

    async def _load(self, table_id: int) -> Table:
        known = self._tables.latest(table_id)
        try:
            table = await self._store.table(table_id, known)
            if table is not None and table is not known:
                self._check(table)
        except errors.DamagedTable as damage:
            table = await self.damages.close(damage)
        if table is None:
            raise no_table(str(table_id))
        self._tables.put(table_id, table)
        return table

    def _check(self, table: Table) -> None:
        """Raise `DamagedTable` if the game of an open table can't have what is stored of it."""
        if what := unsound(table, self._games, self._rulebooks.get((table.game, table.rules))):
            raise errors.damage_to(table.id, what)

    def cannot_go_on(self, table: Table) -> bool:
        """Return whether `table` closes this open table: it is damaged, or this program lacks its rules."""
        rulebook = self._rulebooks.get((table.game, table.rules))
        return (rulebook is None and table.status == "playing") or unsound(table, self._games, rulebook) is not None

    def is_latest(self, table: Table) -> bool:
        """Whether this process knows of no newer version of the table. It hears of other processes' changes later."""
        latest = self._tables.latest(table.id)
        return latest is not None and latest.version == table.version

    async def snapshot(self, table_id: int) -> Snapshot:
        """Return the current table with everything that its messages depend on. Raises `NoSuchTable`."""
        snapshot = await self._shared_snapshot(table_id)
        if snapshot.table.status == "playing" and not self.has_rulebook(snapshot.table):
            await self.table(table_id)  # closes it
            snapshot = await self._shared_snapshot(table_id)
        return snapshot

    async def _shared_snapshot(self, table_id: int) -> Snapshot:
        """Share a read that hasn't begun, or begin one: each call gets the table as it is after it has asked."""
        if table_id not in self._snapshots:
            reading = asyncio.create_task(self._read_snapshot(table_id), name=f"a read of table {table_id}")
            self._snapshots[table_id] = reading
        return await asyncio.shield(self._snapshots[table_id])

    async def _read_snapshot(self, table_id: int) -> Snapshot:
        del self._snapshots[table_id]
        known = self._tables.latest(table_id)
        try:
            snapshot = await self._store.snapshot(table_id, known)
            if snapshot is not None and snapshot.table is not known:
                self._check(snapshot.table)
        except errors.DamagedTable as damage:
            await self.damages.close(damage)
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
        async with self.damages.noticing(table):
            written = await self._store.log(table.id)
            if written is None or not (written.entries or written.table.status in {"playing", "over"}):
                raise wrong_phase(table)  # a lobby, or one that was closed
            folded = fold(self.rulebook(written.table), written)
        self._folds.put(table.id, folded)
        return written.table, folded

    async def folded(self, table_id: int) -> tuple[Table, Fold]:
        """Return the current table and its fold. Raises `NoSuchTable`, and `WrongPhase` before the start."""
        return await self.fold(await self.table(table_id))

    async def unchanged(self, table_id: int, user_id: int, version: int) -> Table:
        """Return the table where the user has a seat. Raises `NotSeated`, and `Stale` if it isn't at this version."""
        table = await self.table(table_id)
        seated(table, user_id)
        if table.version != version:
            raise errors.Stale(MOVED_ON)
        return table

    async def to_act(self, table: Table) -> frozenset[Actor]:
        """Return the seats, and chance, that owe an entry; none unless the table is in play."""
        if table.status != "playing" or not self.has_rulebook(table):
            return NOBODY
        table, folded = await self.fold(table)
        return self.rulebook(table).to_act(folded.state)

    # ---- writing

    async def update(
        self, table_id: int, change: Callable[Concatenate[Table, P], Table], *args: P.args, **kwargs: P.kwargs
    ) -> Receipt:
        """Change the table without entries. ``change`` gets it and the arguments; it may raise a refusal."""

        async def propose(table: Table) -> _Proposal:
            return Change(change(table, *args, **kwargs)), None

        return await self._change(table_id, propose)

    async def change(self, table_id: int, change: Callable[[Table], Awaitable[Change]]) -> Receipt:
        """Like `update`, for a change that depends on more than the table."""

        async def propose(table: Table) -> _Proposal:
            return await change(table), None

        return await self._change(table_id, propose)

    async def start(
        self, table_id: int, check: Callable[[Table], None], by_user: int | None, played: tuple[Entry, ...] = ()
    ) -> Receipt:
        """Start the game with the first chance entries, or with those that were ``played``, unless ``check`` raises."""

        async def propose(table: Table) -> _Proposal:
            check(table)
            current = with_beginner(under_current_rules(table, self._games[table.game]), self._games[table.game])
            unplayed = Fold(table.version, self.rulebook(current).start(current.options))
            # Those who aren't invited have had their time. An invitation holds for seats that are offered later.
            current = replace(current, guests=tuple([guest for guest in current.guests if guest.is_invited]))
            folded = fold(self.rulebook(current), Log(current, played)) if played else unplayed
            return await self._proposal(current, unplayed, Progress(folded.state, played, folded.events), by_user)

        return await self._change(table_id, propose)

    async def play(  # noqa: PLR0913 - the last ones are for users or computers alone
        self,
        table_id: int,
        seat_of: Callable[[Table], Seat],
        text: str,
        seen: int | None = None,
        by_user: int | None = None,
        *,
        called: tuple[str, int | None] | None = None,
        chosen: Chosen | None = None,
        is_agreed: bool = False,
        is_automatic: bool = False,
    ) -> Receipt:
        """Write the seat's move and the chance that follows; see `Tables.play`. Without a user, a computer plays.

        ``called`` is the user's present name and the server where they have it; ``chosen`` is how a computer chose.
        ``is_agreed``: whether the user's partners agree that their side concedes. ``is_automatic``: the user didn't.
        """

        async def propose(table: Table) -> _Proposal:
            seat = seat_of(table)
            if table.status != "playing":
                raise wrong_phase(table) if seen in {None, table.version} else errors.Stale(MOVED_ON)
            table, before = await self.fold(table)
            progress = self._move(self.rulebook(table), before, seat, text, seen)
            if by_user is not None and not is_agreed and any(isinstance(event, Resigned) for event in progress.events):
                check_concedes_alone(table, self.rulebook(table), by_user)
            if by_user is None and (stand_in := stand_in_at(table, seat)) is not None:
                progress = progress._replace(stand_in=stand_in, freely_undone_by=None)
            progress = progress.automatically(is_automatic)
            table = renamed(table, by_user, called) if by_user and called else table
            change, folded = await self._proposal(table, before, progress, by_user)
            return replace(change, chosen=chosen), folded

        return await self._change(table_id, propose)

    async def undo(self, table_id: int, ply_of: PlyOf, by_user: int, seen: int) -> Receipt:
        """Take back all entries from a ply on. Raises `Stale` unless the table is at version ``seen``."""

        async def propose(table: Table) -> _Proposal:
            if table.version != seen:
                raise errors.Stale(MOVED_ON)
            table, before = await self.fold(table)
            ply, is_slip = await ply_of(table, before)
            table = replace(table, has_slips=table.has_slips or is_slip)
            standing = fold(self.rulebook(table), before.log(table, ply))
            to_act = self.rulebook(table).to_act(standing.state)
            change = Change(table, by_user=by_user, taken_back=len(before.entries) - ply, to_act=to_act)
            return change, standing

        return await self._change(table_id, propose)

    def _move(self, game: AnyGame, before: Fold, seat: Seat, text: str, seen: int | None) -> Progress:
        move = read(game, text, game.legal(before.state, seat), game.card_verb(before.state))
        if not before.is_fresh(seen, seat):
            raise errors.Stale(MOVED_ON)
        try:
            state, events = game.apply(before.state, seat, move)
        except errors.IllegalMove:
            if seen in {None, before.version}:
                raise
            raise errors.Stale(MOVED_ON) from None
        return Progress(state, (Entry(seat, str(move)),), events, None if game.reveals(events) else seat)

    async def _proposal(self, table: Table, before: Fold, progress: Progress, by_user: int | None) -> _Proposal:
        """Add the entries that follow without a choice, and the changes of the table: its status, outcome, turns."""
        game = self.rulebook(table)
        progress = with_last_cards(game, progress)
        if CHANCE in game.to_act(progress.state):
            async with self.damages.noticing(table):
                deals = Deals(await self._store.seed(table.id), table.cuts)
                progress = progress.then(*game.run_chance(progress.state, before.dealt, deals))
        outcome = progress.state.outcome
        table = replace(table, status="over" if outcome else "playing", outcome=outcome)
        change = Change(
            table,
            progress.entries,
            by_user=by_user,
            stand_in=progress.stand_in,
            automatic=progress.automatic,
            to_act=game.to_act(progress.state),
        )
        if outcome is not None:
            given_up = progress.entries[0].seat if outcome.reason == RESIGNED else None
            result = result_of(game, table, outcome, given_up)
            change = replace(change, result=result, margin=margin_of(game, table, outcome))
        return change, before.after(progress)

    async def _change(self, table_id: int, propose: Callable[[Table], Awaitable[_Proposal]]) -> Receipt:
        """Write what ``propose`` returns for the latest version. If another process writes first, propose again.

        `fold` may read a version that is newer still. The proposal then conflicts as well.
        """
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            for _ in range(_MAX_TRIES):
                table = await self._load(table_id)
                change, folded = await propose(table)
                is_closed = change.table.status == "closed"  # then the log needn't be read
                owed = frozenset(() if is_closed else table.users_at(await self.to_act(table)))
                try:
                    after = await self._store.write(table, change, self._now())
                except errors.OutcomeUnknown:
                    self._settle_later(table, owed)
                    raise
                except errors.Conflict:
                    log.info("table %s: another process wrote first after version %s", table_id, table.version)
                    continue
                if folded is not None:
                    folded = dataclasses.replace(folded, version=after.version, undone_at=after.undone_at)
                    self._folds.put(after.id, folded)
                removes = not {*change.table.former.removed} <= {*table.former.removed}
                receipt = Receipt(after, table.version, owed, removes)
                self.announce(receipt)
                return receipt
        raise errors.Stale(MOVED_ON)

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
            except errors.StoreError as error:
                log.warning("table %s: it isn't known yet whether the last change was saved: %s", before.id, error)
                if not isinstance(error, errors.Unreachable | errors.OutcomeUnknown):
                    return
            else:
                break
        if after is not None and after.version > before.version:
            self.announce(Receipt(after, before.version, owed))


async def unless_moved_on(answer: Awaitable[T]) -> T:
    """Store an answer about a version of a table. Raises `Stale` if the table has moved on."""
    try:
        return await answer
    except errors.Conflict:
        raise errors.Stale(MOVED_ON) from None
