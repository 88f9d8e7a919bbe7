"""Waiting for absent players: joins the rules of this package with the database."""

import contextlib
import math
from collections.abc import Callable, Collection
from typing import NamedTuple

from msgspec.structs import replace

from bot.errors import Conflict, WrongPhase
from bot.store.records import Changes, Person, Table, Wait
from bot.store.store import Store
from bot.tables.absence import remedies
from bot.tables.absence.deadlines import Step, steps
from bot.tables.absence.votes import Remedy, Standstill, Verdict, is_early, judge, standstill_of
from bot.tables.ledger import Ledger, Receipt
from bot.tables.ping_settings import quiet_until


class Due(NamedTuple):
    """The next step at a waiting table, and when it is due."""

    at: float
    step: Step
    wait: Wait


class Waiting:
    """Waiting times of tables, and remedies for absent players. A refused change raises a `PlayError`."""

    def __init__(self, store: Store, ledger: Ledger, now: Callable[[], float]) -> None:
        self._store = store
        self._ledger = ledger
        self._now = now
        self.shards: Callable[[], tuple[frozenset[int], int]] = lambda: (frozenset({0}), 1)
        """Returns the shards for which this process is responsible, and the number of all shards of the bot."""
        self._beat_at = -math.inf
        self._beat_within_s = math.inf

    # ---- looking

    async def standstill(self, table: Table) -> Standstill:
        """Return which players the table waits for and since when; none before the start and after the end."""
        await self._note_gap()
        owing = await self._ledger.to_act(table)
        now = self._now()
        wait = await self._store.waits.of(table, now)
        moves_s = await self._store.waits.move_times_s(table.id) if table.clock == "none" else ()
        return standstill_of(table, owing, wait, now, moves_s)

    async def next_due(self, table: Table) -> Due | None:
        """Return the next step while the table stays at this version, if there is one."""
        if table.status != "playing":
            return None
        await self._note_gap()
        wait = await self._store.waits.of(table, self._now())
        left = steps(table.clock)[wait.steps :]
        return Due(wait.since + wait.away_s + left[0].after_s, left[0], wait) if left else None

    async def claim_step(self, table: Table, due: Due, *, pings: bool = False) -> bool:
        """Claim the step that is due; return false if another process has claimed it. So it is taken once.

        If it ``pings``, it counts from now on that nobody has been notified of their turn.
        """
        return await self._store.waits.claim_step(table, due.wait.since, due.wait.steps + 1, pings=pings)

    async def all_quiet_until(self, users: Collection[int]) -> float | None:
        """Return when the first quiet hours end, if all users who want pings have quiet hours now."""
        settings = [each for each in [await self._store.users.settings(user) for user in users] if each.pings]
        ends = [quiet_until(each, self._now()) for each in settings]
        later = [end for end in ends if end is not None]
        return min(later) if settings and len(later) == len(settings) else None

    # ---- moving on

    async def move_on(self, table_id: int, user_id: int, remedy: Remedy) -> Verdict:
        """Record the user's vote for a remedy, and apply it if that is granted.

        If a computer is to play the turn, that is left to the caller: `Tables.play_computer`.
        """
        table = await self._ledger.table(table_id)
        verdict = judge(table, await self.standstill(table), user_id, remedy)
        if not verdict.granted:
            try:
                await self._store.waits.record_vote(table, user_id, remedy)
            except Conflict:
                raise _moved_on(table) from None
            # Others may have voted at the same moment, and each of them may be the last.
            verdict = judge(table, await self.standstill(table), user_id, remedy)
        if not verdict.granted or remedy == "play":
            return verdict

        def apply(latest: Table, standstill: Standstill) -> Changes:
            still = judge(_same(table, latest), standstill, user_id, remedy)
            if not still.granted:  # the absent player has come back in the meantime
                raise _moved_on(latest)
            return remedies.apply_remedy(latest, still.seats, remedy, user_id)

        await self._change(table_id, apply)
        return verdict

    async def close_dead(self, table_id: int) -> Receipt:
        """Close the table if nothing has happened there for `DEAD_S`. Raises `WrongPhase`."""
        return await self._change(table_id, lambda table, standstill: remedies.close_dead(table, standstill.waited_s))

    async def _change(self, table_id: int, change: Callable[[Table, Standstill], Changes]) -> Receipt:
        """Make a change that rests on the table's standstill, unless that changes meanwhile."""

        async def propose(table: Table) -> Changes:
            ground = await self._store.waits.ground(table)
            return replace(change(table, await self.standstill(table)), ground=ground)

        return await self._ledger.change(table_id, propose)

    # ---- coming back

    async def come_back(self, table: Table, person: Person) -> bool:
        """Note that the user is here; return whether that changed anything.

        They get their seat back, votes about their absence are deleted, and without a clock the wait starts again.
        """
        if remedies.kept_seat(table, person) is not None:
            with contextlib.suppress(WrongPhase):
                await self._ledger.update(table.id, remedies.come_back, person)
                return True
            return False
        sitter = table.sitter(person.id)
        if sitter is None or is_early(table, self._now()) or not await self._store.waits.has_news(table):
            return False
        if sitter.seat not in (await self.standstill(table)).waited_for:
            return False
        try:
            await self._store.waits.end_absence(table, self._now())
        except Conflict:  # the table has moved on, perhaps by a remedy
            return await self.come_back(await self._ledger.table(table.id), person)
        return True

    async def take_seat(self, table_id: int, person: Person) -> Receipt:
        """Give the person the seat that is offered."""
        return await self._ledger.seat(table_id, person.id, remedies.take_seat, person)

    # ---- heartbeat

    async def beat(
        self, gap_s: float = 0.0, again_within_s: float = math.inf, shards: frozenset[int] | None = None
    ) -> None:
        """Record that the program is running; if the last heartbeat is older than ``gap_s``, it was away since.

        The next call is due within ``again_within_s``. Without ``shards``, this covers all shards of this process.
        """
        held, count = self.shards()
        await self._store.waits.beat(self._now(), gap_s, held if shards is None else shards, count)
        self._beat_at, self._beat_within_s = self._now(), again_within_s

    async def _note_gap(self) -> None:
        """Record a heartbeat if it is overdue: the machine slept, and the timer with it, or its clock jumped."""
        if not 0 <= self._now() - self._beat_at <= self._beat_within_s:
            await self.beat(0.0, self._beat_within_s)


def _same(seen: Table, latest: Table) -> Table:
    """Return the table. Raises `WrongPhase` if it has changed since it was judged."""
    if seen.version != latest.version:
        raise _moved_on(latest)
    return latest


def _moved_on(table: Table) -> WrongPhase:
    return WrongPhase("The game at Table {name} has moved on.", name=table.name)
