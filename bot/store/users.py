"""Settings of users, pings and removals."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final

from bot.errors import Text
from bot.store import former_players
from bot.store.preferences import UserSettings
from bot.store.repository import Repository, to_json
from bot.store.transaction import Transaction

SETTINGS: Final = "pings, quiet_from, quiet_until, utc_offset, timezone, menus, hands, language"
"""The columns of `settings_of`."""


def settings_of(columns: Sequence[Any]) -> UserSettings:
    """Return the settings in these columns."""
    pings, quiet_from, quiet_until, utc_offset, timezone, menus, hands, language = columns
    quiet = None if quiet_from is None else (quiet_from, quiet_until)
    return UserSettings(bool(pings), quiet, utc_offset, timezone, bool(menus), hands, language)


_UNASKED: Final = """FROM users WHERE id = ? AND zone_asked = 0 AND timezone IS NULL
    AND (utc_offset <> 0 OR quiet_from IS NOT NULL)"""


_IS_STRANGER: Final = """
SELECT 1 FROM tables WHERE id = ?1 AND invited_only <> 0 AND host_id <> ?2
    AND NOT EXISTS (SELECT 1 FROM invitations WHERE table_id = ?1 AND user_id = ?2 AND is_invited <> 0)
"""


async def _note_question(user_id: int, db: Transaction) -> bool:
    is_new = bool(await db.rows(f"SELECT 1 {_UNASKED}", (user_id,)))
    await db.execute("UPDATE users SET zone_asked = 1 WHERE id = ?", (user_id,))
    return is_new


class Users(Repository):
    """Settings of users, pings and removals."""

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Store whether direct messages reach the user."""
        await self._writer.execute(
            "INSERT INTO users (id, dm_closed) VALUES (?, ?)"
            " ON CONFLICT (id) DO UPDATE SET dm_closed = excluded.dm_closed",
            (user_id, closed),
        )

    async def is_dm_closed(self, user_id: int) -> bool:
        """Return whether direct messages don't reach the user, as stored."""
        return bool(await self._reading.rows("SELECT 1 FROM users WHERE id = ? AND dm_closed = 1", user_id))

    async def settings(self, user_id: int) -> UserSettings:
        """Return the settings of the user."""
        rows = await self._reading.rows(f"SELECT {SETTINGS} FROM users WHERE id = ?", user_id)  # noqa: S608
        return settings_of(rows[0]) if rows else UserSettings()

    async def set_settings(self, user_id: int, settings: UserSettings) -> None:
        """Store the settings of the user."""
        columns = (
            settings.pings,
            *(settings.quiet or (None, None)),
            settings.utc_offset,
            settings.timezone,
            settings.prefers_menus,
            settings.hands,
            settings.language,
        )
        await self._writer.execute(
            f"INSERT INTO users (id, {SETTINGS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id)"  # noqa: S608
            f" DO UPDATE SET ({SETTINGS}) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            (user_id, *columns),
        )

    async def claim_zone_question(self, user_id: int) -> bool:
        """Return whether to ask the user, who gave hours from UTC or quiet hours, for a time zone; only once.

        The first process and call to ask this gets to do it.
        """
        if not await self._reading.rows(f"SELECT 1 {_UNASKED}", user_id):
            return False
        return await self._writer.write(partial(_note_question, user_id))

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Store that these users were pinged at the table."""
        await self._writer.execute(
            "INSERT INTO pings (table_id, user_id, at)"
            " SELECT CAST(?1 AS BIGINT), value, CAST(?2 AS DOUBLE PRECISION) FROM json_each(?3) WHERE true"
            " ON CONFLICT (table_id, user_id) DO UPDATE SET at = excluded.at",
            (table_id, at, to_json(users)),
        )

    async def was_removed(self, table_id: int, user_id: int) -> bool:
        """Return whether the user has been removed from this table."""
        return await self._reading.run(partial(former_players.how_gone, table_id, user_id)) == "removed"

    async def bar(self, table_id: int, user_id: int) -> Text | None:
        """Return why the user may not sit down at the table, in its lobby or in play; ``None`` if they may."""
        return await self._reading.run(partial(_bar, table_id, user_id))


async def _bar(table_id: int, user_id: int, db: Transaction) -> Text | None:
    match await former_players.how_gone(table_id, user_id, db):
        case "removed":
            return Text("The host removed you from Table {name}, so you can't join it again.")
        case "left":  # they may have seen other cards
            return Text("You've played at Table {name} before. Someone else has to take this seat.")
    return Text("This table is for invited players.") if await db.rows(_IS_STRANGER, (table_id, user_id)) else None
