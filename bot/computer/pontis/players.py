"""The computer players for Pontis.

Fair and strong play their moves in imagined deals, a few or many, and compare the points. With two players nothing is
hidden, so strong searches the game itself, and solves its end. Both call certain lies. Easy is a beginner, who takes a
point for a matching suit and else sheds the highest card, plays any two cards with the sum ability, never fakes, and
calls a liar only if nothing else is left.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Final

from bot.computer.imagined_deals import Compared, Habit, Judged, View
from bot.computer.pontis.deals import Deals, Evaluation, numbered
from bot.computer.pontis.engine import (
    VALUES,
    Deal,
    Move as Played,
    each,
    set_of,
)
from bot.computer.pontis.equal_cards import alike
from bot.computer.pontis.reasons import Course, courses_of, facts
from bot.computer.pontis.thumb import finish, pick, play, puzzling
from bot.computer.pontis.tree import search
from bot.computer.pontis.why import PontisWhy
from bot.computer.thoughts import (
    DOUBT,
    IMAGINED,
    REVIEWED,
    Cause,
    Facts,
    PerMove,
    Reason,
    Thought,
    Verdict,
    Why,
    only,
)
from bot.games.cards import JOKER, Play
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.state import Observation

BUDGET: Final = 3_500
"""Deals played to the end for each move."""
FAIR_BUDGET: Final = 40
"""Likewise for fair."""
FAIR_MOVES: Final = 30
"""The most moves that fair looks at; of more, those with the highest cards."""
FAIR_END: Final = 10
"""Fair tries to solve an imagined deal once all hands together hold this many cards."""
MARGIN: Final = 0.1
"""The gain in points that isn't worth a move which a partner doesn't understand."""
ODD: Final = 0.5
"""Likewise for a move that a partner would take for a mistake."""
_SEARCHED: Final = 100
"""The least budget for which a search before that is worth it."""


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return a good move after a quick look at a few deals."""
    return strong(seen, rng, FAIR_BUDGET)


def look(seen: Observation, rng: random.Random) -> Thought:
    """Return the thought of the fair computer."""
    return explain(seen, rng, FAIR_BUDGET)


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if (call := _lie(seen)) is not None:
        return Thought(call, reasons=(Reason(Cause(PontisWhy.LIE, call.seat), (call,)),))
    if all(isinstance(move, Liar) for move in seen.legal):  # off turn, a liar call is all there is
        return only(seen.legal[0])
    budget = budget or BUDGET
    bridges = Bridges(seen, FAIR_MOVES if budget <= FAIR_BUDGET else None)
    if len(bridges.moves) > 1:
        return bridges.explain(rng, budget, with_reasons=with_reasons)
    (move,) = bridges.moves
    cause = Cause(PontisWhy.EMPTIES if move[0] == set_of(seen.hand) else Why.ONLY)
    return Thought(bridges.named(move), reasons=(Reason(cause, (bridges.named(move),)),))


