"""Which games count, their results, and the ratings that follow from them. Results outlive their tables.

A result is written in the transaction that ends its table, and so are the ratings: docs/RATINGS.md defines them. So is
the result of a try at an event.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from bot import ratings
from bot.errors import NotAllowed
from bot.games.game import RESIGNED, AnyGame, Outcome, Seat
from bot.ratings import Counted, Rated, Rating, Result
from bot.store.database import Transaction, insert, to_json
from bot.store.records import Sitter, Table

_NTH: Final = "SELECT coalesce(max(nth), 0) + 1 FROM results WHERE guild_id = ? AND game = ?"

_RATINGS: Final = """
SELECT user_id, mu, sigma FROM ratings
WHERE guild_id = ? AND game = ? AND user_id IN (SELECT value FROM json_each(?))
"""

_RATE: Final = """
INSERT INTO ratings (guild_id, game, user_id, name, mu, sigma, games, wins, streak, longest)
VALUES (:guild_id, :game, :user_id, :name, :mu, :sigma, 1, :won, :won, :won)
ON CONFLICT (guild_id, game, user_id) DO UPDATE SET name = excluded.name, mu = excluded.mu, sigma = excluded.sigma,
    games = ratings.games + 1, wins = ratings.wins + excluded.wins,
    streak = CASE WHEN excluded.wins = 0 THEN 0 ELSE ratings.streak + 1 END,
    longest = CASE WHEN excluded.wins = 1 AND ratings.streak + 1 > ratings.longest THEN ratings.streak + 1
        ELSE ratings.longest END
"""

_HIDDEN: Final = "SELECT id FROM users WHERE ranking = 0 AND id IN (SELECT value FROM json_each(?))"

_COMMON: Final = """
SELECT nth, side, user_id, won FROM results WHERE guild_id = ?1 AND game = ?2 AND nth IN (
    SELECT nth FROM results WHERE user_id = ?3 AND guild_id = ?1 AND game = ?2
    INTERSECT SELECT nth FROM results WHERE user_id = ?4 AND guild_id = ?1 AND game = ?2)
"""
"""The games in which two users played."""


def result_of(game: AnyGame, table: Table, outcome: Outcome) -> Result | None:
    """Return the result of a table that ends with this outcome; ``None`` if it doesn't count.

    A game counts if it was played on a server to its end by the rules, or its players agreed to count it as it stood.
    Games in direct messages, of events, and those that were played on from a replay, count nowhere.
    """
    if table.place.guild_id is None or table.continues is not None or table.event is not None:
        return None
    options = {key: value for key, value in table.options.items() if game.applies(key, table.options)}
    sides = game.sides(table.options)
    return Result(sides, outcome.places, outcome.scores, options, outcome.reason)


def margin_of(game: AnyGame, table: Table, outcome: Outcome) -> int | None:
    """Return how far the side of seat 0 is ahead at a table of an event that ends by the rules of the game.

    Raises `NotAllowed` if a side has resigned where another table waits for the result.
    """
    if outcome.reason == RESIGNED and table.is_compared:
        raise NotAllowed("Another table plays these cards, so nobody resigns at Table {name}.", name=table.name)
    if outcome.is_conceded or table.event is None:
        return None
    return lead(outcome.scores, game.sides(table.options))


class Decisions(NamedTuple):
    """The entries of a seat, and those of them that its player made without a hint."""

    all: int = 0
    own: int = 0


async def record_result(table: Table, result: Result, db: Transaction) -> Counted:
    """Write the result of a table that has just ended, and the ratings after it."""
    guild_id, game = table.place.guild_id, table.game
    await db.lock(f"results {guild_id} {game}")
    ((nth,),) = await db.rows(_NTH, (guild_id, game))
    decisions = await _decisions(table, db)
    players = [_player(sitter, decisions[sitter.seat].own) for sitter in table.sitters]
    users = [user for user in players if user is not None]
    known = {user: Rating(*rating) for user, *rating in await db.rows(_RATINGS, (guild_id, game, to_json(users)))}
    before = _rated(table, result, players, decisions, known)
    after = ratings.after(before)
    for sitter, user, old, new in zip(table.sitters, players, before, after, strict=True):
        row = _row(table, result, sitter.seat, user, decisions[sitter.seat]) | {
            "nth": nth,
            "mu": old.rating.mu,
            "sigma": old.rating.sigma,
            "gain": new.mu - old.rating.mu,
        }
        await db.execute(insert("results", row), row)
        if user is not None:
            await db.execute(_RATE, _rating_row(row, sitter, new))
    unnamed = {None, *[user for (user,) in await db.rows(_HIDDEN, (to_json(users),))]}
    gains = tuple(
        None if user in unnamed else new.mu - old.rating.mu
        for user, old, new in zip(players, before, after, strict=True)
    )
    wins = () if unnamed.intersection(players) else await _wins(table, result.sides, users, db)
    return Counted(nth, gains, wins)


def _rated(
    table: Table,
    result: Result,
    players: Sequence[int | None],
    decisions: Mapping[Seat, Decisions],
    known: Mapping[int, Rating],
) -> list[Rated]:
    """Return each seat as the ratings see it."""
    return [
        Rated(
            result.sides[sitter.seat],
            result.places[sitter.seat],
            ratings.anchor(table.game, sitter.level) if user is None else known.get(user, Rating()),
            0.0 if user is None else share(decisions[sitter.seat]),
        )
        for sitter, user in zip(table.sitters, players, strict=True)
    ]


def share(decisions: Decisions) -> float:
    """Return the player's share of the decisions of their seat."""
    return decisions.own / decisions.all if decisions.all else 0.0


