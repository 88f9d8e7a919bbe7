"""Name plates and badges, in pictures of every game."""

from typing import Final

from bot.pictures.canvas import TEXT, Box, Canvas
from bot.pictures.lettering import width
from bot.pictures.palette import EDGE, INK, PLATE, TURN, WATER, Colour
from bot.pictures.picture import Player

PLATE_HEIGHT: Final = 68
_NARROW: Final = 200
"""Narrower plates have smaller margins."""
_MARK: Final = 52
"""Width of the mark of a computer, which is left out where the name needs the room."""


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
    canvas.sprite(sprite, box.x + 42, y, PLATE, 0.5 if sprite == "back" else 1.0)
    canvas.text(box.x + 78, y, text, ground=PLATE, ink=ink, limit=box.width - 90)
