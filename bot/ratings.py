"""Results of games, and ratings of players by openskill, which are a pure fold of them. docs/RATINGS.md defines it."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from bot.games.game import COUNTED, RESIGNED, Value

_MODEL: Final = PlackettLuce()

NEW_GAMES: Final = 5
"""Under so many games, a player is new, and has no rank."""


class Rating(NamedTuple):
    """An estimate of strength, and its standard deviation."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0


_ANCHOR_SIGMA: Final = 1.0
_ANCHORS: Final[Mapping[str, Mapping[str, float]]] = {
    "pond": {"easy": 17.0, "strong": 35.0},
    "frogs": {"easy": 9.0, "strong": 39.0},
    "pontis": {"easy": 18.0, "strong": 31.0},
    "pot_black": {"easy": 11.0, "strong": 32.0},
}
"""The strength of computers, from docs/STRENGTH.md. Fair ones, and those of other games, have that of a new player."""


class Result(msgspec.Struct, frozen=True):
    """The result of a game that counts, by seat.

    Parameters
    ----------
    options: Those that matter in this game.
    reason: As in `Outcome`.
    """

    sides: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    options: Mapping[str, Value]
    reason: str

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
    """

    nth: int
    gains: tuple[float | None, ...]
    wins: tuple[int, ...] = ()


class Rated(NamedTuple):
    """A seat of a game that counts. ``share`` is the player's share of its decisions; computers have none."""

    side: int
    place: int
    rating: Rating
    share: float


def anchor(game: str, level: str) -> Rating:
    """Return the fixed rating of a computer."""
    return Rating(_ANCHORS.get(game, {}).get(level, Rating().mu), _ANCHOR_SIGMA)


def after(seats: Sequence[Rated]) -> list[Rating]:
    """Return the rating of each seat after a game: of the change, the share of the player's own decisions counts."""
    sides = sorted({seat.side for seat in seats})
    teams = [[seat for seat in seats if seat.side == side] for side in sides]
    rated = _MODEL.rate(
        [[_MODEL.rating(*seat.rating) for seat in team] for team in teams],
        ranks=[float(team[0].place) for team in teams],
    )
    found = {side: iter(team) for side, team in zip(sides, rated, strict=True)}
    return [_blended(seat, next(found[seat.side])) for seat in seats]


def _blended(seat: Rated, full: PlackettLuceRating) -> Rating:
    mu, sigma = seat.rating
    return Rating(mu + seat.share * (full.mu - mu), sigma + seat.share * (full.sigma - sigma))
