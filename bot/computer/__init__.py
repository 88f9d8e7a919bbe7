"""Computer players. They choose a move from an observation alone, so they can't cheat."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.computer import frogs, frogs_strong, pond, pontis, pot_black
from bot.games.game import Move, Observation

Chooser = Callable[[Any, random.Random], Move]
"""Returns one of the observation's legal moves."""

LEVELS: Final = ("thumb", "random", "strong")
"""How computers play: by rules of thumb (the default), any legal move, or as well as they can."""

THUMBS: Final[Mapping[str, Chooser]] = {
    "pond": pond.choose,
    "frogs": frogs.choose,
    "pontis": pontis.choose,
    "pot_black": pot_black.choose,
}
"""The rules of thumb, by game."""

STRONG: Final[Mapping[str, Chooser]] = {"frogs": frogs_strong.choose}
"""The strong players, by game."""

TIME_OUTS: Final[Mapping[str, Callable[[Any], Move | None]]] = {"pond": pond.on_time_out}
"""Moves the rules prescribe on timeout, by game. They return ``None`` if there is none."""


def levels(game_key: str) -> tuple[str, ...]:
    """Return the levels of the game's computers."""
    return tuple(level for level in LEVELS if level != "strong" or game_key in STRONG)


def choose(game_key: str, observation: Observation, rng: random.Random, level: str = "thumb") -> Move:
    """Return the move of a computer for the observing seat: one of ``observation.legal``, which may not be empty.

    Games without a strong player are played by rules of thumb, and games without these at random.
    """
    if level == "random":
        return _any(observation, rng)
    thumb = THUMBS.get(game_key, _any)
    chooser = STRONG.get(game_key, thumb) if level == "strong" else thumb
    return chooser(observation, rng)


def stand_in(game_key: str, observation: Observation, rng: random.Random) -> Move:
    """Return the move for an absent player: the one the rules prescribe, else a computer's."""
    return TIME_OUTS.get(game_key, _none)(observation) or choose(game_key, observation, rng)


def _none(_: Observation) -> None:
    return None


def _any(observation: Observation, rng: random.Random) -> Move:
    return rng.choice(observation.legal)
