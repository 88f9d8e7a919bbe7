"""The picture of a year on a server: how often each game was played, and who did what."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.games.game import Observation
from bot.pictures.canvas import TEXT, Box, Canvas
from bot.pictures.lettering import shortened, width
from bot.pictures.palette import DEEP, FOAM, PLATE, TURN, WATER
from bot.pictures.picture import Picture, described

_TOP: Final = 122
_ROW: Final = 70
_LINE: Final = 64
_BAR: Final = 30
_BAR_X: Final = 452
NAME: Final = "{name}"
"""Stands for a name in a `Part`."""
_GAP: Final = 30
"""The smallest gap between the label of a line and what it tells."""


class Part(NamedTuple):
    """A text about a player. `NAME` stands for the name in it."""

    said: str
    name: str = ""

    def __str__(self) -> str:
        return self.said.replace(NAME, self.name)

    def within(self, room: int) -> str:
        """Return the text with the name shortened to the room."""
        name = shortened(self.name, TEXT, room - width(self.said.replace(NAME, ""), TEXT))
        return self.said.replace(NAME, name)


class Line(NamedTuple):
    """A label with texts. The picture shows as many of them as there is room for."""

    label: str
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return f"{self.label}: {', '.join(map(str, self.parts))}"


class Chronicle(NamedTuple):
    """What the picture shows. ``total`` is a line below the title, ``alt`` describes the picture."""

    title: str
    total: str
    games: tuple[tuple[str, int], ...]
    counts: tuple[str, ...]
    lines: tuple[Line, ...]
    alt: tuple[str, ...]


def draw_year(_observation: Observation | None, _names: Sequence[str], year: Chronicle) -> Picture:
    """Draw a bar for each game, and the lines below."""
    below = _TOP + _ROW + len(year.games) * _ROW + 8
    canvas = Canvas(below + len(year.lines) * _LINE + 14)
    canvas.panel(Box(14, 14, 972, 94), TURN, radius=26)
    canvas.text(500, 61, year.title, ground=TURN, size=56, align="centre", limit=930)
    canvas.text(500, _TOP + _ROW // 2 - 4, year.total, ground=DEEP, ink=FOAM, align="centre", limit=960)
    most = max(count for _title, count in year.games)
    longest = 936 - max(width(said, TEXT) for said in year.counts) - _BAR_X
    for row, ((title, count), said) in enumerate(zip(year.games, year.counts, strict=True), 1):
        box = Box(14, _TOP + row * _ROW, 972, _ROW - 8)
        y = box.centre[1]
        canvas.panel(box, PLATE, radius=18)
        canvas.text(box.x + 24, y, title, ground=PLATE, limit=_BAR_X - box.x - 44)
        canvas.text(box.right - 24, y, said, ground=PLATE, align="right")
        bar = Box(_BAR_X, y - _BAR // 2, max(_BAR, round(longest * count / most)), _BAR)
        canvas.panel(bar, WATER, radius=12, ground=PLATE)
    for number, (label, parts) in enumerate(year.lines):
        y = below + number * _LINE + _LINE // 2
        room = 950 - canvas.text(30, y, label, ground=DEEP, ink=FOAM) - _GAP
        canvas.text(970, y, _fitting(parts, room), ground=DEEP, ink=FOAM, align="right", limit=room)
    return Picture(canvas.png(), described(*year.alt))


def _fitting(parts: Sequence[Part], room: int) -> str:
    """Return as many parts as there is room for. If that is one, its name may be shortened."""
    joined = (", ".join(map(str, parts[:end])) for end in range(len(parts), 1, -1))
    return next((said for said in joined if width(said, TEXT) <= room), parts[0].within(room))
