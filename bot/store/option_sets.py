"""Saved sets of options."""

from functools import partial
from typing import Final

from msgspec.structs import asdict

from bot.errors import NotAllowed
from bot.store.preferences import OptionSet
from bot.store.repository import Repository, records, to_json
from bot.store.transaction import Transaction

MOST_SAVED: Final = 25
"""Maximum number of sets of a user, and of a server."""

_VISIBLE: Final = """
SELECT game, name, options, clock, user_id, guild_id, id, level FROM option_sets
WHERE (user_id = ? OR guild_id = ?) AND game = ? ORDER BY user_id IS NULL, lower(name)
"""

_DELETE_NAMESAKE: Final = """
DELETE FROM option_sets WHERE user_id IS :user_id AND guild_id IS :guild_id AND game = :game
    AND name = :name COLLATE NOCASE
"""

_COUNT: Final = "SELECT count(*) FROM option_sets WHERE user_id IS :user_id AND guild_id IS :guild_id"

_INSERT: Final = """
INSERT INTO option_sets (user_id, guild_id, game, name, options, clock, level)
VALUES (:user_id, :guild_id, :game, :name, :options, :clock, :level)
"""


class OptionSets(Repository):
    """Saved sets of options. Users see their own sets and the sets of the server where they are."""

    async def visible(self, user_id: int, guild_id: int | None, game: str) -> tuple[OptionSet, ...]:
        """Return the user's sets for a game, then the server's."""
        rows = await self._reading.rows(_VISIBLE, user_id, guild_id, game)
        return tuple(records(OptionSet, rows, "options"))

    async def save(self, saved: OptionSet) -> None:
        """Store a set. It replaces its owner's set of that name. Raises `NotAllowed` if they have too many."""
        await self._writer.write(partial(_save, saved))

    async def delete(self, set_id: int, user_id: int, guild_id: int | None) -> bool:
        """Delete a set of this user or this server. Return whether one of them had it."""
        return await self._writer.write(partial(_delete, (set_id, user_id, guild_id)))


async def _save(saved: OptionSet, db: Transaction) -> None:
    values = asdict(saved) | {"options": to_json(saved.options)}
    await db.lock("option sets")
    await db.execute(_DELETE_NAMESAKE, values)
    ((count,),) = await db.rows(_COUNT, values)
    if count >= MOST_SAVED:
        raise NotAllowed("There are {most} saved sets already. Delete one first.", most=MOST_SAVED)
    await db.execute(_INSERT, values)


async def _delete(which: tuple[int, int, int | None], db: Transaction) -> bool:
    query = "DELETE FROM option_sets WHERE id = ? AND (user_id = ? OR guild_id = ?)"
    return await db.execute(query, which) == 1
