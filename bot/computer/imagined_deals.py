"""The computers for games with hidden cards: search over imagined deals (determinization).

A computer that can't see all cards imagines deals that agree with its observation, plays each of its moves in each
deal, and lets a rule of thumb (or an exact search, near the end) finish the game. The best move is that with the
highest mean value. Of moves that this can't tell apart, it plays the one of the rule of thumb. `compare` does that.
A `View` says what a deal is, how it is finished and what its end is worth in a game.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from bot.computer.thoughts import Cause, Rated, Thought, rated
from bot.games.game import Move as GameMove

Move = TypeVar("Move")
Deal = TypeVar("Deal")

FEWEST_DEALS: Final = 1
"""Imagined deals that every move is played in, however small the budget is."""
DOUBT: Final = 2.0
"""The lead over the rule of thumb's move, in standard errors, that may be luck of the deals."""

_FEW: Final = 4
"""With fewer deals, nothing is sure."""


class Judged(NamedTuple, Generic[Move]):
    """A move, its mean value, and the number of imagined deals that it was played in."""

    move: Move
    value: float
    deals: int


def compare(
    moves: Sequence[Move],
    imagine: Callable[[], Deal],
    value: Callable[[Deal, Move], float],
    budget: int,
    habit: tuple[Move, float] | None = None,
) -> list[Judged[Move]]:
    """Return all moves with their values, the best first.

    * ``imagine`` returns a deal that agrees with the observation. All moves still in question are played in the same
      deals, so luck of the deal doesn't decide between them.
    * ``value`` plays the move in a copy of the deal, finishes it, and returns its worth to the observing seat.
    * ``budget`` is the number of calls of ``value``. It is spent in stages, and the worse half of the moves leaves
      after each (sequential halving).
    * ``habit`` is the move that others expect, which never leaves, and the lead that matters. It comes first unless
      another move has a larger lead that isn't in `DOUBT`.

    Moves that do equally well stay in the order in which they were given: shuffle them to choose at random.
    """
    alive = [_Tally(move) for move in moves]
    left: list[_Tally[Move]] = []
    stages = max(1, (len(moves) - 1).bit_length())  # halvings that leave one move
    for stage in range(stages, 0, -1):
        for _ in range(max(FEWEST_DEALS, budget // stage // len(alive))):
            deal = imagine()
            for tally in alive:
                tally.values.append(value(deal, tally.move))
            budget -= len(alive)
        alive.sort(key=_Tally.mean, reverse=True)
        half = (len(alive) + 1) // 2
        kept = [tally for tally in alive[half:] if stage > 1 and habit and tally.move == habit[0]]
        left = [tally for tally in alive[half:] if tally not in kept] + left
        alive = alive[:half] + kept
    order = [*alive, *left]
    usual = next((tally for tally in order if habit and tally.move == habit[0]), order[0])
    if habit and usual is not order[0] and not order[0].beats(usual, habit[1]):
        order.remove(usual)
        order.insert(0, usual)
    return [Judged(tally.move, tally.mean(), len(tally.values)) for tally in order]


class View(ABC, Generic[Deal, Move]):
    """What a seat sees of a card game, and what its computers make of that.

    * ``moves``: the moves to compare. ``habit``: the rule of thumb's and the lead over it that matters, if it counts.
    * ``cost``: how many calls of `value` each call takes as much time as.
    """

    moves: list[Move]
    habit: tuple[Move, float] | None = None
    cost: int = 1

    @abstractmethod
    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Deal]:
        """Return a function that returns imagined deals."""

    @abstractmethod
    def value(self, deal: Deal, move: Move) -> float:
        """Play a move in a copy of a deal, and the deal to its end. Return its worth to the seat."""

    @abstractmethod
    def named(self, move: Move) -> GameMove:
        """Return a move as the rulebook knows it."""

    @abstractmethod
    def cause(self, chosen: Judged[Move], alternatives: Sequence[Rated], rng: random.Random) -> Cause:
        """Return why a move is played."""

    def points(self, value: float) -> float:
        """Return a value in points or chips."""
        return value

    def think(self, rng: random.Random, budget: int, *, with_others: bool = True) -> list[Judged[Move]]:  # noqa: ARG002 - for views that can do without
        """Return the moves with their values, the best first, and others only if they are asked for."""
        moves = rng.sample(self.moves, len(self.moves))
        return compare(moves, self.imagining(rng, budget), self.value, budget // self.cost, self.habit)

    def explain(self, rng: random.Random, budget: int, *, with_reasons: bool = True) -> Thought:
        """Return the best move with its alternatives and its cause, unless ``with_reasons`` is false."""
        best, *others = self.think(rng, budget, with_others=with_reasons)
        if not with_reasons:
            return Thought(self.named(best.move))
        rest = [(self.named(other.move), self.points(other.value)) for other in others]
        alternatives = rated(self.points(best.value), rest)
        return Thought(self.named(best.move), alternatives, self.cause(best, alternatives, rng))


def spread(
    bound: Iterable[tuple[int, Sequence[int]]], free: list[int], room: list[int], rng: random.Random
) -> list[int] | None:
    """Deal cards, which are bits, to places with this much room. Return their hands as sets.

    ``bound`` are cards that only some places can hold, each with these. Give those first that fewest can hold: they are
    dealt in this order, and if one finds no room, the result is ``None``. ``free`` are all others; they are shuffled.
    """
    hands = [0] * len(room)
    for card, holders in bound:
        place = _draw_place(holders, room, rng)
        if place is None:
            return None
        hands[place] |= card
        room[place] -= 1
    rng.shuffle(free)
    first = 0
    for place, number in enumerate(room):
        hands[place] |= sum(free[first : first + number])
        first += number
    return hands


def _draw_place(places: Sequence[int], room: Sequence[int], rng: random.Random) -> int | None:
    """Return one of the places for a card at random, in proportion to its room; ``None`` if none has room."""
    place = rng.random() * sum([room[at] for at in places])
    for at in places:
        place -= room[at]
        if place < 0:
            return at
    return None


class _Tally(Generic[Move]):
    """The values of a move so far, in the order of the deals."""

    def __init__(self, move: Move) -> None:
        self.move = move
        self.values: list[float] = []

    def mean(self) -> float:
        """Return the mean value."""
        return sum(self.values) / len(self.values)

    def beats(self, other: "_Tally[Move]", margin: float) -> bool:
        """Whether the move is better by more than the margin, and by more than doubt, in the deals of both."""
        leads = [own - theirs for own, theirs in zip(self.values, other.values, strict=False)]
        if len(leads) < _FEW:
            return False
        mean = sum(leads) / len(leads)
        variance = sum([(lead - mean) ** 2 for lead in leads]) / (len(leads) - 1)
        return mean > max(margin, DOUBT * math.sqrt(variance / len(leads)))