def _player(sitter: Sitter, own: int) -> int | None:
    """Return the user whose result it is: who left the seat for good has it if they decided anything."""
    return sitter.player_id or (sitter.started_by if own else None)


async def _decisions(table: Table, db: Transaction) -> dict[Seat, Decisions]:
    """Return the decisions of each seat."""
    entries = await db.rows("SELECT ply, seat, by_user FROM entries WHERE table_id = ? ORDER BY ply", (table.id,))
    hints = await db.rows("SELECT ply, seat FROM hints WHERE table_id = ?", (table.id,))
    return {
        sitter.seat: _decided(
            [(ply, by_user) for ply, seat, by_user in entries if seat == sitter.seat],
            [ply for ply, seat in hints if seat == sitter.seat],
            sitter.player_id or sitter.started_by,
        )
        for sitter in table.sitters
    }


def _decided(entries: Sequence[tuple[int, int | None]], hinted: Iterable[int], player: int | None) -> Decisions:
    """Return the decisions among the entries of a seat. A hint counts for the first entry that followed it."""
    plies = [ply for ply, _by_user in entries]
    helped = {bisect_left(plies, ply) for ply in hinted}
    own = [at for at, (_ply, by_user) in enumerate(entries) if by_user and by_user == player and at not in helped]
    return Decisions(len(entries), len(own))


def _row(table: Table, result: Result, seat: Seat, user: int | None, decisions: Decisions) -> dict[str, Any]:
    sitter = table.sitters[seat]
    best = sorted(dict(zip(result.sides, result.scores, strict=True)).values(), reverse=True)
    is_drawn = set(result.places) == {1}
    return {
        "guild_id": table.place.guild_id,
        "game": table.game,
        "seat": seat,
        "number": table.number,
        "ended_at": table.changed_at,
        "options": to_json(result.options),
        "reason": result.reason,
        "side": result.sides[seat],
        "place": result.places[seat],
        "won": int(result.places[seat] == 1 and not is_drawn),
        "score": result.scores[seat],
        "margin": best[0] - best[1] if result.is_complete and best[0] > best[1] else None,
        "user_id": user,
        "level": sitter.level if user is None else None,
        "decisions": decisions.all,
        "own": decisions.own,
    }


def _rating_row(row: dict[str, Any], sitter: Sitter, new: Rating) -> dict[str, Any]:
    name = sitter.name if row["user_id"] == sitter.user_id else sitter.began[0]
    rated = {column: row[column] for column in ("guild_id", "game", "user_id", "won")}
    return rated | {"name": name, "mu": new.mu, "sigma": new.sigma}


async def _wins(table: Table, sides: Sequence[int], users: Sequence[int], db: Transaction) -> tuple[int, ...]:
    """Return for each seat how many games between the same sides of people its side has won; this one is written."""
    teams = _teams(zip(sides, users, strict=True))
    opponent = next(user for side, user in zip(sides, users, strict=True) if side != sides[0])
    rows = await db.rows(_COMMON, (table.place.guild_id, table.game, users[0], opponent))
    games: dict[int, list[tuple[int, int | None, int]]] = {}
    for nth, *seat in rows:
        games.setdefault(nth, []).append((seat[0], seat[1], seat[2]))
    won: Counter[int | None] = Counter()
    for seats in games.values():
        if _teams((side, user) for side, user, _ in seats) == teams:
            won.update(user for _, user, has_won in seats if has_won)
    return tuple(won[user] for user in users)


def _teams(seats: Iterable[tuple[int, int | None]]) -> Collection[frozenset[int | None]]:
    teams: dict[int, set[int | None]] = {}
    for side, user in seats:
        teams.setdefault(side, set()).add(user)
    return {frozenset(team) for team in teams.values()}


# ---- results of events


_DAILY: Final = "daily "
_MATCH: Final = "match "


def lead(scores: Sequence[int], sides: Sequence[int]) -> int:
    """Return how far the side of seat 0 is ahead of the best other one."""
    return scores[0] - max(score for score, side in zip(scores, sides, strict=True) if side != sides[0])


async def note_result(table: Table, margin: int, db: Transaction) -> None:
    """Store the result of a table of an event, which has ended by the rules: `lead`."""
    if table.event is None:
        return
    user_id = next((each.user_id for each in table.sitters if each.user_id is not None), None)
    day = day_of(table.event[0])
    before = None if day is None else daily_name(day - timedelta(days=1))
    query = "SELECT streak FROM event_results WHERE event = ? AND user_id = ? AND score IS NOT NULL"
    rows = await db.rows(query, (before, user_id))
    streak = 1 + (int(rows[0][0]) if rows else 0)
    await db.execute("UPDATE event_results SET score = ?, streak = ? WHERE played = ?", (margin, streak, table.id))


def daily_name(day: date) -> str:
    """Return the name of the daily of a day."""
    return f"{_DAILY}{day.isoformat()}"


def day_of(name: str) -> date | None:
    """Return the day of a daily; ``None`` for other events."""
    return date.fromisoformat(name.removeprefix(_DAILY)) if name.startswith(_DAILY) else None


def match_name(match_id: int) -> str:
    """Return the name of the event of a match."""
    return f"{_MATCH}{match_id}"


def match_of(name: str) -> int | None:
    """Return the id of the match of an event; ``None`` for other events."""
    return int(name.removeprefix(_MATCH)) if name.startswith(_MATCH) else None
