"""A computer for Nim: leaves a multiple of four if it can."""

import random
from typing import Final

from bot.games.game import Move
from bot.games.nim import NimObservation, Take


def choose(observation: NimObservation, rng: random.Random) -> Move:
    """Return one of the legal moves."""
    best = Take(observation.left % 4)
    return best if best in observation.legal else rng.choice(observation.legal)


CHOOSERS: Final = {"fair": choose}
