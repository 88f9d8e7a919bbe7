"""Deals of Pontis as plain integers: thousands of times a second, for computers that look ahead.

A card is a number: four times its value less one, plus its suit; jokers come last. A set of cards is an integer with a
bit for each. The rulebook decides what is right: the tests play both on the same deals.
"""

from collections.abc import Iterable
from typing import Final

from bot.games.cards import JOKER, RANKS, SUITS, Card
from bot.games.pontis.bridges import Required, partners, required, value
from bot.games.pontis.state import OUT_BONUS, STUCK_PENALTY, Observation, Setup
from bot.games.pontis.turns import CALL_POINTS

JOKERS: Final = 4
CARDS: Final = (*(Card(rank + suit) for rank in RANKS for suit in SUITS), *[JOKER] * JOKERS)
"""The card of each number."""
NUMBERS: Final = {card: CARDS.index(card) for card in CARDS}
"""The number of each card. For jokers, it is the number of the first one."""
VALUES: Final = tuple(map(value, CARDS))
NO_MATCH: Final = 4
"""The suit of jokers."""
SUIT: Final = tuple([SUITS.index(card[1]) if card != JOKER else NO_MATCH for card in CARDS])
NO_SUIT: Final = 13 * 4
"""The first joker; all others have higher numbers."""
OF_SUIT: Final = tuple(sum(1 << number for number in range(at, NO_SUIT, 4)) for at in range(4))

_NEEDS: Final = sorted({required(own, affecter) for own in CARDS for affecter in CARDS})
NEEDS: Final = tuple(tuple(_NEEDS.index(required(own, affecter)) for affecter in CARDS) for own in CARDS)
"""The difference or sum that a bank's top asks for: an index of the tables below."""
SINGLES: Final = tuple(sum(1 << at for at, each in enumerate(VALUES) if each in needed) for needed in _NEEDS)
"""The cards that are a bridge alone, for each need."""
_CURDLED: Final = tuple(0 in needed for needed in _NEEDS)
"""Whether tops that need this are equal."""


def _partners(card: int, needed: Required) -> int:
    """Return the cards that make a needed value together with a card."""
    fitting = partners(CARDS[card][0], needed)
    return sum(1 << at for at, other in enumerate(CARDS) if other in fitting and at != card)


PARTNERS: Final = tuple(tuple(_partners(card, needed) for card in range(len(CARDS))) for needed in _NEEDS)
"""The cards that are a bridge with a given one, for each need and card."""

Move = tuple[int, int]
"""The set of cards that are played, and the number of the one on top. `SKIP` plays none."""
SKIP: Final[Move] = (0, -1)

PLAYING, OUT, COMPLETE, STUCK = range(4)
"""Whether and why a deal is over."""


def set_of(cards: Iterable[Card]) -> int:
    """Return a set of cards. Equal jokers get different numbers."""
    found = 0
    for card in cards:
        bit = 1 << NUMBERS[card]
        while found & bit:
            bit <<= 1
        found |= bit
    return found


