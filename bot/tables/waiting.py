"""Tables that wait for somebody: what becomes due and when, moving on, coming back, rematches."""

import math
from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple

from bot.errors import NoSuchTable, WrongPhase
from bot.games.game import Seat
from bot.store import Store
from bot.store.records import Changes, Person, Table
from bot.tables import absence
from bot.tables.absence import REMEDIES, Remedy, Standstill, Step, Verdict
from bot.tables.habits import quiet_until, wants_ping
from bot.tables.ledger import Ledger, Receipt
from bot.tables.seating import wrong_phase


class Due(NamedTuple):
    """The next step of a table's waiting, and when it is to be taken."""

    at: float
    step: Step


class Waiting:
    """What is known and done about waiting. Whatever is refused is a `PlayError` and has changed nothing."""

    def __init__(self, store: Store, ledger: Ledger, now: Callable[[], float]) -> None:
        self._store = store
        self._ledger = ledger
        self._now = now
        self._beat_at = -math.inf
        self._beat_within_s = math.inf

    # ---- looking

    async def standstill(self, table: Table) -> Standstill:
        """Whom the table waits for, and since when; nobody before the start and after the end."""
        await self._note_gap()
        owing = await self._ledger.to_act(table)
        waited_for = tuple(s.seat for s in table.sitters if s.seat in owing and not s.is_computer)
        now = self._now()
        wait = await self._store.wait(table, now)
        voters = tuple(s.user_id for s in table.sitters if s.user_id is not None and s.seat not in waited_for)
        everyone = tuple(u for s in table.sitters if (u := s.held_for if s.user_id is None else s.user_id) is not None)
        votes = {
            user: remedy
            for user in everyone
            for remedy in REMEDIES
            if wait.votes.get(user) == remedy and (remedy == "end" or user in voters)
        }
        return Standstill(
            clock=table.clock,
            waited_for=waited_for,
            since=wait.since,
            began=wait.since + wait.away_s,
            waited_s=max(0.0, now - wait.since - wait.away_s),
            moves_s=await self._store.moves_s(table.id) if table.clock == "none" else (),
            voters=voters,
            everyone=everyone,
            votes=votes,
        )

    async def has_votes(self, table: Table) -> bool:
        """Return whether anybody wants anything done at the table as it stands now."""
        return await self._store.has_votes(table)

    async def playing(self) -> tuple[tuple[int, float, str], ...]:
        """Number, time of the last change and clock of every table that is being played."""
        return await self._store.playing()

    async def next_due(self, table: Table) -> Due | None:
        """What becomes due next while the table waits as it does now; ``None`` once nothing more will."""
        if table.status != "playing":
            return None
        await self._note_gap()
        wait = await self._store.wait(table, self._now())
        left = absence.steps(table.clock)[wait.steps :]
        return Due(wait.since + wait.away_s + left[0].after_s, left[0]) if left else None

    async def claim_step(self, table: Table) -> bool:
        """Notes that the step that is next is done, so that it comes once, after any number of restarts and with any
        number of processes; whether it is the caller's to do.
        """
        wait = await self._store.wait(table, self._now())
        return await self._store.claim_step(table, wait.since, wait.steps + 1)

    async def is_quiet(self, users: Collection[int]) -> float | None:
        """If all of these users who want pings at all have quiet hours now, when the first of these end."""
        habits = [each for each in [await self._store.habits(user) for user in users] if each.pings]
        ends = [quiet_until(each, self._now()) for each in habits]
        later = [end for end in ends if end is not None]
        return min(later) if habits and len(later) == len(habits) else None

    async def to_ping(self, table_id: int, users: Collection[int], pause_s: float) -> tuple[int, ...]:
        """Return those of the users who want pings now and had none at this table for ``pause_s``."""
        now = self._now()
        willing = [user for user in users if wants_ping(await self._store.habits(user), now)]
        last = {user: await self._store.last_ping(table_id, user) for user in willing}
        return tuple(user for user, at in last.items() if at is None or not 0 <= now - at < pause_s)

    # ---- moving on

    async def move_on(self, table_id: int, user_id: int, remedy: Remedy) -> Verdict:
        """Record that the user wants this done, and do it if the time is out or enough others want it too.

        That a computer plays this turn is left to the caller, who has one: `Tables.play_absent`.
        """
        table = await self._ledger.table(table_id)
        verdict = absence.judge(table, await self.standstill(table), user_id, remedy)
        if not verdict.granted:
            await self._store.record_vote(table, user_id, remedy)
            # Others may have voted at the same moment, and each of them may be the last.
            verdict = absence.judge(table, await self.standstill(table), user_id, remedy)
        if verdict.granted and remedy != "play":
            await self._ledger.arrange(
                table_id,
                lambda latest: absence.carried_out(_same(table, latest), verdict.seats, remedy, user_id, self._now()),
            )
        return verdict

    async def close_dead(self, table_id: int) -> Receipt:
        """Closes the table, if nothing has happened there for `bot.tables.absence.DEAD_S`."""
        waited_s = (await self.standstill(await self._ledger.table(table_id))).waited_s
        return await self._ledger.arrange(table_id, partial(absence.close_dead, waited_s=waited_s, at=self._now()))

    # ---- coming back

    async def come_back(self, table_id: int, person: Person) -> bool:
        """Note that the user is here; return whether that changed anything.

        Their seat is theirs again, votes about their absence are void, and without a clock the waiting starts again.
        """
        table = await self._ledger.table(table_id)
        if absence.come_back(table, person, self._now()) is not None:
            try:
                await self._ledger.arrange(table_id, lambda latest: _back(latest, person, self._now()))
            except WrongPhase:
                return False
            return True
        sitter = table.sitter(person.id)
        if sitter is None or absence.is_early(table, self._now()) or not await self._store.is_missed(table):
            return False
        if sitter.seat not in (await self.standstill(table)).waited_for:
            return False
        await self._store.forget_votes(table_id)
        if table.clock == "none":
            await self._store.record_wait(table, self._now(), 0)
        return True

    async def take_seat(self, table_id: int, person: Person) -> Receipt:
        """Give the person the seat that is offered."""
        has_left = await self._store.has_left(table_id, person.id)
        return await self._ledger.arrange(
            table_id, lambda table: absence.take_seat(table, person, self._now(), has_left=has_left)
        )

    async def rematch(self, table_id: int) -> Table | None:
        """The rematch of the table, if there is one."""
        return await self._store.rematch(table_id)

    async def seat_in_rematch(self, table_id: int, user_id: int) -> Seat | None:
        """The seat that the user has in the rematch, if this lobby is one, he played before and the seat is free."""
        table = await self._ledger.table(table_id)
        if table.rematch_of is None or table.sitter(user_id) is not None:
            return None
        try:
            before = await self._ledger.table(table.rematch_of)
        except NoSuchTable:  # deleted, long after its end
            return None
        seat = absence.next_seat(before, user_id)
        return None if seat is None or table.sitter_at(seat) is not None else seat

    # ---- the program's own absence

    async def beat(self, patience_s: float = 0.0, again_within_s: float = math.inf) -> None:
        """Notes that the program runs; if the last note is older than ``patience_s``, the time since is nobody's.

        The caller means to do so again within ``again_within_s``.
        """
        await self._store.beat(self._now(), patience_s)
        self._beat_at, self._beat_within_s = self._now(), again_within_s

    async def _note_gap(self) -> None:
        """Where a note is overdue, or lies in the future, the machine slept or its clock jumped: whoever looks first
        finds that out, as the timer for the note has slept too.
        """
        if not 0 <= self._now() - self._beat_at <= self._beat_within_s:
            await self.beat(0.0, self._beat_within_s)


def _same(seen: Table, latest: Table) -> Table:
    """The latest table, if it is the one that was judged. Raises `WrongPhase` if somebody has moved meanwhile."""
    if seen.version != latest.version:
        raise WrongPhase(f"Table {latest.name} has moved on by itself.")
    return latest


def _back(table: Table, person: Person, at: float) -> Changes:
    changes = absence.come_back(table, person, at)
    if changes is None:
        raise wrong_phase(table)
    return changes
