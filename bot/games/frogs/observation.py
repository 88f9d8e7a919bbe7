"""Observations of a table of Pond · frogs. Nothing is hidden."""

from dataclasses import dataclass

from bot.games import game
from bot.games.frogs.position import Pair, Piece, Position
from bot.games.frogs.state import Gain, Setup, State
from bot.games.game import Actor, Event, Move, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(game.Observation):
    """Pond · frogs as everybody sees it.

    ``pieces`` are sorted by square, ``spawns`` and ``scores`` are by seat. ``light``, ``turn``, ``positions``,
    ``last``, ``gains``, ``effects`` and ``gone`` are as in `State`. ``occurrences`` counts how often the current
    position has occurred, and ``quiet`` the moves since the last placing or score.
    """

    setup: Setup
    pieces: tuple[Piece, ...]
    spawns: Pair
    scores: Pair
    light: Seat | None
    turn: Seat | None
    occurrences: int
    quiet: int
    positions: tuple[Position, ...]
    last: Move | None
    gains: tuple[Gain, ...]
    effects: tuple[Event, ...]
    gone: tuple[Piece, ...]


def observe(state: State, seat: Seat | None, to_act: frozenset[Actor], legal: tuple[Move, ...]) -> Observation:
    """Return the whole pond: only ``seat`` and ``legal`` differ between observers."""
    position = state.position
    return Observation(
        seat=seat,
        to_act=to_act,
        legal=legal,
        outcome=state.outcome,
        setup=state.setup,
        pieces=position.pieces,
        spawns=position.spawns,
        scores=position.scores,
        light=state.light,
        turn=position.turn,
        occurrences=state.occurrences,
        quiet=len(state.positions) - 1,
        positions=state.positions,
        last=state.last,
        gains=state.gains,
        effects=state.effects,
        gone=state.gone,
    )


def state_of(seen: Observation) -> State:
    """Return the observed state."""
    return State(seen.setup, seen.light, seen.positions, seen.last, seen.outcome, seen.gains, seen.effects, seen.gone)
