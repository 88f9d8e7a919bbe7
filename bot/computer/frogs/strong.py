"""The strong computer player for Pond · frogs."""

import random
from typing import Final

from bot.computer.frogs.endings import Rules
from bot.computer.frogs.engine import Action, engine_of
from bot.computer.frogs.evaluation import estimate_of
from bot.computer.frogs.search import Found, Search, Start
from bot.games.frogs import Observation
from bot.games.game import Move

BUDGET: Final = 400_000
"""Nodes for each move: about a second on one core."""


def choose(observation: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat, whose turn it is. ``rng`` decides between equal ones.

    ``budget`` is a number of nodes, by default `BUDGET`.
    """
    if len(observation.legal) == 1:
        return observation.legal[0]
    moves = engine_of(observation.terms.size).moves
    return rng.choice(
        [moves[action] for action in _with_mirrored(observation, think(observation, budget or BUDGET).actions)]
    )


def think(observation: Observation, budget: int) -> Found:
    """Search for the best actions of the side to move."""
    terms = observation.terms
    engine = engine_of(terms.size)
    *earlier, board = (engine.board_of(position) for position in observation.positions)
    search = Search(engine, Rules(terms.goal, terms.repetition == "draw"), estimate_of(engine, terms.goal))
    return search.run(Start(board, tuple(earlier)), budget)


def _with_mirrored(observation: Observation, best: tuple[Action, ...]) -> list[Action]:
    """Return the best actions and, on a symmetric pond, their mirror images, sorted."""
    engine = engine_of(observation.terms.size)
    board = engine.board_of(observation.positions[-1])
    families = engine.families(board, engine.actions(board))
    return sorted(action for family in families for action in family if not {*best}.isdisjoint(family))
