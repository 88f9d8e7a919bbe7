"""Pond · frogs, the board game by David Rose: what the rest of the program uses of its rulebook."""

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
from bot.games.frogs.rulebook import QUIET_PLIES, Frogs, Observation, Piece, Preview, State, Terms

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
    "Preview",
    "Scored",
    "Shift",
    "Square",
    "Stage",
    "State",
    "Terms",
    "squares",
]
