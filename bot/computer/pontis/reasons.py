"""Why the strong computer for Pontis plays a move."""

import random

from bot.computer.imagined_deals import Judged
from bot.computer.pontis.deals import Deals
from bot.computer.pontis.engine import SINGLES, SUIT, Deal, Move
from bot.computer.thoughts import IMAGINED, Cause, Why, is_likely


def cause_of(deals: Deals, chosen: Judged[Move], rng: random.Random) -> Cause:
    """Return why the move is played. ``rng`` imagines deals."""
    start, (cards, top) = deals.start, chosen.move
    if cards and cards == start.hands[start.seat]:
        return Cause(Why.EMPTIES)
    if not chosen.deals:
        return Cause(Why.SOLVED)
    imagined = [deals.draw(rng) for _ in range(IMAGINED if cards else 0)]
    blocked = _blocked(imagined, chosen.move)
    if blocked >= 0:
        return Cause(Why.BLOCKS, blocked)
    tops, bank = start.tops, start.slot % start.setup.banks
    if cards and SUIT[top] == SUIT[tops[bank - 1]] and tops[bank - 1] >= 0 and top < len(SUIT) - 4:
        return Cause(Why.MATCHES)
    return Cause(Why.TWO if cards & (cards - 1) else Why.BEST)


def _blocked(imagined: list[Deal], move: Move) -> int:
    """Return the opponent who is next and probably can't go on after the move, or -1."""
    if not imagined:
        return -1
    setup, slot = imagined[0].setup, imagined[0].slot
    following = (slot + 1) % setup.lap
    seat = setup.owners[following]
    if setup.sides[seat] == setup.sides[imagined[0].seat]:
        return -1
    return seat if is_likely([_misses(deal.copy(), move, following) for deal in imagined]) else -1


def _misses(deal: Deal, move: Move, following: int) -> bool:
    """Whether the next slot has no bridge after the move. In honest play, the engine goes on at once."""
    seat = deal.setup.owners[following]
    deal.play(move)
    return not deal.ended and (deal.slot != following or not deal.hands[seat] & SINGLES[deal.need])
