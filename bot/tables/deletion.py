"""Privacy: deleting data of users, servers and old tables."""

import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Final

from msgspec.structs import replace

from bot.errors import Conflict, NotAllowed, NotSeated, WrongPhase
from bot.records.table import Receipt, Table
from bot.store.personal_data import without
from bot.store.store import Store
from bot.tables import seating
from bot.tables.ledger import Ledger

log: Final = logging.getLogger(__name__)

KEPT_AFTER_LEAVING_S: Final = 30 * 24 * 60 * 60
"""How long the tables of a server are kept after the bot has left it."""

_CLOCKS_DIFFER_S: Final = 24 * 60 * 60
"""Difference between the host's clock and Discord's from which one of them is considered wrong."""

_LOBBY_KEPT_S: Final = 24 * 60 * 60
"""How long a lobby that was closed before it started is kept."""
_UNTIDY_LOBBY_KEPT_S: Final = 7 * _LOBBY_KEPT_S
"""The same for one whose messages on Discord can't be tidied."""

_MAX_TRIES: Final = 3


class Privacy:
    """Deletes data."""

    def __init__(self, store: Store, ledger: Ledger, now: Callable[[], float]) -> None:
        self._store = store
        self._ledger = ledger
        self._now = now
        self.note_back = store.personal_data.note_back
        self.discord_now: Callable[[], float | None] = now
        """Returns Discord's time, ``None`` while that isn't known. A running bot sets it."""

    def clocks_differ(self) -> bool:
        """Whether the host's clock and Discord's differ much: then nothing may be deleted or closed for its age."""
        discord_now = self.discord_now()
        return discord_now is not None and abs(discord_now - self._now()) > _CLOCKS_DIFFER_S

    # ---- people

    async def leave(self, user_id: int) -> tuple[Receipt, ...]:
        """Remove the user from all open tables.

        Computers get their seats in play, even where there are two sides, so that nobody wins by it (G-10).
        """
        left = []
        for table in await self._store.lists.open_tables(user_id=user_id):
            try:
                left.append(await self._ledger.update(table.id, _leave, user_id))
            except (NotSeated, WrongPhase):
                log.info("table %s changed before the user left it", table.id)
        return tuple(left)

    async def forget(self, user_id: int, dm_channel_id: int | None = None) -> None:
        """Delete the user's id and names everywhere, and the channel of their direct messages, if given.

        Their name becomes ``Player 3`` (counted from 1). Their moves and cuts stay: they belong to other players'
        games, too, and cuts to the key of the deals (G-12). Raises `NotAllowed` if they keep joining tables meanwhile.
        """
        for _ in range(_MAX_TRIES):
            await self.leave(user_id)
            with contextlib.suppress(Conflict):
                await self._store.personal_data.forget_user(user_id, dm_channel_id)
                return
        raise NotAllowed("You've joined a table in the meantime. Nothing was deleted.")

    # ---- servers

    async def note_guilds(self, present: Collection[int], shards: Collection[int] = (0,), shard_count: int = 1) -> None:
        """Store which servers of these shards the bot is in: it may have left or rejoined some while it was away."""
        await self._store.personal_data.note_guilds(present, self._left_at(), shards, shard_count)

    async def note_left(self, guild_id: int) -> None:
        """Store that the bot was removed from a server."""
        await self._store.personal_data.note_left(guild_id, self._left_at())

    def _left_at(self) -> float:
        return self.discord_now() or self._now()

    async def purge(self) -> int:
        """Delete the servers that the bot left `KEPT_AFTER_LEAVING_S` ago; return how many tables they had."""
        before = self._now() - KEPT_AFTER_LEAVING_S
        count = 0
        for guild_id in await self._store.personal_data.guilds_left(before):
            count += await self._store.personal_data.forget_guild(guild_id, before)
            log.info("deleted the data of server %s, which the bot left long ago", guild_id)
        return count

    # ---- tables

    async def delete_ended(self, keep_s: float) -> int:
        """Delete the tables that ended longer ago than ``keep_s`` and return how many."""
        now = self._now()
        await self._store.events.delete_closed(now - keep_s)
        count = await self._store.personal_data.delete_ended(now - keep_s, now)
        if count:
            log.info("deleted %s tables that ended long ago", count)
        return count

    async def delete_lobbies(self) -> int:
        """Delete the lobbies that were closed a day ago, and return how many."""
        now = self._now()
        count = await self._store.personal_data.delete_lobbies(now - _LOBBY_KEPT_S, now - _UNTIDY_LOBBY_KEPT_S)
        if count:
            log.info("deleted %s lobbies that never started", count)
        return count


def _leave(table: Table, user_id: int) -> Table:
    """Return the table after the user has left it. Boards don't name them any more."""
    leaving = seating.stand if table.status == "lobby" else seating.hand_over
    left = leaving(table, user_id)
    return replace(left, sitters=tuple([without(user_id, sitter) for sitter in left.sitters]))
