"""Pond · frogs: lily pads on water, the pieces, the last move or a move's preview, and the alt text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final, NamedTuple

from bot.games.frogs.moves import COLUMNS, ROWS, Developed, Place, Scored, Shift, Square, Stage, landing_of, squares
from bot.games.frogs.position import Piece
from bot.games.frogs.rulebook import Preview
from bot.games.frogs.state import Observation
from bot.games.game import Seat
from bot.pictures.canvas import Box, Canvas
from bot.pictures.palette import DEEP, FOAM, INK, PAD, PLATE, TURN, WATER, Colour
from bot.pictures.picture import Drawings, Picture, Player, described, players, turn_in_words
from bot.pictures.plates import plate
from bot.pictures.result import TOP, Mark, draw_chart, draw_heading, result_in_words, sides_of, summed
from bot.texts import gettext as _, listed, ngettext

_POND: Final = 620
"""The side of the water."""
_LEFT: Final = 66
_TOP: Final = 66
_BETWEEN: Final = 20
"""The space between the two players."""
_INSIDE: Final = 10
"""Water around the lily pads."""
_LOW_CHART: Final = Box(14, TOP, 972, 250)
"""The chart above the final pond."""
_FINAL_POND: Final = 592
"""The side of the final pond."""
_OWNERS: Final = ("light", "dark")
"""The names of the owners in sprites. The owner of the light pieces comes first."""


class _Badge(Enum):
    """The effect of a move on a piece."""

    DEVELOPED = auto()
    SCORES = auto()


class _Mark(NamedTuple):
    """The marks on a square: a frame where a move goes to, a dot where it comes from, and a badge."""

    is_target: bool
    is_origin: bool
    badge: _Badge | None


def draw(observation: Observation, names: Sequence[str], preview: Preview | None = None) -> Picture:
    """Draw the pond. With a preview, show what its move would do."""
    canvas = Canvas(_TOP + _POND + 20)
    water = Box(_LEFT, _TOP, _POND, _POND)
    _coordinates(canvas, water, observation.setup.size)
    _pond(canvas, water, observation, names, preview)
    return Picture(canvas.png(), _alt(observation, names, preview))


def draw_result(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the course of the scores above the pond after the last move. The eggs of both show whose line each is."""
    courses = summed(part.points for part in observation.gains)
    sides = sides_of(observation, names, (0, 1), courses, has_scores=True)
    has_chart = any(len(side.course) > 1 for side in sides)
    top = TOP + (_LOW_CHART.height + 14 if has_chart else 0)
    canvas = Canvas(top + _FINAL_POND + 14)
    draw_heading(canvas, sides)
    if has_chart:
        owners = [_OWNERS[observation.light not in side.seats] for side in sides]
        draw_chart(canvas, _LOW_CHART, [side.course for side in sides], _eggs(owners))
    _pond(canvas, Box(14, top, _FINAL_POND, _FINAL_POND), observation, names)
    return Picture(canvas.png(), result_in_words(sides))


def _eggs(owners: Sequence[str]) -> Mark:
    """Return marks of lines that are the eggs of their owners."""

    def mark(canvas: Canvas, number: int, x: int, y: int, ground: Colour, *, is_small: bool) -> None:
        canvas.sprite(f"egg-{owners[number]}", x, y, ground, 0.5 if is_small else 0.6)

    return mark


