"""Result cards: who won, how the scores went, and a few figures. Games may make cards of their own from these parts."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import Final, NamedTuple

from bot.games.game import Observation
from bot.pictures.canvas import MAX_HEIGHT, TEXT, Box, Canvas
from bot.pictures.chart import FEW, draw_chart, draw_mark
from bot.pictures.lettering import joined, width
from bot.pictures.palette import DEEP, FOAM, PLATE, TURN, Colour
from bot.pictures.picture import Picture, described, players
from bot.texts import gettext as _
from bot.texts.lists import listed

TOP: Final = 130
"""The top of what is below the heading."""
_CHART: Final = Box(14, TOP, 972, 390)
_LARGE: Final = 64
"""The size of the heading."""
_HEADLINE: Final = 740
"""The room between the stars."""
_FIGURE: Final = 950
"""The room for the line below the rows."""
ROW: Final = 74
"""The height of a row, with the gap below it."""
ONE_COLUMN: Final = 6
"""Maximum number of rows in one column."""


class Side(NamedTuple):
    """A side: its seats, the names of its players, its place, its final score, and its scores after each part of the
    game. There is no score if somebody resigned before a part was finished.
    """

    seats: tuple[int, ...]
    names: tuple[str, ...]
    alt_names: tuple[str, ...]
    """The names for screen readers: in any script, in the order in which they are read."""
    place: int
    score: int | None
    course: tuple[int, ...]

    @property
    def alt_name(self) -> str:
        """All names for screen readers."""
        return " & ".join(self.alt_names)


def draw_standings(sides: Sequence[Side]) -> Picture:
    """Draw the course of the scores, if there is one, the sides, and the largest gain."""
    best = _best_part(sides)
    figure = _figure(best[0].alt_name, best[1]) if best else ""
    return Picture(_standings(sides, best), result_in_words(sides, figure))


def _standings(sides: Sequence[Side], best: tuple[Side, int] | None) -> bytes:
    """Draw the course of the scores, if there is one, the sides, and the largest gain."""
    has_chart = any(len(side.course) > 2 for side in sides)
    rows = rows_of(sides)
    below = (rows + bool(best)) * ROW + 10
    chart = _CHART._replace(height=min(_CHART.height, MAX_HEIGHT - below - 14 - TOP))
    top = chart.bottom + 14 if has_chart else TOP
    canvas = Canvas(top + below)
    draw_heading(canvas, sides)
    if has_chart:
        draw_chart(canvas, chart, [side.course for side in sides])
    for number, side in enumerate(sides):
        column, row = divmod(number, rows)
        box = Box(14 + column * 491, top + row * ROW, 972 if rows == len(sides) else 481, ROW - 8)
        _row(canvas, box, side, number if has_chart else None, is_small=len(sides) > FEW)
    if best:
        side, points = best
        name = joined(side.names, TEXT, _FIGURE - width(_figure("", points), TEXT))
        y = top + rows * ROW + ROW // 2 - 4
        canvas.text(500, y, _figure(name, points), ground=DEEP, ink=FOAM, align="centre")
    return canvas.png()


def rows_of(sides: Sequence[Side]) -> int:
    """Return the number of rows in which the sides stand, in one column or two."""
    return len(sides) if len(sides) <= ONE_COLUMN else ceil(len(sides) / 2)


def _winners(sides: Sequence[Side]) -> list[Side]:
    """Return the sides that won; none after a draw."""
    winners = [side for side in sides if side.place == 1]
    return winners if len(winners) < len(sides) else []


def sides_of(
    observation: Observation,
    names: Sequence[str],
    side_by_seat: Sequence[int],
    courses: Sequence[Sequence[int]] = (),
    *,
    has_scores: bool | None = None,
) -> list[Side]:
    """Return the sides of a finished game, the winners first.

    ``courses`` has the scores of each side after each part of the game, if there were any parts. By default, a game
    that was conceded has scores if one isn't 0.
    """
    outcome = observation.outcome
    assert outcome is not None  # noqa: S101 - only finished games have a result
    if has_scores is None:
        has_scores = not outcome.is_conceded or any(outcome.scores)
    people = players(names)
    sides = []
    for side in dict.fromkeys(side_by_seat):
        seats = tuple(seat for seat in range(len(names)) if side_by_seat[seat] == side)
        sides.append(
            Side(
                seats,
                tuple(people[seat].name for seat in seats),
                tuple(names[seat] for seat in seats),
                outcome.places[seats[0]],
                outcome.scores[seats[0]] if has_scores else None,
                tuple(courses[side]) if courses else (),
            )
        )
    return sorted(sides, key=lambda side: side.place)


def summed(parts: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the course of each side's score from the points of the sides in each part."""
    return [tuple(accumulate(points, initial=0)) for points in zip(*parts, strict=True)]


