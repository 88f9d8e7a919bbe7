"""The easy computer player for Pond · frogs: a beginner, who never thinks about the opponent's next move."""

import random

from bot.computer.frogs import fair
from bot.games.frogs.observation import Observation
from bot.games.game import Move


def choose(observation: Observation, rng: random.Random) -> Move:
    """Return the legal move whose own effects are best. ``rng`` decides between equal ones."""
    return fair.choose(observation, rng, depth=1)
