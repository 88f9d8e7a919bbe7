"""What people see of results: standings, records and meetings on a server. Players who hide theirs are left out."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import fmean
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot import ratings
from bot.ratings import NEW_GAMES
from bot.records.standing import Best, Bests, Meeting, Played, Recap, Season, SeasonPlace, Standing, Year
from bot.records.table import Table
from bot.store.database import Repository, Row, Session, records

_APART: Final = (0, 1)
"""The values of ``against_computers``: games against computers alone are counted apart."""
_SHOWN: Final = "NOT EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND ranking = 0)"

_STANDINGS: Final = f"""
SELECT user_id, name, mu, sigma, games, wins, streak, longest FROM ratings
WHERE guild_id = ?1 AND game = ?2 AND {_SHOWN} ORDER BY games < ?3, mu - 2 * sigma DESC, user_id
"""  # noqa: S608 - constant text

_OF_RESULTS: Final = f"""
SELECT nth, side, {{column}} FROM results
WHERE guild_id = ?1 AND game = ?2 AND against_computers = ?3 AND user_id IS NOT NULL AND won = 1
    AND {{condition}} AND {_SHOWN}
ORDER BY {{column}} {{order}}, nth LIMIT 1
"""  # noqa: S608 - constant text
_SIDE: Final = f"""
SELECT (SELECT name FROM ratings WHERE ratings.guild_id = ?1 AND ratings.game = ?2
    AND ratings.user_id = results.user_id)
FROM results WHERE guild_id = ?1 AND game = ?2 AND nth = ?3 AND side = ?4 AND user_id IS NOT NULL AND {_SHOWN}
ORDER BY seat
"""  # noqa: S608 - constant text
"""Whose record it is: that of a pair belongs to both."""
_ENOUGH: Final = """
SELECT count(DISTINCT nth) >= 3 AND count(DISTINCT user_id) >= 2 FROM results
WHERE guild_id = ?1 AND game = ?2 AND against_computers = ?3 AND ended_at >= ?4 AND ended_at < ?5
"""
"""Whether there can be records: not of a single game, nor where nobody else has played."""
_EVER: Final = (0.0, 1e18)
_LEAST_STREAK: Final = 3
_WITHIN: Final = "ended_at >= ?4 AND ended_at < ?5 AND "
_CATCH: Final = _OF_RESULTS.format(column="score", condition=_WITHIN + "score > 0", order="DESC")
_CLOSEST: Final = _OF_RESULTS.format(column="margin", condition=_WITHIN + "margin > 0", order="")
_STREAK: Final = f"""
SELECT name, CASE WHEN ?3 = 1 THEN computer_longest ELSE longest END AS most
FROM ratings WHERE guild_id = ?1 AND game = ?2 AND {_SHOWN} ORDER BY most DESC LIMIT 1
"""  # noqa: S608 - constant text

_FAVOURITE: Final = "SELECT game FROM ratings WHERE guild_id = ? GROUP BY game ORDER BY sum(games) DESC, game LIMIT 1"

_IN_TIME: Final = "results.guild_id = ?1 AND ended_at >= ?2 AND ended_at < ?3"
_PLAYED: Final = f"""
SELECT game, count(DISTINCT nth), count(DISTINCT CASE WHEN against_computers = 1 THEN nth END), count(user_id)
FROM results WHERE {_IN_TIME} GROUP BY game
ORDER BY count(DISTINCT nth) DESC, game
"""  # noqa: S608 - constant text
_WON: Final = f"""
SELECT (SELECT name FROM ratings WHERE ratings.guild_id = ?1 AND ratings.game = ?4
    AND ratings.user_id = results.user_id), count(*)
FROM results WHERE {_IN_TIME} AND game = ?4 AND against_computers = ?5 AND won = 1 AND user_id IS NOT NULL AND {_SHOWN}
GROUP BY user_id ORDER BY count(*) DESC, user_id
"""  # noqa: S608 - constant text
_NAMED: Final = """
SELECT (SELECT name FROM ratings WHERE ratings.guild_id = ?1 AND ratings.user_id = results.user_id
    ORDER BY games DESC, game LIMIT 1)"""
_KNOWN: Final = f"{_IN_TIME} AND user_id IS NOT NULL AND {_SHOWN}"
_FIRST: Final = f"""{_NAMED} FROM results WHERE {_KNOWN} AND NOT EXISTS (SELECT 1 FROM results AS earlier
    WHERE earlier.user_id = results.user_id AND earlier.guild_id = ?1 AND earlier.ended_at < ?2)
GROUP BY user_id ORDER BY min(ended_at), user_id
"""  # noqa: S608 - constant text

_SEASON: Final = f"""
SELECT nth, side, place, against_computers, user_id, effect <> 'none' AND user_id IS NOT NULL AND {_SHOWN}, (
    SELECT name FROM ratings WHERE ratings.guild_id = ?1 AND ratings.game = ?2
        AND ratings.user_id = results.user_id)
