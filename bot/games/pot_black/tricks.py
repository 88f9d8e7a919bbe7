"""Whist tricks: which cards may be played, and which card takes the trick."""

from collections.abc import Sequence

from bot.games.cards import LOW_TO_HIGH, SUITS, Card


def strength(card: Card) -> int:
    """Return the strength of a card in its suit."""
    return LOW_TO_HIGH.index(card[0])


def position(card: Card) -> tuple[int, int]:
    """Return the place of a card in a sorted hand: by suit, the strongest first."""
    return SUITS.index(card[1]), -strength(card)


def playable(hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that may be played to the trick: those of the suit led if there are any, else all."""
    following = tuple([card for card in hand if trick and card[1] == trick[0][1]])
    return following or hand


def beats(card: Card, best: Card, trumps: str | None) -> bool:
    """Return whether a card beats the best card of a trick. ``trumps`` is a suit, or ``None`` for no trumps."""
    if card[1] == best[1]:
        return strength(card) > strength(best)
    return card[1] == trumps


def winner(trick: Sequence[Card], trumps: str | None) -> int:
    """Return the place of the card that takes the trick, counted from 0 in the order of play."""
    best = 0
    for at, card in enumerate(trick):
        if beats(card, trick[best], trumps):
            best = at
    return best
