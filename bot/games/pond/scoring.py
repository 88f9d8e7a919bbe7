"""Cards in Pond: their strength in a trick, and their points when a round is scored."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from bot.games.cards import LOW_TO_HIGH, PACK, SUITS, Card
from bot.games.game import Seat

_ANTI_TRUMPS: Final = "234567"
_FACES: Final = "JQK"

PROFIT_GROUPS: Final = ("A234", "4567", "89T")
"""The three groups of profit ranks."""

_GROUP_OF: Final = {rank: group for group in PROFIT_GROUPS for rank in group if rank != "4"}


def _strength(card: Card) -> int:
    rank = LOW_TO_HIGH.index(card[0])
    if card[1] != "S":
        return 100 + rank
    return rank if card[0] in _ANTI_TRUMPS else 200 + rank


STRENGTH: Final = {card: _strength(card) for card in PACK}
"""The strength of each card in a trick: anti-trumps, then plain cards by rank alone, then trumps."""


def is_trump(card: Card) -> bool:
    """Whether the card is a spade from 8 up."""
    return card[1] == "S" and card[0] not in _ANTI_TRUMPS


def position(card: Card) -> tuple[int, int]:
    """Return the place of a card in a sorted hand: by suit, the strongest first."""
    return SUITS.index(card[1]), -STRENGTH[card]


class CardClass(IntEnum):
    """The classes of captured cards, and their points. The first that fits counts (PC-29)."""

    POISON = -25
    PROFIT = 15
    FACE = 10
    NUMBER = 5
    ACE = 1


def group_of(card: Card) -> str | None:
    """Return the profit group that a set-aside card stands for, or ``None`` for 4, J, Q and K (PC-13)."""
    return _GROUP_OF.get(card[0])


def class_of(card: Card, poison: str, group: str) -> CardClass:
    """Return the class of a captured card for this poison suit and this profit group (PC-16, PC-29, PC-30)."""
    if card[1] == poison:
        return CardClass.POISON
    if card[0] in group:
        return CardClass.PROFIT
    if card[0] in _FACES:
        return CardClass.FACE
    return CardClass.ACE if card[0] == "A" else CardClass.NUMBER


def points(card: Card, poison: str, group: str) -> int:
    """Return the points of a captured card for this poison suit and this profit group."""
    return int(class_of(card, poison, group))


def raised_by(card: Card, hand: Sequence[Card]) -> list[Card]:
    """Return the cards of the hand, itself included, that setting the card aside would make profit (PC-13, PC-16)."""
    group = group_of(card) or ""
    return [each for each in hand if each[0] in group]


class Line(NamedTuple):
    """A line of a tally: the captured cards of one class, and their points."""

    kind: CardClass
    cards: tuple[Card, ...]
    points: int


class Tally(NamedTuple):
    """The score of one seat in a round. Set-aside cards and cards left in hand score nothing (PC-15, PC-28)."""

    poison: str
    set_aside: Card
    group: str
    lines: tuple[Line, ...]
    left: tuple[Card, ...]
    points: int


class RoundScore(NamedTuple):
    """A finished round, all of it revealed (PC-34). ``points`` are the points of each seat's side."""

    dealer: Seat
    tallies: tuple[Tally, ...]
    points: tuple[int, ...]


def tally(pile: Sequence[Card], poison: str, set_aside: Card, left: Sequence[Card]) -> Tally:
    """Return the tally of one seat. It has a line for each class, including empty ones."""
    group = _GROUP_OF[set_aside[0]]
    lines = []
    for kind in CardClass:
        captured = tuple([card for card in pile if class_of(card, poison, group) is kind])
        lines.append(Line(kind, captured, kind * len(captured)))
    return Tally(poison, set_aside, group, tuple(lines), tuple(left), sum([line.points for line in lines]))
