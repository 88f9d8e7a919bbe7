"""The strong computer player for Pond · frogs."""

import math
import random
from typing import Final

from bot.computer.frogs.endings import WIN, Rules
from bot.computer.frogs.engine import Action, Engine, engine_of
from bot.computer.frogs.evaluation import WEIGHTS, estimate_of
from bot.computer.frogs.search import DECIDED, Found, Other, Search, Start
from bot.computer.thoughts import ALTERNATIVES, Cause, Rated, Thought, Why, only
from bot.games.frogs.observation import Observation
from bot.games.game import Move

BUDGET: Final = 400_000
"""Nodes for each move: about a second on one core."""


def choose(observation: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat, whose turn it is. ``rng`` decides between equal ones.

    ``budget`` is a number of nodes, by default `BUDGET`.
    """
    return explain(observation, rng, budget, with_reasons=False).move


def explain(
    observation: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True
) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false.

    The alternatives take half of the budget once more.
    """
    if len(observation.legal) == 1:
        return only(observation.legal[0])
    budget = budget or BUDGET
    engine, (start, search) = engine_of(observation.setup.size), _search(observation)
    found = search.run(start, budget)
    chosen = rng.choice(_with_mirrored(engine, start, found.actions))
    if not with_reasons:
        return Thought(engine.moves[chosen])
    equal = [Other(action, found.value, found.value) for action in found.actions if action != chosen]
    missing = ALTERNATIVES - len(equal)
    others = [*equal, *(search.others(start, found, missing, budget // 2) if missing > 0 else ())][:ALTERNATIVES]
    point = WEIGHTS[engine.size].point
    alternatives = tuple([Rated(engine.moves[other.action], _worse_by(other, found, point)) for other in others])
    return Thought(engine.moves[chosen], alternatives, _cause(engine, start, chosen, found, others))


def think(observation: Observation, budget: int) -> Found:
    """Search for the best actions of the side to move."""
    start, search = _search(observation)
    return search.run(start, budget)


def _search(observation: Observation) -> tuple[Start, Search]:
    setup = observation.setup
    engine = engine_of(setup.size)
    *earlier, board = (engine.board_of(position) for position in observation.positions)
    search = Search(engine, Rules(setup.goal, setup.repetition == "draw"), estimate_of(engine, setup.goal))
    return Start(board, tuple(earlier)), search


def _with_mirrored(engine: Engine, start: Start, best: tuple[Action, ...]) -> list[Action]:
    """Return the best actions and, on a symmetric pond, their mirror images, sorted."""
    families = engine.families(start.board, engine.actions(start.board))
    return sorted(action for family in families for action in family if not {*best}.isdisjoint(family))


def _worse_by(other: Other, found: Found, point: int) -> float | None:
    """Return by how many points another action is worse than those that were found."""
    if found.value < -DECIDED or other.value > DECIDED:
        return 0.0
    if other.value < -DECIDED:
        return math.inf
    return None if found.value > DECIDED else max(0.0, (other.best - other.value) / point)


def _cause(engine: Engine, start: Start, chosen: Action, found: Found, others: list[Other]) -> Cause:
    if found.value > DECIDED:
        return Cause(Why.WINS, number=(WIN - found.value + 1) // 2)
    if found.value < -DECIDED:
        return Cause(Why.LOSES)
    if others and all(other.value < -DECIDED for other in others):
        return Cause(Why.SAVES)
    gained = engine.play(start.board, chosen)[6] - start.board[5]
    return Cause(Why.SCORES, number=gained) if gained else Cause(Why.AHEAD, number=max(1, found.depth // 2))
