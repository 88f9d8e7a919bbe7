"""Which games count, their results, and the ratings that follow from them. Results outlive their tables.

A result is written in the transaction that ends its table, and so are the ratings: docs/RATINGS.md defines them. So is
the result of a try at an event.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot import ratings
from bot.errors import NotAllowed
from bot.games.game import COUNTED, RESIGNED, AnyGame, Outcome, Seat
from bot.ratings import Counted, Effect, Rated, Rating, Result
from bot.records.event import daily_name, day_of
from bot.records.standing import counts
from bot.records.table import Sitter, Table
from bot.store.database import Transaction, insert, to_json

_NTH: Final = "SELECT coalesce(max(nth), 0) + 1 FROM results WHERE guild_id = ? AND game = ?"

_RATINGS: Final = """
SELECT user_id, mu, sigma FROM ratings
WHERE guild_id = ? AND game = ? AND user_id IN (SELECT value FROM json_each(?))
"""

_RATE: Final = """
INSERT INTO ratings (guild_id, game, user_id, name, mu, sigma, games, wins, {streak}, {longest}, {others})
VALUES (:guild_id, :game, :user_id, :name, :mu, :sigma, 1, :won, :won, :won, 0, 0)
ON CONFLICT (guild_id, game, user_id) DO UPDATE SET name = excluded.name, mu = excluded.mu, sigma = excluded.sigma,
    games = ratings.games + 1, wins = ratings.wins + excluded.wins,
    {streak} = CASE WHEN excluded.wins = 0 THEN 0 ELSE ratings.{streak} + 1 END,
    {longest} = CASE WHEN excluded.wins = 1 AND ratings.{streak} + 1 > ratings.{longest} THEN ratings.{streak} + 1
        ELSE ratings.{longest} END
"""
_RATE_AGAINST_PEOPLE: Final = _RATE.format(
    streak="streak", longest="longest", others="computer_streak, computer_longest"
)
_RATE_AGAINST_COMPUTERS: Final = _RATE.format(
    streak="computer_streak", longest="computer_longest", others="streak, longest"
)

_HIDDEN: Final = "SELECT id FROM users WHERE ranking = 0 AND id IN (SELECT value FROM json_each(?))"

_UNDONE_COMPUTERS: Final = """
SELECT DISTINCT taken_by FROM taken_back WHERE table_id = ? AND by_user IS NULL AND seat IS NOT NULL
"""
"""Who took back moves after which a computer had moved. Computers can't agree to that."""

_COMMON: Final = """
SELECT nth, side, user_id, won FROM results WHERE guild_id = ?1 AND game = ?2 AND nth IN (
    SELECT nth FROM results WHERE user_id = ?3 AND guild_id = ?1 AND game = ?2
    INTERSECT SELECT nth FROM results WHERE user_id = ?4 AND guild_id = ?1 AND game = ?2)
"""
"""The games in which two users played."""


def result_of(game: AnyGame, table: Table, outcome: Outcome, given_up: Seat | None = None) -> Result | None:
    """Return the result of a table that ends with this outcome; ``None`` if it doesn't count.

    It does if it was played to its end by the rules, or its players agreed to count it as it stood. Games with another
    value of an option that is unrated count nowhere. ``given_up`` is the seat that conceded. The winners only gain by
    that if they were ahead.
    """
    if not counts(table):
        return None
    unrated = {option.key for option in game.options if option.is_unrated}
    if unrated & game.chosen(table.options).keys():
        return None
    options = {key: value for key, value in table.options.items() if game.applies(key, table.options)}
    options = {key: value for key, value in options.items() if key not in unrated}
    sides = game.sides(table.options)
    effects = _effects_of_giving_up(outcome.scores, sides, given_up)
    return Result(sides, outcome.places, outcome.scores, options, outcome.reason, effects)


