"""Computer players: a move from what a seat may know, and from nothing else."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.computer import frogs, pond, pontis, pot_black
from bot.games.game import Move, Observation

Chooser = Callable[[Any, random.Random], Move]
"""Chooses one of the observation's legal moves."""

LEVELS: Final = ("thumb", "random")
"""How computers play, the usual level first: by rules of thumb, or any legal move."""

THUMBS: Final[Mapping[str, Chooser]] = {
    "pond": pond.choose,
    "frogs": frogs.choose,
    "pontis": pontis.choose,
    "pot_black": pot_black.choose,
}
"""The rules of thumb, by game."""

TIME_OUTS: Final[Mapping[str, Callable[[Any], Move | None]]] = {"pond": pond.on_time_out}
"""What the rules themselves set for who lets his time run out, by game; ``None`` where they set nothing."""


def choose(game_key: str, observation: Observation, rng: random.Random, level: str = "thumb") -> Move:
    """The move that a computer makes for the observing seat, always one of ``observation.legal``, which may not be
    empty. A game without rules of thumb is played at random.
    """
    chooser = THUMBS.get(game_key, _any) if level == "thumb" else _any
    return chooser(observation, rng)


def stand_in(game_key: str, observation: Observation, rng: random.Random) -> Move:
    """The move for a player who is absent: what the rules set for that, else what a computer would play."""
    return TIME_OUTS.get(game_key, _none)(observation) or choose(game_key, observation, rng)


def _none(_: Observation) -> None:
    return None


def _any(observation: Observation, rng: random.Random) -> Move:
    return rng.choice(observation.legal)
