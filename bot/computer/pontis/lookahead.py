"""A short look ahead in Pontis for two: each legal move is played in a few imagined deals to the end.

Once both banks are up and no cards are left over, nothing is hidden, and one deal is enough.
"""

import random
from typing import Final

from bot.computer.pontis.deals import Deals
from bot.computer.pontis.engine import VALUES, each
from bot.computer.pontis.evaluation import Evaluation
from bot.computer.pontis.heuristic import finish, play
from bot.computer.pontis.moves import worth_comparing
from bot.games.game import Move
from bot.games.pontis.observation import Observation

DEALS: Final = 20
"""Deals played to the end for all moves together, if cards are hidden."""

MOVES: Final = 30
"""The most moves that are played; of more, those with the highest cards."""


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return the legal move, other than a call, that does best if the rule of thumb plays on."""
    found = worth_comparing(seen)
    if len(found) == 1:
        return found[0][1]
    rng.shuffle(found)
    if len(found) > MOVES:
        found = sorted(found, key=lambda move: _height(move[0][0]), reverse=True)[:MOVES]
    deals, evaluate = Deals(seen), Evaluation(seen)
    totals = [0.0] * len(found)
    for _ in range(1 if deals.are_certain else max(1, DEALS // len(found))):
        deal = deals.draw(rng)
        for at, (move, _) in enumerate(found):
            after = deal.copy()
            play(after, move)
            finish(after)
            totals[at] += evaluate(after)
    return found[totals.index(max(totals))][1]


def _height(cards: int) -> int:
    """Return the sum of the values of some cards."""
    return sum(VALUES[bit.bit_length() - 1] for bit in each(cards))