def judge(seen: Observation, played: Move, rng: random.Random, budget: int | None = None) -> Verdict:
    """Return the best legal move, and by how much the one that was played is worse. Liar calls count as good."""
    bridges = Bridges(seen)
    if isinstance(played, Liar) or len(bridges.moves) + len(bridges.absurd) < 2:
        return Verdict(played)
    return bridges.judge(played, rng, budget or BUDGET // REVIEWED)


def why(seen: Observation, move: Move, other: Move, rng: random.Random, number: int = IMAGINED) -> Cause | None:
    """Return the fact of most worth that tells a legal move from another one, in a number of deals, if there is any."""
    if isinstance(move, Liar) or isinstance(other, Liar):
        return Cause(PontisWhy.LIE, move.seat) if isinstance(move, Liar) and move == _lie(seen) else None
    return Bridges(seen).why(move, other, rng, number)


class Bridges(View[Deal, Played]):
    """The legal moves of the seat on turn, without calls; those that play its last cards, if there are any.

    Where misses may be faked, waiting often does as well as going out, but it looks absurd. Values are points.
    """

    def __init__(self, seen: Observation, most: int | None = None) -> None:
        self._seen: Final = seen
        self._deals: Final = Deals(seen)
        self._evaluate: Final = Evaluation(seen)
        self._look: Final = PerMove[Deal, Played, list[Course]](courses_of)
        self._moves: Final = dict(numbered(seen))
        hand = set_of(seen.hand)
        last = [move for move in self._moves if move[0] == hand]
        self.moves = last or sorted(self._moves, key=lambda move: _height(move[0]), reverse=True)[:most]
        self.absurd = [move for move in self._moves if last and move not in last]
        start = self._deals.start
        if len({*start.setup.sides}) < len(start.setup.sides):
            self.habit = Habit(pick(start), MARGIN, dict.fromkeys(puzzling(start, self.moves), ODD))

    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Deal]:  # noqa: ARG002 - as in all games
        return lambda: self._deals.draw(rng)

    def value(self, deal: Deal, move: Played) -> float:
        deal = deal.copy()
        play(deal, move)
        finish(deal)
        return self._evaluate(deal)

    def named(self, move: Played) -> Move:
        return self._moves[move]

    def alike(self, move: Played, other: Played) -> bool:
        return alike(self._seen, self._moves[move], self._moves[other])

    def think(self, rng: random.Random, budget: int, *, with_others: bool = True) -> list[Judged[Played]]:
        if not self._deals.are_certain:
            return super().think(rng, budget)
        moves = rng.sample(self.moves, len(self.moves))
        deal = self._deals.draw(rng)
        if budget < _SEARCHED and sum(map(int.bit_count, deal.hands)) > FAIR_END:
            judged = [Judged(move, self.value(deal, move), 1) for move in moves]
            return sorted(judged, key=lambda each: each.value, reverse=True)
        return search(deal, moves, self._evaluate, rng, budget, with_others=with_others)

    def explain(self, rng: random.Random, budget: int, *, with_reasons: bool = True) -> Thought:
        thought = super().explain(rng, budget, with_reasons=with_reasons)
        if with_reasons and self.moves[0][0] == self._deals.start.hands[self._deals.start.seat]:
            return thought._replace(reasons=(Reason(Cause(PontisWhy.EMPTIES), (thought.move, *thought.equals)),))
        return thought

    def rate(
        self, best: Judged[Played], others: Sequence[Judged[Played]], rng: random.Random, budget: int
    ) -> list[Compared[Played]]:
        if not self._deals.are_certain:
            return super().rate(best, others, rng, budget)
        return [self._beside(best, other, rng, budget // 2) for other in others]

    def _beside(self, best: Judged[Played], other: Judged[Played], rng: random.Random, budget: int) -> Compared[Played]:
        if 0 < other.deals < budget:  # the search hardly looks at worse moves
            other = search(self._deals.draw(rng), [other.move], self._evaluate, rng, budget)[0]
        loss, error = best.value - other.value, math.hypot(best.error, other.error)
        is_worse = loss >= self.even and loss > DOUBT * error
        return Compared(other.move, loss if is_worse else 0.0, loss, error)

    def facts(self, deals: Sequence[Deal], move: Played, other: Played) -> Facts:
        return facts(deals[:1] if self._deals.are_certain else deals, move, other, self._deals.unseen, self._look)


def _height(cards: int) -> int:
    """Return the sum of the values of some cards."""
    return sum(VALUES[bit.bit_length() - 1] for bit in each(cards))


def _lie(seen: Observation) -> Liar | None:
    """Return the call of a play that is a lie for certain, if the seat may call it."""
    if seen.window is None or not seen.window.lie:
        return None
    return next((move for move in seen.legal if isinstance(move, Liar)), None)


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def _likes(seen: Observation, move: Move) -> tuple[int, bool, int]:
    """Return the order of a beginner's moves: whether to play at all, a suit point, and how high the card is."""
    match move:
        case Play(card):
            return 2, card[1] == seen.banks[(seen.bank or 0) - 1][-1][1] and card != JOKER, value(card)
        case Sum():
            return 2, False, 0
        case Liar():
            return 0, False, 0
        case _:
            return 1, False, 0
