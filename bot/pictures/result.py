"""The result card of every game: who won, how the scores went, and a few figures."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from bot.games import frogs, pond, pontis, pot_black
from bot.games.game import Observation, Outcome
from bot.pictures.canvas import Box, Canvas
from bot.pictures.palette import DEEP, FOAM, INK, PLATE, SUITS, TURN, WATER, Colour
from bot.pictures.picture import Picture, Player, described, listed, players
from bot.texts import gettext as _

_CHART: Final = Box(14, 130, 972, 390)
_LINES: Final[Sequence[Colour]] = (INK, SUITS["H"], SUITS["D"], SUITS["C"])
_MARKS: Final = ("disc", "square", "triangle", "diamond")
"""Each line of the chart has a mark of its own, so that it needs no colour."""
_ROW: Final = 66
_MOST_LINES: Final = 4
_MOST_ROWS: Final = 5


class Side(NamedTuple):
    """A side: the names of its players, its place, its final score, and its scores after each part of the game."""

    name: str
    place: int
    score: int
    course: tuple[int, ...]


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the result of a finished game."""
    outcome = observation.outcome
    assert outcome is not None  # noqa: S101 - only finished games have a result
    sides = _sides(observation, outcome, players(names))
    has_chart = any(len(side.course) > 2 for side in sides)
    shown = sides[:_MOST_ROWS]
    top = _CHART.bottom + 14 if has_chart else _CHART.y
    figure = _figure(sides) if has_chart else ""
    canvas = Canvas(top + (len(shown) + bool(figure)) * (_ROW + 8) + 10)
    _heading(canvas, [side for side in sides if side.place == 1], is_draw=_is_draw(outcome))
    if has_chart:
        _chart(canvas, sides[:_MOST_LINES])
    for row, side in enumerate(shown):
        _row(canvas, Box(14, top + row * (_ROW + 8), 972, _ROW), side, row if has_chart else _MOST_LINES)
    if figure:
        y = top + len(shown) * (_ROW + 8) + _ROW // 2
        canvas.text(500, y, figure, ground=DEEP, ink=FOAM, align="centre", limit=950)
    return Picture(canvas.png(), _alt(sides, outcome, figure))


def _is_draw(outcome: Outcome) -> bool:
    return len(set(outcome.places)) == 1


def _sides(observation: Observation, outcome: Outcome, people: Sequence[Player]) -> list[Side]:
    """Return the sides, the winners first."""
    members, courses = _members(observation, len(people)), _courses(observation)
    sides = [
        Side(
            " & ".join(people[seat].name for seat in seats),
            outcome.places[seats[0]],
            outcome.scores[seats[0]],
            courses[seats[0]] if courses else (),
        )
        for seats in members
    ]
    return sorted(sides, key=lambda side: side.place)


def _members(observation: Observation, seats: int) -> Sequence[tuple[int, ...]]:
    """Return the seats of each side."""
    match observation:
        case pontis.Observation():
            return observation.setup.members
        case pot_black.PotBlackObservation():
            sides: Sequence[int] = observation.sides
        case _:
            sides = tuple(seat % 2 for seat in range(seats))
    return [tuple(seat for seat in range(seats) if sides[seat] == side) for side in dict.fromkeys(sides)]


def _courses(observation: Observation) -> Sequence[tuple[int, ...]]:
    """Return the scores of each seat's side after each part of the game, from the beginning."""
    match observation:
        case pond.Observation():
            return [_summed(points) for points in zip(*(score.points for score in observation.rounds), strict=True)]
        case frogs.Observation():
            return [_summed(points) for points in zip(*(gain.points for gain in observation.gains), strict=True)]
        case pontis.Observation():
            totals = [[score.total for score in result.scores] for result in observation.results]
            by_side = [_summed(points) for points in zip(*totals, strict=True)]
            return [by_side[side] for side in observation.setup.sides] if by_side else []
        case pot_black.PotBlackObservation():
            return _chips(observation)
        case _:
            return []


def _summed(points: Sequence[int]) -> tuple[int, ...]:
    return tuple(accumulate(points, initial=0))


def _chips(observation: pot_black.PotBlackObservation) -> Sequence[tuple[int, ...]]:
    sides, terms = observation.sides, observation.terms
    stacks = [(terms.stack,) * terms.players, *(deal.chips.stacks for deal in observation.settled)]
    return [
        tuple(sum(stack for other, stack in zip(sides, held, strict=True) if other == side) for held in stacks)
        for side in sides
    ]


