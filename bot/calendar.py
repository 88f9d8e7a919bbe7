"""What is due when: rows of a time, a kind and an id, and one sleeping dispatcher.

A kind is a function ``due(id, now)``. It does what is due by ``now``, and returns when to call it again: a time
that has come if there is more to do, ``None`` if that was all. It may be called too early, or again after a crash, so
it looks for itself what is left to do. To add a kind:

1. Write the row in the transaction that makes it necessary: ``await set_due("night", night.id, guild_id, at, db)``.
2. Register the function, in ``cog_load`` of a cog: ``bot.calendar.add("night", self.due)``.

What follows from other rows needs none of its own: `Calendar.every` calls a function at each multiple of an interval.

Clocks are handled here. The time of each row is a time of day, so the dispatcher never sleeps for longer than `LOOK_S`:
it notices that the clock was put forward or back, or that the host slept. The time since the last heartbeat then
doesn't count against players, and neither does the time while the bot was stopped or not connected. After the clock was
put back, every row is looked at again. While it differs from Discord's by days, nothing is done ``by_date``.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias

from bot.errors import StoreError
from bot.store.due_rows import DueRow, DueRows
from bot.ui.live.workers import Workers

log: Final = logging.getLogger(__name__)

LOOK_S: Final = 900.0
"""The longest sleep. Days end at multiples of it, in all time zones."""
BEAT_S: Final = 30.0
"""Minimum time between heartbeats. After a crash, the time since the last one doesn't count against players."""
LATE_S: Final = 20.0
"""The clock was put forward, or the host slept, if the dispatcher wakes so much later than it wanted to."""
_AWAY_S: Final = 30.0
"""Delay before looking again whether the bot is connected."""
_OUTAGE_S: Final = 5.0
"""Delay before a retry while the database can't be used, as that may be over any moment."""
_AGAIN_S: Final = 1.0
"""Delay before something is called again that has more to do."""
_AT_ONCE: Final = 20
"""Maximum number of rows of a kind that are done at once."""

Due: TypeAlias = Callable[[int, float], Awaitable[float | None]]
"""Does what is due for an id by a time, and returns when to call it again."""
Look: TypeAlias = Callable[[], Awaitable[None]]
Sleep: TypeAlias = Callable[[float, Callable[[], None]], asyncio.TimerHandle]


class Key(NamedTuple):
    """The row of a kind with this id, or something regular."""

    what: str
    number: int = 0

    def __str__(self) -> str:
        return f"{self.what} {self.number}"


class Beat(Protocol):
    """Records a heartbeat: `bot.tables.absence.waiting.Waiting.beat`."""

    async def __call__(self, gap_s: float, again_within_s: float, shards: frozenset[int] | None = None, /) -> None:
        """The shards were away since their last heartbeat if that is older than ``gap_s``."""


class _Kind(NamedTuple):
    due: Due
    by_date: bool
    at_start: bool
    slots: asyncio.Semaphore


class _Regular:
    """Something that is looked for at each multiple of an interval, and at the start."""

    def __init__(self, look: Look, every_s: float, *, by_date: bool) -> None:
        self.look = look
        self.by_date = by_date
        self.next_at = -math.inf
        self._every_s = every_s

    def comes(self, now: float) -> bool:
        """Return whether its time has come, and wait for the next one. If the clock was put back, it has, too."""
        if now < self.next_at <= now + self._every_s:
            return False
        self.next_at = now - now % self._every_s + self._every_s
        return True


