"""Results of games, and ratings of players, which are a pure fold of them. docs/RATINGS.md defines it."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

import msgspec

from bot.games.game import COUNTED, RESIGNED, Value

NEW_GAMES: Final = 5
"""Under so many games, a player is new, and has no rank."""

SEASON_GAMES: Final = 4
"""Under so many games in a month, a player has no place in its season."""
_SEASON_POINTS: Final = 3

FOLD: Final = 1
"""The number of this fold. Increase it with every change of a constant: stored ratings are then recomputed."""

UNIT: Final = 1.5
"""Whoever is so many points ahead wins with odds of e to 1."""
_DRIFT: Final = 0.06
"""The standard deviation of what a player learns or forgets from one game to the next."""
_DOUBT: Final = 0.15
"""How much of the variances of both sides makes a result less certain."""
_BELOW: Final = 0.1
"""Wins against computers lift nobody nearer than this to the next level's number."""


class Rating(NamedTuple):
    """An estimate of strength, and its standard deviation."""

    mu: float = 22.0
    sigma: float = 6.0

    @property
    def lower_end(self) -> float:
        """The number that orders standings: two standard deviations below the estimate."""
        return self.mu - 2 * self.sigma


FAIR: Final = 25.0
"""The number of fair computers in all forms."""
_NUMBERS: Final[Mapping[str, Mapping[str, float]]] = {
    "pond 2": {"easy": 17.5, "fair": 25.0, "strong": 27.0},
    "pond 4 in 2": {"easy": 22.8, "fair": 25.0, "strong": 25.2},
    "frogs 2": {"easy": 19.9, "fair": 25.0, "strong": 30.8},
    "pontis 2": {"easy": 22.5, "fair": 25.0, "strong": 26.4},
    "pontis 3": {"easy": 24.3, "fair": 25.0},
    "pontis 4": {"easy": 24.3, "fair": 25.0, "strong": 25.0},
    "pontis 6": {"easy": 24.6, "fair": 25.0},
    "pontis 8": {"easy": 24.8, "fair": 25.0, "strong": 25.7},
    "pontis 4 in 2": {"easy": 24.4, "fair": 25.0},
    "pot_black 3": {"easy": 20.2, "fair": 25.0, "strong": 28.2},
    "pot_black 4": {"easy": 20.8, "fair": 25.0, "strong": 25.5},
    "pot_black 4 in 2": {"easy": 23.0, "fair": 25.0, "strong": 25.6},
}
"""The strength of computers by form, as `benchmarks/levels.py` finds it from recorded games. Fair ones have 25."""


Effect = Literal["all", "falls", "given up", "none"]
"""What a game can change of a seat's rating. With ``falls``, it never rises, and its doubt stays. So with ``given up``,
but a fall counts in full, whatever the share; partners fall no further than that. With ``none``, it stays."""


