"""What worker processes do for computers. It imports no more than they need, as their fork server imports it.

The seed is that of the generator with which a computer chooses.
"""

import random

from bot import computer
from bot.computer.thoughts import Thought, Verdict
from bot.games.game import Move, Observation


def choose(game_key: str, observation: Observation, seed: str, level: str) -> str:
    """Return the move of a computer as text."""
    return str(computer.choose(game_key, observation, random.Random(seed), level))  # noqa: S311 - nothing is secret


def explain(game_key: str, observation: Observation, seed: str) -> Thought:
    """Return the thought of the strong computer."""
    return computer.explain(game_key, observation, random.Random(seed))  # noqa: S311 - nothing is secret


def judge(game_key: str, observation: Observation, played: Move, seed: str) -> Verdict:
    """Return the best move and by how much the played one is worse."""
    return computer.judge(game_key, observation, played, random.Random(seed))  # noqa: S311 - nothing is secret