FROM results WHERE guild_id = ?1 AND game = ?2 AND ended_at >= ?3 AND ended_at < ?4 ORDER BY nth, seat
"""  # noqa: S608 - constant text
_LAST_GAME: Final = "SELECT game FROM results WHERE user_id = ? AND guild_id = ? ORDER BY ended_at DESC LIMIT 1"

_PLAYERS: Final = f"SELECT count(DISTINCT user_id) FROM results WHERE {_KNOWN}"  # noqa: S608 - constant text
_WON_MOST: Final = f"""{_NAMED}, count(*) FROM results WHERE {_KNOWN} AND against_computers = ?4 AND won = 1
GROUP BY user_id ORDER BY count(*) DESC, user_id LIMIT ?5
"""
_STREAK_WITHIN: Final = f"""{_NAMED}, count(*) FROM (
    SELECT user_id, game, nth, won, sum(1 - won) OVER (PARTITION BY user_id, game ORDER BY nth) AS lost
    FROM results WHERE {_KNOWN} AND against_computers = ?4) AS results
WHERE won = 1 GROUP BY user_id, game, lost ORDER BY count(*) DESC, min(nth) LIMIT 1
"""  # noqa: S608 - constant text
"""Games between which as many were lost are a streak."""
_COUNTED: Final = f"SELECT count(*) FROM results WHERE {_IN_TIME} AND seat = 0"  # noqa: S608 - constant text
_ENDS: Final = "SELECT min(ended_at), max(ended_at) FROM results WHERE guild_id = ?"

MOST_WINNERS: Final = 3
"""Maximum number of people in `Year.wins`."""

_MEETINGS: Final = """
SELECT mine.game, mine.ended_at, mine.side = theirs.side, mine.place, theirs.place, mine.won, mine.score, theirs.score
FROM results AS mine JOIN results AS theirs ON theirs.user_id = ?3 AND theirs.guild_id = mine.guild_id
    AND theirs.game = mine.game AND theirs.nth = mine.nth
WHERE mine.user_id = ?2 AND mine.guild_id = ?1 ORDER BY mine.ended_at + 0 DESC, mine.nth DESC
"""
"""The sum keeps SQLite from reading all games of the server in the order of their ends."""

_EXPORT: Final = """
SELECT side, user_id, level, decisions, own, mu, sigma, effect, (
    SELECT max(nth * 100 + seat) FROM results AS other WHERE other.user_id = results.user_id
        AND other.guild_id = results.guild_id AND other.game = results.game AND other.nth < results.nth)
