"""Pot Black by Rob Rutherford: what the rest of the program uses of its rulebook."""

from bot.games.pot_black.chips import AntePaid, Chips, DealSettled, KnockedOut, Terms
from bot.games.pot_black.moves import Deal, Dealt, GameOver, TrickTaken
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.sight import PotBlackObservation
from bot.games.pot_black.state import Position, State, Trick

__all__ = [
    "AntePaid",
    "Chips",
    "Deal",
    "DealSettled",
    "Dealt",
    "GameOver",
    "KnockedOut",
    "Position",
    "PotBlack",
    "PotBlackObservation",
    "State",
    "Terms",
    "Trick",
    "TrickTaken",
]
