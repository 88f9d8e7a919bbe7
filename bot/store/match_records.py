"""Matches: events whose deals two sides play, such as a challenge of one member of a server to another."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import asdict, replace

from bot.errors import NotAllowed
from bot.records.match import Match, MatchPlayer, MatchStatus
from bot.records.quota import Use
from bot.store.database import Repository, Row, Transaction, insert, records, to_json, work
from bot.store.due_rows import set_due
from bot.store.quotas import count_uses

MOST_OF_USER: Final = 5
MOST_OF_SERVER: Final = 50
"""Maximum number of matches that haven't ended."""
_COLUMNS: Final = (
    *("id", "event", "kind", "guild_id", "channel_id", "deals", "days", "until", "status", "host_id"),
    "rooms",
)
_OF_USER: Final = """
SELECT id FROM matches
WHERE status IN ('offered', 'playing') AND id IN (SELECT match_id FROM match_players WHERE user_id = ?)
ORDER BY until
"""
_OFFERS_OF_OTHERS: Final = """
SELECT id FROM matches JOIN match_players ON match_id = id
WHERE user_id = ?1 AND host_id <> ?1 AND status = 'offered' AND kind = 'duplicate'
"""
_OF_SERVER: Final = "SELECT count(*) FROM matches WHERE status IN ('offered', 'playing') AND guild_id = ?"
_PLAYERS: Final = "SELECT side, number, user_id, name FROM match_players WHERE match_id = ? ORDER BY side, number"
_INSERT: Final = insert("matches", _COLUMNS[:-1])
_JOIN: Final = "INSERT INTO match_players (match_id, side, number, user_id, name) VALUES (?, ?, ?, ?, ?)"
_SETTLE: Final = "UPDATE matches SET status = ?, until = ? WHERE id = ? AND status = ?"


class Matches(Repository):
    """Matches and their players."""

    @work
    async def offer(
        self, db: Transaction, match: Match, sealed: tuple[bytes, str], uses: Sequence[Use], at: float
    ) -> None:
        """Store a new match with its event: ``sealed`` is the secret and its hash.

        Raises `NotAllowed` or `TooManyTables` if there are too many.
        """
        await db.lock("matches")
        for player in match.players:
            if len(await db.rows(_OF_USER, (player.user_id,))) >= MOST_OF_USER:
                raise _too_many(player)
        ((count,),) = await db.rows(_OF_SERVER, (match.guild_id,))
        if count >= MOST_OF_SERVER:
            raise NotAllowed("This server has {most} challenges already. Finish one first.", most=MOST_OF_SERVER)
        await count_uses(uses, at, db)
        await db.execute(
            "INSERT INTO events (event, secret, commitment, closes_at, game, options, level)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (match.event, *sealed, match.until, match.game, to_json(match.options), match.level),
        )
        await db.execute(_INSERT, asdict(match))
        await db.execute_many(_JOIN, [_row_of(match, player) for player in match.players])
        await set_due("match", match.id, match.guild_id, match.until, db)

    async def find(self, match_id: int) -> Match | None:
        """Return the match with this id, unless it is damaged."""
        columns = ", ".join(f"matches.{column}" for column in _COLUMNS)
        of_event = "game, options, level FROM matches JOIN events ON events.event = matches.event WHERE id = ?"
        rows = await self._reading.rows(f"SELECT {columns}, {of_event}", match_id)
        found = await self._reading.rows(_PLAYERS, match_id)
        players = to_json([dict(zip(MatchPlayer.__struct_fields__, player, strict=True)) for player in found])
        return next(records(Match, [(*row, players) for row in rows], "rooms", "options", "players"), None)

    async def unfinished(self) -> tuple[int, ...]:
        """Return the ids of the matches that haven't ended, or whose message may not show that yet."""
        shows = "SELECT 1 FROM messages WHERE subject = 'match' AND subject_id = matches.id AND stage = 'left'"
        return await self._reading.numbers(
            f"SELECT id FROM matches WHERE status IN ('offered', 'playing') OR NOT EXISTS ({shows}) ORDER BY id"  # noqa: S608 - constant text
        )

    async def of_user(self, user_id: int) -> tuple[int, ...]:
        """Return the ids of the user's matches that haven't ended."""
        return await self._reading.numbers(_OF_USER, user_id)

    @work
    async def settle(self, db: Transaction, match: Match, status: MatchStatus, until: float) -> bool:
        """Change the status of a match; return whether that was still as it was read."""
        return await _settle(match, status, until, db)

    @work
    async def join(self, db: Transaction, match: Match, player: MatchPlayer, most: int) -> None:
        """Store that a user is on this side alone, which has a place for so many. They get the first free number.

        Raises `NotAllowed` if the side is full, or the match isn't offered any more.
        """
        await db.lock("matches")
        if not await db.rows("SELECT 1 FROM matches WHERE id = ? AND status = 'offered'", (match.id,)):
            raise NotAllowed("This match has begun already, or was withdrawn.")
        await _leave(match.id, player.user_id, db)
        taken = "SELECT number FROM match_players WHERE match_id = ? AND side = ? ORDER BY number"
        numbers = [number for (number,) in await db.rows(taken, (match.id, player.side))]
        if len(numbers) >= most:
            raise NotAllowed("That side is full.")
        if len(await db.rows(_OF_USER, (player.user_id,))) >= MOST_OF_USER:
            raise _too_many()
        free = next(number for number in range(most) if number not in numbers)
        await db.execute_many(_JOIN, [_row_of(match, replace(player, number=free))])

    @work
    async def leave(self, db: Transaction, match_id: int, user_id: int) -> None:
        """Store that a user isn't on a side of a duplicate any more, unless it has begun."""
        await _leave(match_id, user_id, db)

    @work
    async def begin(self, db: Transaction, match: Match, rooms: Sequence[int], until: float) -> bool:
        """Store that a match has begun in these threads; return whether it was still offered to the same players."""
        await db.lock("matches")
        players = await db.rows(_PLAYERS, (match.id,))
        if [MatchPlayer(*player) for player in players] != [*match.players]:
            return False
        if not await _settle(match, "playing", until, db):
            return False
        await db.execute("UPDATE matches SET rooms = ? WHERE id = ?", (to_json(rooms), match.id))
        return True


