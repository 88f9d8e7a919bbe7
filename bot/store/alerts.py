"""Alerts: who wants to be told when a table of a game opens on a server, and who was told lately."""

from typing import Final

from bot.records.alert import DELAY_S, MOST, PAUSE_S, Listener
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.store.database import Repository, Transaction, work
from bot.store.due_rows import set_due
from bot.store.preferences import SETTINGS, settings_of

_CONSIDERED: Final = 60
"""Maximum number of users considered for a table: Discord is asked about each of them."""

_LISTENERS: Final = f"""
SELECT alerts.user_id, coalesce(language, locale), users.id, {SETTINGS}
FROM alerts LEFT JOIN users ON users.id = alerts.user_id LEFT JOIN alerted ON alerted.user_id = alerts.user_id
WHERE guild_id = ?1 AND game = ?2 AND coalesce(dm_closed, 0) = 0
    AND (alerted.at IS NULL OR alerted.at <= ?3 OR alerted.at > ?4 OR about_table = ?5)
ORDER BY (
    SELECT coalesce(max(ended_at), 0.0) FROM results WHERE results.user_id = alerts.user_id AND guild_id = ?1
) DESC, alerts.user_id
LIMIT ?6
"""  # noqa: S608 - constant text

_CLAIM: Final = """
INSERT INTO alerted (user_id, about_table, at) VALUES (?1, ?2, ?3)
ON CONFLICT (user_id) DO UPDATE SET about_table = excluded.about_table, at = excluded.at
WHERE alerted.at <= ?4 OR alerted.at > ?3 OR alerted.about_table = excluded.about_table
"""


class Alerts(Repository):
    """Wishes for alerts, and the last alert of each user."""

    async def games(self, user_id: int, guild_id: int) -> frozenset[str]:
        """Return the games of which the user wants to know about new tables on the server."""
        query = "SELECT game FROM alerts WHERE user_id = ? AND guild_id = ?"
        return frozenset(game for (game,) in await self._reading.rows(query, user_id, guild_id))

    async def want(self, user_id: int, guild_id: int, game: str, *, is_wanted: bool) -> None:
        """Store whether the user wants to know about new tables of a game on the server."""
        statement = "DELETE FROM alerts WHERE user_id = ? AND guild_id = ? AND game = ?"
        if is_wanted:
            statement = "INSERT INTO alerts (user_id, guild_id, game) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._writer.execute(statement, (user_id, guild_id, game))

    async def listeners(self, table: Table, now: float) -> tuple[Listener, ...]:
        """Return who may be told about a table, those who played on its server last first."""
        place, limits = table.place.guild_id or 0, (now - PAUSE_S, now, table.id, _CONSIDERED)
        rows = await self._reading.rows(_LISTENERS, place, table.game, *limits)
        return tuple(
            Listener(user, language, UserSettings() if known is None else settings_of(columns))
            for user, language, known, *columns in rows
        )

    @work
    async def claim(self, db: Transaction, user_id: int, table_id: int, now: float) -> bool:
        """Return whether the user may be told about a table, and note that they are.

        It is no for users who were told about another one lately, and once enough are told about this one.
        """
        await db.lock("alerts")
        since = now - PAUSE_S
        others = "SELECT count(*) FROM alerted WHERE about_table = ? AND user_id <> ? AND at > ?"
        ((count,),) = await db.rows(others, (table_id, user_id, since))
        return bool(count < MOST and await db.execute(_CLAIM, (user_id, table_id, now, since)) == 1)

    async def sent_to(self, user_id: int) -> frozenset[int]:
        """Return the tables about which the user has an alert."""
        query = "SELECT subject_id FROM messages WHERE subject = 'alert' AND user_id = ?"
        return frozenset(await self._reading.numbers(query, user_id))


async def expect_alerts(table: Table, db: Transaction) -> None:
    """Let those who want it be told about a new table soon, unless it is for some people only."""
    is_for_some = table.rematch_of is not None or table.event is not None or table.continues is not None
    if table.place.guild_id is None or is_for_some or table.invited_only or table.is_full:
        return
    wanted = "SELECT 1 FROM alerts WHERE guild_id = ? AND game = ? LIMIT 1"
    if await db.rows(wanted, (table.place.guild_id, table.game)):
        await set_due("alert", table.id, table.place.guild_id, table.opened_at + DELAY_S, db)
