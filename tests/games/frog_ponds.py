"""Positions of Pond · frogs for tests, in the notation of the rules: ``b2 Lf`` is Light's frog on b2.

Light is seat 0 unless a test says otherwise.
"""

import random
from typing import Final

import pytest

from bot.errors import IllegalMove
from bot.games.frogs.moves import Stage
from bot.games.frogs.position import Piece, Position
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import State
from bot.games.game import Event, Seat, Step
from tests.games.checks.frogs import broken

FROGS: Final = Frogs()
STAGE: Final = {stage[0]: stage for stage in Stage}


def opened(preset: str = "standard", repetition: str = "draw", *, first: Seat = 0) -> State:
    """Return an empty pond where this seat was drawn to play Light."""
    options = FROGS.settle({"preset": preset, "repetition": repetition})
    return FROGS.apply(FROGS.start(options), None, FROGS.parse(f"first {first}")).state


def pond(  # noqa: PLR0913 - everything that makes up a position
    pieces: str,
    spawns: tuple[int, int],
    scores: tuple[int, int] = (0, 0),
    *,
    preset: str = "standard",
    repetition: str = "draw",
    light: Seat = 0,
) -> State:
    """Return a pond with these pieces (``a1 Lf, c1 Df``), and spawns and scores by seat. Light is to move."""
    words = [piece.split() for piece in pieces.split(",")] if pieces else []
    owners = {"L": light, "D": 1 - light}
    standing = tuple(sorted(Piece(square, owners[piece[0]], STAGE[piece[1]]) for square, piece in words))
    position = Position(light, standing, spawns, scores)
    state = opened(preset, repetition, first=light)._replace(positions=(position,))
    assert broken(state) == ()
    return state


def turns(state: State, *moves: str) -> Step[State]:
    """Play these turns in order. Return the last step."""
    events: tuple[Event, ...] = ()
    for move in moves:
        state, events = FROGS.apply(state, state.turn, FROGS.parse(move))
    return Step(state, events)


def standing(state: State) -> str:
    """Return the pieces in the notation of `pond`."""
    return ", ".join(f"{at} {'LD'[owner]}{stage[0]}" for at, owner, stage in FROGS.observe(state, None).pieces)


def counted(state: State) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return spawns and scores by seat."""
    seen = FROGS.observe(state, None)
    return seen.spawns, seen.scores


def legal(state: State, word: str = "") -> list[str]:
    """Return the legal moves of the side to move that start with the word."""
    return [str(move) for move in FROGS.observe(state, state.turn).legal if str(move).startswith(word)]


def refused(state: State, move: str) -> str | None:
    """Return the ruling that the refusal of the move cites."""
    with pytest.raises(IllegalMove) as refusal:
        turns(state, move)
    return refusal.value.ruling


def some_games(number: int, preset: str) -> list[State]:
    """Return every state of ``number`` random games."""
    rng = random.Random(number)
    states = []
    for _ in range(number):
        state = opened(preset, first=rng.randrange(2))
        while state.outcome is None:
            states.append(state)
            state = turns(state, rng.choice(legal(state))).state
        states.append(state)
    return states
