"""A computer for Pond · frogs: it looks a few moves ahead and likes pieces scored, and pieces that can move.

Nothing is hidden in this game, so the observation is all there is. The search is alpha-beta on bare positions; how a
game would end is asked of the rulebook only for the moves at hand, so that repetition and the like are seen there.
"""

import random
from typing import Final

from bot.games.frogs import Frogs, Observation, Terms
from bot.games.frogs.masks import FROGS, TADPOLES, Position, actions, play
from bot.games.game import Move, Outcome, Seat

DEPTH: Final = 3
"""How many plies it looks ahead, its own included."""

_WIN: Final = 1000  # and a little more the sooner it comes
_TOP: Final = _WIN + DEPTH + 1
_PIECE: Final = 10
_TADPOLE: Final = 1
_FROG: Final = 2
_RULEBOOK: Final = Frogs()


def choose(observation: Observation, rng: random.Random) -> Move:
    """One of the legal moves of the observing seat, whose turn it is; ``rng`` decides between equals."""
    state = _RULEBOOK.imagine(observation, rng)
    best, chosen = -_TOP, observation.legal[0]
    for move in rng.sample(observation.legal, len(observation.legal)):
        after = _RULEBOOK.apply(state, observation.seat, move).state
        if after.outcome is not None:
            worth = _worth(after.outcome, observation.seat or 0)
        else:
            worth = -_search(after.positions[-1], after.terms, DEPTH - 1, -_TOP, -best)
        if worth > best:
            best, chosen = worth, move
    return chosen


def _worth(outcome: Outcome, seat: Seat) -> int:
    """What an end by the seat's own move is worth to it: a place better or worse than the other, or a draw."""
    return (outcome.places[1 - seat] - outcome.places[seat]) * (_WIN + DEPTH)


def _search(position: Position, terms: Terms, depth: int, low: int, high: int) -> int:
    """What the position is worth to the side to move, exact between ``low`` and ``high``."""
    _, _, _, _, _, score, rival_score = position
    if score >= terms.goal or rival_score >= terms.goal:
        return ((score > rival_score) - (score < rival_score)) * (_WIN + depth)
    if depth == 0:
        return _estimate(position)
    found = actions(position, terms.board)
    if not found:
        return -_WIN - depth
    for action in found:
        low = max(low, -_search(play(position, action), terms, depth - 1, -high, -low))
        if low >= high:
            break
    return low


def _estimate(position: Position) -> int:
    """A guess: scored pieces count most, then frogs, then tadpoles."""
    pieces, mover, rival, _, _, score, rival_score = position
    tadpoles, frogs = pieces >> TADPOLES, pieces >> FROGS
    return (
        _PIECE * (score - rival_score)
        + _TADPOLE * ((tadpoles & mover).bit_count() - (tadpoles & rival).bit_count())
        + _FROG * ((frogs & mover).bit_count() - (frogs & rival).bit_count())
    )
