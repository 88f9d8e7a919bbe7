"""The result card of every game: who won, how the scores went, and a few figures."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import Final, NamedTuple

from bot.games.frogs.observation import Observation as FrogsObservation
from bot.games.game import Observation, Outcome
from bot.games.pond.observation import Observation as PondObservation
from bot.games.pontis.events import Score
from bot.games.pontis.observation import Observation as PontisObservation
from bot.games.pot_black.observation import Observation as PotBlackObservation
from bot.pictures import frogs, shares
from bot.pictures.canvas import MAX_HEIGHT, TEXT, Box, Canvas
from bot.pictures.chart import FEW, Mark, draw_chart, draw_mark
from bot.pictures.lettering import joined, width
from bot.pictures.palette import DEEP, FOAM, PLATE, TURN, Colour
from bot.pictures.picture import Picture, described, players
from bot.texts import gettext as _
from bot.texts.lists import listed

_TOP: Final = 130
_CHART: Final = Box(14, _TOP, 972, 390)
_LOW_CHART: Final = Box(14, _TOP, 972, 250)
"""The chart above a pond."""
_LARGE: Final = 64
"""The size of the heading."""
_HEADLINE: Final = 740
"""The room between the stars."""
_FIGURE: Final = 950
"""The room for the line below the rows."""
_ROW: Final = 74
"""The height of a row, with the gap below it."""
_TALL_ROW: Final = 124
"""The height of a row with a bar, with the gap below it."""
_LOW_ROW: Final = 104
"""The same for many rows, so that a message with them fits a phone."""
_ONE_COLUMN: Final = 6
"""Maximum number of rows in one column."""
_FINAL_POND: Final = 592
"""The side of the pond in Pond · frogs."""


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
    game: Score | None = None
    """The parts of the score, if it is the score of one game of Pontis."""

    @property
    def alt_name(self) -> str:
        """All names for screen readers."""
        return " & ".join(self.alt_names)


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the result of a finished game."""
    outcome = observation.outcome
    assert outcome is not None  # noqa: S101 - only finished games have a result
    sides = _sides(observation, outcome, names)
    if isinstance(observation, FrogsObservation):
        return Picture(_final_pond(observation, names, sides), _alt(sides, ""))
    if all(side.game for side in sides):
        return Picture(_shares(sides), _alt(sides, ""))
    best = _best_part(sides)
    figure = _figure(best[0].alt_name, best[1]) if best else ""
    return Picture(_standings(sides, best), _alt(sides, figure))


def _standings(sides: Sequence[Side], best: tuple[Side, int] | None) -> bytes:
    """Draw the course of the scores, if there is one, the sides, and the largest gain."""
    has_chart = any(len(side.course) > 2 for side in sides)
    rows = _rows(sides)
    below = (rows + bool(best)) * _ROW + 10
    chart = _CHART._replace(height=min(_CHART.height, MAX_HEIGHT - below - 14 - _TOP))
    top = chart.bottom + 14 if has_chart else _TOP
    canvas = Canvas(top + below)
    _heading(canvas, sides)
    if has_chart:
        draw_chart(canvas, chart, [side.course for side in sides])
    for number, side in enumerate(sides):
        column, row = divmod(number, rows)
        box = Box(14 + column * 491, top + row * _ROW, 972 if rows == len(sides) else 481, _ROW - 8)
        _row(canvas, box, side, number if has_chart else None, is_small=len(sides) > FEW)
    if best:
        side, points = best
        name = joined(side.names, TEXT, _FIGURE - width(_figure("", points), TEXT))
        y = top + rows * _ROW + _ROW // 2 - 4
        canvas.text(500, y, _figure(name, points), ground=DEEP, ink=FOAM, align="centre")
    return canvas.png()


def _final_pond(observation: FrogsObservation, names: Sequence[str], sides: Sequence[Side]) -> bytes:
    """Draw the course of the scores above the pond after the last move. The eggs of both show whose line each is."""
    has_chart = any(len(side.course) > 1 for side in sides)
    top = _TOP + (_LOW_CHART.height + 14 if has_chart else 0)
    canvas = Canvas(top + _FINAL_POND + 14)
    _heading(canvas, sides)
    if has_chart:
        owners = [frogs.OWNERS[observation.light not in side.seats] for side in sides]
        draw_chart(canvas, _LOW_CHART, [side.course for side in sides], _eggs(owners))
    frogs.draw_pond(canvas, Box(14, top, _FINAL_POND, _FINAL_POND), observation, names)
    return canvas.png()


def _eggs(owners: Sequence[str]) -> Mark:
    """Return marks of lines that are the eggs of their owners."""

    def mark(canvas: Canvas, number: int, x: int, y: int, ground: Colour, *, is_small: bool) -> None:
        canvas.sprite(f"egg-{owners[number]}", x, y, ground, 0.5 if is_small else 0.6)

    return mark


