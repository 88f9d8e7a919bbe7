"""The value of a finished round of Pond · cards: the chance to win the match."""

import math
from typing import Final

from bot.games.pond.observation import Observation

_SPREAD: Final = {2: 40.0, 4: 60.0}
"""The steepness of a round's result, by number of players: two thirds of its standard deviation, in points."""
_LEAST_CHANCE: Final = 1e-9
"""Chances are kept this far from 0 and 1."""
_LEAST_SPREAD: Final = 10.0
"""Like `_SPREAD`, for the end of the last round: it makes narrow wins worth a little less than clear ones."""


class Prospect:
    """Estimates the chance to win the match from the score of this round."""

    def __init__(self, seen: Observation) -> None:
        self._sign = -1.0 if (seen.seat or 0) % 2 else 1.0
        self._lead = seen.totals[0] - seen.totals[1]
        later = max(seen.setup.rounds - seen.round - 1, 0)
        self._spread = _LEAST_SPREAD + _SPREAD[seen.setup.players] * math.sqrt(later)

    def chance(self, score: float) -> float:
        """Return the chance to win with this score of the round."""
        lead = self._sign * (self._lead + score)
        return 1 / (1 + math.exp(min(-lead / self._spread, 100.0)))

    def lead(self, chance: float) -> float:
        """Return the lead after this round, in points, that gives this chance to win."""
        chance = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
        return self._spread * math.log(chance / (1 - chance))