class Result(msgspec.Struct, frozen=True):
    """The result of a game that counts, by seat.

    Parameters
    ----------
    options: Those that matter in this game.
    reason: As in `Outcome`.
    effects: What it can change of each seat's rating; everything by default.
    """

    sides: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    options: Mapping[str, Value]
    reason: str
    effects: tuple[Effect, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the game was played to its end, so that its scores can be compared."""
        return self.reason not in {RESIGNED, COUNTED}


class Counted(msgspec.Struct, frozen=True):
    """What the result of a game changed.

    Parameters
    ----------
    nth: The number of the game among those that count, of its kind on its server.
    gains: The change of each seat's rating; ``None`` for computers, and for players who aren't shown.
    wins: By seat, how many games between the same sides of people its side has won, this one included. Empty if there
        are computers, or players who aren't shown.
    numbers: The numbers by which standings order the players after it, by seat; empty in games of older versions.
    """

    nth: int
    gains: tuple[float | None, ...]
    wins: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()


class Rated(NamedTuple):
    """A seat of a game that counts.

    Parameters
    ----------
    share: The player's share of the decisions of the seat; 0 for computers.
    limit: For computers, a rating that wins against them don't lift anyone above; ``None`` for people.
    """

    side: int
    place: int
    rating: Rating
    share: float
    effect: Effect = "all"
    limit: float | None = None


def form_of(game: str, sides: Sequence[int]) -> str:
    """Return the name of a form: the game, its number of seats, and that of sides if it is another one."""
    seats, count = len(sides), len({*sides})
    return f"{game} {seats}" if seats == count else f"{game} {seats} in {count}"


def numbers_of(form: str) -> Mapping[str, float]:
    """Return the fixed ratings of the levels in a form.

    What wasn't recorded in the form is taken from the most similar one of the game: with partners, if this one has
    some, and about as many seats.
    """
    game, seats, *teams = form.split(maxsplit=2)

    def difference(other: str) -> tuple[bool, int, str]:
        _game, other_seats, *other_teams = other.split(maxsplit=2)
        return bool(teams) != bool(other_teams), abs(int(seats) - int(other_seats)), other

    numbers: dict[str, float] = {}
    for similar in sorted((each for each in _NUMBERS if each.split()[0] == game), key=difference, reverse=True):
        numbers |= _NUMBERS[similar]
    return numbers


def limit_of(form: str, level: str) -> float | None:
    """Return the rating that wins against computers of this level don't lift anyone above, if there is one."""
    numbers = numbers_of(form)
    stronger = [number for number in numbers.values() if number > numbers.get(level, FAIR)]
    return round(min(stronger) - _BELOW, 1) if stronger else None


def computer(form: str, level: str, side: int, place: int) -> Rated:
    """Return a seat of a computer. Its rating is fixed."""
    limit = limit_of(form, level)
    number = Rating(numbers_of(form).get(level, FAIR), 0.0)
    return Rated(side, place, number, 0.0, limit=math.inf if limit is None else limit)


def season_points(side: int, places: Mapping[int, int]) -> float:
    """Return the points of a side for a game of a month's season: 3 × the share of other sides beaten, draws half.

    ``places`` are those of all sides.
    """
    others = [place for other, place in places.items() if other != side]
    beaten = sum((place > places[side]) + (place == places[side]) / 2 for place in others)
    return _SEASON_POINTS * beaten / len(others)


def after(seats: Sequence[Rated]) -> list[Rating]:
    """Return the rating of each seat after a game: of the change, the share of the player's own decisions counts.

    Its `Effect` limits that, so that nobody gains by what one person decides for a table.
    """
    sides: dict[int, list[Rated]] = {}
    for seat in seats:
        sides.setdefault(seat.side, []).append(seat)
    moved = [
        seat.rating
        if seat.limit is not None or seat.effect == "none"
        else _moved(seat, sides[seat.side], [side for key, side in sides.items() if key != seat.side])
        for seat in seats
    ]
    return [_spared(seat, new, seats, moved) for seat, new in zip(seats, moved, strict=True)]


def _moved(seat: Rated, side: Sequence[Rated], others: Sequence[Sequence[Rated]]) -> Rating:
    mu, sigma = seat.rating
    surprise, information = _evidence(side, others)
    variance = 1 / (1 / (sigma**2 + _DRIFT**2) + information)
    gain = _bounded(variance * surprise, seat, others)
    if seat.effect != "all":
        # Less doubt would lift the lower end, by which standings are ordered.
        return Rating(mu + (1.0 if seat.effect == "given up" else seat.share) * min(gain, 0.0), sigma)
    return Rating(mu + seat.share * gain, sigma + seat.share * (math.sqrt(variance) - sigma))


def _spared(seat: Rated, new: Rating, seats: Sequence[Rated], moved: Sequence[Rating]) -> Rating:
    """Return the rating of a seat, which falls no further than that of a partner who has given up."""
    if seat.effect == "given up":
        return new
    falls = [
        each.rating.mu - after.mu
        for each, after in zip(seats, moved, strict=True)
        if each.side == seat.side and each.effect == "given up"
    ]
    return new._replace(mu=max(new.mu, seat.rating.mu - min(falls))) if falls else new


def _are_computers(side: Sequence[Rated]) -> bool:
    return all(seat.limit is not None for seat in side)


def _evidence(side: Sequence[Rated], others: Sequence[Sequence[Rated]]) -> tuple[float, float]:
    """Return how much better a side did than expected, and how much that tells.

    All sides of computers together count as one opponent.
    """
    computers = sum(map(_are_computers, others))
    opponents = len(others) - computers + bool(computers)
    surprise = information = 0.0
    for other in others:
        # Comparisons with several opponents in one game aren't independent: a good deal beats all of them.
        weight = 3 / (opponents + 2) / (computers if _are_computers(other) else 1)
        slope, chance = _expected(side, other)
        surprise += weight * slope * (_score(side, other) - chance)
        information += weight * slope**2 * chance * (1 - chance)
    return surprise, information


def _bounded(gain: float, seat: Rated, others: Sequence[Sequence[Rated]]) -> float:
    """Return the gain, of which no win takes points and no defeat brings any, up to the limit of computers."""
    places = [side[0].place for side in others]
    if seat.place == 1 and max(places) > 1:
        gain = max(gain, 0.0)
    if seat.place >= max(places) and seat.place > min(places):
        gain = min(gain, 0.0)
    if not all(map(_are_computers, others)):
        return gain
    limit = max(each.limit or 0.0 for side in others for each in side)
    return min(gain, max(0.0, limit - seat.rating.mu))


def _expected(side: Sequence[Rated], other: Sequence[Rated]) -> tuple[float, float]:
    """Return how steeply the chance to beat the other side rises with a rating, and the chance."""
    variance = sum(seat.rating.sigma**2 for seat in (*side, *other))
    slope = 1 / math.sqrt(UNIT**2 + _DOUBT * variance)
    ahead = sum(seat.rating.mu for seat in side) - sum(seat.rating.mu for seat in other)
    return slope, 1 / (1 + math.exp(-slope * ahead))


def _score(side: Sequence[Rated], other: Sequence[Rated]) -> float:
    place, theirs = side[0].place, other[0].place
    return (place < theirs) + (place == theirs) / 2
