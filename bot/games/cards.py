"""Cards, packs, cards as people write them, and the moves and events that card games share.

A card is its own text, rank then suit: ``"TD"`` is the ten of diamonds, ``"XX"`` a joker. So sorted hands are in the
order of lists of legal moves (G-04).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NewType, TypeVar

from bot.errors import Text
from bot.games.game import Event, Move, Seat
from bot.games.typed import clean_move

T = TypeVar("T")

Card = NewType("Card", str)

RANKS: Final = "A23456789TJQK"
LOW_TO_HIGH: Final = "23456789TJQKA"
"""The ranks by their strength in tricks."""
SUITS: Final = "SHDC"
JOKER: Final = Card("XX")
PACK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the order a shuffle starts from: S H D C, each suit A to K (G-12)."""

ALL_CARDS: Final = frozenset((*PACK, JOKER))

RANK_NAMES: Final = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
SUIT_NAMES: Final = {"S": Text("spades"), "H": Text("hearts"), "D": Text("diamonds"), "C": Text("clubs")}
_AS_TEXT: Final = "\ufe0e"
SUIT_SYMBOLS: Final = {suit: symbol + _AS_TEXT for suit, symbol in zip(SUITS, "♠♥♦♣", strict=True)}
"""Symbols with a text variation selector: as emoji, black suits are invisible on a dark background."""


_TWO_BY_TWO: Final = re.compile("..?", re.DOTALL)
_CARDS: Final = {str(card): card for card in ALL_CARDS}


def name(card: Card) -> str:
    """Return the card in words, from which its emoji is named: ``ten of diamonds``, ``joker``."""
    return "joker" if card == JOKER else f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def face(card: Card) -> str:
    """Return the card as people write it: ``10♦``, ``A♠``, ``Joker``."""
    if card == JOKER:
        return "Joker"
    return ("10" if card[0] == "T" else card[0]) + SUIT_SYMBOLS[card[1]]


def split(text: str) -> tuple[Card, ...] | None:
    """Return the cards of a text without separators (``AS2HTD``), or ``None`` if it isn't one."""
    try:
        return tuple([_CARDS[two] for two in _TWO_BY_TWO.findall(text)])
    except KeyError:
        return None


def join(cards: Iterable[Card]) -> str:
    """Return the cards as text without separators, the inverse of `split`."""
    return "".join(cards)


def leave_out(pack: Iterable[Card], out: Iterable[Card]) -> list[Card]:
    """Return the pack without the cards in ``out``. Of equal cards the first copy is left out (G-12).

    Raise ``ValueError`` if a card of ``out`` isn't there.
    """
    left = list(pack)
    for card in out:
        left.remove(card)
    return left


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the hand without one copy of the card. Raise ``ValueError`` if it isn't there."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


_RANK_WORDS: Final = (
    {letter.lower(): letter for letter in RANKS}
    | {"10": "T", "1": "A"}
    | {word: letter for letter, word in RANK_NAMES.items()}
)
_SUIT_WORDS: Final = (
    {letter.lower(): letter for letter in SUITS}
    | {symbol[0]: letter for letter, symbol in SUIT_SYMBOLS.items()}
    | dict(zip("♤♡♢♧", SUITS, strict=True))
    | {word: letter for letter, word in SUIT_NAMES.items()}
    | {word.removesuffix("s"): letter for letter, word in SUIT_NAMES.items()}
)
_RANK: Final = "|".join(sorted(_RANK_WORDS, key=len, reverse=True))
_SUIT: Final = "|".join(sorted(map(re.escape, _SUIT_WORDS), key=len, reverse=True))
_TYPED_CARD: Final = re.compile(
    rf"(?<!\w)(?:(?P<joker>xx|joker)|(?P<rank>{_RANK})\s*(?:of\s+)?(?P<suit>{_SUIT})|(?P<suit2>{_SUIT})\s*(?P<rank2>{_RANK}))(?!\w)"
)


def tidy(text: str) -> str:
    """Bring every card of a typed text into the program's form.

    ``play 10d``, ``PLAY ♦10`` and ``play ten of diamonds`` all give ``play TD``. Other words become lower case.
    """
    return _TYPED_CARD.sub(_card_of, clean_move(text))


def _card_of(match: re.Match[str]) -> Card:
    if match["joker"]:
        return JOKER
    return Card(_RANK_WORDS[match["rank"] or match["rank2"]] + _SUIT_WORDS[match["suit"] or match["suit2"]])


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a card from the hand."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class Dealer(Move):
    """Chance draws the first dealer. The deal then passes on clockwise."""

    seat: Seat

    def __str__(self) -> str:
        return f"dealer {self.seat}"


@dataclass(frozen=True, slots=True)
class DealerDrawn(Event):
    """The seat deals first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """The seat played a card to the trick."""

    seat: Seat
    card: Card


def replaced(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with one of them replaced, such as the hand of a seat."""
    return (*items[:at], item, *items[at + 1 :])