def draw_heading(canvas: Canvas, sides: Sequence[Side]) -> None:
    """Draw who won, between two stars."""
    canvas.panel(Box(14, 14, 972, 102), TURN, radius=26)
    canvas.sprite("profit", 80, 65, TURN, 1.3)
    canvas.text(500, 65, _headline(_winners(sides)), ground=TURN, size=_LARGE, align="centre", limit=_HEADLINE)
    canvas.sprite("profit", 920, 65, TURN, 1.3)


def _headline(winners: Sequence[Side]) -> str:
    """Return the winners. Their number stands for names that have no room."""
    if not winners:
        return _("A draw")
    names = tuple(name for side in winners for name in side.names)
    if len(names) == 1:
        room = _HEADLINE - width(_("{name} wins!", name=""), _LARGE)
        return _("{name} wins!", name=joined(names, _LARGE, room))
    room = _HEADLINE - width(_("{names} win!", names=""), _LARGE)
    if len(winners) > 1 and width(" & ".join(names), _LARGE) > room:
        return _("{n} share the win!", n=len(winners))
    return _("{names} win!", names=joined(names, _LARGE, room))


def _row(canvas: Canvas, box: Box, side: Side, line: int | None, *, is_small: bool) -> None:
    """Draw a side's place, its line's mark, its name and its score."""
    colour = draw_panel(canvas, box, side)
    x, y = draw_place(canvas, box, side), box.centre[1]
    if line is not None:
        draw_mark(canvas, line, x + 26, y, colour, is_small=is_small)
        x += 60 if is_small else 70
    draw_name(canvas, x, box, side, "–" if side.score is None else str(side.score).replace("-", "−"))


def draw_panel(canvas: Canvas, box: Box, side: Side) -> Colour:
    """Draw the panel of a side. Return its colour."""
    colour = TURN if side.place == 1 else PLATE
    canvas.panel(box, colour, radius=18)
    return colour


def draw_place(canvas: Canvas, box: Box, side: Side) -> int:
    """Draw a side's place. Return where its name begins."""
    canvas.text(box.x + 24, box.centre[1], f"{side.place}.", ground=TURN if side.place == 1 else PLATE)
    return box.x + (118 if side.place > 9 else 96)


def draw_name(canvas: Canvas, x: int, box: Box, side: Side, score: str) -> None:
    """Draw the names of a side from ``x`` on, and its score on the right."""
    colour, y = TURN if side.place == 1 else PLATE, box.centre[1]
    wide = canvas.text(box.right - 24, y, score, ground=colour, align="right")
    room = box.right - x - wide - 44
    canvas.text(x, y, joined(side.names, TEXT, room), ground=colour, limit=room)


def _best_part(sides: Sequence[Side]) -> tuple[Side, int] | None:
    """Return the largest gain in one of several parts of the game, and whose it is."""
    courses = [(side, pairwise(side.course)) for side in sides if len(side.course) > 2]
    gains = [(side, after - before) for side, course in courses for before, after in course]
    best = max(gains, key=lambda gain: gain[1], default=None)
    return best if best and best[1] > 0 else None


def _figure(name: str, points: int) -> str:
    return _("Biggest gain: {name} +{points}", name=name, points=points)


def result_in_words(sides: Sequence[Side], figure: str = "") -> str:
    """Return the alt text of a result card."""
    winners = [side.alt_name for side in _winners(sides)]
    result = _("Winner: {names}.", names=listed(winners)) if winners else _("The game is a draw.")
    scores = ", ".join(f"{side.alt_name} {side.score}" for side in sides if side.score is not None)
    return described(result, scores and _("Scores: {scores}.", scores=scores), figure and f"{figure}.")