def _effects_of_giving_up(scores: Sequence[int], sides: Sequence[int], given_up: Seat | None) -> tuple[Effect, ...]:
    """Return what a game can change for each seat, if this one has conceded."""
    effects: list[Effect] = ["all" for _ in sides]
    if given_up is None:
        return tuple(effects)
    is_behind = lead(scores, sides, given_up) < 0
    effects = ["all" if is_behind or side == sides[given_up] else "falls" for side in sides]
    effects[given_up] = "given up"
    return tuple(effects)


def decided_alone(game: AnyGame, table: Table, standing: Outcome, seat: Seat) -> Result | None:
    """Return the result of a table that the player of this seat has ended alone.

    If it doesn't count as it stands, that is a defeat for them. It changes nothing for anybody else.
    """
    if standing.reason != COUNTED:
        sides = game.sides(table.options)
        places = tuple([2 if side == sides[seat] else 1 for side in sides])
        standing = Outcome(standing.scores, places, RESIGNED)
    result = result_of(game, table, standing)
    own: Effect = "given up" if standing.reason == RESIGNED else "falls"
    return result and replace(result, effects=tuple([own if at == seat else "none" for at in range(table.seats)]))


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
    """The entries of a seat, those of them that its player made without a hint, and those of other users."""

    all: int = 0
    own: int = 0
    of_others: int = 0


async def record_result(table: Table, result: Result, db: Transaction) -> Counted:
    """Write the result of a table that has just ended, and the ratings after it."""
    guild_id, game = table.place.guild_id, table.game
    await db.lock(f"results {guild_id} {game}")
    ((nth,),) = await db.rows(_NTH, (guild_id, game))
    decisions = await _decisions(table, db)
    players = [_player(sitter, decisions[sitter.seat]) for sitter in table.sitters]
    users = [user for user in players if user is not None]
    known = {user: Rating(*rating) for user, *rating in await db.rows(_RATINGS, (guild_id, game, to_json(users)))}
    effects = await _effects(table, result, players, decisions, db)
    before = [
        rated._replace(effect=effect)
        for rated, effect in zip(_rated(table, result, players, decisions, known), effects, strict=True)
    ]
    after = ratings.after(before)
    await _write(table, result, nth, list(zip(players, before, after, strict=True)), decisions, db)
    unnamed = {None, *[user for (user,) in await db.rows(_HIDDEN, (to_json(users),))]}
    gains = tuple(
        None if user in unnamed else new.mu - old.rating.mu
        for user, old, new in zip(players, before, after, strict=True)
    )
    wins = () if unnamed.intersection(players) else await _wins(table, result.sides, users, db)
    return Counted(nth, gains, wins, tuple([rating.lower_end for rating in after]))


async def _write(  # noqa: PLR0913, PLR0917 - what is written
    table: Table,
    result: Result,
    nth: int,
    seats: Sequence[tuple[int | None, Rated, Rating]],
    decisions: Mapping[Seat, Decisions],
    db: Transaction,
) -> None:
    """Write a row for each seat, and the new ratings: ``seats`` are the player, and the rating before and after."""
    are_apart = len({old.side for user, old, _new in seats if user is not None}) < 2
    for sitter, (user, old, new) in zip(table.sitters, seats, strict=True):
        row = _row(table, result, sitter.seat, user, decisions[sitter.seat]) | {
            "nth": nth,
            "effect": old.effect,
            "against_computers": int(are_apart),
            "mu": old.rating.mu,
            "sigma": old.rating.sigma,
            "gain": new.mu - old.rating.mu,
        }
        await db.execute(insert("results", row), row)
        if user is not None and old.effect != "none":
            rate = _RATE_AGAINST_COMPUTERS if are_apart else _RATE_AGAINST_PEOPLE
            await db.execute(rate, _rating_row(row, sitter, new))


def _rated(
    table: Table,
    result: Result,
    players: Sequence[int | None],
    decisions: Mapping[Seat, Decisions],
    known: Mapping[int, Rating],
) -> list[Rated]:
    """Return each seat as the ratings see it."""
    form = ratings.form_of(table.game, result.sides)
    return [
        Rated(
            result.sides[sitter.seat],
            result.places[sitter.seat],
            known.get(user, Rating()),
            share(decisions[sitter.seat]),
        )
        if user is not None
        else ratings.computer(form, sitter.level, result.sides[sitter.seat], result.places[sitter.seat])
        for sitter, user in zip(table.sitters, players, strict=True)
    ]


