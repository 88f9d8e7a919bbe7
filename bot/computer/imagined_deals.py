"""The computers for games with hidden cards: search over imagined deals (determinization).

A computer that can't see all cards imagines deals that agree with its observation, plays each of its moves in each
deal, and lets a rule of thumb (or an exact search, near the end) finish the game. The best move is that with the
highest mean value. Of moves that this can't tell apart, it plays the one of the rule of thumb. `compare` does that.
A `View` says what a deal is, how it is finished and what its end is worth in a game.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

from bot.computer.thoughts import (
    DOUBT,
    IMAGINED,
    SECOND_LOOK,
    Cause,
    Facts,
    How,
    Rated,
    Reason,
    Thought,
    Verdict,
    Why,
    named,
    reasons,
    strongest,
)
from bot.games.game import Move as GameMove

Move = TypeVar("Move")
Deal = TypeVar("Deal")

FEWEST_DEALS: Final = 1
"""Imagined deals that every move is played in, however small the budget is."""

_TRIED: Final = 40
"""Imagined deals in which every move leads to the same end of a trick, if a hint says so."""
_FEW: Final = 4
"""With fewer deals, nothing is sure."""


class Judged(NamedTuple, Generic[Move]):
    """A move, its mean value with the standard error, and the number of imagined deals that it was played in."""

    move: Move
    value: float
    deals: int
    error: float = 0.0


class Compared(NamedTuple, Generic[Move]):
    """A move that was compared with the best one; the rest is as in `Verdict`."""

    move: Move
    worse_by: float
    loss: float
    error: float


class Habit(NamedTuple, Generic[Move]):
    """The move that others expect, and the lead over it that matters. ``leads`` are those of moves that puzzle them."""

    move: Move
    lead: float
    leads: Mapping[Move, float] = MappingProxyType({})

    def lead_of(self, move: Move) -> float:
        """Return the lead that makes a move worth playing instead."""
        return self.leads.get(move, self.lead)


def compare(
    moves: Sequence[Move],
    imagine: Callable[[], Deal],
    value: Callable[[Deal, Move], float],
    budget: int,
    habit: Habit[Move] | None = None,
) -> list[Judged[Move]]:
    """Return all moves with their values, the best first.

    * ``imagine`` returns a deal that agrees with the observation. All moves still in question are played in the same
      deals, so luck of the deal doesn't decide between them.
    * ``value`` plays the move in a copy of the deal, finishes it, and returns its worth to the observing seat.
    * ``budget`` is the number of calls of ``value``. It is spent in stages, and the worse half of the moves leaves
      after each (sequential halving).
    * ``habit`` never leaves. It comes first unless another move has a larger lead that isn't in `DOUBT`.

    Moves that do equally well keep their order: shuffle them before to choose at random.
    """
    alive = [_Tally(move) for move in moves]
    left: list[_Tally[Move]] = []
    stages = max(1, (len(moves) - 1).bit_length())  # halvings that leave one move
    for stage in range(stages, 0, -1):
        deals = max(FEWEST_DEALS, budget // stage // len(alive))
        _play(alive, deals, imagine, value)
        budget -= deals * len(alive)
        alive.sort(key=_Tally.mean, reverse=True)
        half = (len(alive) + 1) // 2
        kept = [tally for tally in alive[half:] if stage > 1 and habit and tally.move == habit.move]
        left = [tally for tally in alive[half:] if tally not in kept] + left
        alive = alive[:half] + kept
    order = [*alive, *left]
    if habit:
        order = _with_habit(order, habit)
    return [Judged(tally.move, tally.mean(), len(tally.values)) for tally in order]


def _with_habit(order: "list[_Tally[Move]]", habit: Habit[Move]) -> "list[_Tally[Move]]":
    """Return the moves with the usual one first, unless a better one has the lead over it that matters."""
    usual = next((tally for tally in order if tally.move == habit.move), order[0])
    better = order[: order.index(usual)]
    first = next((tally for tally in better if tally.beats(usual, habit.lead_of(tally.move))), usual)
    return [first, *(tally for tally in order if tally is not first)]


def _play(
    tallies: "Sequence[_Tally[Move]]", deals: int, imagine: Callable[[], Deal], value: Callable[[Deal, Move], float]
) -> None:
    """Play each move in this many imagined deals."""
    for _ in range(deals):
        deal = imagine()
        for tally in tallies:
            tally.values.append(value(deal, tally.move))


class View(ABC, Generic[Deal, Move]):
    """What a seat sees of a card game, and what its computers make of that.

    * ``moves``: the moves to compare. ``habit``: the move of the rule of thumb, if it counts.
    * ``cost``: how many calls of `value` each call takes as much time as.
    * ``absurd``: legal moves that aren't among those, as a partner wouldn't understand them.
    * ``even``: the difference in points or chips that doesn't count.
    * ``me``: the seat, for games with tricks.
    """

    moves: list[Move]
    habit: Habit[Move] | None = None
    cost: int = 1
    absurd: Sequence[Move] = ()
    even: float = 0.5
    me: int = -1

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
    def facts(self, deals: Sequence[Deal], move: Move, other: Move) -> Facts:
        """Return facts that are true of a move and false of another one, and how much each is worth.

        ``deals`` are imagined ones, in which both can be compared.
        """

    def points(self, value: float) -> float:
        """Return a value in points or chips."""
        return value

    def think(self, rng: random.Random, budget: int, *, with_others: bool = True) -> list[Judged[Move]]:  # noqa: ARG002 - for views that can do without
        """Return the moves with their values, the best first, and others only if they are asked for."""
        moves = rng.sample(self.moves, len(self.moves))
        return compare(moves, self.imagining(rng, budget), self.value, budget // self.cost, self.habit)

    def explain(self, rng: random.Random, budget: int, *, with_reasons: bool = True) -> Thought:
        """Return the best move with its alternatives and its reasons, unless ``with_reasons`` is false."""
        best, *others = self.think(rng, budget, with_others=with_reasons)
        if not with_reasons:
            return Thought(self.named(best.move))
        rest = self._even(best.move, self._compare(best, others, rng, budget // 2))
        known = {self.named(move): move for move, _worse_by in rest}
        alternatives = named([Rated(self.named(move), worse_by) for move, worse_by in rest])
        equals = [best.move, *(known[other.move] for other in alternatives if other.worse_by == 0)]
        worse = [known[other.move] for other in alternatives if other.worse_by != 0] or [*self.absurd[:1]]
        return Thought(self.named(best.move), alternatives, self._reasons(equals, worse, rng))

    def _even(self, best: Move, rest: Sequence[tuple[Move, float]]) -> list[tuple[Move, float]]:
        """Return other moves with no difference between those that are alike."""
        evened: list[tuple[Move, float]] = []
        for move, worse_by in rest:
            first = next((known for known in ((best, 0.0), *evened) if self.alike(move, known[0])), (move, worse_by))
            evened.append((move, first[1]))
        return sorted(evened, key=lambda each: each[1])

    def alike(self, move: Move, other: Move) -> bool:  # noqa: ARG002 - for games that know such moves
        """Whether two moves count as one, as far as the seat can know."""
        return False

    def _compare(
        self, best: Judged[Move], others: Sequence[Judged[Move]], rng: random.Random, budget: int
    ) -> list[tuple[Move, float]]:
        """Return the next best moves and how much worse they are; if none of them is, some of the rest as well."""
        compared, left = self.rate(best, others[:SECOND_LOOK], rng, budget), others[SECOND_LOOK:]
        if left and not any(each.worse_by for each in compared):
            compared += self.rate(best, left[:: max(1, len(left) // SECOND_LOOK)], rng, budget)
        return sorted([(each.move, each.worse_by) for each in compared], key=lambda each: each[1])

    def _reasons(self, equals: Sequence[Move], worse: Sequence[Move], rng: random.Random) -> tuple[Reason, ...]:
        """Return what tells the best moves from the worse ones; for want of that, who takes the trick in any case."""
        imagine = self.imagining(rng, IMAGINED)
        facts = partial(self.facts, [imagine() for _ in range(IMAGINED if worse else 0)])
        given = [block.reason(self.named) for block in reasons(equals, worse, facts)]
        return tuple(given) or (Reason(self._unreasoned(rng), tuple(map(self.named, equals))),)

    def _unreasoned(self, rng: random.Random) -> Cause:
        """Return that it hardly matters, and who takes the trick in any case."""
        imagine, legal = self.imagining(rng, IMAGINED), (*self.moves, *self.absurd)
        takers = {self.taker(deal, move) for deal in (imagine() for _ in range(_TRIED)) for move in legal}
        if len(takers) > 1 or -1 in takers:
            return Cause(Why.SAME)
        (taker,), how = takers, How.SURE if self.ends_trick(imagine()) else How.LIKELY
        return Cause(Why.SAME, taker, number=int(taker == self.me), how=how)

    def taker(self, deal: Deal, move: Move) -> int:  # noqa: ARG002 - for games with tricks
        """Return the seat that takes the trick after a move in a deal; -1 if the move isn't played to one."""
        return -1

    def ends_trick(self, deal: Deal) -> bool:  # noqa: ARG002 - for games with tricks
        """Whether the seat plays the last card of a trick, and nobody decides who takes it."""
        return False

    def judge(self, played: GameMove, rng: random.Random, budget: int) -> Verdict:
        """Return the best move, and by how much the one that was played is worse: 0 if nothing tells them apart.

        Moves that are as good as others, and so aren't compared, count as good.
        """
        best, *others = self.think(rng, budget)
        named = {self.named(move): Judged(move, 0.0, 1, math.inf) for move in (*self.absurd, *self.moves)}
        named |= {self.named(other.move): other for other in others}
        if played not in named or played == self.named(best.move):
            return Verdict(self.named(best.move))
        ((_move, *verdict),) = self.rate(best, [named[played]], rng, budget // 2)
        return Verdict(self.named(best.move), *verdict)

    def why(self, move: GameMove, other: GameMove, rng: random.Random, number: int) -> Cause | None:
        """Return the fact of most worth that tells a legal move from another one in some deals, if there is any."""
        known = {self.named(each): each for each in (*self.absurd, *self.moves)}
        imagine = self.imagining(rng, number)
        deals = [imagine() for _ in range(number)]
        return strongest(self.facts(deals, known[move], known[other]))

    def rate(
        self, best: Judged[Move], others: Sequence[Judged[Move]], rng: random.Random, budget: int
    ) -> list[Compared[Move]]:
        """Look again, and return how much worse each of the others is: 0 if the two can't be told apart."""
        imagine = self.imagining(rng, budget)
        tallies = [_Tally(move) for move in (best.move, *(other.move for other in others))]
        _play(tallies, max(FEWEST_DEALS, budget // self.cost // len(tallies)), imagine, self.value)
        return [self._compared(tallies[0], tally) for tally in tallies[1:]]

    def _compared(self, best: "_Tally[Move]", other: "_Tally[Move]") -> Compared[Move]:
        loss, error = self.points(best.mean()) - self.points(other.mean()), best.lead_over(other)[1]
        in_points = (self.points(other.mean() + error) - self.points(other.mean() - error)) / 2
        is_worse = best.beats(other, 0.0) and loss >= self.even
        return Compared(other.move, loss if is_worse else 0.0, loss, in_points)


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

    def lead_over(self, other: "_Tally[Move]") -> tuple[float, float]:
        """Return the mean lead in the deals of both, and its standard error: infinite in too few."""
        leads = [own - theirs for own, theirs in zip(self.values, other.values, strict=False)]
        mean = sum(leads) / len(leads)
        if len(leads) < _FEW:
            return mean, math.inf
        variance = sum([(lead - mean) ** 2 for lead in leads]) / (len(leads) - 1)
        return mean, math.sqrt(variance / len(leads))

    def beats(self, other: "_Tally[Move]", margin: float) -> bool:
        """Whether the move is better by more than the margin, and by more than doubt, in the deals of both."""
        mean, error = self.lead_over(other)
        return mean > max(margin, DOUBT * error)
