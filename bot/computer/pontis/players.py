"""The computer players for Pontis.

Fair and strong play their moves in imagined deals, a few or many, and compare the points. With two players nothing is
hidden, so strong searches the game itself, and solves its end. Both call certain lies. Easy is a beginner, who takes a
point for a matching suit and else sheds the highest card, plays any two cards with the sum ability, never fakes, and
calls a liar only if nothing else is left.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.computer.imagined_deals import Compared, Habit, Judged, View
from bot.computer.pontis.deals import Deals, Evaluation, numbered
from bot.computer.pontis.engine import (
    CARDS,
    NEEDS,
    NO_MATCH,
    NO_SUIT,
    OF_SUIT,
    OUT,
    SINGLES,
    SUIT,
    VALUES,
    Deal,
    Move as Played,
    each,
    set_of,
)
from bot.computer.pontis.thumb import finish, pick, play, puzzling
from bot.computer.pontis.tree import search
from bot.computer.pontis.why import PontisWhy
from bot.computer.thoughts import DOUBT, IMAGINED, REVIEWED, Cause, Facts, How, Thought, Verdict, Why, compared, only
from bot.games.cards import JOKER, SUIT_SYMBOLS, SUITS, Play, face
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.state import Observation

_SMALL: Final = 3
"""The highest value that is needed all the time."""
_HIGH: Final = 9
"""The lowest value that seldom fits alone."""
_MUCH: Final = 3
"""A clear difference between values."""
_FEWER: Final = 3
"""A clear difference between numbers of cards that fit."""


def facts(deals: Sequence[Deal], move: Played, other: Played, unseen: int) -> Facts:
    """Return facts that tell a move from another one; their worth is in points, roughly.

    ``unseen`` are the cards that the seat hasn't seen. If they aren't hidden, there is one deal.
    """
    start = deals[0]
    found = [*_now(start, move, other), *_next(deals, move, other, unseen)]
    return dict([*found, *_kept(start.hands[start.seat], move, other), *_outlook(deals, move, other)])


def _now(start: Deal, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    if _matches(start, move) and not _matches(start, other):
        yield Cause(PontisWhy.MATCHES), 1.0
    if move[0].bit_count() == 2 > other[0].bit_count():
        yield Cause(PontisWhy.TWO), 1.1
    if not other[0]:
        yield Cause(PontisWhy.CARD), 0.9
    if not move[0]:
        yield Cause(PontisWhy.WAITS), 0.2


def _matches(start: Deal, move: Played) -> bool:
    cards, top = move
    before = start.tops[start.slot % start.setup.banks - 1]
    return bool(cards) and before >= 0 and SUIT[top] == SUIT[before] < NO_MATCH


# ---- the next player


def _next(deals: Sequence[Deal], move: Played, other: Played, unseen: int) -> Iterator[tuple[Cause, float]]:
    """Yield that the next player, if it is a rival, can't go on or has few cards that fit."""
    start = deals[0]
    setup = start.setup
    following = (start.slot + 1) % setup.lap
    seat = setup.owners[following]
    if setup.sides[seat] == setup.sides[start.seat] or not move[0]:
        return
    possible = unseen & ~(start.denied[seat] if setup.fake == "off" else 0)
    is_sure = len(deals) == 1 or not _fitting(start, move, following, possible)
    how = compared(_misses(deals, move, following), _misses(deals, other, following), is_sure=is_sure)
    if how is not None:
        yield Cause(PontisWhy.BLOCKS, seat, how=how), 0.4 if how is How.LIKELIER else 0.8
    if len(deals) == 1:
        yield from _answers(start, move, other)
    elif start.tops[following % setup.banks] >= 0:
        yield from _fits(start, move, other, possible)


