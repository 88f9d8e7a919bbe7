"""Hands of cards, in pictures of every game with cards: rows of large cards, with marks."""

from collections.abc import Collection, Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.cards import Card
from bot.pictures.canvas import HAND_CARD, WIDTH, Canvas
from bot.pictures.palette import CARD, DEEP

A_ROW: Final = 7
"""Maximum number of cards in a row."""
_GAP: Final = 6
_BETWEEN_ROWS: Final = 6
_RAISED: Final = 16
"""Distance by which playable cards stand out upwards."""
_RAISED_ROWS: Final = 2
"""Larger hands need the room. There, only the shade of the other cards shows what can be played."""
_BELOW: Final = 4
"""Margin below a hand."""
_WITHOUT_HAND: Final = 14
"""Margin below a board without a hand."""
_MARK: Final = (30, 109)
"""The middle of a mark on a card, from the card's top left corner."""


class Held(NamedTuple):
    """A card of a hand. ``mark`` is the sprite of a badge, ``is_raised`` a card that can be played now."""

    card: Card
    mark: str = ""
    is_raised: bool = False
    is_shaded: bool = False


def with_playable(cards: Sequence[Card], playable: Collection[Card]) -> list[Held]:
    """Return a hand of which some cards can be played now: these are raised, and the others shaded."""
    return [Held(card, is_raised=card in playable, is_shaded=bool(playable) and card not in playable) for card in cards]


def rows_of(cards: int) -> tuple[int, ...]:
    """Return the number of cards in each row of a hand: as equal as possible."""
    rows = ceil(cards / A_ROW)
    return tuple(cards // rows + (row < cards % rows) for row in range(rows))


def height_below(hand: Sequence[Held]) -> int:
    """Return the height of a picture below the board: the hand, if there is one, and a margin."""
    if not hand:
        return _WITHOUT_HAND
    return len(rows_of(len(hand))) * (HAND_CARD[1] + _BETWEEN_ROWS + _lift(hand)) + _BETWEEN_ROWS + _BELOW


def _lift(hand: Sequence[Held]) -> int:
    """Return the distance by which playable cards of this hand stand out."""
    is_small = len(rows_of(len(hand))) <= _RAISED_ROWS
    return _RAISED if is_small and any(held.is_raised for held in hand) else 0


def draw_hand(canvas: Canvas, y: int, hand: Sequence[Held]) -> None:
    """Draw a hand from ``y`` on, in centred rows."""
    room = _lift(hand)
    at, top = 0, y + _BETWEEN_ROWS + room
    for count in rows_of(len(hand)):
        x = (WIDTH - count * HAND_CARD[0] - (count - 1) * _GAP) // 2
        for held in hand[at : at + count]:
            lift = room if held.is_raised else 0
            canvas.card(held.card, x, top - lift, DEEP, is_large=True, is_shaded=held.is_shaded)
            if held.mark:
                canvas.sprite(held.mark, x + _MARK[0], top - lift + _MARK[1], CARD)
            x += HAND_CARD[0] + _GAP
        at += count
        top += HAND_CARD[1] + _BETWEEN_ROWS + room
