"""What decided a game: the largest cause of its result among those without which it would have ended otherwise."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.games.game import Outcome


class Cause(NamedTuple):
    """What changed the scores of a game: by how much that of each seat's side, and a sentence that says so."""

    gains: tuple[int, ...]
    sentence: str


class Whole(NamedTuple):
    """A deal or a round, and what happened in it."""

    cause: Cause
    parts: Sequence[Cause]


def decided(outcome: Outcome | None, sides: Sequence[int], causes: Iterable[Cause]) -> str:
    """Return the sentence of the largest of the ``causes``, in their order, that decided the game.

    Without that one, the winners wouldn't have won by their score. If several are the largest, it is the one by which
    they went ahead for good. It is empty if nothing stands out, or if something else than the scores decided.
    """
    game, every = _Result.of(outcome, sides), list(causes)
    at = game.decisive(every) if game else None
    return "" if at is None else every[at].sentence


def decided_in(outcome: Outcome | None, sides: Sequence[int], wholes: Iterable[Whole]) -> str:
    """Like `decided`, for games of several deals: the part that decided, or else the deal.

    Of that, only the largest part of all is named, if it is most of the deal.
    """
    every = list(wholes)
    all_parts = [part for whole in every for part in whole.parts]
    if said := decided(outcome, sides, all_parts):
        return said
    game = _Result.of(outcome, sides)
    at = game.decisive([whole.cause for whole in every]) if game else None
    if game is None or at is None:
        return ""
    cause, parts = every[at]
    part, most = max(parts, key=game.weight, default=cause), max(map(game.weight, all_parts), default=0)
    is_most = game.weight(part) == most and most * 2 > game.weight(cause)
    return part.sentence if is_most else cause.sentence


class _Result(NamedTuple):
    """The scores of a game by seat, the side of each seat, and the side that won by its score."""

    scores: Sequence[int]
    sides: Sequence[int]
    winner: int

    @classmethod
    def of(cls, outcome: Outcome | None, sides: Sequence[int]) -> "_Result | None":
        """Return the result, if one side has won by its score."""
        if outcome is None or outcome.is_conceded:
            return None
        first = {side for side, place in zip(sides, outcome.places, strict=True) if place == 1}
        game = cls(outcome.scores, sides, min(first))
        return game if len(first) == 1 and game.lead(outcome.scores) > 0 else None

    def lead(self, scores: Sequence[int]) -> int:
        """Return how far the winners would be ahead of the best other side by these scores."""
        others = [score for score, side in zip(scores, self.sides, strict=True) if side != self.winner]
        return scores[self.sides.index(self.winner)] - max(others, default=0)

    def weight(self, cause: Cause) -> int:
        """Return how much less the lead would be without the cause."""
        without = [score - gain for score, gain in zip(self.scores, cause.gains, strict=True)]
        return self.lead(self.scores) - self.lead(without)

    def decisive(self, causes: Sequence[Cause]) -> int | None:
        """Return the index of the largest cause, if the winners wouldn't have won without it."""
        weights = [self.weight(cause) for cause in causes]
        most = max(weights, default=0)
        if most < self.lead(self.scores):
            return None
        largest = [at for at, weight in enumerate(weights) if weight == most]
        at = largest[0] if len(largest) == 1 else self._turned(causes)
        return at if at in largest else None

    def _turned(self, causes: Sequence[Cause]) -> int:
        """Return the index of the cause by which the winners went ahead for good."""
        gains = (cause.gains for cause in causes)
        sums = accumulate(gains, lambda one, two: tuple(map(sum, zip(one, two, strict=True))))
        behind = [at for at, scores in enumerate(sums) if self.lead(scores) <= 0]
        return behind[-1] + 1 if behind else 0


def first_two(outcome: Outcome | None, sides: Sequence[int]) -> frozenset[int]:
    """Return the side that won and the next best one: in games of many, a sentence has room for these."""
    places = [] if outcome is None else sorted((place, side) for side, place in zip(sides, outcome.places, strict=True))
    return frozenset([*dict.fromkeys(side for _place, side in places)][:2])
