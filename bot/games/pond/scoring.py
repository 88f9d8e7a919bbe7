"""What a card is worth in Pond: its strength in a trick, its class and points when a round is scored."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from bot.games.cards import PACK, Card
from bot.games.game import Seat

_RANKS: Final = "23456789TJQKA"
_ANTI_TRUMPS: Final = "234567"
_FACES: Final = "JQK"

PROFIT_GROUPS: Final = ("A234", "4567", "89T")
"""The three groups of profit ranks."""

_GROUP_OF: Final = {rank: group for group in PROFIT_GROUPS for rank in group if rank != "4"}


def _strength(card: Card) -> int:
    rank = _RANKS.index(card[0])
    if card[1] != "S":
        return 100 + rank
    return rank if card[0] in _ANTI_TRUMPS else 200 + rank


STRENGTH: Final = {card: _strength(card) for card in PACK}
"""How strong a card is in a trick, higher takes: anti-trumps, then plain cards by rank alone, then trumps."""


class CardClass(IntEnum):
    """The classes of a captured card with their points; the first that fits counts (PC-29)."""

    POISON = -25
    PROFIT = 15
    FACE = 10
    NUMBER = 5
    ACE = 1


def group_of(card: Card) -> str | None:
    """The profit group that the card stands for when it is set aside; ``None`` for 4, J, Q and K (PC-13)."""
    return _GROUP_OF.get(card[0])


def class_of(card: Card, poison: str, group: str) -> CardClass:
    """The class of a captured card for a player with this poison suit and this profit group (PC-16, PC-29, PC-30)."""
    if card[1] == poison:
        return CardClass.POISON
    if card[0] in group:
        return CardClass.PROFIT
    if card[0] in _FACES:
        return CardClass.FACE
    return CardClass.ACE if card[0] == "A" else CardClass.NUMBER


def points(card: Card, poison: str, group: str) -> int:
    """What a captured card is worth to a player with this poison suit and this profit group."""
    return int(class_of(card, poison, group))


_new: Final = tuple.__new__  # takes half the time of Line(…)
_CLASSES: Final = tuple(CardClass)
_LINE_OF: Final = {
    (poison, group): {card: list(CardClass).index(class_of(card, poison, group)) for card in PACK}
    for poison in "HDC"
    for group in PROFIT_GROUPS
}
"""Which line of a tally a card belongs to, by poison suit and profit group."""


class ProfitChoice(NamedTuple):
    """What setting a card aside would mean: the group it stands for, and how many cards of the hand, itself included,
    are in that group.
    """

    card: Card
    group: str
    held: int


def profit_choices(hand: Sequence[Card]) -> tuple[ProfitChoice, ...]:
    """Each different card of the hand that may be set aside, with what it would mean, in the order of the hand."""
    return tuple(
        ProfitChoice(card, group, sum(other[0] in group for other in hand))
        for card in dict.fromkeys(hand)
        if (group := group_of(card)) is not None
    )


class Line(NamedTuple):
    """One line of a tally: the captured cards of one class, and their points together."""

    kind: CardClass
    cards: tuple[Card, ...]
    points: int


class Tally(NamedTuple):
    """How one seat's round was scored. The set-aside card and the cards left in hand score nothing (PC-15, PC-28)."""

    poison: str
    set_aside: Card
    group: str
    lines: tuple[Line, ...]
    left: tuple[Card, ...]
    points: int


class RoundScore(NamedTuple):
    """A finished round, all of it revealed (PC-34): the tally of each seat, and the points of its side by seat."""

    dealer: Seat
    tallies: tuple[Tally, ...]
    points: tuple[int, ...]


def tally(pile: Sequence[Card], poison: str, set_aside: Card, left: Sequence[Card]) -> Tally:
    """The tally of one seat, with a line for each class, empty ones included."""
    group = _GROUP_OF[set_aside[0]]
    line_of = _LINE_OF[poison, group]
    classes: tuple[list[Card], ...] = ([], [], [], [], [])
    for card in pile:
        classes[line_of[card]].append(card)
    by_class = zip(_CLASSES, classes, strict=True)
    lines = tuple([_new(Line, (kind, tuple(cards), kind * len(cards))) for kind, cards in by_class])
    return Tally(poison, set_aside, group, lines, tuple(left), sum([line.points for line in lines]))
