"""A computer for Nim: leaves a multiple of four if it can, and says so in hints and reviews."""

import random
from enum import auto
from typing import Final

from bot.computer.thoughts import Cause, Kind, Verdict
from bot.games.game import Move
from bot.games.nim import NimObservation, Take


class NimWhy(Kind):
    """The kinds of facts that only Nim has."""

    FOUR = auto()
    """It leaves a multiple of four: ``number`` stones."""


def choose(observation: NimObservation, rng: random.Random) -> Move:
    """Return one of the legal moves."""
    best = Take(observation.left % 4)
    return best if best in observation.legal else rng.choice(observation.legal)


def why(observation: NimObservation, move: Move, other: Move, rng: random.Random, number: int) -> Cause | None:
    """Return what tells a move from another one, if there is anything."""
    if not isinstance(move, Take) or (left := observation.left - move.stones) % 4:
        return None
    return Cause(NimWhy.FOUR, number=left)


def judge(observation: NimObservation, played: Move, rng: random.Random) -> Verdict:
    """Return the best move, and that only this one wins by force if another one was played."""
    best = Take(observation.left % 4)
    if best not in observation.legal or played == best:
        return Verdict(played)
    return Verdict(best, None)


CHOOSERS: Final = {"fair": choose}
