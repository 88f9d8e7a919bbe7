"""Invariants of the states of each game, in a module per game, named by its key.

* ``broken(state)`` returns the name of each invariant that the state breaks.
* ``imagine(observation, rng)`` returns a whole state that agrees with the observation, and makes up what is hidden.
"""

import importlib
import random
from typing import Any

from bot.games.game import AnyGame


def broken(game: AnyGame, state: Any) -> tuple[str, ...]:
    broken_names: tuple[str, ...] = _checks_of(game).broken(state)
    return broken_names


def imagine(game: AnyGame, observation: Any, rng: random.Random) -> Any:
    return _checks_of(game).imagine(observation, rng)


def _checks_of(game: AnyGame) -> Any:
    return importlib.import_module(f"{__name__}.{game.key}")
