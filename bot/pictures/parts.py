"""Parts that pictures of several games share: name plates, hands of cards, badges."""

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.cards import Card
from bot.pictures.canvas import HAND_CARD, TEXT, WIDTH, Box, Canvas
from bot.pictures.lettering import width
from bot.pictures.palette import CARD, EDGE, INK, PLATE, TURN, Colour
from bot.pictures.picture import Player

A_ROW: Final = 7
"""Maximum number of cards in a row of a hand."""
_GAP: Final = 6
_BETWEEN_ROWS: Final = 6
RAISED: Final = 16
"""Distance by which playable cards stand out upwards."""
_RAISED_ROWS: Final = 2
"""Larger hands need the room. There, only the shade of the other cards shows what can be played."""
PLATE_HEIGHT: Final = 68
_NARROW: Final = 200
"""Narrower plates have smaller margins."""
_MARK: Final = 52
"""The width of the mark of a computer. A name without room for it is more important."""


class Held(NamedTuple):
    """A card of a hand. ``mark`` is the sprite of a badge, ``is_raised`` a card that can be played now."""

    card: Card
    mark: str = ""
    is_raised: bool = False
    is_shaded: bool = False


def plate(canvas: Canvas, box: Box, player: Player, ground: Colour, *, is_turn: bool = False) -> None:
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


def rows_of(cards: int) -> tuple[int, ...]:
    """Return the number of cards in each row of a hand: as equal as possible."""
    rows = ceil(cards / A_ROW)
    return tuple(cards // rows + (row < cards % rows) for row in range(rows))


def hand_height(cards: int, *, raises: bool = False) -> int:
    """Return the height that a hand needs."""
    rows = len(rows_of(cards))
    lift = RAISED if raises and rows <= _RAISED_ROWS else 0
    return rows * (HAND_CARD[1] + _BETWEEN_ROWS + lift) + _BETWEEN_ROWS if rows else 0


def hand(canvas: Canvas, y: int, cards: Sequence[Held], *, raises: bool = False) -> None:
    """Draw a hand from ``y`` on, in centred rows."""
    room = RAISED if raises and len(rows_of(len(cards))) <= _RAISED_ROWS else 0
    at, top = 0, y + _BETWEEN_ROWS + room
    for count in rows_of(len(cards)):
        x = (WIDTH - count * HAND_CARD[0] - (count - 1) * _GAP) // 2
        for held in cards[at : at + count]:
            lift = room if held.is_raised else 0
            canvas.card(held.card, x, top - lift, canvas.ground, is_large=True, is_shaded=held.is_shaded)
            if held.mark:
                canvas.sprite(held.mark, x + 30, top - lift + 109, CARD)
            x += HAND_CARD[0] + _GAP
        at += count
        top += HAND_CARD[1] + _BETWEEN_ROWS + room


def suit(canvas: Canvas, symbol: str, x: int, y: int, ground: Colour = PLATE) -> None:
    """Draw a suit centred at a point."""
    canvas.sprite(f"suit-{symbol}", x, y, ground)


def badge(canvas: Canvas, box: Box, sprite: str, text: str, ground: Colour, ink: Colour = INK) -> None:
    """Draw a panel with a symbol and a few characters."""
    canvas.panel(box, PLATE, ground=ground, radius=18)
    _middle, y = box.centre
    canvas.sprite(sprite, box.x + 42, y, PLATE, 0.5 if sprite == "back" else 1.0)
    canvas.text(box.x + 78, y, text, ground=PLATE, ink=ink, limit=box.width - 90)
