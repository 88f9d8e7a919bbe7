"""Who has been active at which table, and from when on they may be pinged."""

from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from bot.tables import Table, Tables
from bot.tables.ping_settings import wants_ping

PAUSE_S: Final = 60
"""Nobody is pinged so soon after a move of theirs, after doing something in the lobby, or after another ping."""

TABLES_KEPT: Final = 20_000
"""Maximum number of tables of which presses are remembered: those that have ended never change again."""


class Presence:
    """Remembers recent activity; what happened before this process began, or in another one, is in the database."""

    def __init__(self, tables: Tables, now: Callable[[], float]) -> None:
        self._tables = tables
        self._now = now
        self._active: dict[tuple[int, int], float] = {}
        """When each user last moved at a table, or did something in its lobby; the longest ago first."""
        self._pressed: dict[int, set[int]] = {}
        """The users who have pressed something at each table since it last changed, or since their turn began."""

    def active(self, table_id: int, user_id: int) -> None:
        """Note that the user moves at the table, or does something in its lobby."""
        now = self._now()
        self._active.pop((table_id, user_id), None)
        self._active[table_id, user_id] = now
        while now - self._active[first := next(iter(self._active))] > PAUSE_S:
            del self._active[first]

    def pressed(self, table_id: int, user_id: int) -> None:
        """Note that the user has pressed something at the table, so that they know whose turn it is."""
        self._pressed.setdefault(table_id, set()).add(user_id)
        if len(self._pressed) > TABLES_KEPT:
            del self._pressed[next(iter(self._pressed))]

    def restart(self, table_id: int, turn: AbstractSet[int] = frozenset()) -> None:
        """Forget who has pressed something, except those of ``turn``: they know that it's their turn."""
        self._pressed.get(table_id, set()).intersection_update(turn)

    async def pinged(self, table_id: int, users: Collection[int], at: float) -> None:
        """Record that these users were pinged at the table."""
        if users:
            await self._tables.users.record_pings(table_id, users, at)

    async def ping_at(self, table: Table, users: Collection[int]) -> Mapping[int, float]:
        """Return from when on each of these users may be pinged; users who need or want no ping are missing.

        There are no pings in direct messages, where every message is one.
        """
        if table.place.guild_id is None:
            return {}
        return {user: await self._ready_at(table.id, user) for user in users if await self._needs_ping(table, user)}

    async def _needs_ping(self, table: Table, user_id: int) -> bool:
        if user_id in self._pressed.get(table.id, ()):
            return False
        return wants_ping(await self._tables.users.ping_settings(user_id), self._now())

    async def _ready_at(self, table_id: int, user_id: int) -> float:
        """Times in the future, from before the clock was put back, don't count."""
        now = self._now()
        if 0 <= now - (active := self._active.get((table_id, user_id), -1.0)) < PAUSE_S:
            return active + PAUSE_S
        times = (
            await self._tables.users.last_move(table_id, user_id),
            await self._tables.users.last_ping(table_id, user_id),
        )
        return max((at + PAUSE_S for at in times if at is not None and at <= now), default=0.0)
