"""The invariants of Nim, and states made up from observations."""

import random

from bot.games.nim import NimObservation, State


def broken(state: State) -> tuple[str, ...]:
    return () if 0 <= state.left <= state.heap else ("stones conserved",)


def imagine(seen: NimObservation, rng: random.Random) -> State:
    return State(seen.heap, seen.left, seen.to_move, seen.outcome)
