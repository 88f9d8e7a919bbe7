"""Settings of users, pings and removals."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final

from bot.store.preferences import HandStyle, PingSettings
from bot.store.sqlite import former_players
from bot.store.sqlite.repository import Repository, to_json

PING_COLUMNS: Final = "pings, quiet_from, quiet_until, utc_offset"
"""The columns of `ping_settings_of`."""


def ping_settings_of(columns: Sequence[Any]) -> PingSettings:
    """Return the settings in these columns."""
    pings, quiet_from, quiet_until, utc_offset = columns
    return PingSettings(bool(pings), None if quiet_from is None else (quiet_from, quiet_until), utc_offset)


class Users(Repository):
    """Settings of users, pings and removals."""

    async def set_dm_closed(self, user_id: int, *, closed: bool) -> None:
        """Store whether direct messages reach the user."""
        await self._writer.execute(
            "INSERT INTO users (id, dm_closed) VALUES (?, ?)"
            " ON CONFLICT (id) DO UPDATE SET dm_closed = excluded.dm_closed",
            (user_id, closed),
        )

    async def ping_settings(self, user_id: int) -> PingSettings:
        """Return when the user wants to be pinged."""
        rows = await self._reading.rows(f"SELECT {PING_COLUMNS} FROM users WHERE id = ?", user_id)  # noqa: S608
        return ping_settings_of(rows[0]) if rows else PingSettings()

    async def set_ping_settings(self, user_id: int, settings: PingSettings) -> None:
        """Store when the user wants to be pinged."""
        await self._writer.execute(
            "INSERT INTO users (id, pings, quiet_from, quiet_until, utc_offset) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET pings = excluded.pings, quiet_from = excluded.quiet_from,"
            " quiet_until = excluded.quiet_until, utc_offset = excluded.utc_offset",
            (user_id, settings.pings, *(settings.quiet or (None, None)), settings.utc_offset),
        )

    async def prefers_menus(self, user_id: int) -> bool:
        """Return whether the user wants menus and the board in words, in games that are played on buttons."""
        return bool(await self._reading.rows("SELECT 1 FROM users WHERE id = ? AND menus", user_id))

    async def set_prefers_menus(self, user_id: int, *, menus: bool) -> None:
        """Store whether the user wants menus."""
        await self._writer.execute(
            "INSERT INTO users (id, menus) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET menus = excluded.menus",
            (user_id, menus),
        )

    async def hand_style(self, user_id: int) -> HandStyle:
        """Return how the user wants to see hands."""
        rows = await self._reading.rows("SELECT hands FROM users WHERE id = ?", user_id)
        style: HandStyle = rows[0][0] if rows else "pictures"
        return style

    async def set_hand_style(self, user_id: int, style: HandStyle) -> None:
        """Store how the user wants to see hands."""
        await self._writer.execute(
            "INSERT INTO users (id, hands) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET hands = excluded.hands",
            (user_id, style),
        )

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Store that these users were pinged at the table."""
        await self._writer.execute(
            "INSERT OR REPLACE INTO pings (table_id, user_id, at) SELECT ?, value, ? FROM json_each(?)",
            (table_id, at, to_json(users)),
        )

    async def was_removed(self, table_id: int, user_id: int) -> bool:
        """Return whether the host has removed the user from this lobby."""
        query = "SELECT 1 FROM removals WHERE table_id = ? AND user_id = ?"
        return bool(await self._reading.rows(query, table_id, user_id))

    async def has_left(self, table_id: int, user_id: int) -> bool:
        """Return whether the user had a seat of this table in play and lost it, for any reason."""
        return await self._reading.run(partial(former_players.has_left, table_id, user_id))
