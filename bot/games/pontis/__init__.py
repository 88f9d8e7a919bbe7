"""Pontis, a card game by Aaron Hopewell: the public names of its rulebook."""

from bot.games.pontis.bridges import Required, arithmetic, equal, explain, required, value
from bot.games.pontis.calls import CALL_POINTS
from bot.games.pontis.events import (
    AbilityPassed,
    Bridged,
    Curdle,
    Dealt,
    FoundationsLaid,
    FoundationTurned,
    GameScored,
    LiarCalled,
    MatchOver,
    Missed,
    Result,
    Score,
    SumAbility,
)
from bot.games.pontis.moves import DECLINE, MISS, Deal, Decline, Foundations, Liar, Miss, Sum
from bot.games.pontis.observation import Observation
from bot.games.pontis.rulebook import Pontis
from bot.games.pontis.scoring import OUT_BONUS, STUCK_PENALTY
from bot.games.pontis.setup import Setup
from bot.games.pontis.state import Phase, State, Window

__all__ = [
    "CALL_POINTS",
    "DECLINE",
    "MISS",
    "OUT_BONUS",
    "STUCK_PENALTY",
    "AbilityPassed",
    "Bridged",
    "Curdle",
    "Deal",
    "Dealt",
    "Decline",
    "FoundationTurned",
    "Foundations",
    "FoundationsLaid",
    "GameScored",
    "Liar",
    "LiarCalled",
    "MatchOver",
    "Miss",
    "Missed",
    "Observation",
    "Phase",
    "Pontis",
    "Required",
    "Result",
    "Score",
    "Setup",
    "State",
    "Sum",
    "SumAbility",
    "Window",
    "arithmetic",
    "equal",
    "explain",
    "required",
    "value",
]
