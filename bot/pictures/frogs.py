"""Pond · frogs: lily pads on water, the pieces, the last move or a move's preview, and the alt text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.games.frogs.moves import COLUMNS, ROWS, Place, Scored, Shift, Stage, landing_of
from bot.games.frogs.observation import Observation
from bot.games.frogs.position import NEIGHBOURS, Piece
from bot.games.frogs.rulebook import Preview
from bot.games.game import Move, Seat
from bot.pictures.canvas import Box, Canvas
from bot.pictures.palette import DEEP, FOAM, INK, PAD, PLATE, TURN, WATER
from bot.pictures.picture import Picture, Player, described, listed, players, turn_in_words
from bot.pictures.plates import plate
from bot.texts import gettext as _
from bot.texts import ngettext

_POND: Final = 620
"""The side of the water."""
_LEFT: Final = 66
_TOP: Final = 66
_OWNERS: Final = ("light", "dark")
_SIDE: Final = _LEFT + _POND + 20
"""Left edge of the players' column."""
_BETWEEN: Final = 20
"""The space between the two players."""


def draw(
    observation: Observation, names: Sequence[str], move: Move | None = None, preview: Preview | None = None
) -> Picture:
    """Draw the pond. With a move and its preview, show what it would do."""
    canvas = Canvas(_TOP + _POND + 20)
    size = observation.terms.size
    canvas.panel(Box(_LEFT, _TOP, _POND, _POND), WATER, radius=40)
    cell = (_POND - 20) // size
    for at in range(size):
        middle = 10 + at * cell + cell // 2
        canvas.text(_LEFT + middle, _TOP // 2 + 2, COLUMNS[at], ground=DEEP, ink=FOAM, align="centre")
        canvas.text(_LEFT // 2, _TOP + middle, ROWS[at], ground=DEEP, ink=FOAM, align="centre")
    marks = _marks(observation, move, preview)
    pieces = _pieces(observation, move, preview)
    for row in range(size):
        for column in range(size):
            square = COLUMNS[column] + ROWS[row]
            box = Box(_LEFT + 10 + column * cell, _TOP + 10 + row * cell, cell, cell)
            _square(canvas, box, pieces.get(square), marks.get(square, ""), observation)
    people = players(names)
    for seat in (0, 1):
        _side(canvas, observation, people[seat], seat)
    return Picture(canvas.png(), _alt(observation, names, move, preview))


def _pieces(observation: Observation, move: Move | None, preview: Preview | None) -> dict[str, Piece]:
    """Return the pieces by square; in a preview, after the move, with those that would score."""
    pieces = {piece.square: piece for piece in observation.pieces}
    if isinstance(move, Place):
        pieces[move.square] = Piece(move.square, observation.turn or 0, Stage.EGG)
    elif isinstance(move, Shift):
        pieces[move.landing] = pieces.pop(move.origin)._replace(square=move.landing)
    for event in preview.developed if preview else ():
        pieces[event.square] = Piece(event.square, event.owner, event.after)
    return pieces


def _square(canvas: Canvas, box: Box, piece: Piece | None, mark: str, observation: Observation) -> None:
    """Draw a lily pad, its piece and a mark: a frame for the last move, a dot for a neighbour that developed."""
    x, y = box.centre
    radius = box.width // 2 - 5
    disc = Box(x - radius, y - radius, 2 * radius, 2 * radius)
    framed = mark in ("last", "target scores")
    if framed:
        canvas.ellipse(disc, TURN, WATER)
        disc = Box(disc.x + 12, disc.y + 12, disc.width - 24, disc.height - 24)
    canvas.ellipse(disc, PAD, TURN if framed else PAD)
    if piece is not None:
        _piece(canvas, piece, x, y, box.width / 170, observation)
    else:
        canvas.polygon([(x, y), (x + radius + 4, y - radius * 0.32), (x + radius + 4, y + radius * 0.05)], WATER, WATER)
    if mark == "developed" or "scores" in mark:
        _badge(canvas, box.right - 34, box.y + 34, "+1" if "scores" in mark else "")
    elif mark == "origin":
        canvas.ellipse(Box(x - 22, y - 22, 44, 44), TURN, PAD)


def _badge(canvas: Canvas, x: int, y: int, text: str) -> None:
    """Draw a disc with points, or with the arrow of a piece that developed."""
    radius = 36 if text else 28
    canvas.ellipse(Box(x - radius, y - radius, 2 * radius, 2 * radius), INK, PAD)
    radius -= 5
    canvas.ellipse(Box(x - radius, y - radius, 2 * radius, 2 * radius), TURN, INK)
    if text:
        canvas.text(x, y, text, ground=TURN, align="centre")
        return
    arrow = [(0, -17), (16, 2), (6, 2), (6, 17), (-6, 17), (-6, 2), (-16, 2)]
    canvas.polygon([(x + right, y + down) for right, down in arrow], INK, TURN)


def _piece(canvas: Canvas, piece: Piece, x: int, y: int, scale: float, observation: Observation) -> None:
    owner = _OWNERS[piece.owner != (observation.light or 0)]
    canvas.sprite(f"{piece.stage}-{owner}", x, y, PAD, round(scale, 2))


def _marks(observation: Observation, move: Move | None, preview: Preview | None) -> Mapping[str, str]:
    """Return the mark of each square: of the move that is considered, else of the last one."""
    shown = move or observation.last
    marks: dict[str, str] = {}
    if preview is not None:
        marks |= {event.square: "developed" for event in preview.developed}
        for event in preview.scored:
            marks |= dict.fromkeys(event.squares, "scores")
    elif landing := landing_of(shown):
        pieces = {piece.square for piece in observation.pieces}
        marks |= {square: "developed" for square in NEIGHBOURS[landing] if square in pieces}
    if isinstance(shown, Shift):
        marks.setdefault(shown.origin, "origin")
    if landing := landing_of(shown):
        marks[landing] = "target scores" if marks.get(landing) == "scores" else "last"
    return marks


def _side(canvas: Canvas, observation: Observation, player: Player, seat: Seat) -> None:
    """Draw a player: the points of the goal, the spawn, and whose turn it is."""
    high = (_POND - _BETWEEN) // 2
    box = Box(_SIDE, _TOP + seat * (high + _BETWEEN), 1000 - _SIDE - 14, high)
    is_turn = observation.turn == seat and observation.outcome is None
    canvas.panel(box, PLATE, radius=22)
    plate(canvas, Box(box.x, box.y, box.width, 72), player, PLATE, is_turn=is_turn)
    owner = _OWNERS[seat != (observation.light or 0)]
    canvas.text(box.x + 22, box.y + 122, str(observation.scores[seat]), ground=PLATE, size=84)
    goal = _("of {goal}", goal=observation.terms.goal)
    canvas.text(box.right - 18, box.y + 132, goal, ground=PLATE, align="right", limit=130)
    y = box.bottom - 64
    canvas.sprite(f"egg-{owner}", box.x + 66, y, PLATE, 0.8)
    canvas.text(box.x + 124, y, str(observation.spawns[seat]), ground=PLATE)


def _alt(observation: Observation, names: Sequence[str], move: Move | None, preview: Preview | None) -> str:
    if move is not None and preview is not None:
        return described(_preview_in_words(move, preview, names))
    turn = turn_in_words(observation, names)
    points = _("Points: {points}.", points=", ".join(f"{names[seat]} {observation.scores[seat]}" for seat in (0, 1)))
    stages = {Stage.EGG: _("egg"), Stage.TADPOLE: _("tadpole"), Stage.FROG: _("frog")}
    own = []
    for seat in (0, 1):
        held = [f"{piece.square} {stages[piece.stage]}" for piece in observation.pieces if piece.owner == seat]
        own.append(f"{names[seat]}: {', '.join(held)}." if held else "")
    return described(turn, points, *own)


def _preview_in_words(move: Move, preview: Preview, names: Sequence[str]) -> str:
    developed, scored = [event.square for event in preview.developed], _points(preview.scored, names)
    lines = [_("Preview of {move}.", move=str(move))]
    if developed:
        squares = listed(developed)
        lines.append(ngettext("{squares} develops.", "{squares} develop.", len(developed), squares=squares))
    return " ".join([*lines, *scored])


def _points(scored: Iterable[Scored], names: Sequence[str]) -> list[str]:
    return [_("{name} scores {points}.", name=names[event.owner], points=len(event.squares)) for event in scored]
