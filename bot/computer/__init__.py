"""Computer players. They choose a move from an observation alone, so they can't cheat."""

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from bot.computer.thoughts import GLANCED, IMAGINED, Cause, Reason, Recalled, Thought, Verdict, only
from bot.games import GAMES
from bot.games.game import Move, Observation

Chooser = Callable[[Any, random.Random], Move]
"""Returns one of the observation's legal moves."""

ALL_LEVELS: Final = ("random", "easy", "fair", "strong")
"""The levels of computers, from the weakest to the strongest. Players can choose all but the first."""

_MODULES: Final = {key: import_module(f"bot.computer.{key}") for key in GAMES}

PLAYERS: Final[Mapping[str, Mapping[str, Chooser]]] = {key: module.CHOOSERS for key, module in _MODULES.items()}
"""The computers of each game, by level. Every game has a fair one."""

EXPLAINERS: Final[Mapping[str, Callable[[Any, random.Random], Thought]]] = {
    key: module.explain for key, module in _MODULES.items() if hasattr(module, "explain")
}
"""The strong computers with their reasons, by game."""

_REASONS: Final[Mapping[str, Callable[[Any, Move, Move, random.Random, int], Cause | None]]] = {
    key: module.why for key, module in _MODULES.items() if hasattr(module, "why")
}

_JUDGES: Final[Mapping[str, Callable[[Any, Move, random.Random], Verdict]]] = {
    key: module.judge for key, module in _MODULES.items() if hasattr(module, "judge")
}

_ALIKE: Final[Mapping[str, Callable[[Any, Any, Any], bool]]] = {
    key: module.alike for key, module in _MODULES.items() if hasattr(module, "alike")
}

_LOOKS: Final[Mapping[str, Mapping[str, Callable[[Any, random.Random], Thought | None]]]] = {
    key: module.LOOKS for key, module in _MODULES.items() if hasattr(module, "LOOKS")
}
"""How computers of some levels compare moves, by game; ``None`` where they follow a rule of thumb."""

_GLANCES: Final = 4
"""How many other moves a guess is compared with."""

SLOW: Final = frozenset({"strong"})
"""The levels that take longer than a few milliseconds for a move."""

TIME_OUTS: Final[Mapping[str, Callable[[Any], Move | None]]] = {
    key: module.on_time_out for key, module in _MODULES.items() if hasattr(module, "on_time_out")
}
"""Moves the rules prescribe on timeout, by game. They return ``None`` if there is none."""


def levels(game_key: str) -> tuple[str, ...]:
    """Return the levels of the game's computers, from the weakest to the strongest."""
    return tuple(level for level in ALL_LEVELS if level == "random" or level in PLAYERS.get(game_key, {}))


def offered(game_key: str) -> tuple[str, ...]:
    """Return the levels that players can choose; none for a game without computers of its own."""
    return levels(game_key)[1:]


def nearest(game_key: str, level: str) -> str:
    """Return the level, or the next weaker one that the game has, otherwise its weakest.

    An unknown level, as in forged input, is weaker than all.
    """
    known = offered(game_key)
    no_stronger = ALL_LEVELS[: ALL_LEVELS.index(level) + 1] if level in ALL_LEVELS else ()
    weakest = known[0] if known else "random"
    return next((each for each in reversed(known) if each in no_stronger), weakest)


def is_slow(game_key: str, level: str) -> bool:
    """Whether a computer of this level has to think elsewhere."""
    return nearest(game_key, level) in SLOW


def choose(game_key: str, observation: Observation, rng: random.Random, level: str = "fair") -> Move:
    """Return the move of a computer for the observing seat: one of ``observation.legal``, which may not be empty.

    A game that lacks the level is played at the `nearest` one, and an unknown game at random.
    """
    playing = "random" if level == "random" else nearest(game_key, level)
    if playing == "random":
        return rng.choice(observation.legal)
    return PLAYERS[game_key][playing](observation, rng)


def explain(game_key: str, observation: Observation, rng: random.Random) -> Thought:
    """Return the move that the strong computer would make, and why; see `choose`."""
    if game_key not in EXPLAINERS:
        return guess(game_key, observation, rng)
    return EXPLAINERS[game_key](observation, rng)


def alike(game_key: str, observation: Observation, move: Move, other: Move) -> bool:
    """Whether two moves count as one, as far as the seat can know: a search may still tell them apart by chance."""
    same = _ALIKE.get(game_key)
    return move == other or (same is not None and same(observation, move, other))


def guess(game_key: str, observation: Observation, rng: random.Random) -> Thought:
    """Return the move of a quick computer, and a fact that a glance finds; it takes up to 0.1 s."""
    move = choose(game_key, observation, rng)
    if len(observation.legal) == 1:
        return only(move)
    others = [choose(game_key, observation, rng, "easy"), *rng.sample(observation.legal, len(observation.legal))]
    glanced = [other for other in dict.fromkeys(others) if other != move][:_GLANCES]
    reasons = _REASONS.get(game_key)
    found = ((reasons and reasons(observation, move, other, rng, GLANCED), other) for other in glanced)
    cause, against = next((each for each in found if each[0]), (None, None))
    given = (Reason(cause, (move,), (against,)),) if cause and against else ()
    return Thought(move, (), given, is_guess=True)


def judge(game_key: str, observation: Observation, played: Move, rng: random.Random) -> Verdict:
    """Return the best move, and by how much the one that was played is worse; a game without a search finds none."""
    judging = _JUDGES.get(game_key)
    verdict = judging(observation, played, rng) if judging else Verdict(played)
    return Verdict(played) if alike(game_key, observation, played, verdict.best) else verdict


def why(game_key: str, observation: Observation, move: Move, other: Move, rng: random.Random) -> Cause | None:
    """Return the plain fact that most tells a legal move from a worse one, if there is any, without searching."""
    reasons = _REASONS.get(game_key)
    return reasons(observation, move, other, rng, IMAGINED) if reasons else None


def recall(game_key: str, observation: Observation, played: Move, seed: str, level: str) -> Recalled:
    """Return how a computer of this level came to a move. ``seed`` is that of the generator with which it chose."""

    def rng() -> random.Random:
        return random.Random(seed)  # noqa: S311 - nothing is secret

    if len(observation.legal) == 1:
        return Recalled(only(played))
    look = _LOOKS.get(game_key, {}).get(nearest(game_key, level))
    thought = look(observation, rng()) if look else None
    if thought is not None:
        return Recalled(thought if thought.move == played else None)
    if choose(game_key, observation, rng(), level) != played:
        return Recalled()
    verdict = judge(game_key, observation, played, rng())
    cause = None if verdict.worse_by == 0 else why(game_key, observation, verdict.best, played, rng())
    return Recalled(None, verdict, cause)


def on_time_out(game_key: str, observation: Observation) -> Move | None:
    """Return the move that the rules prescribe for an absent player; ``None`` if a computer chooses."""
    prescribe = TIME_OUTS.get(game_key)
    return prescribe(observation) if prescribe else None
