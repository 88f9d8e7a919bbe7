"""Waiting for absent players: joins the rules of this package with the database."""

import contextlib
import math
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from msgspec.structs import replace

from bot.errors import Conflict, NotAllowed, WrongPhase
from bot.games.game import COUNTED, STOPPED, Seat
from bot.ratings import Result
from bot.records.table import Change, Person, Receipt, Sitter, Table
from bot.store.results import decided_alone, result_of
from bot.store.store import Store
from bot.store.waits import Wait
from bot.tables.absence.deadlines import DEAD_S, MINUTE, Step, steps
from bot.tables.absence.votes import (
    CONCEDE,
    ENDS,
    STAY,
    Remedy,
    Standstill,
    Verdict,
    is_early,
    judge,
    judge_concession,
    partners_to_agree,
    standstill_of,
)
from bot.tables.closing import others_to_agree
from bot.tables.ledger import Ledger, unless_moved_on
from bot.tables.ping_settings import unreachable_until
from bot.tables.seating import (
    check_may_sit,
    closed,
    computer_for,
    need_playing,
    seated,
    with_sitters,
    wrong_phase,
)

_NOTED_AFTER_S: Final = MINUTE
"""Once a wait is this old, it starts again when the player who is waited for does something at the table."""


def apply_remedy(table: Table, seats: tuple[Seat, ...], remedy: Remedy, user_id: int) -> Table:
    """Return the changes of a remedy that isn't ``play``."""
    if remedy in ENDS:
        return closed(table, "agreed" if remedy == "end" else "counted")
    absent = [sitter for sitter in table.sitters if sitter.seat in seats and not sitter.is_computer]
    if remedy == "substitute":
        return with_sitters(table, *(replace(sitter, offered=True) for sitter in absent))
    host_gone = any(sitter.user_id == table.host_id for sitter in absent)
    for sitter in absent:
        table = with_sitters(table, computer_for(table, sitter, sitter.user_id))
    return replace(table, host_id=user_id) if host_gone else table


def kept_seat(table: Table, person: Person) -> Sitter | None:
    """Return the seat of the user that a computer keeps or that is offered, if there is one in play."""
    if table.status != "playing":
        return None
    own = (sitter for sitter in table.sitters if person.id in {sitter.held_for, sitter.user_id})
    return next((sitter for sitter in own if sitter.is_computer or sitter.offered), None)


def come_back(table: Table, person: Person) -> Table:
    """Give the user their seat back. Raises `WrongPhase` if none is kept for them."""
    sitter = kept_seat(table, person)
    if sitter is None:
        raise wrong_phase(table)
    return with_sitters(table, sitter.taken_by(person))


def take_seat(table: Table, person: Person) -> Table:
    """Give the person the first seat that is offered."""
    need_playing(table)
    if table.sitter(person.id) is not None:  # perhaps because they have just come back to the seat that was offered
        raise NotAllowed("You're already playing at Table {name}.", name=table.name)
    offered = [sitter for sitter in table.sitters if sitter.offered]
    if not offered:
        raise NotAllowed("There's no free seat at Table {name}.", name=table.name)
    check_may_sit(table, person.id)
    host_id = person.id if offered[0].user_id == table.host_id else table.host_id
    return replace(with_sitters(table, offered[0].taken_by(person)), host_id=host_id)


