"""The last tricks of a deal of Pot Black, solved with all cards known."""

import math
from typing import Final

from bot.computer.pot_black.engine import SUIT, TENS, Deal, evaluate

COSTS: Final = {2: 4, 3: 10}
"""Cost of solving a deal exactly, by cards in the hand of the seat to play. Larger hands take too long."""


def solve(deal: Deal, me: int) -> float:
    """Return the value of a deal to a seat if all play their best from now on."""
    if deal.setup.has_partners:
        return _of_sides(deal, me, -math.inf, math.inf)
    return _of_seats(deal)[deal.setup.seats.index(me)]


def _of_sides(deal: Deal, me: int, low: float, high: float) -> float:
    """Return the value between two sides (alpha-beta). Outside the bounds, the value is a bound of it."""
    if deal.turn < 0:
        return evaluate(deal, me)
    is_ours = (deal.turn - me) % 2 == 0
    best = -math.inf if is_ours else math.inf
    for after in _replies(deal):
        value = _of_sides(after, me, low, high)
        if is_ours:
            best = max(best, value)
            low = max(low, value)
        else:
            best = min(best, value)
            high = min(high, value)
        if low >= high:
            break
    return best


def _of_seats(deal: Deal) -> tuple[float, ...]:
    """Return the value to each seat in play, if each plays for itself alone (max^n)."""
    seats = deal.setup.seats
    if deal.turn < 0:
        return tuple([evaluate(deal, seat) for seat in seats])
    at = seats.index(deal.turn)
    return max([_of_seats(after) for after in _replies(deal)], key=lambda values: values[at])


def _replies(deal: Deal) -> list[Deal]:
    """Return the deals after each card that makes a difference."""
    found = []
    for card in distinct(deal):
        after = deal.copy()
        after.play(card)
        found.append(after)
    return found


def distinct(deal: Deal) -> list[int]:
    """Return the playable cards, but only the lowest of those that no card in other hands lies between."""
    cards = deal.playable()
    if not cards & (cards - 1):
        return [cards]
    others = (sum(deal.hands) ^ deal.hands[deal.turn]) | deal.trick
    found: list[int] = []
    lower = 0
    while cards:
        card = cards & -cards
        cards ^= card
        is_equal = lower & SUIT[card.bit_length()] and not (card - 2 * lower) & others
        if card & TENS or not is_equal:
            found.append(card)
        if not card & TENS:
            lower = card
    return found
