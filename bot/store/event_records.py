"""Events: deals that are the same for all who play them, and their results.

An event has a secret, from which the seeds of its deals follow (G-15). Until the event has closed, the secret leaves
this package only for opening tables (`EventStore.secret`), and the records of its tables have no seed.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import date
from typing import Final

from bot.errors import NotAllowed
from bot.records.event import COMPUTER, GRACE_S, Event, EventResult, day_of, match_of
from bot.records.table import Table
from bot.store import statements
from bot.store.database import Repository, Transaction, records, to_json, work

_RESULTS: Final = """
SELECT event, user_id, event_results.guild_id, event_results.name, played, ends_at, score, streak,
    deal, side, open_tables.id IS NOT NULL, coalesce(users.ranking, 1) = 0,
    coalesce(users.daily, '') = 'on', EXISTS (SELECT 1 FROM hints WHERE table_id = played)
FROM event_results LEFT JOIN open_tables ON open_tables.id = played LEFT JOIN users ON users.id = user_id
"""
_TAKEN_PART: Final = """
SELECT played FROM event_results AS theirs JOIN events ON events.event = theirs.event
WHERE is_closed = 1 AND played IN (SELECT value FROM json_each(?1)) AND theirs.guild_id = ?2 AND (
    EXISTS (SELECT 1 FROM matches JOIN match_players ON match_id = id
        WHERE matches.event = theirs.event AND match_players.user_id = ?3)
    OR theirs.user_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = theirs.user_id AND ranking = 0)
    AND EXISTS (SELECT 1 FROM event_results AS mine
        WHERE mine.event = theirs.event AND mine.guild_id = ?2 AND mine.user_id = ?3))
