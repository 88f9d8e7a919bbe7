"""When a player whose turn it is may be pinged: at most once a minute at a table, and not right after a move.

A ping that may not be sent yet is due: the board is redrawn once it may be. What is due isn't stored. It follows
from the record of the board, which tells who has been pinged, so a restart finds it again.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from bot.tables import Table, Tables
from bot.tables.habits import wants_ping

AWAKE_S: Final = 60
"""How long after a move, or after doing something in the lobby, a player needs no ping."""
PAUSE_S: Final = 60
"""The shortest time between two pings of one user at one table."""
_LEAST_DELAY_S: Final = 0.25
_LONGEST_S: Final = 60.0


class Plan(NamedTuple):
    """Whom to ping now, and who needs no ping any more; a ping of the others whose turn it is is due later.

    ``is_news``: somebody's turn has begun since the last plan.
    """

    now: tuple[int, ...]
    settled: tuple[int, ...]
    is_news: bool


class Pings:
    """Decides who is pinged when. ``redraw`` is called with a table's number when a ping there may be sent."""

    def __init__(self, tables: Tables, now: Callable[[], float], redraw: Callable[[int], object]) -> None:
        self._tables = tables
        self._now = now
        self._redraw = redraw
        self._active: dict[tuple[int, int], float] = {}
        """When each user was last active at a table, the longest ago first."""
        self._due: dict[int, dict[int, bool]] = {}
        """By table, the users whose ping is put off; ``False`` once they have pressed something and need none."""
        self._wake_at: dict[int, float] = {}
        """When to redraw each table, as something is due there then."""
        self._sleeper: asyncio.Task[None] | None = None
        self._sleeps_until = 0.0
        self._is_closed = False

    def active(self, table_id: int, user_id: int) -> None:
        """Note that the user moves at the table, or does something in its lobby."""
        now = self._now()
        self._active.pop((table_id, user_id), None)
        self._active[table_id, user_id] = now
        while now - self._active[first := next(iter(self._active))] > AWAKE_S:
            del self._active[first]

    def seen(self, table_id: int, user_id: int) -> None:
        """Note that the user has pressed something at the table: no ping that is due is needed any more."""
        if user_id in (due := self._due.get(table_id, {})):
            due[user_id] = False

    def restart(self, table_id: int) -> None:
        """Forget what is due, so that a reminder pings those who have pressed something since their turn began."""
        self._due.pop(table_id, None)

    def close(self) -> None:
        """Stop waiting. What is due then is found again at the next start."""
        self._is_closed = True
        if self._sleeper is not None:
            self._sleeper.cancel()

    async def plan(self, table: Table, turn: Sequence[int], told: Collection[str]) -> Plan:
        """Decide whom to ping of those whose turn it is. ``told`` are the users that the board is recorded to tell."""
        known, now = self._due.get(table.id, {}), self._now()
        fresh = [user for user in turn if str(user) not in told]
        wanted = [user for user in await self.wanting(table, fresh) if known.get(user, True)]
        ready = {user: await self.ready_at(table.id, user) for user in wanted}
        later = {user: at for user, at in ready.items() if at > now}
        self._put_off(table.id, {user: user in later for user in fresh if user in later or not known.get(user, True)})
        self._wake(table.id, later.values())
        return Plan(
            now=tuple(user for user in wanted if user not in later),
            settled=tuple(user for user in turn if user not in later),
            is_news=any(user not in known for user in fresh),
        )

    async def wanting(self, table: Table, users: Sequence[int]) -> tuple[int, ...]:
        """Return those who want a ping at this hour; nobody in a direct message, where every message is one."""
        if table.place.guild_id is None:
            return ()
        return tuple([user for user in users if wants_ping(await self._tables.habits(user), self._now())])

    async def ready_at(self, table_id: int, user_id: int) -> float:
        """Return from when on the user may be pinged. Times in the future, from before the clock was set, don't count.

        The database knows what happened before this process began, or through another one.
        """
        now = self._now()
        if 0 <= now - (active := self._active.get((table_id, user_id), -1.0)) < AWAKE_S:
            return active + AWAKE_S
        moved = await self._tables.last_move(table_id, user_id)
        pinged = await self._tables.last_ping(table_id, user_id)
        pauses = ((moved, AWAKE_S), (pinged, PAUSE_S))
        return max((at + pause_s for at, pause_s in pauses if at is not None and at <= now), default=0.0)

    def _put_off(self, table_id: int, due: dict[int, bool]) -> None:
        if due:
            self._due[table_id] = due
        else:
            self._due.pop(table_id, None)

    def _wake(self, table_id: int, times: Collection[float]) -> None:
        """Redraw the table at the first of these times; not at all if there is none."""
        self._wake_at.pop(table_id, None)
        if not times or self._is_closed:
            return
        at = self._wake_at[table_id] = min(times)
        if self._sleeper is None or at < self._sleeps_until:
            if self._sleeper is not None:
                self._sleeper.cancel()
            self._sleeps_until = at
            self._sleeper = asyncio.create_task(self._sleep(), name="pings that are due")

    async def _sleep(self) -> None:
        while self._wake_at:
            self._sleeps_until = min(self._wake_at.values())
            await asyncio.sleep(min(max(self._sleeps_until - self._now(), _LEAST_DELAY_S), _LONGEST_S))
            now = self._now()
            for table_id, at in tuple(self._wake_at.items()):
                if not now < at <= now + _LONGEST_S:  # it has come, or the clock was put back
                    del self._wake_at[table_id]
                    self._redraw(table_id)
        self._sleeper = None
