"""The arithmetic of Pontis: the bridges between two tops, and the cards that make them.

An ace counts 1 or 14, whichever fits. A joker counts 1; J, Q and K count 11, 12 and 13 (PT-03, PT-10). A required
value is always from 0 to 13, so an ace played alone counts 1.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations, product
from typing import Final

from bot.games.cards import ALL_CARDS, RANKS, SUITS, Card

Required = tuple[int, ...]
"""The values of the bridges between two tops, ascending: ``(5,)``, or two values if there is an ace: ``(4, 9)``."""

_VALUES: Final = {rank: (value,) for value, rank in enumerate(RANKS, 1)} | {"A": (1, 14), "X": (1,)}
"""The values that each rank may count as. ``X`` is the joker."""

_VALUE: Final = {card: _VALUES[card[0]][0] for card in ALL_CARDS}


def value(card: Card) -> int:
    """Return the value of a card that is played alone. Two cards with the same value are equal (PT-28, T-09)."""
    return _VALUE[card]


def position(card: Card) -> tuple[int, int]:
    """Return the place of a card in a sorted hand: by value, then by suit."""
    return _VALUE[card], f"{SUITS}X".index(card[1])


def equal(card: Card, other: Card) -> bool:
    """Return whether two cards are equal: the same rank, or aces and jokers (PT-28, T-09)."""
    return _VALUE[card] == _VALUE[other]


@cache
def required(own: Card, affecter: Card) -> Required:
    """Return the differences between one's own top and the affecter's (PT-10)."""
    return tuple(sorted({abs(x - y) for x, y in product(_VALUES[own[0]], _VALUES[affecter[0]])}))


@cache
def explain(own: Card, affecter: Card) -> tuple[str, ...]:
    """Return the arithmetic of each required value, in the same order: ``9 − 4 = 5``."""
    sentences: dict[int, str] = {}
    for x, y in product(_VALUES[own[0]], _VALUES[affecter[0]]):
        sentences.setdefault(abs(x - y), _difference(x, y))
    return tuple(sentences[value] for value in sorted(sentences))


def _difference(x: int, y: int) -> str:
    return f"{max(x, y)} − {min(x, y)} = {abs(x - y)}"


@cache
def single_bridges(required: Required) -> frozenset[Card]:
    """Return the cards that are a bridge alone."""
    return frozenset(card for card in ALL_CARDS if value(card) in required)


def missed_values(missed: Iterable[Required]) -> frozenset[int]:
    """Return the values that a seat has missed: unless it faked, it holds no card of them (T-07)."""
    return frozenset(value for required in missed for value in required)


def arithmetic(first: Card, second: Card, required: Required) -> tuple[str, ...]:
    """Return every way in which two cards make a required value: ``13 − 9 = 4``, ``1 + 2 = 3`` (PT-17, PT-18)."""
    return _arithmetic(first[0], second[0], required)


@cache
def _arithmetic(first: str, second: str, required: Required) -> tuple[str, ...]:
    ways: dict[str, None] = {}
    for x, y in product(_VALUES[first], _VALUES[second]):
        if abs(x - y) in required:
            ways[_difference(x, y)] = None
        if x + y in required:
            ways[f"{x} + {y} = {x + y}"] = None
    return tuple(ways)


def pairs(hand: Sequence[Card], required: Required) -> list[tuple[Card, Card]]:
    """Return both orders of every two cards of the hand that are a bridge, without equal texts (PT-17).

    If the hand is sorted, so are they.
    """
    return [pair for pair in dict.fromkeys(permutations(hand, 2)) if arithmetic(*pair, required)]


def has_pair(hand: Sequence[Card], required: Required) -> bool:
    """Return whether `pairs` finds any."""
    return any(not partners(card[0], required).isdisjoint(hand[at:]) for at, card in enumerate(hand, 1))


@cache
def partners(rank: str, required: Required) -> frozenset[Card]:
    """Return the cards that are a bridge together with a card of the rank."""
    fitting = {y for x, wanted in product(_VALUES[rank], required) for y in (x + wanted, x - wanted, wanted - x)}
    return frozenset(card for card in ALL_CARDS if not fitting.isdisjoint(_VALUES[card[0]]))
