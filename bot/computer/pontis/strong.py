"""The strong computer player for Pontis.

With two players nothing is hidden, so it searches the game itself, and solves its end. Otherwise it plays its moves
in imagined deals, and compares the points.
"""

import random
from typing import Final

from bot.computer.imagined_deals import Judged, compare
from bot.computer.pontis.deals import Deals
from bot.computer.pontis.engine import Deal, set_of
from bot.computer.pontis.engine import Move as Played
from bot.computer.pontis.evaluation import Evaluation
from bot.computer.pontis.heuristic import finish, play
from bot.computer.pontis.moves import worth_comparing
from bot.computer.pontis.reasons import cause_of
from bot.computer.pontis.tree import search
from bot.computer.thoughts import Cause, Thought, Why, only, rated
from bot.games.game import Move
from bot.games.pontis.moves import Liar
from bot.games.pontis.observation import Observation

BUDGET: Final = 6_000
"""Deals played to the end for each move."""


def choose(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if (call := _lie(seen)) is not None:
        return Thought(call, cause=Cause(Why.LIE, call.seat))
    found = worth_comparing(seen)
    if not found:  # off turn, a liar call is all there is
        return only(seen.legal[0])
    if len(found) == 1:
        (((cards, _), move),) = found
        return Thought(move, cause=Cause(Why.EMPTIES if cards == set_of(seen.hand) else Why.ONLY))
    moves, deals = dict(found), Deals(seen)
    best, *others = think(seen, deals, [*moves], rng, budget or BUDGET, with_others=with_reasons)
    if not with_reasons:
        return Thought(moves[best.move])
    alternatives = rated(best.value, [(moves[other.move], other.value) for other in others])
    return Thought(moves[best.move], alternatives, cause_of(deals, best, rng))


def think(  # noqa: PLR0913 - what is compared, and how long
    seen: Observation, deals: Deals, moves: list[Played], rng: random.Random, budget: int, *, with_others: bool
) -> list[Judged[Played]]:
    """Return the best of some moves of the engine with its value in points and, if ``with_others``, the others."""
    evaluate = Evaluation(seen)
    rng.shuffle(moves)
    if deals.are_certain:
        return search(deals.draw(rng), moves, evaluate, rng, budget, with_others=with_others)

    def value(deal: Deal, move: Played) -> float:
        deal = deal.copy()
        play(deal, move)
        finish(deal)
        return evaluate(deal)

    return compare(moves, lambda: deals.draw(rng), value, budget)


def _lie(seen: Observation) -> Liar | None:
    """Return the call of a play that is a lie for certain, if the seat may call it."""
    if seen.window is None or not seen.window.lie:
        return None
    return next((move for move in seen.legal if isinstance(move, Liar)), None)
