"""Tables of Pontis for the tests of its computers."""

import random
from typing import Final

from bot.games.game import Value
from bot.games.pontis.rulebook import Pontis

GAME: Final = Pontis()
FORMS: Final[tuple[dict[str, Value], ...]] = (
    {"players": 2},
    {"players": 2, "jokers": 3, "fake": "on", "liar": "on"},
    {"players": 2, "banks": 10, "fake": "on"},
    {"players": 3, "curdle": "instant", "games": 2, "out_bonus": "match"},
    {"players": 4},
    {"players": 4, "banks": 2, "jokers": 4},
    {"players": 5, "jokers": 0, "fake": "on", "liar": "on"},
    {"players": 6, "banks": 2, "teams": "on", "fake": "on", "liar": "on"},
    {"players": 8, "banks": 4, "teams": "on", "out_bonus": "match"},
    {"players": 13, "jokers": 4},
)
"""Options of all forms of the game."""


class Luck:
    """Chance from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))