def _heading(canvas: Canvas, winners: Sequence[Side], *, is_draw: bool) -> None:
    canvas.panel(Box(14, 14, 972, 102), TURN, radius=26)
    names = " & ".join(side.name for side in winners)
    said = _("A draw") if is_draw else _("{names} win!", names=names) if "&" in names else _("{name} wins!", name=names)
    canvas.sprite("profit", 80, 65, TURN, 1.3)
    canvas.text(500, 65, said, ground=TURN, size=64, align="centre", limit=760)
    canvas.sprite("profit", 920, 65, TURN, 1.3)


def _chart(canvas: Canvas, sides: Sequence[Side]) -> None:
    """Draw the course of the scores: one line for each side, with its mark at the end."""
    canvas.panel(_CHART, PLATE, radius=26)
    low = min(0, *(min(side.course) for side in sides))
    high = max(1, *(max(side.course) for side in sides))
    area = Box(_CHART.x + 130, _CHART.y + 40, _CHART.width - 190, _CHART.height - 80)

    def place(at: int, score: int, points: int) -> tuple[float, float]:
        x = area.x + area.width * at / max(1, points - 1)
        return x, area.bottom - area.height * (score - low) / (high - low)

    for score in dict.fromkeys((low, 0, high)):
        _x, y = place(0, score, 2)
        canvas.line([(area.x, y), (area.right, y)], WATER, 3, PLATE)
        if score in (low, high) or min(abs(score - low), abs(high - score)) * 6 > high - low:
            label = str(score).replace("-", "−")
            canvas.text(area.x - 20, round(y), label, ground=PLATE, align="right", limit=110)
    for number, side in reversed(list(enumerate(sides))):
        line = [place(at, score, len(side.course)) for at, score in enumerate(side.course)]
        canvas.line(line, _LINES[number], 9, PLATE)
        _mark(canvas, number, round(line[-1][0]), round(line[-1][1]), PLATE)


def _mark(canvas: Canvas, number: int, x: int, y: int, ground: Colour) -> None:
    """Draw the mark of a line of the chart."""
    colour, kind = _LINES[number], _MARKS[number]
    if kind == "disc":
        canvas.ellipse(Box(x - 24, y - 24, 48, 48), colour, ground)
    elif kind == "square":
        canvas.panel(Box(x - 22, y - 22, 44, 44), colour, ground=ground, radius=4, edge=colour)
    elif kind == "triangle":
        canvas.polygon([(x, y - 26), (x + 27, y + 21), (x - 27, y + 21)], colour, ground)
    else:
        canvas.polygon([(x, y - 28), (x + 28, y), (x, y + 28), (x - 28, y)], colour, ground)


def _row(canvas: Canvas, box: Box, side: Side, line: int) -> None:
    """Draw a side's place, its line's mark, its name and its score."""
    colour = TURN if side.place == 1 else PLATE
    canvas.panel(box, colour, radius=18)
    y = box.centre[1]
    canvas.text(box.x + 24, y, f"{side.place}.", ground=colour)
    x = box.x + 96
    if line < _MOST_LINES:
        _mark(canvas, line, x + 26, y, colour)
        x += 70
    canvas.text(x, y, side.name, ground=colour, limit=box.right - x - 170)
    canvas.text(box.right - 24, y, str(side.score).replace("-", "−"), ground=colour, align="right")


def _figure(sides: Sequence[Side]) -> str:
    """Return the largest gain in one part of the game."""
    gains = [(after - before, side.name) for side in sides for before, after in pairwise(side.course)]
    most, name = max(gains, default=(0, ""), key=lambda gain: gain[0])
    return _("Biggest gain: {name} +{points}", name=name, points=most) if most > 0 else ""


def _alt(sides: Sequence[Side], outcome: Outcome, figure: str) -> str:
    winners = [side.name for side in sides if side.place == 1]
    said = _("The game is a draw.") if _is_draw(outcome) else _("Winner: {names}.", names=listed(winners))
    scores = ", ".join(f"{side.name} {side.score}" for side in sides)
    return described(said, _("Scores: {scores}.", scores=scores), figure and f"{figure}.")
