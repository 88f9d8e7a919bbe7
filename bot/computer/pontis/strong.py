"""The strong computer player for Pontis.

With two players nothing is hidden, so it searches the game itself, and solves its end. Else it plays its moves in
imagined deals, and compares the points.
"""

import random
from typing import Final

from bot.computer.imagined_deals import compare
from bot.computer.pontis.deals import Deals
from bot.computer.pontis.engine import Deal
from bot.computer.pontis.engine import Move as Played
from bot.computer.pontis.moves import numbered
from bot.computer.pontis.thumb import finish, play
from bot.computer.pontis.tree import search
from bot.games.game import Move
from bot.games.pontis import Liar, Observation

BUDGET: Final = 6_000
"""Deals played to the end for each move."""
WIN: Final = 2.0
"""The worth of winning the last game, in points."""


def choose(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    if seen.window is not None and seen.window.lie:
        for move in seen.legal:
            if isinstance(move, Liar):
                return move
    found = numbered(seen)
    if len(found) == 1:
        return found[0][1]
    moves = dict(found)
    return moves[think(seen, [*moves], rng, budget or BUDGET)]


def think(seen: Observation, moves: list[Played], rng: random.Random, budget: int) -> Played:
    """Return the best of some moves of the engine."""
    deals = Deals(seen)
    worth = Worth(seen)
    rng.shuffle(moves)
    if deals.are_certain:
        return search(deals.draw(rng), moves, worth, rng, budget)

    def value(deal: Deal, move: Played) -> float:
        deal = deal.copy()
        play(deal, move)
        finish(deal)
        return worth(deal)

    return compare(moves, lambda: deals.draw(rng), value, budget)[0].move


class Worth:
    """The worth of finished deals to the observing seat: what its side has more than the mean of the others."""

    def __init__(self, seen: Observation) -> None:
        setup = seen.setup
        self._side: Final = setup.sides[seen.seat or 0]
        self._before: Final = [seen.totals[members[0]] for members in setup.members]
        self._is_last: Final = len(seen.results) == setup.games - 1

    def __call__(self, deal: Deal) -> float:
        """Return the worth in points."""
        points = deal.scores()
        own = points[self._side]
        found = own - (sum(points) - own) / (len(points) - 1)
        if not self._is_last:
            return found
        totals = [before + won for before, won in zip(self._before, points, strict=True)]
        best = max([total for side, total in enumerate(totals) if side != self._side])
        mine = totals[self._side]
        return found + WIN * ((mine > best) - (mine < best))
