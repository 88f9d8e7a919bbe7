"""Why the strong computer for Pot Black plays a card."""

import random
from collections.abc import Sequence
from typing import Final

from bot.computer.pot_black.deals import Deals
from bot.computer.pot_black.engine import BITS, SUIT, TENS, Deal
from bot.computer.pot_black.heuristic import pick
from bot.computer.thoughts import IMAGINED, Cause, Rated, Why, is_likely
from bot.games.card_table import Play

_COSTLY: Final = 0.5
"""Minimum loss of the best card of another suit, in chips, for a reason to be given."""


def cause_of(deals: Deals, card: int, alternatives: Sequence[Rated], rng: random.Random) -> Cause:
    """Return why the card is played. ``rng`` imagines deals."""
    imagined = [deals.draw(rng) for _ in range(IMAGINED)]
    return _void(imagined, card, alternatives) or _trick(imagined, card)


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
