"""The strong computer for Pond · cards. It plays imagined deals to the end of the round, and compares its moves."""

import math
import random
from dataclasses import dataclass
from typing import Final

from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import Round, move_of
from bot.computer.pond.partners import sensible
from bot.computer.pond.thumb import finish
from bot.games.game import Move
from bot.games.pond import Observation

BUDGET: Final = {2: 10_000, 4: 6_000}
"""Rounds played to their end for each move, by number of players: at most a second on one core."""

_SPREAD: Final = {2: 40.0, 4: 60.0}
"""The steepness of a round's result, by number of players: two thirds of its standard deviation, in points."""
_LEAST_SPREAD: Final = 10.0
"""As `_SPREAD`, for the end of the last round: it makes narrow wins worth a little less than clear ones."""

_DRAWN: Final = 1_000
"""Deals that are drawn and weighed, if the budget isn't smaller."""


@dataclass(slots=True)
class Candidate:
    """A move with the results of the rounds that began with it, for the side of the seat."""

    move: Move
    action: int
    rounds: int = 0
    points: float = 0.0
    chances: float = 0.0

    @property
    def average(self) -> float:
        """The average points that the round ends with, those of opponents subtracted."""
        return self.points / self.rounds

    @property
    def chance(self) -> float:
        """The average chance to win the match."""
        return self.chances / self.rounds


def choose(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of rounds."""
    if len(seen.legal) == 1:
        return seen.legal[0]
    return think(seen, rng, budget or BUDGET[seen.setup.players])[0].move


def think(seen: Observation, rng: random.Random, budget: int) -> list[Candidate]:
    """Return the legal moves that make sense, the best first.

    All candidates play the same deals. The better half of them goes on, with as large a part of the budget as before.
    """
    deals, prospect = Deals(seen), _Prospect(seen)
    actions = sensible(deals.draw(rng), deals.strongest)
    candidates = [Candidate(move_of(deals.phase, action), action) for action in rng.sample(actions, len(actions))]
    going_on = len(candidates)
    rounds = deals.sample(rng, min(budget, _DRAWN))
    stages = max(1, (going_on - 1).bit_length())
    for _ in range(stages):
        for _ in range(max(1, budget // stages // going_on)):
            deal = next(rounds)
            for candidate in candidates[:going_on]:
                _play(candidate, deal.copy(), prospect)
        candidates[:going_on] = sorted(candidates[:going_on], key=lambda each: -each.chance)
        going_on = (going_on + 1) // 2
    return candidates


def _play(candidate: Candidate, state: Round, prospect: "_Prospect") -> None:
    state.play(candidate.action)
    points = prospect.sign * finish(state)
    candidate.rounds += 1
    candidate.points += points
    candidate.chances += prospect.chance(points)


class _Prospect:
    """Estimates the chance to win the match from the points of this round."""

    def __init__(self, seen: Observation) -> None:
        self.sign = -1.0 if (seen.seat or 0) % 2 else 1.0
        self._lead = self.sign * (seen.totals[0] - seen.totals[1])
        later = max(seen.setup.rounds - seen.round - 1, 0)
        self._spread = _LEAST_SPREAD + _SPREAD[seen.setup.players] * math.sqrt(later)

    def chance(self, points: float) -> float:
        """Return the chance to win with these points for the own side."""
        return 1 / (1 + math.exp(min(-(self._lead + points) / self._spread, 100.0)))
