"""Cards in text, the same for all card games: faces, hands by suit."""

from collections.abc import Callable, Iterable
from typing import Final

from bot.games.cards import SUIT_SYMBOLS, SUITS, Card, face

FACE_DOWN: Final = "▮"


def faces(cards: Iterable[Card]) -> str:
    """The cards side by side: ``10♦ A♠``; one that can't be seen as a block."""
    return " ".join(face(card) if card[1] in SUITS or card == "XX" else FACE_DOWN for card in cards)


def ranks(cards: Iterable[str]) -> str:
    """Ranks side by side, the ten in figures: ``A K 10 4``. Takes cards or bare ranks."""
    return " ".join("10" if card[0] == "T" else card[0] for card in cards)


def by_suit(hand: Iterable[Card], strength: Callable[[Card], int], trumps: str | None = None) -> str:
    """A hand, one suit a line, the strongest card first, trumps named."""
    held = sorted(hand, key=strength, reverse=True)
    return "\n".join(
        f"{SUIT_SYMBOLS[suit]} {ranks(of_suit)}{' (trumps)' if suit == trumps else ''}"
        for suit in SUITS
        if (of_suit := [c for c in held if c[1] == suit])
    )
