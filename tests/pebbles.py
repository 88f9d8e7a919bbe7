# ruff: noqa: ARG002, D102 - Game describes the methods and their arguments
"""A small game for tests. It has chance, simultaneous secret moves, turns and resigning.

In each round, chance lays some stones. All seats secretly take 1 to 3 of them. Then each seat in turn says ``keep`` or
``drop``. Kept stones are points, and after two rounds the highest score wins.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from bot.errors import IllegalMove, InvalidMove
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    RESIGN,
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
    places_of,
)

ROUNDS = 2


class PebblesState(NamedTuple):
    """``stones`` is ``None`` if chance has to move; ``taken`` is ``None`` for seats that have to take."""

    players: int
    scores: tuple[int, ...]
    round: int = 0
    stones: int | None = None
    taken: tuple[int | None, ...] = ()
    said: int = 0
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Word(Move):
    """A verb, perhaps with a number."""

    verb: str
    number: int | None = None

    def __str__(self) -> str:
        return self.verb if self.number is None else f"{self.verb} {self.number}"


@dataclass(frozen=True, slots=True)
class Said(Event):
    """A public event: an action of a seat or of chance."""

    seat: Actor
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PebblesSight(Observation):
    """The scores, and the seat's own stones."""

    scores: tuple[int, ...]
    mine: int | None


class Pebbles(Game[PebblesState, PebblesSight]):
    """The rulebook."""

    key = "pebbles"
    title = "Pebbles"
    options: ClassVar[tuple[Option, ...]] = (Option("players", (2, 3), "How many play.", "PB-1", 2),)
    reasons: ClassVar[Mapping[str, str]] = {"stones": "Two rounds were played."}
    own: ClassVar[tuple[type[Event], ...]] = (Said,)

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        return tuple(range(int(options["players"])))

    def start(self, options: Mapping[str, Value]) -> PebblesState:
        players = self.seats(options)
        return PebblesState(players, (0,) * players)

    def to_act(self, state: PebblesState) -> frozenset[Actor]:
        if state.outcome:
            return NOBODY
        if state.stones is None:
            return CHANCE_ONLY
        takers = frozenset(seat for seat, taken in enumerate(state.taken) if taken is None)
        return takers or frozenset({state.said})

    def chance(self, state: PebblesState, shuffle: Shuffle) -> Move:
        return Word("stones", shuffle.below(1000))

    def legal(self, state: PebblesState, seat: Seat) -> tuple[Move, ...]:
        if seat not in self.to_act(state):
            return ()
        if state.taken[seat] is None:
            return tuple(Word("take", number) for number in (1, 2, 3))
        return (Word("drop"), Word("keep"))

    def apply_move(self, state: PebblesState, seat: Actor, move: Move) -> Step[PebblesState]:
        if seat is CHANCE:
            if self.to_act(state) != CHANCE_ONLY or not isinstance(move, Word) or move.verb != "stones":
                raise IllegalMove("Chance isn't due.", "PB-2")
            return Step(state._replace(stones=move.number, taken=(None,) * state.players), (Said(CHANCE, str(move)),))
        if not isinstance(move, Word) or move not in self.legal(state, seat):
            raise IllegalMove(f"You can't {move} now.", "PB-3")
        if move.verb == "take":
            taken = (*state.taken[:seat], move.number, *state.taken[seat + 1 :])
            return Step(state._replace(taken=taken), (Said(seat, "take"),))
        return Step(self._spoken(state, seat, move.verb), (Said(seat, move.verb),))

    def _spoken(self, state: PebblesState, seat: Seat, verb: str) -> PebblesState:
        won = (state.taken[seat] or 0) if verb == "keep" else 0
        scores = tuple(score + won * (at == seat) for at, score in enumerate(state.scores))
        state = state._replace(scores=scores, said=state.said + 1)
        if state.said < state.players:
            return state
        state = state._replace(round=state.round + 1, said=0, stones=None, taken=())
        if state.round < ROUNDS:
            return state
        return state._replace(outcome=Outcome(scores, places_of(scores, range(state.players)), "stones"))

    def reveals(self, events: Iterable[Event]) -> bool:
        return any(not isinstance(event, Said) or event.text != "take" for event in events)

    def informs(self, events: Iterable[Event]) -> bool:
        return self.reveals(events)

    def observe(self, state: PebblesState, seat: Seat | None) -> PebblesSight:
        return PebblesSight(
            seat=seat,
            to_act=self.to_act(state),
            legal=() if seat is None else self.legal(state, seat),
            outcome=state.outcome,
            scores=state.scores,
            mine=None if seat is None or not state.taken else state.taken[seat],
        )

    def imagine(self, observation: PebblesSight, rng: random.Random) -> PebblesState:
        raise NotImplementedError

    def check(self, state: PebblesState) -> tuple[str, ...]:
        return ()

    def parse(self, text: str) -> Move:
        verb, _, number = text.partition(" ")
        if text == "resign":
            return RESIGN
        if verb in {"take", "stones"} and number.isdigit():
            return Word(verb, int(number))
        if text in {"keep", "drop"}:
            return Word(text)
        raise InvalidMove(f"{text!r} is no move of Pebbles.")

    def standing(self, state: PebblesState) -> tuple[int, ...]:
        return state.scores

    def options_of(self, state: PebblesState) -> Mapping[str, Value]:
        return {"players": state.players}
