"""Tables of Pot Black for the tests of its computers."""

import random
from typing import Final

from bot.games.game import Value
from bot.games.pot_black.rulebook import PotBlack

GAME: Final = PotBlack()
FORMS: Final[tuple[dict[str, Value], ...]] = (
    {},
    {"short": "strict"},
    {"form": "individual"},
    {"form": "individual", "tied_side_pot": "stays", "end": "knock_out"},
    {"players": 3, "deals": 5},
    {"form": "classic"},
)
"""Options of all forms of the game."""


class Luck:
    """Chance from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))
