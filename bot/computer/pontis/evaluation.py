"""The value of a finished deal of Pontis to a seat."""

from typing import Final

from bot.computer.pontis.engine import Deal
from bot.games.pontis.observation import Observation

WIN: Final = 2.0
"""The value of winning the last game, in points."""


class Evaluation:
    """The value of finished deals to the observing seat: what its side has more than the mean of the others."""

    def __init__(self, seen: Observation) -> None:
        setup = seen.setup
        self._side: Final = setup.sides[seen.seat or 0]
        self._before: Final = [seen.totals[members[0]] for members in setup.members]
        self._is_last: Final = len(seen.results) == setup.games - 1

    def __call__(self, deal: Deal) -> float:
        """Return the value in points."""
        points = deal.scores()
        own = points[self._side]
        found = own - (sum(points) - own) / (len(points) - 1)
        if not self._is_last:
            return found
        totals = [before + won for before, won in zip(self._before, points, strict=True)]
        best = max([total for side, total in enumerate(totals) if side != self._side])
        mine = totals[self._side]
        return found + WIN * ((mine > best) - (mine < best))
