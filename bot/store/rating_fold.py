"""Recomputes stored ratings when the program folds results in another way than before. docs/RATINGS.md defines it."""

from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from bot import ratings
from bot.ratings import Effect, Rated, Rating
from bot.store.database import Row, Transaction
from bot.store.results import Decisions, share

_FOLDED: Final = "SELECT number FROM rating_fold"
_POOLS: Final = "SELECT DISTINCT guild_id, game FROM results ORDER BY guild_id, game"
_SEATS: Final = """
SELECT nth, seat, side, place, user_id, level, decisions, own, effect, won, against_computers FROM results
WHERE guild_id = ? AND game = ? ORDER BY nth, seat
"""
_REWRITE: Final = """
UPDATE results SET mu = :mu, sigma = :sigma, gain = :gain
WHERE guild_id = :guild_id AND game = :game AND nth = :nth AND seat = :seat
"""
_RESTATE: Final = """
UPDATE ratings SET mu = :mu, sigma = :sigma, streak = :streak, longest = :longest,
    computer_streak = :computer_streak, computer_longest = :computer_longest
WHERE guild_id = :guild_id AND game = :game AND user_id = :user_id
"""


class _Seat(NamedTuple):
    """A seat of a game, as it is stored."""

    seat: int
    side: int
    place: int
    user: int | None
    level: str | None
    decisions: int
    own: int
    effect: Effect
    won: int
    against_computers: int


@dataclass
class _Player:
    """The rating of a player, and the wins in a row against people (0) and against computers (1)."""

    rating: Rating = field(default_factory=Rating)
    streaks: list[int] = field(default_factory=lambda: [0, 0])
    longest: list[int] = field(default_factory=lambda: [0, 0])

    def note(self, rating: Rating, seat: _Seat) -> None:
        """Note the rating after a game, and whether it was won."""
        self.rating, apart = rating, seat.against_computers
        self.streaks[apart] = self.streaks[apart] + 1 if seat.won else 0
        self.longest[apart] = max(self.longest[apart], self.streaks[apart])

    def row(self) -> dict[str, Any]:
        """Return the columns of the player's row."""
        streaks = dict(zip(("streak", "computer_streak"), self.streaks, strict=True))
        return self.rating._asdict() | streaks | dict(zip(("longest", "computer_longest"), self.longest, strict=True))


async def recompute_ratings(db: Transaction) -> bool:
    """Fold all results anew if they were folded in another way. Return whether they were.

    Deleted players count as new ones.
    """
    await db.lock("rating_fold")
    if await db.rows(_FOLDED) == [(ratings.FOLD,)]:
        return False
    for pool in await db.rows(_POOLS):
        await _refold(pool, db)
    await db.execute("DELETE FROM rating_fold")
    await db.execute("INSERT INTO rating_fold (number) VALUES (?)", (ratings.FOLD,))
    return True


async def _refold(pool: Row, db: Transaction) -> None:
    """Fold the results of a game on a server."""
    players: dict[int, _Player] = {}
    results, game = [], dict(zip(("guild_id", "game"), pool, strict=True))
    for nth, rows in groupby(await db.rows(_SEATS, pool), key=itemgetter(0)):
        seats = [_Seat(*row[1:]) for row in rows]
        form = ratings.form_of(game["game"], [each.side for each in seats])
        before = [_rated(form, each, players.get(each.user or 0, _Player()).rating) for each in seats]
        for each, old, new in zip(seats, before, ratings.after(before), strict=True):
            changed = {"mu": old.rating.mu, "sigma": old.rating.sigma, "gain": new.mu - old.rating.mu}
            results.append(game | {"nth": nth, "seat": each.seat} | changed)
            if each.user is not None and each.effect != "none":
                players.setdefault(each.user, _Player()).note(new, each)
    await db.execute_many(_REWRITE, results)
    await db.execute_many(_RESTATE, [game | {"user_id": user} | each.row() for user, each in players.items()])


def _rated(form: str, seat: _Seat, rating: Rating) -> Rated:
    if seat.level is not None:
        return ratings.computer(form, seat.level, seat.side, seat.place)
    return Rated(seat.side, seat.place, rating, share(Decisions(seat.decisions, seat.own)), seat.effect)
