"""The computer players for Pot Black.

Fair plays by the rule of thumb. Strong plays its cards in imagined deals, which the rule of thumb finishes, and
compares the chips. Both solve the last tricks. Easy is a beginner, who makes the same mistakes each time: it takes
every trick that isn't its partner's already and has no black ten, throws away its highest cards when it can't follow
suit, doesn't remember the cards played before, and never expects a black ten.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from bot.computer.imagined_deals import Judged, View
from bot.computer.pot_black.deals import Deals
from bot.computer.pot_black.endgame import COSTS, solve
from bot.computer.pot_black.engine import BITS, CARDS, SUIT, TENS, Deal, evaluate
from bot.computer.pot_black.thumb import finish, is_owned, pick, sensible, usual
from bot.computer.thoughts import IMAGINED, Cause, Rated, Thought, Why, is_likely, only
from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pot_black.observation import Observation
from bot.games.pot_black.state import BLACK_TENS
from bot.games.pot_black.tricks import beats, strength, winner

BUDGET: Final = 12_000
"""Number of tries of a card in an imagined deal, all cards and deals together. Exact endings count `COSTS` times."""
FAIR_BUDGET: Final = 40
"""Likewise for fair with two cards."""
MARGIN: Final = 0.1
"""The gain in chips that isn't worth a card which a partner doesn't understand."""
_COSTLY: Final = 0.5
"""Minimum loss of the best card of another suit, in chips, for a reason to be given."""


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones."""
    cards = [move.card for move in seen.legal if isinstance(move, Play)]
    rng.shuffle(cards)
    if not seen.trick:
        return Play(max(cards, key=strength))
    best = seen.trick[winner(seen.trick, seen.trumps)]
    winners = [card for card in cards if beats(card, best, seen.trumps)]
    if is_owned(deal := Deals(seen).start):
        kept = sensible(deal)
        cards, winners = [card for card in cards if BITS[card] & kept], []
    if {*BLACK_TENS} & {*seen.trick} and (losers := [card for card in cards if card not in winners]):
        cards, winners = losers, []
    if not winners:
        can_follow = cards[0][1] == seen.trick[0][1]
        return Play(min(cards, key=strength) if can_follow else max(cards, key=strength))
    if winners[0][1] == seen.trick[0][1]:
        return Play(max(winners, key=strength))
    return Play(min(winners, key=strength))


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return the card of the rule of thumb or, with two cards, the better one in a few deals."""
    if len(seen.hand) == min(COSTS):
        return strong(seen, rng, FAIR_BUDGET)
    return Play(CARDS[usual(Deals(seen).start)])


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in chips, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    return Cards(seen).explain(rng, budget or BUDGET, with_reasons=with_reasons)


class Cards(View[Deal, int]):
    """The sensible cards of a seat that has to play. Values are chips."""

    def __init__(self, seen: Observation) -> None:
        self._deals: Final = Deals(seen)
        self._me: Final = seen.seat or 0
        playable = sensible(self._deals.start)
        self.moves = [bit for bit in CARDS if bit & playable]
        self.habit = usual(self._deals.start), MARGIN
        self._is_end: Final = len(seen.hand) in COSTS
        self.cost = COSTS.get(len(seen.hand), 1)

    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Deal]:  # noqa: ARG002 - as in all games
        return lambda: self._deals.draw(rng)

    def value(self, deal: Deal, move: int) -> float:
        deal = deal.copy()
        deal.play(move)
        if self._is_end:
            return solve(deal, self._me)
        finish(deal)
        return evaluate(deal, self._me)

    def named(self, move: int) -> Move:
        return Play(CARDS[move])

    def cause(self, chosen: Judged[int], alternatives: Sequence[Rated], rng: random.Random) -> Cause:
        imagined = [self._deals.draw(rng) for _ in range(IMAGINED)]
        return _void(imagined, chosen.move, alternatives) or _trick(imagined, chosen.move)


# ---- reasons


def _void(imagined: Sequence[Deal], card: int, alternatives: Sequence[Rated]) -> Cause | None:
    """Return an opponent without cards of the suit that would be led otherwise, if there probably is one."""
    deal = imagined[0]
    if deal.laid or not alternatives:
        return None
    other, cost = alternatives[0]
    if not isinstance(other, Play) or not cost or cost < _COSTLY:
        return None
    suit = SUIT[BITS[other.card].bit_length()]
    if card & suit:
        return None
    for seat in deal.setup.seats:
        is_opponent = seat not in {deal.turn, deal.setup.partners[deal.turn]}
        if is_opponent and is_likely([not each.hands[seat] & suit for each in imagined]):
            return Cause(Why.HAS_NONE, seat, other.card[1], max(1, round(cost)))
    return None


def _trick(imagined: Sequence[Deal], card: int) -> Cause:
    """Return the probable taker of the trick."""
    me, setup = imagined[0].turn, imagined[0].setup
    ends = [_end_of_trick(deal.copy(), card) for deal in imagined]
    if is_likely([taker == me for taker, _ in ends]):
        return Cause(Why.TAKES)
    if setup.has_partners and is_likely([taker == setup.partners[me] for taker, _ in ends]):
        return Cause(Why.PARTNER_TAKES)
    lost = [has_ten for taker, has_ten in ends if taker not in {me, setup.partners[me]}]
    if is_likely([True] * len(lost) + [False] * (len(ends) - len(lost))):
        return Cause(Why.DODGES if is_likely(lost) else Why.LEAVES)
    return Cause(Why.BEST)


def _end_of_trick(deal: Deal, card: int) -> tuple[int, bool]:
    """Play the card, and the trick to its end. Return its taker, and whether it has a black ten."""
    gone = deal.gone
    deal.play(card)
    while deal.laid:
        deal.play(pick(deal))
    taker = deal.turn if deal.turn >= 0 else deal.lost
    return taker, bool(deal.gone & ~gone & TENS)
