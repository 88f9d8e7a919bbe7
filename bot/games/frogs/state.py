"""The state of a table of Pond · frogs, and its observations. Nothing is hidden."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.games import game
from bot.games.frogs.position import Pair, Piece, Position
from bot.games.game import Actor, Event, Move, Outcome, Seat


class Setup(NamedTuple):
    """The meaning of a table's options: the size of the pond, the eggs of each side, the goal, and who begins."""

    preset: str
    repetition: str
    size: int
    eggs: int
    goal: int
    first: str = "drawn"


PRESETS: Final = {"standard": (4, 11, 7), "big": (5, 15, 10), "small13": (4, 13, 10), "small14": (4, 14, 10)}
"""Size, eggs and goal of each preset."""


class Gain(NamedTuple):
    """A turn that scored: the seat that moved, its move, and the points of each seat."""

    seat: Seat
    move: Move
    points: Pair


class State(NamedTuple):
    """A table of Pond · frogs.

    ``positions`` are those since the last placing or score, the current one last (PD-23). ``light`` is ``None`` until
    the first player is drawn. ``last`` is the last move of a seat. ``gains`` are all turns that scored.
    ``effects`` are the events of the last move, and ``gone`` the pieces that scored in it.
    """

    setup: Setup
    light: Seat | None
    positions: tuple[Position, ...]
    last: Move | None
    outcome: Outcome | None
    gains: tuple[Gain, ...] = ()
    effects: tuple[Event, ...] = ()
    gone: tuple[Piece, ...] = ()

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def turn(self) -> Seat | None:
        """The side to move; at the end of the game, the side that would move next."""
        return self.position.turn

    @property
    def occurrences(self) -> int:
        """Number of occurrences of the current position (F-03)."""
        return self.positions.count(self.position)


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