def _answers(start: Deal, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield facts about all that the next player can do, where no card is hidden."""
    after, instead = _after(start, move), _after(start, other)
    if after.ended or instead.ended or start.seat in {after.seat, instead.seat}:
        return
    ways, others = len(after.moves()), len(instead.moves())
    if others - ways >= _FEWER:
        yield Cause(PontisWhy.NARROWS, after.seat, number=ways), min(0.04 * (others - ways), 0.6)
    suit = SUIT[move[1]]
    matching, more = (sum(_matches(deal, reply) for reply in deal.moves()) for deal in (after, instead))
    if suit < NO_MATCH and matching < more:
        yield Cause(PontisWhy.UNMATCHED, after.seat, SUIT_SYMBOLS[SUITS[suit]], matching), 0.25
    if _always_matches(after) and not _always_matches(instead):
        yield Cause(PontisWhy.ANSWERS, after.seat, how=How.SURE), 0.5
    yield from _outscored(start, after, instead)


def _outscored(start: Deal, after: Deal, instead: Deal) -> Iterator[tuple[Cause, float]]:
    """Yield that the next player can score less, or the seat itself more after that."""
    (theirs, own), (theirs_instead, own_instead) = _gains(after, start.seat), _gains(instead, start.seat)
    if theirs < theirs_instead:
        yield Cause(PontisWhy.LIMITS, after.seat, number=theirs, how=How.SURE), 0.2 * (theirs_instead - theirs)
    if own > own_instead:
        yield Cause(PontisWhy.SECURES, after.seat, number=own, how=How.SURE), 0.2 * (own - own_instead)


def _after(deal: Deal, move: Played) -> Deal:
    deal = deal.copy()
    deal.play(move)
    return deal


def _gains(deal: Deal, me: int) -> tuple[int, int]:
    """Return what the seat on turn can score, and what the other one can score next whatever that one does."""
    replies = [(_points(deal, reply), _after(deal, reply)) for reply in deal.moves()]
    own = [_best(after) if not after.ended and after.seat == me else 0 for _points_of_it, after in replies]
    return max([points for points, _after_it in replies], default=0), min(own, default=0)


def _best(deal: Deal) -> int:
    """Return the points that the seat on turn can score."""
    return max([_points(deal, move) for move in deal.moves()], default=0)


def _points(start: Deal, move: Played) -> int:
    return move[0].bit_count() + _matches(start, move)


def _always_matches(deal: Deal) -> bool:
    """Whether the seat that isn't on turn can match the suit next, whatever the other one does."""
    replies = [_after(deal, reply) for reply in deal.moves()]
    return all(
        not after.ended and after.seat != deal.seat and any(_matches(after, each) for each in after.moves())
        for after in replies
    )


def _fits(start: Deal, move: Played, other: Played, possible: int) -> Iterator[tuple[Cause, float]]:
    """Yield that fewer of the cards that the next player may have fit, or fewer of the same suit."""
    following = (start.slot + 1) % start.setup.lap
    seat = start.setup.owners[following]
    fitting, instead = (_fitting(start, each, following, possible) for each in (move, other))
    number, fewer = fitting.bit_count(), instead.bit_count() - fitting.bit_count()
    if fewer >= _FEWER:
        yield Cause(PontisWhy.FEWER, seat, number=number), 0.04 * fewer
    suit, suit_instead = SUIT[move[1]], SUIT[other[1]] if other[0] else NO_MATCH
    matching, more = _of_suit(fitting, suit), _of_suit(instead, suit_instead)
    if suit < NO_MATCH and matching.bit_count() < more.bit_count():
        yield Cause(PontisWhy.UNMATCHED, seat, SUIT_SYMBOLS[SUITS[suit]], matching.bit_count()), 0.25


def _of_suit(cards: int, suit: int) -> int:
    return cards & OF_SUIT[suit] if suit < NO_MATCH else 0


def _misses(deals: Sequence[Deal], move: Played, following: int) -> list[bool]:
    """Return the deals where the next slot has no bridge after the move."""
    found = []
    for each_deal in deals:
        deal = each_deal.copy()
        seat = deal.setup.owners[following]
        deal.play(move)
        # In honest play, the engine goes on at once.
        if deal.ended:
            found.append(deal.ended != OUT and deal.idle > 0)
        else:
            found.append(deal.slot != following or not deal.hands[seat] & SINGLES[deal.need])
    return found


def _fitting(deal: Deal, move: Played, following: int, cards: int) -> int:
    """Return which of the cards fit the next bridge after the move; all while its bank isn't turned up."""
    tops, bank = deal.tops, deal.slot % deal.setup.banks
    top = move[1] if move[0] else tops[bank]
    own = tops[following % deal.setup.banks]
    return SINGLES[NEEDS[own][top]] & cards if own >= 0 else cards


# ---- the hand, and the rest of the game


def _kept(hand: int, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield that a high card goes, or a small one stays."""
    if not move[0] or not other[0]:
        return
    gone, instead = (max(VALUES[bit.bit_length() - 1] for bit in each(cards)) for cards, _ in (move, other))
    if gone >= _HIGH and gone - instead >= _MUCH:
        highest = max((bit.bit_length() - 1 for bit in each(move[0])), key=VALUES.__getitem__)
        yield Cause(PontisWhy.SHEDS, what=face(CARDS[highest])), 0.05 * (gone - instead)
    small = min(other[0].bit_length() - 1, (other[0] & -other[0]).bit_length() - 1)
    if VALUES[small] <= _SMALL < min(VALUES[bit.bit_length() - 1] for bit in each(move[0])) and small < NO_SUIT:
        yield Cause(PontisWhy.KEEPS_SMALL, what=face(CARDS[small])), 0.45
    yield from _only_of_suit(hand, move, other)


def _only_of_suit(hand: int, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield that the only card of a suit stays."""
    for card in each(other[0] & ~move[0]):
        name = CARDS[card.bit_length() - 1]
        suit = SUIT[card.bit_length() - 1]
        if suit < NO_MATCH and not hand & ~card & OF_SUIT[suit]:
            yield Cause(PontisWhy.KEEPS_SUIT, what=face(name)), 0.1


def _outlook(deals: Sequence[Deal], move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield that the seat can go on, or goes out."""
    courses, instead = ([_course(deal.copy(), each) for deal in deals] for each in (move, other))
    how = compared([again for again, _ in courses], [again for again, _ in instead])
    if how is not None:
        yield Cause(PontisWhy.AGAIN, how=how), 0.3 if how is How.LIKELIER else 0.6
    goes_out, instead_out = ([out for _, out in found] for found in (courses, instead))
    how = compared(goes_out, instead_out)
    if how is not None and len(deals) > 1:
        yield Cause(PontisWhy.OUT, how=how), 4 * (sum(goes_out) - sum(instead_out)) / len(deals)


def _course(deal: Deal, move: Played) -> tuple[bool, bool]:
    """Return whether the seat can play a card on its next turn, and whether it goes out first."""
    seat, lap, is_honest = deal.seat, deal.setup.lap, deal.setup.fake == "off"
    play(deal, move)
    passed = deal.idle if is_honest else 0
    while not deal.ended and deal.seat != seat and passed < lap:
        play(deal, pick(deal))
        passed += 1 + (deal.idle if is_honest else 0)
    plays = not deal.ended and deal.seat == seat and passed < lap and bool(deal.hands[seat] & SINGLES[deal.need])
    finish(deal)
    return plays, deal.ended == OUT and deal.last == seat


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
        return Thought(call, cause=Cause(PontisWhy.LIE, call.seat))
    if all(isinstance(move, Liar) for move in seen.legal):  # off turn, a liar call is all there is
        return only(seen.legal[0])
    budget = budget or BUDGET
    bridges = Bridges(seen, FAIR_MOVES if budget <= FAIR_BUDGET else None)
    if len(bridges.moves) > 1:
        return bridges.explain(rng, budget, with_reasons=with_reasons)
    (move,) = bridges.moves
    return Thought(bridges.named(move), cause=Cause(PontisWhy.EMPTIES if move[0] == set_of(seen.hand) else Why.ONLY))


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
        self._deals: Final = Deals(seen)
        self._evaluate: Final = Evaluation(seen)
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
            return thought._replace(cause=Cause(PontisWhy.EMPTIES), against=None)
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
        return facts(deals[:1] if self._deals.are_certain else deals, move, other, self._deals.unseen)


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
