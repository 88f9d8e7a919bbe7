"""The result card of a single game of Pontis: where the points come from, with a bar for each side."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.games.pontis.moves import Score
from bot.pictures import result
from bot.pictures.canvas import TEXT, Box, Canvas
from bot.pictures.lettering import width
from bot.pictures.palette import CARD, INK, PLATE, SUITS, Colour
from bot.pictures.picture import Picture
from bot.texts import gettext as _

_FILLS: Final[Sequence[Colour]] = (INK, SUITS["D"], CARD, SUITS["H"])
"""Dark, bright and hollow in this order, so that the parts differ without colours."""
_TALL_ROW: Final = 124
"""The height of a row with a bar, with the gap below it."""
_LOW_ROW: Final = 104
"""The same for many rows, so that a message with them fits a phone."""
_SQUARE: Final = 40
"""The side of a square of the legend."""
_GAP: Final = 14


def height(sides: int) -> int:
    """Return the height of the result card."""
    rows = result.rows_of(sides)
    return result.TOP + rows * _pitch(rows) + result.ROW


def _pitch(rows: int) -> int:
    return _TALL_ROW if rows < result.ONE_COLUMN else _LOW_ROW


def draw_shares(sides: Sequence[result.Side], scores: Sequence[Score], side_by_seat: Sequence[int]) -> Picture:
    """Draw the result card of a single game. ``scores`` are by the number of the side."""
    rows = result.rows_of(len(sides))
    is_small, pitch = rows < len(sides), _pitch(rows)
    canvas = Canvas(height(len(sides)))
    result.draw_heading(canvas, sides)
    games = [scores[side_by_seat[side.seats[0]]] for side in sides]
    parts = [shares(game) for game in games]
    most = max(map(sum, parts))
    for number, (side, game) in enumerate(zip(sides, games, strict=True)):
        column, row = divmod(number, rows)
        box = Box(14 + column * 491, result.TOP + row * pitch, 481 if is_small else 972, pitch - 8)
        line = box._replace(height=result.ROW - 8)
        colour = result.draw_panel(canvas, box, side)
        result.draw_name(
            canvas, result.draw_place(canvas, line, side), line, side, str(game.total) if is_small else arithmetic(game)
        )
        below = Box(box.x + 22, line.bottom, box.width - 44, box.bottom - line.bottom - 10)
        bar(canvas, below, parts[number], most, colour)
    legend(canvas, Box(14, result.TOP + rows * pitch, 972, result.ROW - 12), parts)
    return Picture(canvas.png(), result.result_in_words(sides))


def shares(score: Score) -> tuple[int, ...]:
    """Return the points by cards, by suits, by going out and by calls. Lost points shorten the last of them."""
    parts = [score.cards, score.suit_points, score.bonus, max(0, score.calls)]
    lost = sum(parts) - max(0, score.total)
    for at in reversed(range(len(parts))):
        less = min(parts[at], lost)
        parts[at], lost = parts[at] - less, lost - less
    return tuple(parts)


def arithmetic(score: Score) -> str:
    """Return a score as a sum: ``13 + 2 − 2 = 13``."""
    points = [each for each in score if each]
    if len(points) <= 1:
        return str(score.total)
    return f"{' + '.join(map(str, points))} = {score.total}".replace("+ -", "− ")


def bar(canvas: Canvas, box: Box, parts: Sequence[int], most: int, ground: Colour) -> None:
    """Draw the parts side by side. A bar of ``most`` points fills the box."""
    ends = [box.x + box.width * sum(parts[:at]) // max(1, most) for at in range(len(parts) + 1)]
    for fill, (left, right) in zip(_FILLS, pairwise(ends), strict=True):
        if right > left:
            _part(canvas, Box(left, box.y, right - left, box.height), fill, ground)


def legend(canvas: Canvas, box: Box, parts: Sequence[Sequence[int]]) -> None:
    """Draw the meaning of the parts that occur."""
    canvas.panel(box, PLATE, radius=18)
    labels = (_("Cards"), _("Suits"), _("Going out"), _("Calls"))
    occur = [any(points) for points in zip(*parts, strict=True)]
    shown = [(fill, label) for fill, label, does in zip(_FILLS, labels, occur, strict=True) if does]
    x, y = box.centre
    x -= sum(_SQUARE + 3 * _GAP + width(label, TEXT) for _fill, label in shown) // 2 - _GAP
    for fill, label in shown:
        _part(canvas, Box(x, y - _SQUARE // 2, _SQUARE, _SQUARE), fill, PLATE)
        x += _SQUARE + _GAP
        x += canvas.text(x, y, label, ground=PLATE) + 2 * _GAP


def _part(canvas: Canvas, box: Box, fill: Colour, ground: Colour) -> None:
    canvas.panel(box, fill, ground=ground, radius=8, edge=INK, line=5)