"""
"""The tables of matches that a user has played, and those of others who played the same daily from the same server."""
_TABLES: Final = f"{statements.TABLE} WHERE id IN (SELECT played FROM event_results WHERE event = ?)"  # noqa: S608 - constant text
_OPEN_TABLE: Final = "SELECT 1 FROM event_results JOIN open_tables ON open_tables.id = played WHERE event = ?"


class EventStore(Repository):
    """Events and their results."""

    async def ensure(self, event: Event, secret: bytes) -> Event:
        """Return the event with this name; a new one is stored with its secret."""
        found = await self.event(event.name)
        if found is None:
            await self._writer.execute(
                "INSERT INTO events (event, secret, commitment, closes_at, game, options, level)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (
                    event.name,
                    secret,
                    event.commitment,
                    event.closes_at,
                    event.game,
                    to_json(event.options),
                    event.level,
                ),
            )
            found = await self.event(event.name)
        if found is None:  # it was deleted at once
            raise NotAllowed("This event is over.")
        return found

    async def event(self, name: str) -> Event | None:
        """Return the event."""
        query = """
            SELECT event, commitment, closes_at, CASE is_closed WHEN 1 THEN lower(hex(secret)) END AS secret,
                coalesce(game, ''), coalesce(options, '{}'), level
            FROM events WHERE event = ?
        """
        return next(records(Event, await self._reading.rows(query, name), "options"), None)

    async def secret(self, name: str) -> bytes:
        """Return the secret of an event, 32 bytes."""
        ((secret,),) = await self._reading.rows("SELECT secret FROM events WHERE event = ?", name)
        return bytes(secret)

    @work
    async def begin(self, db: Transaction, table: Table, seed: bytes, result: EventResult) -> Table:
        """Store a new table and the user's try at its deal, as `Store.open_table` does.

        Raises `NotAllowed` if they had it, or the event is over.
        """
        # Nobody can close the event meanwhile.
        still = "UPDATE events SET is_closed = 0 WHERE event = ? AND is_closed = 0 AND closes_at > ?"
        if not await db.execute(still, (result.event, table.opened_at)):
            raise NotAllowed("It's over.")
        ((secret,),) = await db.rows("SELECT secret FROM events WHERE event = ?", (result.event,))
        opened = await statements.open_table(table, seed, None, None, db)
        of_table = (opened.id, result.ends_at, result.deal, result.side)
        is_first = await db.execute(
            "INSERT INTO event_results (event, player, user_id, guild_id, name, played, ends_at, deal, side)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (result.event, _player(secret, result), result.user_id, result.guild_id, result.name, *of_table),
        )
        if not is_first:
            raise NotAllowed("You've played this one. There's only one try.")
        return opened

    async def note_field(self, name: str, number: int, score: int) -> None:
        """Store the result of a computer."""
        await self._writer.execute(
            "INSERT INTO event_results (event, player, score) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (name, f"{COMPUTER}{number}", score),
        )

    async def field_left(self, name: str, size: int) -> list[int]:
        """Return the numbers of the computers, of ``size`` in all, that have no result yet."""
        query = "SELECT player FROM event_results WHERE event = ?"
        known = {player for (player,) in await self._reading.rows(query, name)}
        return [number for number in range(size) if f"{COMPUTER}{number}" not in known]

    async def result(self, name: str, user_id: int) -> EventResult | None:
        """Return the try of a user, if they have begun one."""
        rows = await self._reading.rows(f"{_RESULTS} WHERE event = ? AND user_id = ?", name, user_id)
        return next(records(EventResult, rows), None)

    async def days(self, user_id: int) -> frozenset[date]:
        """Return the days whose dailies a user has finished."""
        query = "SELECT event FROM event_results WHERE user_id = ? AND score IS NOT NULL"
        return frozenset([day for (name,) in await self._reading.rows(query, user_id) if (day := day_of(name))])

    async def is_used(self, name: str, user_id: int) -> bool:
        """Whether a user has begun their try at an event that is open, even if they have deleted their data since."""
        ((secret,),) = await self._reading.rows("SELECT secret FROM events WHERE event = ?", name)
        player = _player(secret, EventResult(name, user_id, None, ""))
        return bool(
            await self._reading.rows("SELECT 1 FROM event_results WHERE event = ? AND player = ?", name, player)
        )

    async def results(self, name: str) -> tuple[EventResult, ...]:
        """Return all results of an event: those of computers, then those of people by when they began."""
        query = f"{_RESULTS} WHERE event = ? ORDER BY coalesce(played, 0), player"
        return tuple(records(EventResult, await self._reading.rows(query, name)))

    async def played_along(self, tables: Sequence[int], guild_id: int, user_id: int) -> frozenset[int]:
        """Return which of these tables are of closed events of the server in which the user has taken part.

        In a daily, players who hide their results hide their table, too.
        """
        return frozenset(await self._reading.numbers(_TAKEN_PART, to_json(tables), guild_id, user_id))

    async def begun(self, at: float) -> tuple[str, ...]:
        """Return the events that haven't closed by then and that somebody has begun to play."""
        query = """
            SELECT event FROM events WHERE is_closed = 0 AND closes_at > ? AND EXISTS
                (SELECT 1 FROM event_results AS result WHERE result.event = events.event AND ends_at IS NOT NULL)
        """
        return tuple([name for (name,) in await self._reading.rows(query, at)])

    async def ended_tries(self, at: float) -> tuple[int, ...]:
        """Return the numbers of the tables whose time, with the grace, has passed."""
        query = "SELECT played FROM event_results JOIN open_tables ON open_tables.id = played WHERE ends_at <= ?"
        return await self._reading.numbers(query, at - GRACE_S)

    async def open_tables(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the tables of an event that haven't ended."""
        query = "SELECT played FROM event_results JOIN open_tables ON open_tables.id = played WHERE event = ?"
        return await self._reading.numbers(query, name)

    @work
    async def close(self, db: Transaction, name: str) -> bool:
        """Close an event, unless one of its tables is still open; return whether that was done.

        That publishes its secret, and the seeds of its tables.
        """
        if await db.rows(_OPEN_TABLE, (name,)):
            return False
        for table in statements.tables_of(await db.rows(_TABLES, (name,))):
            await statements.rewrite(table, await statements.unsealed(table, db), db)
        # Whoever knows the secret could try all ids of users.
        await db.execute(
            "UPDATE event_results SET player = 'table ' || played WHERE event = ? AND played IS NOT NULL", (name,)
        )
        return bool(await db.execute("UPDATE events SET is_closed = 1 WHERE event = ?", (name,)))

    async def close_due(self, at: float) -> int:
        """Close the events whose time has passed and whose tables have all ended, and return how many there were."""
        query = "SELECT event FROM events WHERE is_closed = 0 AND closes_at <= ?"
        due = [name for (name,) in await self._reading.rows(query, at)]
        return sum([await self.close(name) for name in due])

    @work
    async def delete_closed(self, db: Transaction, before: float) -> None:
        """Delete the events, with all results, that closed before that time."""
        is_old = "is_closed = 1 AND closes_at < ?"
        for (name,) in await db.rows(f"SELECT event FROM events WHERE {is_old}", (before,)):  # noqa: S608 - constant text
            day, match_id = day_of(name), match_of(name)
            if day is not None:
                await db.execute("DELETE FROM messages WHERE subject = 'daily' AND deal = ?", (day.toordinal(),))
            await db.execute("DELETE FROM messages WHERE subject = 'match' AND subject_id = ?", (match_id,))
        old = f"event IN (SELECT event FROM events WHERE {is_old})"  # noqa: S608 - constant text
        of_match = f"match_id IN (SELECT id FROM matches WHERE {old})"  # noqa: S608 - constant text
        await db.execute(f"DELETE FROM match_players WHERE {of_match}", (before,))  # noqa: S608 - constant text
        for kind in ("event_results", "matches", "events"):
            await db.execute(f"DELETE FROM {kind} WHERE {old}", (before,))  # noqa: S608 - constant text


def _player(secret: bytes, result: EventResult) -> str:
    who = f"{result.user_id} {result.deal}" if result.deal else str(result.user_id)
    if result.user_id is None:
        who = f"side {result.side} {result.deal}"
    return hmac.digest(secret, who.encode(), hashlib.sha256).hex()
