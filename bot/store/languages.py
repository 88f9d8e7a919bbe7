"""The languages of users and servers.

``None`` stands for the source language; most users and servers have no row for it.
"""

from bot.store.repository import Repository


class Languages(Repository):
    """The languages of users and servers: those they chose, otherwise the last ones that Discord reported."""

    async def of_server(self, guild_id: int | None) -> str | None:
        """Return the language of a server."""
        rows = await self._reading.rows("SELECT coalesce(language, locale) FROM servers WHERE guild_id = ?", guild_id)
        return rows[0][0] if rows else None

    async def report(
        self, user_id: int, locale: str | None, guild_id: int | None, guild_locale: str | None
    ) -> str | None:
        """Store the languages that Discord reports if they are new, and return the user's language."""
        ((chosen, known, guild_known),) = await self._reading.rows(
            "SELECT language, locale, (SELECT locale FROM servers WHERE guild_id = ?2)"
            " FROM (SELECT 1) AS one LEFT JOIN users ON id = ?1",
            user_id,
            guild_id,
        )
        if known != locale:
            await self._writer.execute(
                "INSERT INTO users (id, locale) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET locale = excluded.locale",
                (user_id, locale),
            )
        if guild_id is not None and guild_known != guild_locale:
            await self._writer.execute(
                "INSERT INTO servers (guild_id, channels, threads, clock, locale) VALUES (?, '[]', 0, 'none', ?)"
                " ON CONFLICT (guild_id) DO UPDATE SET locale = excluded.locale",
                (guild_id, guild_locale),
            )
        return chosen or locale
