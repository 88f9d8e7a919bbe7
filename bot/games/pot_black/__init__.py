"""Pot Black by Rob Rutherford: what the rest of the program uses of its rulebook."""

from bot.games.pot_black.chips import AntePaid, Chips, DealSettled, KnockedOut, Terms
from bot.games.pot_black.moves import PLAYS, CardPlayed, Deal, Dealer, DealerDrawn, Dealt, GameOver, Play, TrickTaken
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.sight import PotBlackObservation
from bot.games.pot_black.state import Position, State, Trick

__all__ = [
    "PLAYS",
    "AntePaid",
    "CardPlayed",
    "Chips",
    "Deal",
    "DealSettled",
    "Dealer",
    "DealerDrawn",
    "Dealt",
    "GameOver",
    "KnockedOut",
    "Play",
    "Position",
    "PotBlack",
    "PotBlackObservation",
    "State",
    "Terms",
    "Trick",
    "TrickTaken",
]
