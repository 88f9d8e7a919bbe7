"""The computer players for Pontis.

Fair and strong play their moves in imagined deals, a few or many, and compare the points. With two players nothing is
hidden, so strong searches the game itself, and solves its end. Both call certain lies. Easy is a beginner, who makes
the same mistakes each time: it takes a point for a matching suit and else sheds its highest card, plays any two cards
with the sum ability, never fakes, and calls a liar only if it can't do anything else.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from bot.computer.imagined_deals import Judged, View
from bot.computer.pontis.deals import Deals, Evaluation, numbered
from bot.computer.pontis.engine import SINGLES, SUIT, VALUES, Deal, each, set_of
from bot.computer.pontis.engine import Move as Played
from bot.computer.pontis.thumb import finish, play
from bot.computer.pontis.tree import search
from bot.computer.thoughts import IMAGINED, Cause, Rated, Thought, Why, is_likely, only
from bot.games.card_table import Play
from bot.games.cards import JOKER
from bot.games.game import Move
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, Sum
from bot.games.pontis.observation import Observation

BUDGET: Final = 6_000
"""Deals played to the end for each move."""
FAIR_BUDGET: Final = 40
"""Likewise for fair."""
FAIR_MOVES: Final = 30
"""The most moves that fair looks at; of more, those with the highest cards."""
FAIR_END: Final = 10
"""Cards in all hands from which fair tries to solve a deal in which nothing is hidden."""
_SEARCHED: Final = 100
"""The least budget for which a search before that is worth it."""


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    return max(rng.sample(seen.legal, len(seen.legal)), key=lambda move: _likes(seen, move))


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return a good move after a quick look at a few deals."""
    return strong(seen, rng, FAIR_BUDGET)


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if (call := _lie(seen)) is not None:
        return Thought(call, cause=Cause(Why.LIE, call.seat))
    if all(isinstance(move, Liar) for move in seen.legal):  # off turn, a liar call is all there is
        return only(seen.legal[0])
    budget = budget or BUDGET
    bridges = Bridges(seen, FAIR_MOVES if budget <= FAIR_BUDGET else None)
    if len(bridges.moves) > 1:
        return bridges.explain(rng, budget, with_reasons=with_reasons)
    (move,) = bridges.moves
    return Thought(bridges.named(move), cause=Cause(Why.EMPTIES if move[0] == set_of(seen.hand) else Why.ONLY))


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

    def cause(self, chosen: Judged[Played], alternatives: Sequence[Rated], rng: random.Random) -> Cause:  # noqa: ARG002 - as in all games
        start, (cards, top) = self._deals.start, chosen.move
        if cards and cards == start.hands[start.seat]:
            return Cause(Why.EMPTIES)
        if not chosen.deals:
            return Cause(Why.SOLVED)
        blocked = _blocked([self._deals.draw(rng) for _ in range(IMAGINED if cards else 0)], chosen.move)
        if blocked >= 0:
            return Cause(Why.BLOCKS, blocked)
        tops, bank = start.tops, start.slot % start.setup.banks
        if cards and SUIT[top] == SUIT[tops[bank - 1]] and tops[bank - 1] >= 0 and top < len(SUIT) - 4:
            return Cause(Why.MATCHES)
        return Cause(Why.TWO if cards & (cards - 1) else Why.BEST)


def _height(cards: int) -> int:
    """Return the sum of the values of some cards."""
    return sum(VALUES[bit.bit_length() - 1] for bit in each(cards))


def _lie(seen: Observation) -> Liar | None:
    """Return the call of a play that is a lie for certain, if the seat may call it."""
    if seen.window is None or not seen.window.lie:
        return None
    return next((move for move in seen.legal if isinstance(move, Liar)), None)


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


# ---- reasons


def _blocked(imagined: list[Deal], move: Played) -> int:
    """Return the opponent who is next and probably can't go on after the move, or -1."""
    if not imagined:
        return -1
    setup, slot = imagined[0].setup, imagined[0].slot
    following = (slot + 1) % setup.lap
    seat = setup.owners[following]
    if setup.sides[seat] == setup.sides[imagined[0].seat]:
        return -1
    return seat if is_likely([_misses(deal.copy(), move, following) for deal in imagined]) else -1


def _misses(deal: Deal, move: Played, following: int) -> bool:
    """Whether the next slot has no bridge after the move. In honest play, the engine goes on at once."""
    seat = deal.setup.owners[following]
    deal.play(move)
    return not deal.ended and (deal.slot != following or not deal.hands[seat] & SINGLES[deal.need])
