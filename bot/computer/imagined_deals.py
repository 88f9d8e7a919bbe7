"""Search over imagined deals (determinization), for games with hidden cards.

A computer that can't see all cards imagines deals that agree with its observation, plays each of its moves in each
deal, and lets a rule of thumb (or an exact search, near the end) finish the game. The best move is that with the
highest mean value. `compare` does that; what a deal is, and how it is finished, belongs to each game.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

Move = TypeVar("Move")
Deal = TypeVar("Deal")

FEWEST_DEALS: Final = 4
"""Imagined deals that every move is played in, however small the budget is."""


class Judged(NamedTuple, Generic[Move]):
    """A move, its mean value, and the number of imagined deals that it was played in."""

    move: Move
    value: float
    deals: int


def compare(
    moves: Sequence[Move], imagine: Callable[[], Deal], value: Callable[[Deal, Move], float], budget: int
) -> list[Judged[Move]]:
    """Return all moves with their values, the best first.

    * ``imagine`` returns a deal that agrees with the observation. All moves still in question are played in the same
      deals, so luck of the deal doesn't decide between them.
    * ``value`` plays the move in a copy of the deal, finishes it, and returns its worth to the observing seat.
    * ``budget`` is the number of calls of ``value``. It is spent in stages, and the worse half of the moves leaves
      after each (sequential halving).

    Moves that do equally well stay in the order in which they were given: shuffle them to choose at random.
    """
    alive = [_Tally(move) for move in moves]
    left: list[_Tally[Move]] = []
    stages = max(1, (len(moves) - 1).bit_length())  # halvings that leave one move
    for stage in range(stages, 0, -1):
        for _ in range(max(FEWEST_DEALS, budget // stage // len(alive))):
            deal = imagine()
            for tally in alive:
                tally.add(value(deal, tally.move))
            budget -= len(alive)
        alive.sort(key=_Tally.mean, reverse=True)
        half = (len(alive) + 1) // 2
        left = alive[half:] + left
        alive = alive[:half]
    return [Judged(tally.move, tally.mean(), tally.number) for tally in (*alive, *left)]


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
    """The values of a move so far."""

    def __init__(self, move: Move) -> None:
        self.move = move
        self.number = 0
        self._total = 0.0

    def add(self, value: float) -> None:
        """Add the value in one more deal."""
        self._total += value
        self.number += 1

    def mean(self) -> float:
        """Return the mean value."""
        return self._total / self.number
