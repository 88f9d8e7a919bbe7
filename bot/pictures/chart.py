"""The line chart of a result card: the course of the scores, and the marks that show whose line each is."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, pairwise
from math import ceil, dist
from typing import Final, Protocol

from bot.pictures.canvas import TEXT, Box, Canvas, Point
from bot.pictures.lettering import width
from bot.pictures.palette import INK, PLATE, SUITS, WATER, Colour

FEW: Final = 4
"""Lines and marks of more sides are smaller."""
_COLOURS: Final[Sequence[Colour]] = (INK, SUITS["H"], SUITS["D"], SUITS["C"])
_DASHES: Final = ((0, 0), (28, 18), (10, 16), (60, 12))
"""Lengths of the dashes and gaps of lines. Those of the first sides are solid, the next have each kind of dashes in all
colours.
"""
_SPREAD: Final = 28
"""Lines are moved apart by at most this in all, so that equal ones run side by side."""
_MARKS: Final = ("disc", "square", "triangle", "diamond", "down", "cross", "plus")
"""Each line has a mark of its own, so that it needs no colour. After the last, they are hollow."""
_PLUS: Final = (
    *((-9, -28), (9, -28), (9, -9), (28, -9), (28, 9), (9, 9)),
    *((9, 28), (-9, 28), (-9, 9), (-28, 9), (-28, -9), (-9, -9)),
)
_POLYGONS: Final[Mapping[str, Sequence[tuple[int, int]]]] = {
    "square": ((-22, -22), (22, -22), (22, 22), (-22, 22)),
    "triangle": ((0, -26), (27, 21), (-27, 21)),
    "diamond": ((0, -28), (28, 0), (0, 28), (-28, 0)),
    "down": ((0, 26), (27, -21), (-27, -21)),
    "cross": tuple((round((x - y) * 0.71), round((x + y) * 0.71)) for x, y in _PLUS),
    "plus": _PLUS,
}


class Mark(Protocol):
    """Draws the mark of a line, by its number."""

    def __call__(self, canvas: Canvas, number: int, x: int, y: int, ground: Colour, /, *, is_small: bool) -> None:
        """Draw the mark centred at a point."""


def draw_mark(canvas: Canvas, number: int, x: int, y: int, ground: Colour, *, is_small: bool) -> None:
    """Draw the usual mark of a line."""
    colour, kind = _COLOURS[number % len(_COLOURS)], _MARKS[number % len(_MARKS)]
    scale = 0.75 if is_small else 1.0
    _shape(canvas, kind, (x, y), scale, (colour, ground))
    if number >= len(_MARKS):
        _shape(canvas, kind, (x, y), scale * 0.5, (ground, colour))


def draw_chart(canvas: Canvas, box: Box, courses: Sequence[Sequence[int]], mark: Mark = draw_mark) -> None:
    """Draw a line for each course, with its mark at the end."""
    canvas.panel(box, PLATE, radius=26)
    low = min(0, *map(min, courses))
    high = max(1, *map(max, courses))
    is_small = len(courses) > FEW
    size, thick = (40, 6) if is_small else (52, 9)
    apart = min(thick, _SPREAD / len(courses))
    labels = {score: str(score).replace("-", "−") for score in (low, 0, high)}
    left = max(width(label, TEXT) for label in labels.values()) + 44
    y, height = box.y + 40, box.height - 80

    def level(score: int, number: float = (len(courses) - 1) / 2) -> float:
        shift = (number - (len(courses) - 1) / 2) * apart
        return y + height - height * (score - low) / (high - low) + shift

    ends = [level(course[-1], number) for number, course in enumerate(courses)]
    columns = _columns(ends, size)
    area = Box(box.x + left, y, box.width - left - 24 - size * (max(columns) + 1), height)
    for score, label in labels.items():
        canvas.line([(area.x, level(score)), (area.right, level(score))], WATER, 3, PLATE)
        if score in (low, high) or min(abs(score - low), abs(high - score)) * 6 > high - low:
            canvas.text(area.x - 20, round(level(score)), label, ground=PLATE, align="right")
    for number, course in reversed(list(enumerate(courses))):
        step = area.width / max(1, len(course) - 1)
        points = [(area.x + step * at, level(score, number)) for at, score in enumerate(course)]
        for part in _dashed(points, *_DASHES[number // len(_COLOURS) % len(_DASHES)]):
            canvas.line(part, _COLOURS[number % len(_COLOURS)], thick, PLATE)
    for number, (end, column) in enumerate(zip(ends, columns, strict=True)):
        mark(canvas, number, area.right + size // 2 + column * size, round(end), PLATE, is_small=is_small)


def _dashed(points: Sequence[Point], dash: int, gap: int) -> Iterator[Sequence[Point]]:
    """Yield the dashes of a line: each of its straight parts begins and ends with one."""
    if not dash:
        yield points
        return
    for (x, y), (to_x, to_y) in pairwise(points):
        length = dist((x, y), (to_x, to_y))
        dashes = max(1, ceil((length + gap) / (dash + gap)))
        pitch = (length + gap) / dashes
        for at in range(dashes):
            start, end = at * pitch / length, (at * pitch + max(1, pitch - gap)) / length
            yield [(x + (to_x - x) * part, y + (to_y - y) * part) for part in (start, end)]


def _columns(heights: Sequence[float], apart: int) -> Sequence[int]:
    """Return for each mark the first column in which no other mark is nearer, so that none covers another."""
    columns: list[int] = []
    for number, y in enumerate(heights):
        near = {column for column, other in zip(columns, heights[:number], strict=True) if abs(other - y) < apart}
        columns.append(next(column for column in count() if column not in near))
    return columns


def _shape(canvas: Canvas, kind: str, centre: tuple[int, int], scale: float, inks: tuple[Colour, Colour]) -> None:
    (x, y), (colour, ground) = centre, inks
    if kind == "disc":
        radius = round(24 * scale)
        canvas.ellipse(Box(x - radius, y - radius, 2 * radius, 2 * radius), colour, ground)
        return
    canvas.polygon([(x + right * scale, y + down * scale) for right, down in _POLYGONS[kind]], colour, ground)
