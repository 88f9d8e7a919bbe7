"""What users and moderators have set: languages, settings, pings, saved options.

A language of ``None`` is the source language; most users and servers have no row for it.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from bot.errors import NotAllowed
from bot.records.preference import Digest, HandStyle, OptionSet, Server, Streaker, UserSettings
from bot.store.database import Repository, Transaction, insert, records, to_json, upsert, work
from bot.store.due_rows import set_due


class ReadsIn(NamedTuple):
    """The language of a user, and the style of their hands."""

    language: str | None
    hands: HandStyle


class Languages(Repository):
    """The languages of users and servers: those they chose, otherwise the last ones that Discord reported."""

    async def of_server(self, guild_id: int | None) -> str | None:
        """Return the language of a server."""
        rows = await self._reading.rows("SELECT coalesce(language, locale) FROM servers WHERE guild_id = ?", guild_id)
        return rows[0][0] if rows else None

    async def report(self, user_id: int, locale: str | None, guild_id: int | None, guild_locale: str | None) -> ReadsIn:
        """Store the languages that Discord reports if they are new, and return how the user reads."""
        ((chosen, known, hands, guild_known),) = await self._reading.rows(
            "SELECT language, locale, hands, (SELECT locale FROM servers WHERE guild_id = ?2)"
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
        return ReadsIn(chosen or locale, hands or "pictures")


_STORED: Final = (
    *("pings", "quiet_from", "quiet_until", "utc_offset", "timezone", "menus", "hands", "language", "tips"),
    *("ranking", "digest", "daily", "reminder", "forced"),
)
_SET: Final = upsert("users", ("id", *_STORED), "id")
SETTINGS: Final = f"{', '.join(_STORED)}, (SELECT max(ended) FROM holidays WHERE holidays.user_id = users.id)"  # noqa: S608 - constant text
"""The columns of `settings_of`."""


def settings_of(columns: Sequence[Any]) -> UserSettings:
    """Return the settings in these columns."""
    pings, quiet_from, quiet_until, offset, zone, menus, hands, language, tips, ranking, *others = columns
    digest, daily, reminder, forced, away_until = others
    return UserSettings(
        pings=bool(pings),
        quiet=None if quiet_from is None else (quiet_from, quiet_until),
        utc_offset=offset,
        timezone=zone,
        prefers_menus=bool(menus),
        hands=hands,
        language=language,
        tips=bool(tips),
        ranking=bool(ranking),
        digest=bool(digest),
        daily=daily,
        reminder=bool(reminder),
        forced=forced,
        away_until=away_until,
    )


_ASK_FOR_ZONE: Final = """
UPDATE users SET zone_asked = 1
WHERE id = ? AND zone_asked = 0 AND timezone IS NULL AND (utc_offset <> 0 OR quiet_from IS NOT NULL)
"""


_OFFER_FORCED: Final = """
INSERT INTO users (id, forced) VALUES (?, 'off')
ON CONFLICT (id) DO UPDATE SET forced = 'off' WHERE users.forced = 'ask'
"""


DIGEST_PAUSE_S: Final = 4 * 60 * 60
"""Minimum time between two digests of a user."""
DIGEST_DELAY_S: Final = 10 * 60
"""Time for which a table waits before it brings about a digest: its player may be there."""

_DIGESTS_DUE: Final = f"""
SELECT id, coalesce(language, locale), coalesce(digest_at, 0.0), {SETTINGS} FROM users
WHERE digest = 1 AND pings = 1 AND dm_closed = 0 AND coalesce(digest_at, 0.0) <= ?1 AND EXISTS (
    SELECT 1 FROM seats JOIN tables ON tables.id = table_id
    WHERE seats.user_id = users.id AND owes = 1 AND status = 'playing' AND guild_id IS NOT NULL
        AND since <= ?2 AND since > coalesce(digest_at, 0.0)
)
"""  # noqa: S608 - constant text


_STREAKERS: Final = f"""
SELECT id, coalesce(language, locale),
    (SELECT guild_id FROM event_results WHERE user_id = users.id AND event LIKE 'daily %' ORDER BY event DESC LIMIT 1),
    reminded, {SETTINGS}
