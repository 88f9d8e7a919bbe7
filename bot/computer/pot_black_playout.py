"""One deal of Pot Black changed in place: what a search plays out thousands of times from a state it imagined.

Cards are numbers, their places in `bot.games.tricks.CARDS`. Who must follow, who takes and who pays is looked up where
the rulebook looks it up, so that both always agree; only the bookkeeping is its own.
"""

from typing import Final

from bot.games.pot_black import Chips, State
from bot.games.pot_black.chips import DealResult, pay_penalty, settle
from bot.games.pot_black.state import CLUB_TEN, HAND, SPADE_TEN, counted, trumps
from bot.games.tricks import BEATEN_BY, BIT, CARDS, FOLLOWING, Listing

BITS: Final = tuple(BIT[card] for card in CARDS)
_FOLLOWING: Final = tuple(FOLLOWING[card] for card in CARDS)
_BEATEN_BY: Final = {suit: tuple(table[card] for card in CARDS) for suit, table in BEATEN_BY.items()}
_TENS: Final = BIT[SPADE_TEN] | BIT[CLUB_TEN]
_NUMBERS: Final = Listing(range(len(CARDS)))


class Playout:
    """The rest of a deal, from a state in which cards are to be played. The state itself stays as it is.

    ``turn`` is the seat that owes a card; ``over`` is true after the last trick, and as soon as payments are strict and
    a team can't pay.
    """

    def __init__(self, state: State) -> None:
        position, trick, _ = state
        order = position.order
        self._state = state
        self._chips = position.chips
        self._counted = list(counted(position.terms.players, position.tricks))
        self._ten_takers = {old.taker for old in position.tricks if not old.counts}
        self._tricks = HAND - len(position.tricks)
        self._beaten_by = _BEATEN_BY[trumps(position.deal)]
        self._next = dict(zip(order, (*order[1:], order[0]), strict=True))
        self._hands = list(position.hands)
        self._missing = self._following = self._beaters = self._on_table = 0
        self._taker = self.turn = order[0]
        self.over = self._lost = False
        for card in trick:
            self.play(CARDS.index(card))

    def legal(self) -> tuple[int, ...]:
        """The cards that the seat on turn may play, at least one."""
        hand = self._hands[self.turn]
        return _NUMBERS.of(hand & self._following or hand)

    def play(self, card: int) -> None:
        """The seat on turn plays a legal card."""
        seat, bit = self.turn, BITS[card]
        self._hands[seat] ^= bit
        self._on_table |= bit
        if not self._missing:
            self._missing = len(self._next)
            self._following = _FOLLOWING[card]
            self._beaters = self._beaten_by[card]
            self._taker = seat
        elif self._beaters & bit:
            self._beaters = self._beaten_by[card]
            self._taker = seat
        self._missing -= 1
        if self._missing:
            self.turn = self._next[seat]
        else:
            self._take()

    def settled(self) -> Chips:
        """All chips when it is over: the deal is settled, unless a payment that was not made in full has stopped it."""
        position = self._state.position
        if self._lost:
            return self._chips
        result = DealResult(position.deal, position.in_play, tuple(self._counted), frozenset(self._ten_takers))
        return settle(position.terms, self._chips, result).chips

    def _take(self) -> None:
        taker = self._taker
        self.turn = taker
        self._tricks -= 1
        if tens := self._on_table & _TENS:
            terms = self._state.position.terms
            self._ten_takers.add(taker)
            self._chips, _, short = pay_penalty(terms, self._chips, taker, tens.bit_count())
            self._lost = bool(short) and terms.short == "strict"
        else:
            self._counted[taker] += 1
        self._following = self._on_table = 0
        self.over = self._lost or not self._tricks