def _row_of(match: Match, player: MatchPlayer) -> Row:
    return (match.id, player.side, player.number, player.user_id, player.name)


async def leave_offers(user_id: int, db: Transaction) -> int:
    """Take a user off their sides of the duplicates that others offer, and return how many those are."""
    await db.lock("matches")
    offers = await db.rows(_OFFERS_OF_OTHERS, (user_id,))
    for (match_id,) in offers:
        await _leave(match_id, user_id, db)
    return len(offers)


async def _leave(match_id: int, user_id: int | None, db: Transaction) -> None:
    """Take a user off their side of a duplicate that is offered. Those behind them move up."""
    found = await db.rows(
        "SELECT side, number FROM match_players JOIN matches ON id = match_id"
        " WHERE match_id = ? AND user_id = ? AND status = 'offered' AND kind = 'duplicate'",
        (match_id, user_id),
    )
    for side, left in found:
        await db.execute("DELETE FROM match_players WHERE match_id = ? AND user_id = ?", (match_id, user_id))
        behind = "SELECT number FROM match_players WHERE match_id = ? AND side = ? AND number > ? ORDER BY number"
        for (number,) in await db.rows(behind, (match_id, side, left)):
            change = "UPDATE match_players SET number = ? WHERE match_id = ? AND side = ? AND number = ?"
            await db.execute(change, (number - 1, match_id, side, number))


def _too_many(player: MatchPlayer | None = None) -> NotAllowed:
    """Return the refusal for a player of an offer. The user who acts is addressed."""
    if player is None or player.side == player.number == 0:
        return NotAllowed("You have {most} challenges already. Finish one first.", most=MOST_OF_USER)
    return NotAllowed("{name} has {most} challenges already.", name=f"<@{player.user_id}>", most=MOST_OF_USER)


async def _settle(match: Match, status: MatchStatus, until: float, db: Transaction) -> bool:
    """Change the status. The event is open for as long as the match, and no longer."""
    is_closed = await db.rows("SELECT 1 FROM events WHERE event = ? AND is_closed = 1", (match.event,))
    values = (status, until, match.id, match.status)
    if (status == "playing" and is_closed) or not await db.execute(_SETTLE, values):
        return False
    await set_due("match", match.id, match.guild_id, until, db)
    await db.execute("UPDATE events SET closes_at = ? WHERE event = ? AND is_closed = 0", (until, match.event))
    return True
