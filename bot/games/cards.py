"""Cards as two characters, packs in the order of the fair deal, and what people type for a card.

A card is its own text, rank then suit: ``"TD"`` is the ten of diamonds, ``"XX"`` a joker. So a sorted hand is sorted as
text, which is the order of every list of legal moves (G-04).
"""

import re
from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", str)

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
JOKER: Final = Card("XX")
PACK: Final[tuple[Card, ...]] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the order from which a shuffle starts: S H D C, each suit A to K."""

ALL_CARDS: Final = frozenset((*PACK, JOKER))

RANK_NAMES: Final = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)
SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_AS_TEXT: Final = "\ufe0e"
SUIT_SYMBOLS: Final = {suit: symbol + _AS_TEXT for suit, symbol in zip(SUITS, "♠♥♦♣", strict=True)}
"""Each with the sign that asks for text: as emoji, black suits can't be seen on a dark ground."""


_TWO_BY_TWO: Final = re.compile("..?", re.DOTALL)
_CARDS: Final = {str(card): card for card in ALL_CARDS}  # equal cards are one object: quicker to find and compare


def rank(card: Card) -> str:
    """The card's rank, one of ``RANKS``, or ``X`` for a joker."""
    return card[0]


def suit(card: Card) -> str:
    """The card's suit, one of ``SUITS``, or ``X`` for a joker."""
    return card[1]


def name(card: Card) -> str:
    """The card in words, for text that is read aloud: ``ten of diamonds``, ``joker``."""
    return "joker" if card == JOKER else f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


def face(card: Card) -> str:
    """The card as people write it: ``10♦``, ``A♠``, ``Joker``."""
    if card == JOKER:
        return "Joker"
    return ("10" if card[0] == "T" else card[0]) + SUIT_SYMBOLS[card[1]]


def split(text: str) -> tuple[Card, ...] | None:
    """Cards written without separators (``AS2HTD``), or ``None`` if the text is anything else."""
    try:
        return tuple([_CARDS[two] for two in _TWO_BY_TWO.findall(text)])
    except KeyError:
        return None


def join(cards: Iterable[Card]) -> str:
    """Cards without separators: the inverse of `split`."""
    return "".join(cards)


def leave_out(pack: Iterable[Card], out: Iterable[Card]) -> list[Card]:
    """The pack without the cards in ``out``: of equal cards the first copy goes (G-12).

    Raises ``ValueError`` if a card of ``out`` is not there.
    """
    left = list(pack)
    for card in out:
        left.remove(card)
    return left


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand with one copy of the card gone. Raises ``ValueError`` if it isn't held."""
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
    | {word: letter for letter, word in SUIT_NAMES.items()}
    | {word.removesuffix("s"): letter for letter, word in SUIT_NAMES.items()}
)
_RANK: Final = "|".join(sorted(_RANK_WORDS, key=len, reverse=True))
_SUIT: Final = "|".join(sorted(map(re.escape, _SUIT_WORDS), key=len, reverse=True))
_VARIANT: Final = re.compile("[\ufe0e\ufe0f]")
_TYPED_CARD: Final = re.compile(
    rf"(?<!\w)(?:(?P<joker>xx|joker)|(?P<rank>{_RANK})\s*(?:of\s+)?(?P<suit>{_SUIT})|(?P<suit2>{_SUIT})\s*(?P<rank2>{_RANK}))(?!\w)"
)


def tidy(text: str) -> str:
    """What a person typed, with every card in the program's form: ``play 10d``, ``PLAY ♦10`` and ``play ten of
    diamonds`` all give ``play TD``. Words that are no card are put in lower case and left alone.
    """
    return _TYPED_CARD.sub(_card_of, " ".join(_VARIANT.sub("", text).lower().split()))


def _card_of(match: re.Match[str]) -> Card:
    if match["joker"]:
        return JOKER
    return Card(_RANK_WORDS[match["rank"] or match["rank2"]] + _SUIT_WORDS[match["suit"] or match["suit2"]])
