"""The rule of thumb for Pontis, which is quick enough to finish thousands of imagined deals.

It likes what scores now, keeps small cards for later, and leaves a top that the next seat can't bridge. It sees that
seat's hand: in an imagined deal this stands for what people infer from misses.
"""

from typing import Final

from bot.computer.pontis.engine import NEEDS, NO_MATCH, SINGLES, SKIP, SUIT, VALUES, Deal, Move, each, pairs

KEEP: Final = 0.04
"""The value of getting rid of a card, for each step of its value."""
SUIT_POINT: Final = 1.0
"""The value of a matching suit."""
LIE: Final = 2.5
"""The cost of a card that proves a lie, where lies can be called."""
BLOCK: Final = 0.2
"""The value of a top that the next seat can't bridge."""


def finish(deal: Deal) -> None:
    """Play a deal to its end by the rule of thumb."""
    while not deal.ended:
        play(deal, pick(deal))


def play(deal: Deal, move: Move) -> None:
    """Play a move. If it proves a lie, the next rival calls it."""
    deal.play(move)
    if deal.lies and not deal.ended:
        sides = deal.setup.sides
        rivals = [seat for seat in range(len(sides)) if sides[seat] != sides[deal.accused]]
        deal.call(min(rivals, key=lambda seat: (seat - deal.accused) % len(sides)))


def pick(deal: Deal) -> Move:
    """Return the move that the seat on turn would play. It fakes no misses."""
    seat, need = deal.seat, deal.need
    hand = deal.hands[seat]
    singles = hand & SINGLES[need]
    if deal.has_ability:
        found = pairs(hand, need)
        if found:
            return _best(deal, found)
    if not singles & (singles - 1):
        return (singles, singles.bit_length() - 1) if singles else SKIP
    return _best(deal, [(bit, bit.bit_length() - 1) for bit in each(singles)])


def _rival(deal: Deal, slot: int) -> int:
    """Return the cards of the seat on this slot; none if it is on the mover's side, or its bank is empty."""
    setup = deal.setup
    seat = setup.owners[slot]
    is_rival = setup.sides[seat] != setup.sides[deal.seat] and deal.tops[slot % setup.banks] >= 0
    return deal.hands[seat] if is_rival else 0


def _best(deal: Deal, found: list[Move]) -> Move:
    setup, tops, hands = deal.setup, deal.tops, deal.hands
    bank = deal.slot % setup.banks
    suit = SUIT[tops[bank - 1]]
    following = (deal.slot + 1) % setup.lap
    rival, needs = _rival(deal, following), NEEDS[tops[following % setup.banks]]
    hand = hands[deal.seat]
    lies = deal.denied[deal.seat] if setup.liar == "on" else 0
    best, best_worth = found[0], -99.0
    for move in found:
        cards, top = move
        if cards == hand:
            return move
        rest = cards & ~(1 << top)
        worth = KEEP * VALUES[top]
        if rest:
            worth += KEEP * VALUES[rest.bit_length() - 1]
        if SUIT[top] == suit < NO_MATCH:
            worth += SUIT_POINT
        if rival and not rival & SINGLES[needs[top]]:
            worth += BLOCK
        if cards & lies:
            worth -= LIE
        if worth > best_worth:
            best, best_worth = move, worth
    return best


def puzzling(deal: Deal, moves: list[Move]) -> list[Move]:
    """Return the moves that look like mistakes: faked misses, and cards that leave a suit point to an equal card."""
    singles = [move for move in moves if move[0].bit_count() == 1]
    return [move for move in moves if not move[0]] + _wasteful(deal, singles)


def _wasteful(deal: Deal, singles: list[Move]) -> list[Move]:
    suit = SUIT[deal.tops[deal.slot % deal.setup.banks - 1]]
    scoring = {VALUES[top] for _, top in singles if SUIT[top] == suit < NO_MATCH}
    return [move for move in singles if SUIT[move[1]] != suit and VALUES[move[1]] in scoring]
