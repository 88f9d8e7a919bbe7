"""Why the strong computer for Pond · cards plays a move."""

import random
from statistics import fmean
from typing import NamedTuple

from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import BAIT, COUNTED, GROUP, INDEX, OVER, PROFIT, Round, action_of
from bot.computer.pond.heuristic import pick
from bot.computer.thoughts import IMAGINED, Cause, Why, is_likely
from bot.games.game import Move
from bot.games.pond.observation import Observation


class _End(NamedTuple):
    """The end of a trick: who takes it, and by how much the lead of side 0 grows."""

    taker: int
    gain: float


def cause_of(seen: Observation, move: Move, rng: random.Random) -> Cause:
    """Return why the move is made. ``rng`` imagines deals."""
    deals, action = Deals(seen), action_of(move)
    if deals.phase == PROFIT:
        counted, poison = COUNTED[GROUP[action]], seen.poison(seen.seat or 0)
        scoring = [INDEX[card] for card in seen.hand if card[1] != poison and counted[INDEX[card]]]
        return Cause(Why.GROUP, number=len(scoring) - (action in scoring))
    imagined = deals.sample(rng, IMAGINED)
    return _trick([_end_of_trick(next(imagined).copy(), action) for _ in range(IMAGINED)], seen.seat or 0)


def _trick(ends: list[_End], me: int) -> Cause:
    """Return the probable taker of the trick, and the worth of that."""
    gain = round(fmean([end.gain for end in ends])) * (-1 if me & 1 else 1)
    if is_likely([end.taker == me for end in ends]):
        return Cause(Why.TAKES, number=gain)
    if is_likely([end.taker == me ^ 2 for end in ends]):
        return Cause(Why.PARTNER_TAKES, number=gain)
    if is_likely([(end.taker ^ me) & 1 == 1 for end in ends]):
        return Cause(Why.LEAVES, number=gain)
    return Cause(Why.BEST)


def _end_of_trick(state: Round, action: int) -> _End:
    """Make the move, and play to the end of the trick."""
    before = state.score
    state.play(action)
    while not (state.phase == OVER or (state.phase == BAIT and state.turn == state.starter)):
        state.play(pick(state))
    return _End(state.starter, state.score - before)
