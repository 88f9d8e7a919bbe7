"""The arithmetic of Pontis: which bridge two tops ask for, and which cards make it.

An ace counts 1 or 14, freely each time it is looked at; a joker counts 1; J, Q, K count 11, 12, 13 (PT-03, PT-10).
What is asked for is always from 0 to 13, so an ace that is played alone counts 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from bot.games.cards import ALL_CARDS, RANKS, Card

Required = tuple[int, ...]
"""The values that a bridge may have, ascending: ``(5,)``, or two of them where an ace is on top: ``(4, 9)``."""

VALUES: Final = {rank: (value,) for value, rank in enumerate(RANKS, 1)} | {"A": (1, 14), "X": (1,)}
"""What a rank may count; the joker's rank is ``X``."""


@dataclass(frozen=True, slots=True)
class Span:
    """What two tops ask for: one's own, and that of the affecter."""

    required: Required
    """The values that bridge them (PT-10)."""
    asked: tuple[str, ...]
    """The arithmetic behind ``required``, one sentence a value, in the same order: ``9 − 4 = 5``."""
    singles: frozenset[Card]
    """The cards that are a bridge on their own."""
    equal: bool
    """Whether the tops have one value: the same rank, or aces and jokers together (PT-28, T-09)."""


def _difference(x: int, y: int) -> str:
    return f"{max(x, y)} − {min(x, y)} = {abs(x - y)}"


def _asked(own: str, affecter: str) -> dict[int, str]:
    ways = reversed([*product(VALUES[own], VALUES[affecter])])  # of two ways to one value the one with the ace as 1
    return dict(sorted({abs(x - y): _difference(x, y) for x, y in ways}.items()))


def _reach(one: str, other: str) -> set[int]:
    """Every value that cards of two ranks make together."""
    return {made for x, y in product(VALUES[one], VALUES[other]) for made in (x + y, abs(x - y))}


def _cards(ranks: Iterable[str]) -> frozenset[Card]:
    return frozenset(card for card in ALL_CARDS if card[0] in ranks)


_TEXT_ORDER: Final = sorted(VALUES)
_ASKED: Final = {own + affecter: _asked(own, affecter) for own, affecter in product(VALUES, repeat=2)}
_SINGLES: Final = {
    tuple(asked): _cards([rank for rank in VALUES if VALUES[rank][0] in asked]) for asked in _ASKED.values()
}
_PARTNERS: Final = {
    required: {
        one: tuple(other for other in _TEXT_ORDER if not _reach(one, other).isdisjoint(required)) for one in VALUES
    }
    for required in _SINGLES
}
_PARTNER_CARDS: Final = {
    required: {one: _cards(others) for one, others in partners.items()} for required, partners in _PARTNERS.items()
}
_SPANS: Final = {
    ranks: Span(
        required=tuple(asked),
        asked=tuple(asked.values()),
        singles=_SINGLES[tuple(asked)],
        equal=0 in asked,
    )
    for ranks, asked in _ASKED.items()
}
SPANS: Final = {own: {affecter: _SPANS[own[0] + affecter[0]] for affecter in ALL_CARDS} for own in ALL_CARDS}
"""The span from each own top to each top of an affecter."""


def value(card: Card) -> int:
    """What the card counts when it is played alone, and what counts for equality: an ace and a joker 1."""
    return VALUES[card[0]][0]


def equal(cards: Iterable[Card]) -> bool:
    """Whether the cards have one value: the same rank, or aces and jokers together (PT-28, T-09)."""
    return len({VALUES[card[0]][0] for card in cards}) == 1


def required(own: Card, affecter: Card) -> Required:
    """The values that bridge from the affecter's top to one's own (PT-10)."""
    return SPANS[own][affecter].required


def explain(own: Card, affecter: Card) -> tuple[str, ...]:
    """The arithmetic behind `required`, one sentence a value, in the same order: ``9 − 4 = 5``."""
    return SPANS[own][affecter].asked


def singles(hand: Iterable[Card], required: Required) -> list[Card]:
    """The cards of the hand that are a bridge on their own, equal ones once, in the order of the hand."""
    fitting = _SINGLES[required]
    return [card for card in dict.fromkeys(hand) if card in fitting]


def arithmetic(first: Card, second: Card, required: Required) -> tuple[str, ...]:
    """Every way in which two cards make a required value: ``13 − 9 = 4``, ``1 + 2 = 3``; empty if there is none."""
    return _arithmetic(first[0], second[0], required)


@cache  # there are a few thousand, of which most games see some hundred
def _arithmetic(first: str, second: str, required: Required) -> tuple[str, ...]:
    ways: dict[str, None] = {}
    for x, y in product(VALUES[first], VALUES[second]):
        if abs(x - y) in required:
            ways[_difference(x, y)] = None
        if x + y in required:
            ways[f"{x} + {y} = {x + y}"] = None
    return tuple(ways)


def pairs(hand: Sequence[Card], required: Required) -> list[tuple[Card, Card]]:
    """Both orders of every two cards of the hand that, added or subtracted, are exactly a required value (PT-17,
    PT-18); equal ones once.

    If the hand is sorted by text, so are they.
    """
    partners = _PARTNERS[required]
    of_rank: dict[str, dict[Card, None]] = {}
    for card in hand:
        of_rank.setdefault(card[0], {})[card] = None
    return [
        (first, second)
        for first in dict.fromkeys(hand)
        for rank in partners[first[0]]
        for second in of_rank.get(rank, ())
        if first != second or hand.count(first) > 1
    ]


def has_pair(hand: Sequence[Card], required: Required) -> bool:
    """Whether `pairs` finds any."""
    partners = _PARTNER_CARDS[required]
    while hand:
        first, hand = hand[0], hand[1:]
        if not partners[first[0]].isdisjoint(hand):
            return True
    return False