FROM results WHERE guild_id = ? AND game = ? AND nth = ? ORDER BY seat
"""


class Standings(Repository):
    """Ratings and results of servers. Callers check that the user is on the server."""

    async def of(self, guild_id: int, game: str) -> tuple[Standing, ...]:
        """Return the players of a game: the strongest first, and then those who are new."""
        return tuple(records(Standing, await self._reading.rows(_STANDINGS, guild_id, game, NEW_GAMES)))

    async def bests(self, guild_id: int, game: str) -> Bests:
        """Return the records of a game."""
        people, computers = [
            replace(
                await _bests(self._reading, guild_id, game, apart),
                streak=await _streak(self._reading, _STREAK, guild_id, game, apart),
            )
            for apart in _APART
        ]
        return replace(people, apart=computers)

    async def favourite(self, guild_id: int) -> str | None:
        """Return the game of which people have played most on a server; ``None`` if there is none."""
        return next((game for (game,) in await self._reading.rows(_FAVOURITE, guild_id)), None)

    async def season(self, guild_id: int, game: str, begin: float, end: float) -> Season:
        """Return how everybody did in games that ended from ``begin`` until before ``end``."""
        tallies: tuple[dict[int, _Tally], ...] = ({}, {})
        for _nth, rows in groupby(await self._reading.rows(_SEASON, guild_id, game, begin, end), key=itemgetter(0)):
            seats = list(rows)
            places = {side: place for _nth, side, place, *_ in seats}
            for _nth, side, _place, apart, user_id, counts, name in seats:
                if counts:
                    tally = tallies[apart].setdefault(user_id, _Tally(name, []))
                    tally.points.append(ratings.season_points(side, places))
        return Season(*[_places(each) for each in tallies])

    async def last_game(self, guild_id: int, user_id: int) -> str | None:
        """Return the game that a user finished last on a server; ``None`` if there is none."""
        return next((game for (game,) in await self._reading.rows(_LAST_GAME, user_id, guild_id)), None)

    async def recap(self, guild_id: int, begin: float, end: float) -> Recap:
        """Return what happened from ``begin`` until before ``end``. It is empty if nobody known has played."""
        rows = await self._reading.rows(_PLAYED, guild_id, begin, end)
        if not sum(people for *_, people in rows):
            return Recap()
        played = []
        for game, games, computer_games, _people in rows:
            wins, computer_wins = [
                _counts(await self._reading.rows(_WON, guild_id, begin, end, game, apart)) for apart in _APART
            ]
            played.append(Played(game, games, computer_games, wins, computer_wins))
        bests, computers = [
            await _bests(self._reading, guild_id, played[0].game, apart, begin, end) for apart in _APART
        ]
        first = await self._reading.rows(_FIRST, guild_id, begin, end)
        return Recap(tuple(played), replace(bests, apart=computers), tuple(name for (name,) in first))

    async def ends(self, guild_id: int) -> tuple[float, float] | None:
        """Return when the first game and the last one ended; ``None`` if there is none."""
        ((first, last),) = await self._reading.rows(_ENDS, guild_id)
        return None if first is None else (first, last)

    async def year(self, guild_id: int, months: Sequence[float]) -> Year:
        """Return what happened in a year. ``months`` are the times at which its months begin, and its end.

        It may read a hundred thousand results, so others don't wait for it.
        """
        async with self._database.session() as reading:
            return await _year(guild_id, months, reading)

    async def meetings(self, guild_id: int, user_id: int, other_id: int) -> tuple[Meeting, ...]:
        """Return the games that two users played at one table, the latest first."""
        rows = await self._reading.rows(_MEETINGS, guild_id, user_id, other_id)
        return tuple(records(Meeting, rows))

    async def is_shown(self, user_id: int) -> bool:
        """Return whether the user wants to be shown."""
        return not await self._reading.rows("SELECT 1 FROM users WHERE id = ? AND ranking = 0", user_id)

    async def exported(self, table: Table) -> dict[str, Any] | None:
        """Return what a transcript tells about ratings; ``None`` if the game doesn't count. It has no user's id.

        A seat has its rating before the game if its player is a computer or unknown; else their game before that one.
        """
        if table.counted is None:
            return None
        rows = await self._reading.rows(_EXPORT, table.place.guild_id, table.game, table.counted.nth)
        form = ratings.form_of(table.game, [side for side, *_ in rows])
        return {
            "nth": table.counted.nth,
            "seats": [
                {"own": own, "decisions": decisions}
                | ({"rating": [mu, sigma]} if user is None else {"last": last and divmod(last, 100)})
                | ({} if level is None else {"level": level, "limit": ratings.limit_of(form, level)})
                | ({} if effect == "all" else {"effect": effect})
                for _side, user, level, decisions, own, mu, sigma, effect, last in rows
            ],
        }


class _Tally(NamedTuple):
    """A player in a month, with the points of each game."""

    name: str
    points: list[float]


def _places(tallies: Mapping[int, _Tally]) -> tuple[SeasonPlace, ...]:
    """Return players in their order: by the average, then by the number of games, then by the name."""
    places = [
        SeasonPlace(user_id, name, len(points), round(fmean(points), 6)) for user_id, (name, points) in tallies.items()
    ]
    places.sort(key=lambda each: (not each.has_place, -each.points, -each.games, each.name))
    return tuple(places)


async def _year(guild_id: int, months: Sequence[float], reading: Session) -> Year:
    within = (guild_id, months[0], months[-1])
    rows = await reading.rows(_PLAYED, *within)
    if not sum(people for *_, people in rows):
        return Year()
    counts = [await reading.rows(_COUNTED, guild_id, *month) for month in pairwise(months)]
    ((players,),) = await reading.rows(_PLAYERS, *within)
    wins, computer_wins = [_counts(await reading.rows(_WON_MOST, *within, apart, MOST_WINNERS)) for apart in _APART]
    bests, computers = [
        replace(
            await _bests(reading, guild_id, rows[0][0], apart, *within[1:]),
            streak=await _streak(reading, _STREAK_WITHIN, *within, apart),
        )
        for apart in _APART
    ]
    return Year(
        tuple((game, games) for game, games, *_ in rows),
        sum(computer_games for _game, _games, computer_games, _people in rows),
        tuple(count for ((count,),) in counts),
        players,
        wins,
        computer_wins,
        replace(bests, apart=computers),
        tuple(name for (name,) in await reading.rows(_FIRST, *within)),
    )


async def _bests(reading: Session, guild_id: int, game: str, apart: int, *within: float) -> Bests:
    """Return the largest catch and the closest finish, of all times or between two."""
    values = (guild_id, game, apart, *(within or _EVER))
    ((are_enough,),) = await reading.rows(_ENOUGH, *values)
    if not are_enough:
        return Bests()
    catch, closest = [await _of_side(reading, query, guild_id, game, *values[2:]) for query in (_CATCH, _CLOSEST)]
    return Bests(catch, closest)


async def _of_side(reading: Session, query: str, guild_id: int, game: str, *values: object) -> Best | None:
    """Return a record of a side, with the names of its people."""
    for nth, side, value in await reading.rows(query, guild_id, game, *values):
        names = tuple(name for (name,) in await reading.rows(_SIDE, guild_id, game, nth, side))
        return Best(names, value)
    return None


def _counts(rows: Sequence[Row]) -> tuple[tuple[str, int], ...]:
    return tuple((name, count) for name, count in rows)


async def _streak(reading: Session, query: str, *values: object) -> Best | None:
    """Return the longest streak, if it is one."""
    found = [(name, n) for name, n in await reading.rows(query, *values) if n >= _LEAST_STREAK]
    return Best((found[0][0],), found[0][1]) if found else None
