"""The invariants of Pond · frogs, and states made up from observations."""

import random

from bot.games.frogs.moves import squares
from bot.games.frogs.position import Position, in_sets
from bot.games.frogs.rulebook import SIDES, outcome_of
from bot.games.frogs.state import Observation, State, state_of
from bot.games.game import Seat


def broken(state: State) -> tuple[str, ...]:
    """Return the name of each invariant that the state breaks."""
    pieces = {piece.square: piece for piece in state.position.pieces}
    invariants = {
        "eggs are conserved (PD-17)": any(_eggs_of(state.position, seat) != state.setup.eggs for seat in SIDES),
        "pieces stand on squares of their own, sorted": [*pieces] != sorted(pieces)
        or len(pieces) != len(state.position.pieces)
        or not pieces.keys() <= {*squares(state.setup.size)},
        "no set survives a turn (PD-12)": bool(in_sets(pieces)),
        "spawns and scores aren't negative": min(*state.position.spawns, *state.position.scores) < 0,
        "the end is noticed": state.turn is not None
        and state.outcome is None
        and outcome_of(state.setup, state.positions) is not None,
    }
    return tuple(name for name, is_broken in invariants.items() if is_broken)


def _eggs_of(position: Position, seat: Seat) -> int:
    """Count the eggs a seat started with: in its spawn, on the pond and scored."""
    return position.spawns[seat] + position.scores[seat] + sum(piece.owner == seat for piece in position.pieces)


def imagine(seen: Observation, _rng: random.Random) -> State:
    """Return the state itself: nothing is hidden."""
    return state_of(seen)
