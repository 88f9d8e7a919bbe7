"""The fair computer for Pond · cards: it plays by the rule of thumb, and imagines nothing."""

import random

from bot.computer.pond.deals import Deals
from bot.computer.pond.engine import move_of
from bot.computer.pond.heuristic import pick
from bot.computer.pond.partners import sensible
from bot.games.game import Move
from bot.games.pond.moves import Award
from bot.games.pond.observation import Observation


def choose(seen: Observation, rng: random.Random) -> Move:
    """Return one of the legal moves of the observing seat."""
    deals = Deals(seen)
    state = deals.draw(rng)
    action, found = pick(state), sensible(state, deals.strongest)
    if action not in found:
        state.hands[state.turn] = found
        action = pick(state)
    return move_of(state.phase, action)


def on_time_out(seen: Observation) -> Move | None:
    """Return the move the rules prescribe on timeout, if any: the leader takes a tied trick (PC-23)."""
    takes = Award(seen.seat or 0)
    return takes if takes in seen.legal else None