async def _effects(
    table: Table,
    result: Result,
    players: Sequence[int | None],
    decisions: Mapping[Seat, Decisions],
    db: Transaction,
) -> tuple[Effect, ...]:
    """Return what the game can change of each seat's rating, by how the players came to its end."""
    undoers = {user for (user,) in await db.rows(_UNDONE_COMPUTERS, (table.id,))}
    undone = {result.sides[sitter.seat] for sitter in table.sitters if sitter.player_id in undoers}
    effects: list[Effect] = []
    for sitter, user, given in zip(table.sitters, players, result.effects, strict=True):
        is_undone = table.has_slips or result.sides[sitter.seat] in undone
        effect: Effect = "falls" if given == "all" and is_undone else given
        effect = "given up" if _gave_up(sitter, decisions[sitter.seat]) else effect
        effects.append("all" if user is None else effect)
    return tuple(effects)


def share(decisions: Decisions) -> float:
    """Return the player's share of the decisions of their seat."""
    return decisions.own / decisions.all if decisions.all else 0.0


def _player(sitter: Sitter, decisions: Decisions) -> int | None:
    """Return the user whose result it is: who lost the seat for good has it if they decided anything or gave it up."""
    return sitter.player_id or (sitter.started_by if decisions.own or _gave_up(sitter, decisions) else None)


def _gave_up(sitter: Sitter, decisions: Decisions) -> bool:
    """Return whether the player who began on the seat gave it up; a substitute who did isn't known any more."""
    return sitter.is_given_up and not decisions.of_others


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
    of_others = [by_user for _ply, by_user in entries if by_user not in {None, player}]
    return Decisions(len(entries), len(own), len(of_others))


def _row(table: Table, result: Result, seat: Seat, user: int | None, decisions: Decisions) -> dict[str, Any]:
    sitter = table.sitters[seat]
    best = sorted(dict(zip(result.sides, result.scores, strict=True)).values(), reverse=True)
    is_drawn = set(result.places) == {1}
    counts = result.effects[seat] != "none"
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
        "won": int(result.places[seat] == 1 and not is_drawn and counts),
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


_DAY: Final = timedelta(days=1)


def lead(scores: Sequence[int], sides: Sequence[int], seat: Seat = 0) -> int:
    """Return how far the side of a seat is ahead of the best other one."""
    return scores[seat] - max(score for score, side in zip(scores, sides, strict=True) if side != sides[seat])


async def note_result(table: Table, margin: int, db: Transaction) -> None:
    """Store the result of a table of an event, which has ended by the rules: `lead`."""
    if table.event is None:
        return
    await db.execute("UPDATE event_results SET score = ? WHERE played = ?", (margin, table.id))
    user_id = next((each.user_id for each in table.sitters if each.user_id is not None), None)
    day = day_of(table.event[0])
    if day is not None:
        await _count_streaks(user_id, day, db)


async def _count_streaks(user_id: int | None, day: date, db: Transaction) -> None:
    """Store the streak of a daily that was finished, and of the days after it, if those were finished before it.

    So a streak follows from the days alone: they may be finished in any order, as they end at different times.
    """
    await db.lock(f"streaks {user_id}")
    finished = "SELECT streak FROM event_results WHERE event = ? AND user_id = ? AND score IS NOT NULL"
    rows = await db.rows(finished, (daily_name(day - _DAY), user_id))
    streak = int(rows[0][0]) if rows else 0
    while await db.rows(finished, (daily_name(day), user_id)):
        streak += 1
        values = (streak, daily_name(day), user_id)
        await db.execute("UPDATE event_results SET streak = ? WHERE event = ? AND user_id = ?", values)
        day += _DAY
