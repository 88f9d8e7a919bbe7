"""Moves of Pontis that count as one: nothing that their player can know tells their suits apart."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.games.cards import JOKER, Card, Play, leave_out
from bot.games.game import Move
from bot.games.pontis.moves import Sum, cards_of
from bot.games.pontis.state import Observation

_WITH_CARDS: Final = (Play, Sum)


def alike(seen: Observation, move: Move, other: Move) -> bool:
    """Whether two moves count as one: if two suits change places, nothing changes but the move."""
    if type(move) is not type(other) or not isinstance(move, _WITH_CARDS):
        return False
    one, two = cards_of(move), cards_of(other)
    suits = "".join(sorted({*_suits(one, two), *_suits(two, one)}))
    if len(suits) != 2 or JOKER in {*one, *two} or tuple(_swap(card, suits) for card in one) != two:
        return False
    left = Counter(seen.hand) - Counter(one), Counter(seen.hand) - Counter(two)
    return _swapped(left[0], suits) == left[1] and _is_even(seen, suits)


def _suits(one: Sequence[Card], two: Sequence[Card]) -> set[str]:
    """Return the suits of the first cards that differ from the others."""
    return {card[1] for card, other in zip(one, two, strict=True) if card != other}


def _is_even(seen: Observation, suits: str) -> bool:
    """Whether all that isn't in the hand stays as it is if the suits change places, as far as the seat can know."""
    tops = {bank[-1][1:] if bank else suits[0] for at, bank in enumerate(seen.banks) if at != seen.bank}
    unseen = Counter(leave_out(seen.setup.pack, [*seen.hand, *(card for bank in seen.banks for card in bank)]))
    return tops.isdisjoint(suits) and _swapped(unseen, suits) == unseen


def _swap(card: Card, suits: str) -> Card:
    other = {suits[0]: suits[1], suits[1]: suits[0]}
    return card if card == JOKER else Card(card[0] + other.get(card[1], card[1]))


def _swapped(cards: Counter[Card], suits: str) -> Counter[Card]:
    return Counter({_swap(card, suits): number for card, number in cards.items()})
