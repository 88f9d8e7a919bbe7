# ruff: noqa: ARG002, D102 - the methods are described in Game
"""The rulebook of Nim: players take 1 to 3 stones from a heap, and the last stone wins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from bot.errors import IllegalMove, InvalidMove, Text
from bot.games.daily import Daily
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Event,
    Game,
    Move,
    Observation,
    Option,
    Outcome,
    Seat,
    Shuffle,
    Step,
    Value,
)

MOST = 3


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take stones from the heap."""

    stones: int

    def __str__(self) -> str:
        return f"take {self.stones}"


@dataclass(frozen=True, slots=True)
class First(Move):
    """Chance draws the seat that begins."""

    seat: Seat

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Began(Event):
    """A seat was drawn to begin."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """A seat took stones."""

    seat: Seat
    stones: int


class State(NamedTuple):
    """The heap, and the seat to move."""

    heap: int
    left: int
    to_move: Actor = CHANCE
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NimObservation(Observation):
    """Nothing is hidden, so everyone sees the same."""

    heap: int
    left: int
    to_move: Actor


class Nim(Game[State, NimObservation]):
    """Two players, one heap."""

    key: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim"
    options: ClassVar[tuple[Option, ...]] = (Option("heap", (12, 20), "Stones at the start", "NI-04", 12),)
    reasons: ClassVar[Mapping[str, str]] = {"empty": "The last stone was taken, and wins."}
    quiet = uninformative = own = (Began, Taken)
    daily: ClassVar[Daily] = Daily({"heap": 12}, "easy", decisions=3, minutes=1)
    duplicates: ClassVar[Mapping[str, tuple[Text, Mapping[str, Value]]]] = {"nim": (Text("Nim, 2 at a table"), {"heap": 20})}

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        return (0, 1)

    def start(self, options: Mapping[str, Value]) -> State:
        heap = int(options["heap"])
        return State(heap, heap)

    def to_act(self, state: State) -> frozenset[Actor]:
        return NOBODY if state.outcome else frozenset({state.to_move})

    def chance(self, state: State, shuffle: Shuffle) -> Move:
        return First(shuffle.below(2))

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if seat not in self.to_act(state) or state.to_move is CHANCE:
            return ()
        return tuple(Take(stones) for stones in range(1, min(MOST, state.left) + 1))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        match move:
            case First(first) if seat is CHANCE and self.to_act(state) == CHANCE_ONLY:
                return Step(state._replace(to_move=first), (Began(first),))
            case Take(stones) if seat is not CHANCE and move in self.legal(state, seat):
                left = state.left - stones
                outcome = None if left else Outcome((1 - seat, seat), (1 + seat, 2 - seat), "empty")
                return Step(State(state.heap, left, 1 - seat, outcome), (Taken(seat, stones),))
        raise IllegalMove("Take 1 to 3 stones on your turn.", "NI-02")

    def observe(self, state: State, seat: Seat | None) -> NimObservation:
        legal = () if seat is None else self.legal(state, seat)
        return NimObservation(
            seat=seat,
            to_act=self.to_act(state),
            legal=legal,
            outcome=state.outcome,
            heap=state.heap,
            left=state.left,
            to_move=state.to_move,
        )

    def parse(self, text: str) -> Move:
        if text in {"first 0", "first 1"}:
            return First(int(text[-1]))
        if text not in {"take 1", "take 2", "take 3"}:
            raise InvalidMove("A move is take 1, take 2 or take 3.", "NI-02")
        return Take(int(text[-1]))

    def standing(self, state: State) -> tuple[int, ...]:
        return (0, 0)

    def options_of(self, state: State) -> Mapping[str, Value]:
        return {"heap": state.heap}
