"""The strong computer for Pond · cards. It plays imagined deals to the end of the round, and compares its moves."""

import random
from typing import Final

from bot.computer.imagined_deals import Judged, compare
from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import Round, move_of
from bot.computer.pond.evaluation import Prospect
from bot.computer.pond.heuristic import finish
from bot.computer.pond.partners import sensible
from bot.computer.pond.reasons import cause_of
from bot.computer.thoughts import Thought, only, rated
from bot.games.game import Move
from bot.games.pond.observation import Observation

BUDGET: Final = {2: 10_000, 4: 6_000}
"""Rounds played to their end for each move, by number of players: at most a second on one core."""

_DRAWN: Final = 1_000
"""Deals that are drawn and weighed, if the budget isn't smaller."""


def choose(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of rounds."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in points, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    best, *others = think(seen, rng, budget or BUDGET[seen.setup.players])
    if not with_reasons:
        return Thought(best.move)
    prospect = Prospect(seen)
    alternatives = [(other.move, prospect.lead(other.value)) for other in others]
    return Thought(best.move, rated(prospect.lead(best.value), alternatives), cause_of(seen, best.move, rng))


def think(seen: Observation, rng: random.Random, budget: int) -> list[Judged[Move]]:
    """Return the legal moves that make sense, the best first. Their values are chances to win the match."""
    deals, prospect = Deals(seen), Prospect(seen)
    actions = sensible(deals.draw(rng), deals.strongest)
    rng.shuffle(actions)
    imagined = deals.sample(rng, min(budget, _DRAWN))

    def value(deal: Round, action: int) -> float:
        state = deal.copy()
        state.play(action)
        return prospect.chance(finish(state))

    judged = compare(actions, lambda: next(imagined), value, budget)
    return [Judged(move_of(deals.phase, action), chance, number) for action, chance, number in judged]