def close_dead(table: Table, waited_s: float) -> Table:
    """Close the table if nothing has happened for `DEAD_S`. Raises `WrongPhase`."""
    if table.status != "playing" or waited_s < DEAD_S:
        raise wrong_phase(table)
    return closed(table, "idle")


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
        self.on_gap: Callable[[], object] = lambda: None
        """Called when tables have waited for another time than before: the bot was away, or the clock was put back."""
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
        began = wait.since + wait.away_s + wait.rest_s
        return Due(began + left[0].after_s, left[0], wait) if left else None

    async def claim_step(self, table: Table, due: Due, *, pings: bool = False) -> bool:
        """Claim the step that is due; return false if another process has claimed it. So it is taken once.

        If it ``pings``, it counts from now on that nobody has been notified of their turn.
        """
        return await self._store.waits.claim_step(table, due.wait.since, due.wait.steps + 1, pings=pings)

    async def all_quiet_until(self, users: Collection[int]) -> float | None:
        """Return when the first may be pinged, if all users who want pings have quiet hours or holidays now."""
        settings = [each for each in [await self._store.users.settings(user) for user in users] if each.pings]
        ends = [unreachable_until(each, self._now()) for each in settings]
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

        def apply(latest: Table, standstill: Standstill) -> Table:
            if latest.version != table.version:
                raise _moved_on(latest)
            still = judge(latest, standstill, user_id, remedy)
            if not still.granted:  # the absent player has come back in the meantime
                raise _moved_on(latest)
            return apply_remedy(latest, still.seats, remedy, user_id)

        await self._change(table_id, apply, user_id)
        return verdict

    async def concede(self, table_id: int, user_id: int) -> Verdict:
        """Record the user's vote that their side concedes. If that is granted, it is left to `Tables.concede`."""
        table = await self._ledger.table(table_id)
        sides = self._ledger.rulebook(table).sides(table.options)
        verdict = judge_concession(table, sides, await self.standstill(table), user_id)
        if not verdict.granted:
            await unless_moved_on(self._store.waits.record_vote(table, user_id, CONCEDE))
            verdict = judge_concession(table, sides, await self.standstill(table), user_id)
        return verdict

    async def partners(self, table: Table, user_id: int) -> tuple[int, ...]:
        """Return the partners of the user who have to agree that their side concedes."""
        sides = self._ledger.rulebook(table).sides(table.options)
        return partners_to_agree(table, sides, await self.standstill(table), user_id)

    async def refuse_to_end(self, table_id: int, user_id: int, version: int) -> Table:
        """Record that the user doesn't want the table to end, or their side to concede.

        Raises `Stale` if it isn't at this version any more.
        """
        table = await self._ledger.unchanged(table_id, user_id, version)
        await unless_moved_on(self._store.waits.record_vote(table, user_id, STAY))
        return table

    async def close_dead(self, table_id: int) -> Receipt:
        """Close the table if nothing has happened there for `DEAD_S`. Raises `WrongPhase`."""
        return await self._change(table_id, lambda table, standstill: close_dead(table, standstill.waited_s))

    async def _change(
        self, table_id: int, change: Callable[[Table, Standstill], Table], user_id: int | None = None
    ) -> Receipt:
        """Make a change that rests on the table's standstill, unless that changes meanwhile."""

        async def propose(table: Table) -> Change:
            ground, standstill = await self._store.waits.ground(table), await self.standstill(table)
            changed = change(table, standstill)
            is_end = changed.status == "closed" and user_id is not None
            result = await self._result(changed, user_id or 0, standstill) if is_end else None
            return Change(changed, ground=ground, result=result)

        return await self._ledger.change(table_id, propose)

    async def _result(self, table: Table, user_id: int, standstill: Standstill) -> Result | None:
        """Return the result of a table that a user has ended, with the votes of others or alone.

        Alone, they gain nothing, and can't escape a defeat by it.
        """
        _, folded = await self._ledger.fold(table)
        game, seat = self._ledger.rulebook(table), seated(table, user_id).seat
        standing = game.stopped(folded.state, COUNTED if table.ended == COUNTED else STOPPED)
        if not others_to_agree(table, user_id):
            return decided_alone(game, table, standing, seat)
        if table.ended == COUNTED:
            return result_of(game, table, standing)
        votes, needed = standstill.tally("end", user_id)
        return decided_alone(game, table, standing, seat) if votes < needed and standing.places[seat] > 1 else None

    # ---- coming back

    async def come_back(self, table: Table, person: Person) -> bool:
        """Note that the user is here; return whether that changed anything.

        They get their seat back, votes about their absence are deleted, and without a clock the wait starts again, so
        that nobody is replaced who is there.
        """
        if kept_seat(table, person) is not None:
            with contextlib.suppress(WrongPhase):
                await self._ledger.update(table.id, come_back, person)
                return True
            return False
        sitter = table.sitter(person.id)
        now = self._now()
        if sitter is None or is_early(table, now) or sitter.seat not in await self._ledger.to_act(table):
            return False
        wait = await self._store.waits.of(table, now)
        has_waited = table.clock == "none" and now - wait.since - wait.away_s >= _NOTED_AFTER_S
        if not (has_waited or wait.votes):
            return False
        try:
            await self._store.waits.end_absence(table, self._now())
        except Conflict:  # the table has moved on, perhaps by a remedy
            return await self.come_back(await self._ledger.table(table.id), person)
        return True

    async def take_seat(self, table_id: int, person: Person) -> Receipt:
        """Give the person the seat that is offered."""
        return await self._ledger.update(table_id, take_seat, person)

    # ---- heartbeat

    async def beat(
        self, gap_s: float = 0.0, again_within_s: float = math.inf, shards: frozenset[int] | None = None
    ) -> None:
        """Record that the program is running; if the last heartbeat is older than ``gap_s``, it was away since.

        The next call is due within ``again_within_s``. Without ``shards``, this covers all shards of this process.
        """
        held, count = self.shards()
        is_changed = await self._store.waits.beat(self._now(), gap_s, held if shards is None else shards, count)
        self._beat_at, self._beat_within_s = self._now(), again_within_s
        if is_changed:
            self.on_gap()

    async def _note_gap(self) -> None:
        """Record a heartbeat if it is overdue: the machine slept, and the timer with it, or its clock jumped."""
        if not 0 <= self._now() - self._beat_at <= self._beat_within_s:
            await self.beat(0.0, self._beat_within_s)


def _moved_on(table: Table) -> WrongPhase:
    return WrongPhase("The game at Table {name} has moved on.", name=table.name)
