"""A plain computer player for the card games, to compare the levels with: random playouts in imagined deals.

It knows no rule of thumb. It plays each legal move in the same deals, finishes each deal with random moves, and takes
the move with the highest mean score. A budget is a number of playouts, for all moves together.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from bot.computer.pond import engine as pond
from bot.computer.pond.deals import Deals as PondDeals
from bot.computer.pontis.deals import Deals as PontisDeals, Evaluation, numbered
from bot.computer.pontis.engine import each
from bot.computer.pot_black.engine import CARDS, evaluate
from bot.computer.pot_black.players import Deals as PotBlackDeals
from bot.games.cards import Play
from bot.games.game import Move


class Playouts(NamedTuple):
    """The legal moves of an observation, and how to try them."""

    moves: list[Move]
    imagine: Callable[[], Any]
    """Returns a deal that agrees with the observation."""
    finish: Callable[[Any, int], float]
    """Plays a move, given by its place, in a copy of the deal, then random ones. Returns the seat's score."""


def choose(key: str, seen: Any, rng: random.Random, budget: int) -> Move:
    """Return the legal move with the highest mean score in the playouts of a game."""
    moves, imagine, finish = _PLAYOUTS[key](seen, rng)
    totals = [0.0] * len(moves)
    for _ in range(max(1, budget // len(moves)) if len(moves) > 1 else 0):
        deal = imagine()
        for at in range(len(moves)):
            totals[at] += finish(deal, at)
    return moves[totals.index(max(totals))]


def _in_pond(seen: Any, rng: random.Random) -> Playouts:
    deals = PondDeals(seen)
    actions = deals.draw(rng).actions()
    sign = -1 if seen.seat % 2 else 1

    def finish(deal: Any, at: int) -> float:
        state = deal.copy()
        state.play(actions[at])
        while state.phase != pond.OVER:
            state.play(rng.choice(state.actions()))
        return float(sign * state.score)

    return Playouts([pond.move_of(deals.phase, action) for action in actions], lambda: deals.draw(rng), finish)


def _in_pontis(seen: Any, rng: random.Random) -> Playouts:
    deals, evaluation, found = PontisDeals(seen), Evaluation(seen), numbered(seen)

    def finish(deal: Any, at: int) -> float:
        state = deal.copy()
        state.play(found[at][0])
        while not state.ended:
            state.play(rng.choice(state.moves()))
        return evaluation(state)

    return Playouts([move for _, move in found], lambda: deals.draw(rng), finish)


def _in_pot_black(seen: Any, rng: random.Random) -> Playouts:
    deals = PotBlackDeals(seen)
    cards = each(deals.start.playable())

    def finish(deal: Any, at: int) -> float:
        state = deal.copy()
        state.play(cards[at])
        while state.turn >= 0:
            state.play(rng.choice(each(state.playable())))
        return evaluate(state, seen.seat)

    return Playouts([Play(CARDS[card]) for card in cards], lambda: deals.draw(rng), finish)


_PLAYOUTS: Final[Mapping[str, Callable[[Any, random.Random], Playouts]]] = {
    "pond": _in_pond,
    "pontis": _in_pontis,
    "pot_black": _in_pot_black,
}