FROM users WHERE reminder = 1 AND pings = 1 AND dm_closed = 0
"""  # noqa: S608 - constant text


class Users(Repository):
    """Settings of users, their lessons and marks, and pings."""

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
        """Store the settings of the user, except holidays."""
        quiet_from, quiet_until = settings.quiet or (None, None)
        columns = asdict(settings) | {"quiet_from": quiet_from, "quiet_until": quiet_until}
        await self._writer.execute(_SET, columns | {"id": user_id, "menus": settings.prefers_menus})

    async def lesson_step(self, user_id: int, game: str) -> int:
        """Return the step, from 0, at which the user is in the lesson of a game."""
        rows = await self._reading.rows("SELECT step FROM lessons WHERE user_id = ? AND game = ?", user_id, game)
        return int(rows[0][0]) if rows else 0

    async def has_learned(self, user_id: int, game: str) -> bool:
        """Return whether the user has finished the lesson of a game."""
        query = "SELECT 1 FROM lessons WHERE user_id = ? AND game = ? AND finished = 1"
        return bool(await self._reading.rows(query, user_id, game))

    async def set_lesson_step(self, user_id: int, game: str, step: int, *, finished: bool) -> None:
        """Store the step at which the user is. A lesson that was finished once stays finished."""
        await self._writer.execute(
            "INSERT INTO lessons (user_id, game, step, finished) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (user_id, game)"
            " DO UPDATE SET step = excluded.step,"
            " finished = CASE WHEN excluded.finished = 1 THEN 1 ELSE lessons.finished END",
            (user_id, game, step, int(finished)),
        )

    async def mark(self, table_id: int, user_id: int, ply: int) -> None:
        """Mark the moment of a table after this number of entries, for the user alone."""
        await self._writer.execute(
            "INSERT INTO marks (table_id, user_id, ply) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (table_id, user_id, ply),
        )

    async def marks(self, table_id: int, user_id: int) -> tuple[int, ...]:
        """Return the moments that the user has marked at a table, the first ones at the front."""
        query = "SELECT ply FROM marks WHERE table_id = ? AND user_id = ? ORDER BY ply"
        return await self._reading.numbers(query, table_id, user_id)

    @work
    async def claim_zone_question(self, db: Transaction, user_id: int) -> bool:
        """Return whether to ask the user, who gave hours from UTC or quiet hours, for a time zone; only once.

        The first process and call to ask this gets to do it.
        """
        return await db.execute(_ASK_FOR_ZONE, (user_id,)) == 1

    @work
    async def claim_forced_offer(self, db: Transaction, user_id: int) -> bool:
        """Return whether to offer the user that moves without a choice play themselves; only once."""
        return await db.execute(_OFFER_FORCED, (user_id,)) == 1

    async def tables_with_forced(self) -> tuple[int, ...]:
        """Return the tables where a user owes a move who wants moves without a choice to play themselves."""
        query = "SELECT DISTINCT table_id FROM seats JOIN users ON users.id = user_id WHERE owes = 1 AND forced = 'on'"
        return await self._reading.numbers(query)

    async def digests_due(self, now: float) -> tuple[Digest, ...]:
        """Return the users who may get a digest: a table waits for them that wasn't in their last one."""
        rows = await self._reading.rows(_DIGESTS_DUE, now - DIGEST_PAUSE_S, now - DIGEST_DELAY_S)
        return tuple(Digest(user, language, at, settings_of(columns)) for user, language, at, *columns in rows)

    async def record_digest(self, user_id: int, at: float) -> None:
        """Store that the user has got a digest."""
        await self._writer.execute("UPDATE users SET digest_at = ? WHERE id = ?", (at, user_id))

    async def streakers(self) -> tuple[Streaker, ...]:
        """Return the users who want to be told when their streak is at risk, and can be reached."""
        rows = await self._reading.rows(_STREAKERS)
        return tuple(
            Streaker(user, language, guild_id, reminded, settings_of(columns))
            for user, language, guild_id, reminded, *columns in rows
        )

    async def record_reminder(self, user_id: int, day: int) -> None:
        """Store that the user was reminded on a day."""
        await self._writer.execute("UPDATE users SET reminded = ? WHERE id = ?", (day, user_id))

    async def record_pings(self, table_id: int, users: Collection[int], at: float) -> None:
        """Store that these users were pinged at the table."""
        await self._writer.execute(
            "INSERT INTO pings (table_id, user_id, at)"
            " SELECT CAST(?1 AS BIGINT), value, CAST(?2 AS DOUBLE PRECISION) FROM json_each(?3) WHERE true"
            " ON CONFLICT (table_id, user_id) DO UPDATE SET at = excluded.at",
            (table_id, at, to_json(users)),
        )


