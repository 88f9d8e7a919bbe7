"""Name plates, badges, the last trick, and hands of large cards with marks, in pictures of several games."""

from collections.abc import Collection, Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.cards import Card, face
from bot.pictures.canvas import HAND_CARD, TEXT, WIDTH, Box, Canvas
from bot.pictures.lettering import width
from bot.pictures.palette import CARD, DEEP, EDGE, INK, PLATE, TURN, WATER, Colour
from bot.pictures.picture import Player

PLATE_HEIGHT: Final = 68
_NARROW: Final = 200
"""Narrower plates have smaller margins."""
_MARK: Final = 52
"""Width of the mark of a computer, which is left out where the name needs the room."""
SMALL_CARD: Final = (114, 50)
"""The size of a card of the last trick."""
_SUIT: Final = 50
"""The width of a suit beside its rank."""
_LAST_GAP: Final = 6


def plate(canvas: Canvas, box: Box, player: Player, ground: Colour, *, is_turn: bool) -> None:
    """Draw a player's name. An arrow and a bright plate show whose turn it is."""
    colour = TURN if is_turn else PLATE
    canvas.panel(box, colour, ground=ground, radius=18, line=6 if is_turn else 4)
    is_narrow = box.width < _NARROW
    x, (_middle, y) = box.x + (10 if is_narrow else 18), box.centre
    if is_turn:
        canvas.polygon([(x, y - 18), (x + 24, y), (x, y + 18)], EDGE, colour)
        x += 26 if is_narrow else 34
    room = box.right - x - (8 if is_narrow else 12)
    if player.is_computer and width(player.name, TEXT) + _MARK <= room:
        canvas.sprite("robot", x + 22, y, colour)
        x += _MARK
    canvas.text(x, y, player.name, ground=colour, limit=room)


def badge(canvas: Canvas, box: Box, sprite: str, text: str, ink: Colour = INK) -> None:
    """Draw a panel with a symbol and a few characters on the water."""
    canvas.panel(box, PLATE, ground=WATER, radius=18)
    _middle, y = box.centre
    canvas.sprite(sprite, box.x + 42, y, PLATE)
    canvas.text(box.x + 78, y, text, ground=PLATE, ink=ink, limit=box.width - 90)


def last_trick(canvas: Canvas, x: int, y: int, cards: Sequence[Card], best: int) -> None:
    """Draw a trick that was taken, two cards a row in the order of play, with a frame around the ``best``."""
    wide, high = SMALL_CARD
    for place, card in enumerate(cards):
        box = Box(x + place % 2 * (wide + _LAST_GAP), y + place // 2 * (high + _LAST_GAP), wide, high)
        if place == best:
            canvas.panel(Box(box.x - 7, box.y - 8, wide + 14, high + 16), TURN, ground=WATER, radius=20)
        small_card(canvas, box.x, box.y, card, TURN if place == best else WATER)


def small_card(canvas: Canvas, x: int, y: int, card: Card, ground: Colour) -> None:
    """Draw a card as low as a line of text, with its rank beside its suit."""
    box = Box(x, y, *SMALL_CARD)
    canvas.panel(box, PLATE, ground=ground, radius=14)
    rank = face(card)[:-2]
    left = box.centre[0] - (width(rank, TEXT) + _SUIT) // 2
    left += canvas.text(left, box.centre[1], rank, ground=PLATE)
    canvas.sprite(f"suit-{card[1]}", left + _SUIT - 22, box.centre[1], PLATE, 0.8)


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
_MARK_AT: Final = (30, 109)
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
                canvas.sprite(held.mark, x + _MARK_AT[0], top - lift + _MARK_AT[1], CARD)
            x += HAND_CARD[0] + _GAP
        at += count
        top += HAND_CARD[1] + _BETWEEN_ROWS + room
