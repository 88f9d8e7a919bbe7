"""The pond of Pond · frogs: the prompt, and the pieces as buttons and in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.games.frogs.moves import COLUMNS, ROWS, Developed, Place, Shift, Stage
from bot.games.frogs.position import Piece, actions
from bot.games.frogs.state import Observation
from bot.games.game import Move, Seat
from bot.records.table import Table
from bot.texts import gettext as _
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Style

SIGNS: Final[Mapping[Stage, str]] = {Stage.EGG: "○●", Stage.TADPOLE: "△▲", Stage.FROG: "☆★"}
"""The signs of Light's and Dark's pieces. They differ without colour, and are equally wide."""
_AS_TEXT: Final = "\ufe0e"
"""Marks signs in texts, for which there are emojis (`bot.ui.posts.emojis`)."""

FROM: Final = "frogs-from"
"""The verb for choosing a piece to move, which shows where it can go."""

Grid = tuple[tuple[Button, ...], ...]


def prompt(table: Table, observation: Observation) -> str:
    """Return the prompt: who is to move, and what to tap."""
    if observation.turn is None or observation.outcome is not None:
        return ""
    name = name_of(table, observation.turn)
    if observation.seat == observation.turn:
        name = _("Your turn")
    elif observation.seat is not None:
        return _("Waiting for **{name}**.", name=name)
    kinds = {type(move) for move in legal_moves(observation)}
    if kinds == {Place}:
        return _("**{name}**: tap an empty square for an egg.", name=name)
    if kinds == {Shift}:
        return _("**{name}**: tap a piece to move it. No eggs are left.", name=name)
    return _("**{name}**: tap an empty square for an egg, or a piece to move it.", name=name)


def prompt_in_words(table: Table, observation: Observation) -> str:
    """Return the prompt beside the board in words."""
    if observation.seat != observation.turn or observation.outcome is not None:
        return prompt(table, observation)
    kinds = {type(move) for move in observation.legal}
    if kinds == {Place}:
        return _("**Your turn**: place an egg.")
    if kinds == {Shift}:
        return _("**Your turn**: move a piece. No eggs are left.")
    return _("**Your turn**: place an egg, or move a piece.")


def legal_moves(observation: Observation) -> tuple[Move, ...]:
    """Return the moves of the seat; for the public, the moves of the side to move."""
    if observation.seat is not None or observation.turn is None or observation.outcome is not None:
        return observation.legal
    return tuple(actions(observation.positions[-1], observation.setup.size))


def signs(stage: Stage) -> str:
    """Return the signs of Light's and Dark's pieces of a stage in texts."""
    return "".join(f"{sign}{_AS_TEXT}" for sign in SIGNS[stage])


def sign_of(observation: Observation, seat: Seat, stage: Stage) -> str:
    """Return the sign of a player's piece in texts."""
    return f"{SIGNS[stage][seat != observation.light]}{_AS_TEXT}"


def emoji_of(observation: Observation, seat: Seat, stage: Stage) -> str:
    """Return the name of the emoji that shows a player's piece: ``light_frog``."""
    return f"{'light' if seat == observation.light else 'dark'}_{stage.name.lower()}"


def piece_button(observation: Observation, piece: Piece, style: Style, *, disabled: bool) -> Button:
    """Return the button of a square with a piece. A coordinate beside the emoji would be too wide for a phone."""
    sign, emoji = SIGNS[piece.stage][piece.owner != observation.light], emoji_of(observation, piece.owner, piece.stage)
    return Button(FROM, sign, style, piece.square, disabled=disabled, emoji=emoji, replaces_label=True)


def water(square: str) -> Button:
    """Return the button of an empty square that nothing can go to. The others keep their coordinate."""
    return Button(FROM, square, argument=square, disabled=True, emoji="water", replaces_label=True)


def egg_sign(observation: Observation, seat: Seat) -> str:
    """Return the sign of a player's eggs."""
    return sign_of(observation, seat, Stage.EGG)


def grid(observation: Observation, button: Callable[[str, Piece | None], Button]) -> Grid:
    """Return the pond as buttons; ``button`` returns the one of a square."""
    pieces = {piece.square: piece for piece in observation.pieces}
    size = observation.setup.size
    return tuple(
        tuple(button(column + row, pieces.get(column + row)) for column in COLUMNS[:size]) for row in ROWS[:size]
    )


def just_developed(observation: Observation, developed: Sequence[Developed]) -> str:
    """Return the pieces that a move developed, also if they have left the pond since."""
    pieces = [
        f"{event.square} {sign_of(observation, event.owner, event.after)} {_stage_name(event.after)}"
        for event in developed
    ]
    return _("-# Just developed: {pieces}", pieces=", ".join(pieces)) if pieces else ""


def in_words(table: Table, observation: Observation) -> str:
    """Return the pond square by square, a line for each row."""
    return "\n".join(_row(table, observation, row) for row in ROWS[: observation.setup.size])


def _row(table: Table, observation: Observation, row: str) -> str:
    pieces = {piece.square: piece for piece in observation.pieces}

    def words(square: str) -> str:
        if square not in pieces:
            return _("{square} empty", square=square)
        owner, stage = pieces[square].owner, _stage_name(pieces[square].stage)
        if owner == observation.seat:
            return _("{square} your {piece}", square=square, piece=stage)
        name = name_of(table, owner)
        return _("{square} {name}'s {piece}", square=square, name=name, piece=stage)

    return ", ".join(words(column + row) for column in COLUMNS[: observation.setup.size]) + "."


def _stage_name(stage: Stage) -> str:
    return {Stage.EGG: _("egg"), Stage.TADPOLE: _("tadpole"), Stage.FROG: _("frog")}[stage]