_SERVERS: Final = f"SELECT {', '.join(Server.__struct_fields__)} FROM servers"  # noqa: S608 - constant names
_SAVE: Final = upsert("servers", Server.__struct_fields__, "guild_id")
_NOTE_RECAP: Final = "UPDATE servers SET recapped = ?2 WHERE guild_id = ?1 AND recapped < ?2"


class Servers(Repository):
    """Settings of servers."""

    async def settings(self, guild_id: int) -> Server:
        """Return the settings of the server, or the defaults."""
        rows = await self._reading.rows(f"{_SERVERS} WHERE guild_id = ?", guild_id)
        return next(records(Server, rows, "channels"), Server(guild_id))

    async def with_dailies(self) -> tuple[Server, ...]:
        """Return the settings of the servers that have chosen a channel for the daily."""
        rows = await self._reading.rows(f"{_SERVERS} WHERE daily_channel_id IS NOT NULL")
        return tuple(records(Server, rows, "channels"))

    @work
    async def save(self, db: Transaction, server: Server, recapped: int = 0) -> None:
        """Store the settings of a server. Recaps up to the day ``recapped`` are left out."""
        await db.execute(_SAVE, asdict(server) | {"channels": to_json(server.channels)})
        await db.execute(_NOTE_RECAP, (server.guild_id, recapped))
        if server.recap_channel_id is not None:
            await set_due("recap", server.guild_id, server.guild_id, 0.0, db)

    async def last_recap(self, guild_id: int) -> int:
        """Return the number of the day of the last recap, or 0."""
        return next(iter(await self._reading.numbers("SELECT recapped FROM servers WHERE guild_id = ?", guild_id)), 0)

    async def note_recap(self, guild_id: int, day: int) -> None:
        """Store the number of the day of the last recap, unless a later one is known."""
        await self._writer.execute(_NOTE_RECAP, (guild_id, day))


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

_INSERT: Final = insert("option_sets", ("user_id", "guild_id", "game", "name", "options", "clock", "level"))


class OptionSets(Repository):
    """Saved sets of options. Users see their own sets and the sets of the server where they are."""

    async def visible(self, user_id: int, guild_id: int | None, game: str) -> tuple[OptionSet, ...]:
        """Return the user's sets for a game, then the server's."""
        rows = await self._reading.rows(_VISIBLE, user_id, guild_id, game)
        return tuple(records(OptionSet, rows, "options"))

    @work
    async def save(self, db: Transaction, saved: OptionSet) -> None:
        """Store a set. It replaces its owner's set of that name. Raises `NotAllowed` if they have too many."""
        values = asdict(saved) | {"options": to_json(saved.options)}
        await db.lock("option sets")
        await db.execute(_DELETE_NAMESAKE, values)
        ((count,),) = await db.rows(_COUNT, values)
        if count >= MOST_SAVED:
            raise NotAllowed("There are {most} saved sets already. Delete one first.", most=MOST_SAVED)
        await db.execute(_INSERT, values)

    @work
    async def delete(self, db: Transaction, set_id: int, user_id: int, guild_id: int | None) -> bool:
        """Delete a set of this user or this server. Return whether one of them had it."""
        query = "DELETE FROM option_sets WHERE id = ? AND (user_id = ? OR guild_id = ?)"
        return await db.execute(query, (set_id, user_id, guild_id)) == 1
