"""The strong computer player for Pot Black: it plays each of its cards in imagined deals, and compares the chips.

A rule of thumb finishes the deals. The last tricks are solved instead.
"""

import random
from typing import Final

from bot.computer.imagined_deals import Judged, compare
from bot.computer.pot_black.deals import Deals
from bot.computer.pot_black.endgame import COSTS, solve
from bot.computer.pot_black.engine import CARDS, Deal
from bot.computer.pot_black.evaluation import evaluate
from bot.computer.pot_black.heuristic import finish, pick
from bot.computer.pot_black.partners import sensible
from bot.computer.pot_black.reasons import cause_of
from bot.computer.thoughts import Thought, only, rated
from bot.games.card_table import Play
from bot.games.game import Move
from bot.games.pot_black.observation import Observation

BUDGET: Final = 12_000
"""Number of tries of a card in an imagined deal, all cards and deals together. Exact endings count `COSTS` times."""
MARGIN: Final = 0.05
"""The share of the range from the best card to the worst by which the card of the rule of thumb may be worse.

A partner understands that card.
"""


def choose(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in chips, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    deals = Deals(seen)
    best, *others = judged = think(seen, deals, rng, budget or BUDGET)
    usual = pick(deals.start)
    least = best.value - MARGIN * (best.value - min([other.value for other in judged]))
    chosen = next((other for other in others if other.move == usual and other.value >= least), best)
    move = Play(CARDS[chosen.move])
    if not with_reasons:
        return Thought(move)
    rest = [other for other in judged if other is not chosen]
    alternatives = rated(chosen.value, [(Play(CARDS[other.move]), other.value) for other in rest])
    return Thought(move, alternatives, cause_of(deals, chosen.move, alternatives, rng))


def think(seen: Observation, deals: Deals, rng: random.Random, budget: int) -> list[Judged[int]]:
    """Return the sensible legal cards with their values in chips, the best first."""
    playable = sensible(deals.start)
    cards = [bit for bit in CARDS if bit & playable]
    rng.shuffle(cards)
    me = seen.seat or 0
    cost = COSTS.get(len(seen.hand), 0)

    def value(deal: Deal, card: int) -> float:
        deal = deal.copy()
        deal.play(card)
        if cost:
            return solve(deal, me)
        finish(deal)
        return evaluate(deal, me)

    return compare(cards, lambda: deals.draw(rng), value, budget // max(1, cost))
