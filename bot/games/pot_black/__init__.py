"""Pot Black, a card game by Rob Rutherford: the public names of its rulebook."""

from bot.games.pot_black.events import AntePaid, DealSettled, Dealt, GameOver, KnockedOut, TrickTaken
from bot.games.pot_black.moves import Deal
from bot.games.pot_black.observation import PotBlackObservation
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.state import State, Trick
from bot.games.pot_black.terms import Chips, Terms

__all__ = [
    "AntePaid",
    "Chips",
    "Deal",
    "DealSettled",
    "Dealt",
    "GameOver",
    "KnockedOut",
    "PotBlack",
    "PotBlackObservation",
    "State",
    "Terms",
    "Trick",
    "TrickTaken",
]