def _coordinates(canvas: Canvas, water: Box, size: int) -> None:
    """Draw the columns' letters above the water, and the rows' numbers beside it."""
    cell = _cell(water, size)
    for at in range(size):
        middle = _INSIDE + at * cell + cell // 2
        canvas.text(water.x + middle, _TOP // 2 + 2, COLUMNS[at], ground=DEEP, ink=FOAM, align="centre")
        canvas.text(_LEFT // 2, water.y + middle, ROWS[at], ground=DEEP, ink=FOAM, align="centre")


def _cell(water: Box, size: int) -> int:
    return (water.width - 2 * _INSIDE) // size


def _pond(
    canvas: Canvas, water: Box, observation: Observation, names: Sequence[str], preview: Preview | None = None
) -> None:
    """Draw the pond, and its players to the right of it."""
    size = observation.setup.size
    cell = _cell(water, size)
    canvas.panel(water, WATER, radius=40)
    marks = _marks(observation, preview)
    pieces = _pieces(observation, preview)
    gone = {} if preview else {piece.square: piece for piece in observation.gone}
    for row in range(size):
        for column in range(size):
            square = COLUMNS[column] + ROWS[row]
            box = Box(water.x + _INSIDE + column * cell, water.y + _INSIDE + row * cell, cell, cell)
            piece = pieces.get(square) or gone.get(square)
            _square(canvas, box, piece, marks[square], observation, is_gone=square in gone)
    people = players(names)
    counted = _counted(observation, preview)
    high = (water.height - _BETWEEN) // 2
    for seat in (0, 1):
        x, y = water.right + 20, water.y + seat * (high + _BETWEEN)
        _side(canvas, Box(x, y, 1000 - x - 14, high), counted, people[seat], seat)


def _pieces(observation: Observation, preview: Preview | None) -> dict[str, Piece]:
    """Return the pieces by square; in a preview, after the move, with those that would score."""
    pieces = {piece.square: piece for piece in observation.pieces}
    if preview is None:
        return pieces
    move = preview.move
    if isinstance(move, Place):
        pieces[move.square] = Piece(move.square, observation.turn or 0, Stage.EGG)
    elif isinstance(move, Shift):
        pieces[move.landing] = pieces.pop(move.origin)._replace(square=move.landing)
    for event in preview.developed:
        pieces[event.square] = Piece(event.square, event.owner, event.after)
    return pieces


def _counted(observation: Observation, preview: Preview | None) -> Observation:
    """Return the observation with the scores and spawns that are shown: in a preview, those after the move."""
    if preview is None:
        return observation
    spawns, scores = list(observation.spawns), list(observation.scores)
    if isinstance(preview.move, Place) and observation.turn is not None:
        spawns[observation.turn] -= 1
    for event in preview.scored:
        scores[event.owner] += len(event.squares)
    return replace(observation, spawns=(spawns[0], spawns[1]), scores=(scores[0], scores[1]))


def _square(
    canvas: Canvas, box: Box, piece: Piece | None, mark: _Mark, observation: Observation, *, is_gone: bool
) -> None:
    """Draw a lily pad, its piece and its mark. A piece that ``is_gone``, as the last move scored it, is faint."""
    x, y = box.centre
    radius = box.width // 2 - 5
    disc = Box(x - radius, y - radius, 2 * radius, 2 * radius)
    if mark.is_target:
        canvas.ellipse(disc, TURN, WATER)
        disc = Box(disc.x + 12, disc.y + 12, disc.width - 24, disc.height - 24)
    canvas.ellipse(disc, PAD, TURN if mark.is_target else PAD)
    if piece is not None:
        owner = _OWNERS[piece.owner != (observation.light or 0)]
        canvas.sprite(f"{piece.stage}-{owner}", x, y, PAD, round(box.width / 170, 2), is_faint=is_gone)
    else:
        canvas.polygon([(x, y), (x + radius + 4, y - radius * 0.32), (x + radius + 4, y + radius * 0.05)], WATER, WATER)
    if mark.badge:
        _badge(canvas, box.right - 34, box.y + 34, mark.badge)
    if mark.is_origin:
        canvas.ellipse(Box(x - 22, y - 22, 44, 44), TURN, PAD)


def _badge(canvas: Canvas, x: int, y: int, badge: _Badge) -> None:
    """Draw a disc with points, or with the arrow of a piece that developed."""
    radius = 36 if badge is _Badge.SCORES else 28
    canvas.ellipse(Box(x - radius, y - radius, 2 * radius, 2 * radius), INK, PAD)
    radius -= 5
    canvas.ellipse(Box(x - radius, y - radius, 2 * radius, 2 * radius), TURN, INK)
    if badge is _Badge.SCORES:
        canvas.text(x, y, "+1", ground=TURN, align="centre")
        return
    arrow = [(0, -17), (16, 2), (6, 2), (6, 17), (-6, 17), (-6, 2), (-16, 2)]
    canvas.polygon([(x + right, y + down) for right, down in arrow], INK, TURN)


def _marks(observation: Observation, preview: Preview | None) -> Mapping[Square, _Mark]:
    """Return the mark of each square: of the move that is considered, else of the last one."""
    move = preview.move if preview else observation.last
    effects = (*preview.developed, *preview.scored) if preview else observation.effects
    badges = {event.square: _Badge.DEVELOPED for event in effects if isinstance(event, Developed)}
    for event in effects:
        if isinstance(event, Scored):
            badges |= dict.fromkeys(event.squares, _Badge.SCORES)
    origin, landing = move.origin if isinstance(move, Shift) else "", landing_of(move)
    return {
        square: _Mark(is_target=square == landing, is_origin=square == origin, badge=badges.get(square))
        for square in squares(observation.setup.size)
    }


def _side(canvas: Canvas, box: Box, observation: Observation, player: Player, seat: Seat) -> None:
    """Draw a player: the points of the goal, the spawn, and whose turn it is."""
    is_turn = observation.turn == seat and observation.outcome is None
    has_won = observation.outcome is not None and observation.outcome.places[seat] == 1
    ground = TURN if has_won else PLATE
    canvas.panel(box, ground, radius=22)
    plate(canvas, Box(box.x, box.y, box.width, 72), player, ground, is_turn=is_turn)
    owner = _OWNERS[seat != (observation.light or 0)]
    x = box.x + 22
    x += canvas.text(x, box.y + 122, str(observation.scores[seat]), ground=ground, size=84) + 18
    canvas.text(x, box.y + 134, f"/ {observation.setup.goal}", ground=ground)
    y = box.bottom - 64
    canvas.sprite(f"egg-{owner}", box.x + 66, y, ground, 0.8)
    canvas.text(box.x + 124, y, str(observation.spawns[seat]), ground=ground)


def _alt(observation: Observation, names: Sequence[str], preview: Preview | None) -> str:
    if preview is not None:
        return described(_preview_in_words(preview, names))
    turn = turn_in_words(observation, names)
    points = _("Points: {points}.", points=", ".join(f"{names[seat]} {observation.scores[seat]}" for seat in (0, 1)))
    stages = {Stage.EGG: _("egg"), Stage.TADPOLE: _("tadpole"), Stage.FROG: _("frog")}
    own = []
    for seat in (0, 1):
        held = [f"{piece.square} {stages[piece.stage]}" for piece in observation.pieces if piece.owner == seat]
        own.append(f"{names[seat]}: {', '.join(held)}." if held else "")
    eggs = ", ".join(f"{names[seat]} {observation.spawns[seat]}" for seat in (0, 1))
    return described(turn, points, *own, _("Eggs left: {eggs}.", eggs=eggs))


def _preview_in_words(preview: Preview, names: Sequence[str]) -> str:
    move, landing = preview.move, landing_of(preview.move)
    where = f"{move.origin} → {landing}" if isinstance(move, Shift) else landing
    lines = [_("Preview of {move}.", move=where)]
    if developed := [event.square for event in preview.developed]:
        named = listed(developed)
        lines.append(ngettext("{squares} develops.", "{squares} develop.", len(developed), squares=named))
    scores = [_("{name} scores {points}.", name=names[each.owner], points=len(each.squares)) for each in preview.scored]
    return " ".join([*lines, *scores])


DRAWINGS: Final = Drawings(draw, draw_result, draw)