def _shares(sides: Sequence[Side]) -> bytes:
    """Draw the sources of the points of the only game."""
    rows = _rows(sides)
    is_small = rows < len(sides)
    pitch = _TALL_ROW if rows < _ONE_COLUMN else _LOW_ROW
    canvas = Canvas(_TOP + rows * pitch + _ROW)
    _heading(canvas, sides)
    games = [side.game for side in sides if side.game]
    parts = [shares.shares(game) for game in games]
    most = max(map(sum, parts))
    for number, (side, game) in enumerate(zip(sides, games, strict=True)):
        column, row = divmod(number, rows)
        box = Box(14 + column * 491, _TOP + row * pitch, 481 if is_small else 972, pitch - 8)
        line = box._replace(height=_ROW - 8)
        colour = _panel(canvas, box, side)
        _name(canvas, _place(canvas, line, side), line, side, str(game.total) if is_small else shares.arithmetic(game))
        below = Box(box.x + 22, line.bottom, box.width - 44, box.bottom - line.bottom - 10)
        shares.bar(canvas, below, parts[number], most, colour)
    shares.legend(canvas, Box(14, _TOP + rows * pitch, 972, _ROW - 12), parts)
    return canvas.png()


def _rows(sides: Sequence[Side]) -> int:
    return len(sides) if len(sides) <= _ONE_COLUMN else ceil(len(sides) / 2)


def _winners(sides: Sequence[Side]) -> list[Side]:
    """Return the sides that won; none after a draw."""
    winners = [side for side in sides if side.place == 1]
    return winners if len(winners) < len(sides) else []


def _sides(observation: Observation, outcome: Outcome, names: Sequence[str]) -> list[Side]:
    """Return the sides, the winners first."""
    people = players(names)
    has_scores = not outcome.is_conceded or isinstance(observation, FrogsObservation) or any(outcome.scores)
    members, courses, games = _members(observation, len(people)), _courses(observation), _only_game(observation)
    sides = [
        Side(
            seats,
            tuple(people[seat].name for seat in seats),
            tuple(names[seat] for seat in seats),
            outcome.places[seats[0]],
            outcome.scores[seats[0]] if has_scores else None,
            courses[seats[0]] if courses else (),
            games[seats[0]] if games else None,
        )
        for seats in members
    ]
    return sorted(sides, key=lambda side: side.place)


def _members(observation: Observation, seats: int) -> Sequence[tuple[int, ...]]:
    """Return the seats of each side."""
    if isinstance(observation, PontisObservation | PotBlackObservation):
        sides = observation.setup.sides
    else:
        sides = tuple(seat % 2 for seat in range(seats))
    return [tuple(seat for seat in range(seats) if sides[seat] == side) for side in dict.fromkeys(sides)]


def _only_game(observation: Observation) -> Sequence[Score]:
    """Return the score of each seat's side, if a single game of Pontis was played."""
    if not isinstance(observation, PontisObservation) or len(observation.results) != 1:
        return []
    return [observation.results[0].scores[side] for side in observation.setup.sides]


def _courses(observation: Observation) -> Sequence[tuple[int, ...]]:
    """Return the scores of each seat's side after each part of the game, from the beginning."""
    match observation:
        case PondObservation(rounds=parts) | FrogsObservation(gains=parts):
            return [_summed(points) for points in zip(*(part.points for part in parts), strict=True)]
        case PontisObservation():
            totals = [[score.total for score in result.scores] for result in observation.results]
            by_side = [_summed(points) for points in zip(*totals, strict=True)]
            return [by_side[side] for side in observation.setup.sides] if by_side else []
        case PotBlackObservation():
            return _chips(observation)
        case _:
            return []


def _summed(points: Sequence[int]) -> tuple[int, ...]:
    return tuple(accumulate(points, initial=0))


def _chips(observation: PotBlackObservation) -> Sequence[tuple[int, ...]]:
    setup = observation.setup
    sides = setup.sides
    stacks = [(setup.stack,) * setup.players, *(deal.chips.stacks for deal in observation.settled)]
    return [
        tuple(sum(stack for other, stack in zip(sides, held, strict=True) if other == side) for held in stacks)
        for side in sides
    ]


def _heading(canvas: Canvas, sides: Sequence[Side]) -> None:
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
    colour = _panel(canvas, box, side)
    x, y = _place(canvas, box, side), box.centre[1]
    if line is not None:
        draw_mark(canvas, line, x + 26, y, colour, is_small=is_small)
        x += 60 if is_small else 70
    _name(canvas, x, box, side, "–" if side.score is None else str(side.score).replace("-", "−"))


def _panel(canvas: Canvas, box: Box, side: Side) -> Colour:
    colour = TURN if side.place == 1 else PLATE
    canvas.panel(box, colour, radius=18)
    return colour


def _place(canvas: Canvas, box: Box, side: Side) -> int:
    """Draw a side's place. Return where its name begins."""
    canvas.text(box.x + 24, box.centre[1], f"{side.place}.", ground=TURN if side.place == 1 else PLATE)
    return box.x + (118 if side.place > 9 else 96)


def _name(canvas: Canvas, x: int, box: Box, side: Side, score: str) -> None:
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


def _alt(sides: Sequence[Side], figure: str) -> str:
    winners = [side.alt_name for side in _winners(sides)]
    result = _("Winner: {names}.", names=listed(winners)) if winners else _("The game is a draw.")
    scores = ", ".join(f"{side.alt_name} {side.score}" for side in sides if side.score is not None)
    return described(result, scores and _("Scores: {scores}.", scores=scores), figure and f"{figure}.")
