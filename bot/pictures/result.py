"""Result cards: who won, a chart of the scores, and a few figures; and the picture of a server's standings.

Games may make cards of their own from the parts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count, pairwise
from math import ceil, dist
from typing import Final, NamedTuple, Protocol

from bot.games.game import STOPPED, Observation
from bot.pictures.canvas import MAX_HEIGHT, TEXT, Box, Canvas, Point
from bot.pictures.lettering import joined, shortened, width
from bot.pictures.palette import DEEP, FOAM, INK, PLATE, SUITS, TURN, WATER, Colour
from bot.pictures.picture import Picture, described, players
from bot.texts import gettext as _, listed, number as formatted

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


def _labels(low: int, high: int) -> dict[int, str]:
    """Return the scores that have a line, with their labels: 0 has none close to another one."""
    labels = {score: str(score).replace("-", "−") for score in (low, 0, high)}
    if 0 < min(-low, high) * 6 <= high - low:
        labels[0] = ""
    return labels


def draw_chart(canvas: Canvas, box: Box, courses: Sequence[Sequence[int]], mark: Mark = draw_mark) -> None:
    """Draw a line for each course, with its mark at the end."""
    canvas.panel(box, PLATE, radius=26)
    low = min(0, *map(min, courses))
    high = max(1, *map(max, courses))
    is_small = len(courses) > FEW
    size, thick = (40, 6) if is_small else (52, 9)
    apart = min(thick, _SPREAD / len(courses))
    labels = _labels(low, high)
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
        if label:
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
    """Return the first column of each mark that belongs to no other mark, so that none covers another."""
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
    """The names for screen readers: in any script, in reading order."""
    place: int
    score: int | None
    course: tuple[int, ...]
    has_won: bool = True
    """Whether the first place counts as a win. It doesn't at a table that ended early without a result."""

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
    rows = rows_of(len(sides))
    below = _height_below(rows + bool(best))
    chart = _chart_above(below)
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


def standings_height(sides: int) -> int:
    """Return the maximum height of the standings of so many sides: with a chart and the largest gain."""
    below = _height_below(rows_of(sides) + 1)
    return _chart_above(below).bottom + 14 + below


def _height_below(rows: int) -> int:
    return rows * ROW + 10


def _chart_above(below: int) -> Box:
    """Return the place of the chart above rows of this height."""
    return _CHART._replace(height=min(_CHART.height, MAX_HEIGHT - below - 14 - TOP))


def rows_of(sides: int) -> int:
    """Return how many rows this many sides take, in one column or two."""
    return sides if sides <= ONE_COLUMN else ceil(sides / 2)


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
                outcome.reason != STOPPED,
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
    canvas.text(
        500,
        65,
        _headline(_winners(sides), has_won=sides[0].has_won),
        ground=TURN,
        size=_LARGE,
        align="centre",
        limit=_HEADLINE,
    )
    canvas.sprite("profit", 920, 65, TURN, 1.3)


def _headline(winners: Sequence[Side], *, has_won: bool) -> str:
    """Return the winners. Their number stands for names that have no room."""
    if not winners:
        return _("A draw") if has_won else _("Level")
    if not has_won:
        room = _HEADLINE - width(_("Ahead: {names}", names=""), _LARGE)
        return _("Ahead: {names}", names=joined(tuple(name for side in winners for name in side.names), _LARGE, room))
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
    """Return the largest gain in one of several parts of the game, and whose it is, if no other equals it."""
    courses = [(side, pairwise(side.course)) for side in sides if len(side.course) > 2]
    gains = [(side, after - before) for side, course in courses for before, after in course]
    most = max((gain for _side, gain in gains), default=0)
    best = [(side, gain) for side, gain in gains if gain == most > 0]
    return best[0] if len(best) == 1 else None


def _figure(name: str, points: int) -> str:
    return _("Biggest gain: {name} +{points}", name=name, points=points)


def result_in_words(sides: Sequence[Side], figure: str = "") -> str:
    """Return the alt text of a result card."""
    winners = [side.alt_name for side in _winners(sides)]
    if sides[0].has_won:
        result = _("Winner: {names}.", names=listed(winners)) if winners else _("The game is a draw.")
    else:
        result = _("Ahead: {names}.", names=listed(winners)) if winners else _("Nobody's ahead.")
    scores = ", ".join(f"{side.alt_name} {formatted(side.score)}" for side in sides if side.score is not None)
    return described(result, scores and _("Scores: {scores}.", scores=scores), figure and f"{figure}.")


# ---- standings

_RANKING_TOP: Final = 122
_RANKING_ROW: Final = 70
_RECORD: Final = 66
"""The height of a record's line."""


class Ranking(NamedTuple):
    """What the picture shows besides the names: a rating and a count of games for each, and the records in words."""

    title: str
    ratings: tuple[str, ...]
    games: tuple[str, ...]
    records: tuple[str, ...]


def draw_ranking(_observation: Observation | None, names: Sequence[str], ranking: Ranking) -> Picture:
    """Draw the strongest players, the first one at the top, and the records below."""
    rows = [*zip(players(names), ranking.ratings, ranking.games, strict=True)]
    canvas = Canvas(_RANKING_TOP + len(rows) * _RANKING_ROW + len(ranking.records) * _RECORD + 14)
    canvas.panel(Box(14, 14, 972, 94), TURN, radius=26)
    canvas.text(500, 61, ranking.title, ground=TURN, size=56, align="centre", limit=930)
    for rank, (player, rating, games) in enumerate(rows, 1):
        box = Box(14, _RANKING_TOP + (rank - 1) * _RANKING_ROW, 972, _RANKING_ROW - 8)
        ground, y = (TURN if rank == 1 else PLATE), box.centre[1]
        canvas.panel(box, ground, radius=18)
        canvas.text(box.x + 24, y, f"{rank}.", ground=ground)
        canvas.text(box.right - 24, y, games, ground=ground, align="right")
        canvas.text(box.right - 210, y, rating, ground=ground, align="right")
        room = box.width - 96 - 234 - width(rating, TEXT)
        canvas.text(box.x + 96, y, shortened(player.name, TEXT, room), ground=ground, limit=room)
    for number, record in enumerate(ranking.records):
        y = _RANKING_TOP + len(rows) * _RANKING_ROW + number * _RECORD + _RECORD // 2
        canvas.text(500, y, record, ground=DEEP, ink=FOAM, align="centre", limit=960)
    said = [_("{name} {rating}", name=name, rating=rating) for name, rating in zip(names, ranking.ratings, strict=True)]
    return Picture(
        canvas.png(), described(f"{ranking.title}.", f"{listed(said)}.", *(f"{each}." for each in ranking.records))
    )
