"""The arithmetic of Pontis: which bridge two tops ask for, and which cards make it.

An ace counts 1 or 14, freely each time it is looked at; a joker counts 1; J, Q, K count 11, 12, 13 (PT-03, PT-10).
What is asked for is always from 0 to 13, so an ace that is played alone counts 1.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

from bot.games.cards import ALL_CARDS, RANKS, Card

Required = tuple[int, ...]
"""The values that a bridge may have, ascending: ``(5,)``, or two of them where an ace is on top: ``(4, 9)``."""

VALUES: Final = {rank: (value,) for value, rank in enumerate(RANKS, 1)} | {"A": (1, 14), "X": (1,)}
"""What a rank may count; the joker's rank is ``X``."""

_TEXT_ORDER: Final = sorted(VALUES)
_REQUIRED: Final[dict[str, Required]] = {
    own + other: tuple(sorted({abs(x - y) for x, y in product(VALUES[own], VALUES[other])}))
    for own, other in product(VALUES, repeat=2)
}


def _difference(x: int, y: int) -> str:
    return f"{max(x, y)} − {min(x, y)} = {abs(x - y)}"


def _explain(own: str, other: str) -> tuple[str, ...]:
    ways = reversed([*product(VALUES[own], VALUES[other])])  # of two ways to one value the one with the ace as 1
    sentence = {abs(x - y): _difference(x, y) for x, y in ways}
    return tuple(sentence[bridge] for bridge in sorted(sentence))


_EXPLAINED: Final = {own + other: _explain(own, other) for own, other in product(VALUES, repeat=2)}
_SINGLES: Final = {
    required: frozenset(card for card in ALL_CARDS if VALUES[card[0]][0] in required) for required in _REQUIRED.values()
}


def _reach(one: str, other: str) -> set[int]:
    """Every value that cards of two ranks make together."""
    return {made for x, y in product(VALUES[one], VALUES[other]) for made in (x + y, abs(x - y))}


_PARTNERS: Final[dict[Required, dict[str, tuple[str, ...]]]] = {
    required: {
        one: tuple(other for other in _TEXT_ORDER if not _reach(one, other).isdisjoint(required)) for one in VALUES
    }
    for required in _REQUIRED.values()
}


def value(card: Card) -> int:
    """What the card counts when it is played alone, and what counts for equality: an ace and a joker 1."""
    return VALUES[card[0]][0]


def equal(cards: Iterable[Card]) -> bool:
    """Whether the cards have one value: the same rank, or aces and jokers together (PT-28, T-09)."""
    return len({VALUES[card[0]][0] for card in cards}) == 1


def required(own: Card, affecter: Card) -> Required:
    """The values that bridge from the affecter's top to one's own (PT-10)."""
    return _REQUIRED[own[0] + affecter[0]]


def explain(own: Card, affecter: Card) -> tuple[str, ...]:
    """The arithmetic behind `required`, one sentence a value, in the same order: ``9 − 4 = 5``."""
    return _EXPLAINED[own[0] + affecter[0]]


def singles(hand: Iterable[Card], required: Required) -> list[Card]:
    """The cards of the hand that are a bridge on their own, equal ones once, in the order of the hand."""
    fitting = _SINGLES[required]
    return [card for card in dict.fromkeys(hand) if card in fitting]


def has_single(hand: Iterable[Card], required: Required) -> bool:
    """Whether `singles` finds any."""
    return not _SINGLES[required].isdisjoint(hand)


def arithmetic(first: Card, second: Card, required: Required) -> tuple[str, ...]:
    """Every way in which two cards make a required value: ``13 − 9 = 4``, ``1 + 2 = 3``; empty if there is none."""
    ways: dict[str, None] = {}
    for x, y in product(VALUES[first[0]], VALUES[second[0]]):
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


def has_pair(hand: Iterable[Card], required: Required) -> bool:
    """Whether `pairs` finds any."""
    partners = _PARTNERS[required]
    ranks = [card[0] for card in hand]
    return any(
        other in ranks and (other != one or ranks.count(one) > 1) for one in set(ranks) for other in partners[one]
    )
