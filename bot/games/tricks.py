"""Whist tricks: which cards may follow, and which card takes the trick.

Sets of cards are whole numbers: bit i is the i-th card in the order of text, so that a set read upwards is sorted as
lists of legal moves are (G-04). The tables here are the only home of both rules; whoever plays tricks looks them up.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Generic, TypeVar

from bot.games.cards import JOKER, PACK, SUITS, Card

T = TypeVar("T")

Cards = int
"""A set of cards as a bit mask."""

CARDS: Final[tuple[Card, ...]] = tuple(sorted(PACK))
"""The cards in the order of their bits."""

STRENGTH: Final = "23456789TJQKA"
"""The ranks from the lowest to the highest."""

BIT: Final[dict[Card, Cards]] = {card: 1 << i for i, card in enumerate(CARDS)} | {JOKER: 0}
"""The set of one card; a joker is no card of whist, and gives the empty set."""


def mask(cards: Iterable[Card]) -> Cards:
    """The set of these cards."""
    together = 0
    for card in cards:
        together |= BIT[card]
    return together


OF_SUIT: Final[dict[str, Cards]] = {suit: mask(card for card in PACK if card[1] == suit) for suit in SUITS}
FOLLOWING: Final[dict[Card, Cards]] = {card: OF_SUIT[card[1]] for card in PACK}
"""The cards that follow suit when this one was led."""


def _beaten_by(card: Card, trumps: str | None) -> Cards:
    higher = STRENGTH[STRENGTH.index(card[0]) + 1 :]
    beaters = mask(Card(rank + card[1]) for rank in higher)
    return beaters if trumps in (None, card[1]) else beaters | OF_SUIT[str(trumps)]


BEATEN_BY: Final[dict[str | None, dict[Card, Cards]]] = {
    trumps: {card: _beaten_by(card, trumps) for card in PACK} for trumps in (*SUITS, None)
}
"""By trumps (``None``: no trumps), then by the card that is winning so far: the cards that beat it."""


def playable(hand: Cards, trick: Sequence[Card]) -> Cards:
    """The cards of the hand that may be played to the trick: of the suit led if there are any, else all."""
    if trick:
        return hand & FOLLOWING[trick[0]] or hand
    return hand


def winner(trick: Sequence[Card], trumps: str | None) -> int:
    """Which card of the trick takes it, counted from 0 in the order they were played."""
    beaten_by = BEATEN_BY[trumps]
    best = 0
    beaters = beaten_by[trick[0]]
    for at, card in enumerate(trick):
        if beaters & BIT[card]:
            best = at
            beaters = beaten_by[card]
    return best


_Sets = tuple[tuple[T, ...], ...]


class Listing(Generic[T]):
    """Turns a set of cards into the tuple of what stands for its cards, in the order of their bits."""

    __slots__ = ("_quarters", "_values")
    _quarters: tuple[_Sets[T], _Sets[T], _Sets[T], _Sets[T]]

    def __init__(self, values: Sequence[T]) -> None:
        self._values = values

    def of(self, cards: Cards) -> tuple[T, ...]:
        """The values of the cards in the set."""
        try:
            first, second, third, fourth = self._quarters
        except AttributeError:  # made when first asked for: that takes longer than a program should need to start
            first, second, third, fourth = self._quarters = self._by_quarter()
        return first[cards & 8191] + second[cards >> 13 & 8191] + third[cards >> 26 & 8191] + fourth[cards >> 39]

    def _by_quarter(self) -> tuple[_Sets[T], _Sets[T], _Sets[T], _Sets[T]]:
        # A quarter of the pack has 8,192 sets: four tables of them are quicker than taking the bits one by one.
        values = self._values
        return _sets(values[:13]), _sets(values[13:26]), _sets(values[26:39]), _sets(values[39:])


def _sets(values: Sequence[T]) -> _Sets[T]:
    sets: list[tuple[T, ...]] = [()]
    for value in values:
        sets += [(*smaller, value) for smaller in sets]
    return tuple(sets)


LISTED: Final = Listing(CARDS)
"""Sets of cards as sorted tuples of cards."""
