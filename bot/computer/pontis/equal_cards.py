"""Moves of Pontis that count as one: nothing that their player can know tells their suits apart."""

from collections import Counter
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
    swapped = {(a[1], b[1]) for a, b in zip(one, two, strict=True) if a != b}
    pairs = {frozenset(pair) for pair in swapped}
    if len(pairs) != 1 or JOKER in {*one, *two}:
        return not pairs
    suits = "".join(*map(sorted, pairs))
    if len(suits) != 2 or tuple(_swap(card, suits) for card in one) != two:
        return False
    left = Counter(seen.hand) - Counter(one), Counter(seen.hand) - Counter(two)
    unseen = Counter(leave_out(seen.setup.pack, [*seen.hand, *(card for bank in seen.banks for card in bank)]))
    tops = [bank[-1] for at, bank in enumerate(seen.banks) if bank and at != seen.bank]
    return (
        _swapped(left[0], suits) == left[1]
        and _swapped(unseen, suits) == unseen
        and not any(top[1] in suits for top in tops if top != JOKER)
        and all(seen.banks)
    )


def _swap(card: Card, suits: str) -> Card:
    other = {suits[0]: suits[1], suits[1]: suits[0]}
    return card if card == JOKER else Card(card[0] + other.get(card[1], card[1]))


def _swapped(cards: Counter[Card], suits: str) -> Counter[Card]:
    return Counter({_swap(card, suits): number for card, number in cards.items()})
