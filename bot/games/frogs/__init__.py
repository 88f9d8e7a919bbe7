"""Pond · frogs, a board game by David Rose: the public names of its rulebook."""

from bot.games.frogs.moves import (
    SQUARES,
    Began,
    Developed,
    First,
    Moved,
    Place,
    Placed,
    Scored,
    Shift,
    Square,
    Stage,
    squares,
)
from bot.games.frogs.observation import Observation
from bot.games.frogs.position import Piece, Position
from bot.games.frogs.rulebook import QUIET_PLIES, Frogs, Preview
from bot.games.frogs.state import State, Terms

__all__ = [
    "QUIET_PLIES",
    "SQUARES",
    "Began",
    "Developed",
    "First",
    "Frogs",
    "Moved",
    "Observation",
    "Piece",
    "Place",
    "Placed",
    "Position",
    "Preview",
    "Scored",
    "Shift",
    "Square",
    "Stage",
    "State",
    "Terms",
    "squares",
]