class Calendar:
    """Call `resume` after a start, `soon` after a change, and `close` at the end.

    Parameters
    ----------
    now: Returns seconds since 1970.
    beat: Records a heartbeat.
    is_ours: Whether this process does what is due on a server, or in direct messages.
    ask: Asks the process that does.
    is_here: Whether people can reach the bot. Nothing is done while they can't.
    is_clock_off: Whether this machine's clock and Discord's differ by days.
    sleep: Calls a function after some seconds; by default, that of the event loop.
    """

    def __init__(  # noqa: PLR0913 - the last five have defaults
        self,
        rows: DueRows,
        now: Callable[[], float],
        *,
        beat: Beat,
        is_ours: Callable[[int | None], bool] = lambda _: True,
        ask: Callable[[str, int], Awaitable[object]] | None = None,
        is_here: Callable[[], bool] = lambda: True,
        is_clock_off: Callable[[], bool] = lambda: False,
        sleep: Sleep | None = None,
    ) -> None:
        self._rows = rows
        self._now = now
        self._beat = beat
        self._is_ours = is_ours
        self._ask = ask
        self._is_here = is_here
        self._is_clock_off = is_clock_off
        self._sleep = sleep or partial(_sleep, copy_context())
        self._kinds: dict[str, _Kind] = {}
        self._regular: dict[str, _Regular] = {}
        self._workers = Workers[Key]("what is due", self._do)
        self._beat_at = 0.0
        """The time of the last heartbeat, 0 before the first one."""
        self._was_away = False
        self._seen_at = 0.0
        """The time at which the clock was read last."""
        self._sleeps_until = math.inf
        self._wakes_at = math.inf
        """When the dispatcher looks again; while it looks, the earliest time that was asked for meanwhile."""
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    def add(self, kind: str, due: Due, *, by_date: bool = False, at_start: bool = False) -> None:
        """Register the function for rows of a kind. With ``at_start``, all of them are looked at after a start, too."""
        self._kinds[kind] = _Kind(due, by_date, at_start, asyncio.Semaphore(_AT_ONCE))

    def every(self, what: str, seconds: float, look: Look, *, by_date: bool = False) -> None:
        """Call this at each multiple of an interval, after a start, and for new shards of this process."""
        self._regular[what] = _Regular(look, seconds, by_date=by_date)

    def soon(self, kind: str, number: int) -> None:
        """Look at a row at once, as something about it has changed."""
        self._workers.request(Key(kind, number))

    def asked(self, event: str, _guild_id: int) -> None:
        """Look at the row that another process asks for."""
        kind, _, number = event.partition(" ")
        if kind in self._kinds and number.isdecimal():
            self.soon(kind, int(number))

    def expect(self, at: float) -> None:
        """Note that something may be due at this time."""
        if at < self._wakes_at:
            self._wakes_at = at
            self._set_timer()

    async def resume(self, shards: frozenset[int] | None = None) -> None:
        """Record that these shards were away since they last ran, and look for what is due.

        Without ``shards``, this covers all shards of this process. If it had them before, it was away only briefly.
        """
        await self._note_beat(LOOK_S + LATE_S if self._beat_at else 0.0, shards)
        for regular in self._regular.values():
            regular.next_at = -math.inf
        for kind in [kind for kind, known in self._kinds.items() if known.at_start]:
            for row in await self._rows.of_kind(kind):
                if self._is_ours(row.guild_id):
                    self.soon(kind, row.id)
        self._wakes_at = -math.inf
        self._set_timer()

    async def close(self) -> None:
        """Stop, and record a last heartbeat."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._workers.close()
        if self._beat_at and not self._was_away:
            try:
                await self._beat(LOOK_S + LATE_S, math.inf)
            except StoreError as error:
                log.warning("the last heartbeat can't be stored: %s", error)

    # ---- the dispatcher

    def _set_timer(self) -> None:
        """Sleep until the next time. The timer isn't part of whatever has asked for that."""
        if self._is_closed or self._task is not None or not self._beat_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        now, has_stepped = self._read_clock()
        self._wakes_at = self._sleeps_until = now if has_stepped else max(now, min(self._wakes_at, now + LOOK_S))
        self._timer = self._sleep(self._wakes_at - now, self._wake)

    def _read_clock(self) -> tuple[float, bool]:
        """Return the time, and whether it has stepped since it was read last."""
        now = self._now()
        has_stepped = not self._seen_at <= now <= self._sleeps_until + LATE_S
        self._seen_at, self._was_away = now, self._was_away or has_stepped
        return now, has_stepped

    def _wake(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self._look(), name="calendar")

    async def _look(self) -> None:
        now, _has_stepped = self._read_clock()
        self._sleeps_until, self._wakes_at = now, math.inf
        next_at = now + _OUTAGE_S
        try:
            if self._is_here():
                next_at = await self._start_due(now)
            else:  # no heartbeat: this time doesn't count against players
                self._was_away, next_at = True, now + _AWAY_S
        except StoreError as error:
            self._was_away = True
            log.warning("what is due can't be looked up; retrying in %s s: %s", _OUTAGE_S, error)
        except Exception:
            log.exception("what is due can't be looked up; retrying in %s s", _OUTAGE_S)
        finally:
            self._task = None
            self._wakes_at = min(self._wakes_at, next_at)
            self._set_timer()

    async def _start_due(self, now: float) -> float:
        """Start whatever is due, and return when something is due next."""
        if self._was_away or now >= self._beat_at + BEAT_S:
            await self._note_beat(0.0 if self._was_away else math.inf)
            self._was_away = False
        is_off = self._is_clock_off()
        if is_off:
            log.warning("nothing is done by date: this machine's clock and Discord's differ by days")
        return min(self._start_regular(now, is_off=is_off), await self._start_rows(now, is_off=is_off))

    def _start_regular(self, now: float, *, is_off: bool) -> float:
        regular = {what: each for what, each in self._regular.items() if not (is_off and each.by_date)}
        for what, each in regular.items():
            if each.comes(now):
                self._start(Key(what))
        return min((each.next_at for each in regular.values()), default=math.inf)

    async def _start_rows(self, now: float, *, is_off: bool) -> float:
        for row in await self._rows.due(now):
            kind = self._kinds.get(row.kind)  # a newer program may have had more
            if kind is not None and not (is_off and kind.by_date) and self._is_ours(row.guild_id):
                self._start(Key(row.kind, row.id))
        return await self._rows.next_at(now)

    def _start(self, key: Key) -> None:
        if not self._workers.is_planned(key):
            self._workers.request(key)

    async def _note_beat(self, gap_s: float, shards: frozenset[int] | None = None) -> None:
        await self._beat(gap_s, LOOK_S + BEAT_S + LATE_S, shards)
        self._beat_at = self._now()

    async def _do(self, key: Key) -> None:
        if (regular := self._regular.get(key.what)) is not None:
            await regular.look()
        elif (row := await self._rows.find(*key)) is None:
            return
        elif self._is_ours(row.guild_id):
            async with self._kinds[row.kind].slots:
                await self._do_row(row)
        elif self._ask is not None and row.guild_id is not None:
            await self._ask(str(key), row.guild_id)

    async def _do_row(self, row: DueRow) -> None:
        kind = self._kinds[row.kind]
        is_off = kind.by_date and self._is_clock_off()
        again_at = await kind.due(row.id, -math.inf if is_off else self._now())
        if again_at is None or again_at > self._now():
            await self._rows.done(row, again_at)
            self.expect(math.inf if again_at is None else again_at)
        elif not is_off:  # the row stays due: after a crash, the next start goes on
            self._workers.later(Key(row.kind, row.id), _AGAIN_S)


def _sleep(context: Context, delay_s: float, wake: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(delay_s, wake, context=context.copy())
