"""What the faces of card games share: cards, hands and paragraphs as text."""

from collections.abc import Callable, Iterable
from typing import Final

from bot.games.cards import SUIT_SYMBOLS, SUITS, Card, face, name
from bot.texts import gettext as _

FACE_DOWN: Final = "▮\ufe0e"
"""The back of a card, with a text variation selector like those of suits (`bot.ui.posts.emojis`)."""


def faces(cards: Iterable[Card]) -> str:
    """Return cards side by side: ``10♦ A♠``. A card that can't be seen is a block."""
    return " ".join(face(card) if card[1] in SUITS or card == "XX" else FACE_DOWN for card in cards)


def emoji(card: Card) -> str:
    """Return the name of the emoji that shows a card: ``king_of_diamonds``."""
    return name(card).replace(" ", "_")


def suit_name(suit: str) -> str:
    """Return the name of a suit in the current language: ``spades``."""
    match suit:
        case "S":
            return _("spades")
        case "H":
            return _("hearts")
        case "D":
            return _("diamonds")
        case _:
            return _("clubs")


def ranks(cards: Iterable[str]) -> str:
    """Return the ranks of cards, or bare ranks, side by side: ``A K 10 4``."""
    return " ".join("10" if card[0] == "T" else card[0] for card in cards)


def by_suit(hand: Iterable[Card], strength: Callable[[Card], int], trumps: str | None = None) -> str:
    """Return a hand with one line per suit, the strongest card first."""
    held = sorted(hand, key=strength, reverse=True)
    lines = []
    for suit in SUITS:
        if of_suit := [card for card in held if card[1] == suit]:
            line = f"{SUIT_SYMBOLS[suit]} {ranks(of_suit)}"
            lines.append(_("{cards} (trumps)", cards=line) if suit == trumps else line)
    return "\n".join(lines)


def paragraphs(*parts: str) -> list[str]:
    """Return the parts that aren't empty."""
    return [part for part in parts if part]