class Deal:
    """A deal in progress. All methods change it.

    Fields named as in `State` mean the same. In addition: ``points`` are the points for suits and calls,
    ``denied`` the cards that each seat claimed not to have, ``need`` what the bank of the turn needs, and ``ended``
    why the deal is over; then ``last`` is the seat that went out or missed first. ``accused`` is the seat of the last
    play while it may be called a lie, else -1; ``lies`` is whether it is one.
    """

    def __init__(self, setup: Setup, hands: list[int], tops: list[int], foundations: list[int]) -> None:
        self.setup = setup
        self.hands = hands
        self.tops = tops
        self.foundations = foundations
        self.points = [0] * setup.players
        self.denied = [0] * setup.players
        self.slot = self.idle = self.seat = self.need = self.ended = 0
        self.accused = self.last = -1
        self.lies = self.has_ability = False

    def copy(self) -> "Deal":
        """Return a deal that can go on independently."""
        other = Deal(self.setup, self.hands[:], self.tops[:], self.foundations)
        other.points, other.denied = self.points[:], self.denied[:]
        other.slot, other.idle, other.seat, other.need = self.slot, self.idle, self.seat, self.need
        other.has_ability, other.ended, other.last = self.has_ability, self.ended, self.last
        other.accused, other.lies = self.accused, self.lies
        return other

    # ---- what can be played

    def moves(self) -> list[Move]:
        """Return the moves of the seat on turn. Jokers are equal, so only one of them is played."""
        hand = self.hands[self.seat]
        found = [(bit, bit.bit_length() - 1) for bit in each(distinct(hand & SINGLES[self.need]))]
        if self.has_ability:
            found += pairs(hand, self.need)
        if self.setup.fake == "on":
            found.append(SKIP)
        return found

    # ---- playing

    def play(self, move: Move) -> None:
        """Play a move of the seat on turn, and all that follows from it without a choice."""
        cards, top = move
        if not cards:
            self._skip()
            if not self.ended:
                self.run()
            return
        setup, seat, slot, tops = self.setup, self.seat, self.slot, self.tops
        bank = slot % setup.banks
        hand = self.hands[seat] = self.hands[seat] & ~cards
        if SUIT[top] == SUIT[tops[bank - 1]] < NO_MATCH:
            self.points[seat] += 1
        if setup.liar == "on":
            self.accused, self.lies = seat, bool(cards & self.denied[seat])
        tops[bank] = top
        self.idle = 0
        self.slot = (slot + 1) % setup.lap
        if not hand:
            self.ended, self.last = OUT, seat
        elif setup.curdle == "instant" and self._is_complete():
            self.ended, self.last = COMPLETE, seat
        else:
            self.run()

    def call(self, caller: int) -> None:
        """Call the last play a lie."""
        if self.lies:
            self.points[caller] += CALL_POINTS
            self.points[self.accused] -= CALL_POINTS
        else:
            self.points[caller] -= CALL_POINTS
        self.accused, self.lies = -1, False

    def run(self) -> None:
        """Go on to the next seat that has a choice, or to the end."""
        self.begin()
        if self.setup.fake == "on":
            return
        while not self.ended:
            hand, need = self.hands[self.seat], self.need
            if hand & SINGLES[need] or (self.has_ability and has_pair(hand, need)):
                return
            self._skip()
            if not self.ended:
                self.begin()

    def begin(self) -> None:
        """Begin the turn of the current slot. The first turn of a bank turns up its foundation."""
        setup, tops = self.setup, self.tops
        bank = self.slot % setup.banks
        self.seat = setup.owners[self.slot]
        if tops[bank] < 0:
            tops[bank] = self.foundations[bank]
        self.need = NEEDS[tops[bank]][tops[bank - 1]]
        self.has_ability = self.idle >= (1 if setup.lap == 2 and _CURDLED[self.need] else setup.lap)

    def _skip(self) -> None:
        setup = self.setup
        if not self.has_ability:
            self.denied[self.seat] |= SINGLES[self.need]
        patience = 1 if setup.lap == 2 and _CURDLED[self.need] else setup.lap
        self.idle += 1
        self.slot = (self.slot + 1) % setup.lap
        if self.idle == patience + setup.lap:
            self.last = setup.owners[(self.slot - self.idle) % setup.lap]
            self.ended = COMPLETE if self._is_complete() else STUCK

    def _is_complete(self) -> bool:
        tops = self.tops
        first = VALUES[tops[0]]
        return all(top >= 0 and VALUES[top] == first for top in tops)

    # ---- scores

    def scores(self) -> list[int]:
        """Return the points of each side without its foundations, which are as many for every side."""
        setup, hands = self.setup, self.hands
        found = [setup.hand_size - hand.bit_count() + own for hand, own in zip(hands, self.points, strict=True)]
        if self.ended == OUT and setup.counts_going_out:
            found[self.last] += OUT_BONUS
        elif self.ended == STUCK:
            found[self.last] += STUCK_PENALTY
        if setup.teams == "on":
            return [sum([found[seat] for seat in members]) for members in setup.members]
        return found


def each(cards: int) -> list[int]:
    """Return the single cards of a set, each as a set."""
    found = []
    while cards:
        bit = cards & -cards
        found.append(bit)
        cards ^= bit
    return found


def distinct(cards: int) -> int:
    """Return a set with all jokers but one left out."""
    jokers = cards >> NO_SUIT
    return cards & (1 << NO_SUIT) - 1 | (jokers & -jokers) << NO_SUIT


def pairs(hand: int, need: int) -> list[Move]:
    """Return all ways to play two cards of a hand as a bridge."""
    found: list[Move] = []
    partners = PARTNERS[need]
    jokers = hand >> NO_SUIT
    if jokers & (jokers - 1):
        two = (jokers & -jokers | (jokers & jokers - 1) & -(jokers & jokers - 1)) << NO_SUIT
        low = two & -two
        if partners[low.bit_length() - 1] & two:
            found.append((two, low.bit_length() - 1))
    left = hand = distinct(hand)
    while left:
        bit = left & -left
        left ^= bit
        number = bit.bit_length() - 1
        fitting = left & partners[number]
        while fitting:
            other = fitting & -fitting
            fitting ^= other
            found += ((bit | other, number), (bit | other, other.bit_length() - 1))
    return found


def has_pair(hand: int, need: int) -> bool:
    """Return whether `pairs` finds any."""
    partners = PARTNERS[need]
    while hand:
        bit = hand & -hand
        hand ^= bit
        if hand & partners[bit.bit_length() - 1]:
            return True
    return False


def deal_of(seen: Observation, hands: list[int]) -> Deal:
    """Return the deal of an observation in play, with given hands. Foundations that are face down are left out."""
    tops = [NUMBERS[bank[-1]] if bank else -1 for bank in seen.banks]
    deal = Deal(seen.setup, hands, tops, tops[:])
    deal.slot, deal.idle = seen.slot, seen.idle
    deal.points = [suits + calls for suits, calls in zip(seen.suit_points, seen.calls, strict=True)]
    deal.denied = [denied_by(missed) for missed in seen.missed]
    if seen.window is not None:
        deal.accused, deal.lies = seen.window.seat, seen.window.lie
    deal.begin()
    return deal


def denied_by(missed: Iterable[Required]) -> int:
    """Return the cards that a seat claims not to have by its misses."""
    found = 0
    for needed in missed:
        found |= SINGLES[_NEEDS.index(needed)]
    return found
