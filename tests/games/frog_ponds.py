"""Ponds of frogs in known positions, for the tests. Light is seat 0; ``b2 Lf`` is Light's frog on b2."""

import random
from typing import Final

import pytest

from bot.errors import IllegalMove
from bot.games.frogs import Frogs, State
from bot.games.frogs.masks import PIECE, SQUARE
from bot.games.frogs.moves import STAGES
from bot.games.game import Event, Seat, Step

FROGS: Final = Frogs()
STAGE: Final = {stage[0]: stage for stage in STAGES}


def opened(preset: str = "standard", repetition: str = "draw", *, first: Seat = 0) -> State:
    """An empty pond, and this seat plays Light."""
    options = FROGS.settle({"preset": preset, "repetition": repetition})
    return FROGS.apply(FROGS.start(options), None, FROGS.parse(f"first {first}")).state


def pond(
    pieces: str,
    spawns: tuple[int, int],
    scores: tuple[int, int] = (0, 0),
    preset: str = "standard",
    repetition: str = "draw",
) -> State:
    """A pond with these pieces (``a1 Lf, c1 Df``), spawns and scores by seat; Light is to move."""
    words = [piece.split() for piece in pieces.split(",")] if pieces else []
    standing = sum(PIECE[square, STAGE[piece[1]]] for square, piece in words)
    light, dark = (sum(SQUARE[square] for square, piece in words if piece[0] == owner) for owner in "LD")
    state = opened(preset, repetition)._replace(positions=((standing, light, dark, *spawns, *scores),))
    assert FROGS.check(state) == ()
    return state


def turns(state: State, *moves: str) -> Step[State]:
    """The last of these turns, each by the seat whose turn it is."""
    events: tuple[Event, ...] = ()
    for move in moves:
        state, events = FROGS.apply(state, state.turn, FROGS.parse(move))
    return Step(state, events)


def standing(state: State) -> str:
    """The pieces as `pond` reads them."""
    return ", ".join(f"{at} {'LD'[owner]}{stage[0]}" for at, owner, stage in FROGS.observe(state, None).pieces)


def counted(state: State) -> tuple[tuple[int, int], tuple[int, int]]:
    """Spawns and scores by seat."""
    seen = FROGS.observe(state, None)
    return seen.spawns, seen.scores


def legal(state: State, word: str = "") -> list[str]:
    """What the seat whose turn it is may do, as far as it begins with the word."""
    return [str(move) for move in FROGS.observe(state, state.turn).legal if str(move).startswith(word)]


def refused(state: State, move: str) -> str | None:
    """The ruling by which the move is refused."""
    with pytest.raises(IllegalMove) as refusal:
        turns(state, move)
    return refusal.value.ruling


def some_games(number: int, preset: str) -> list[State]:
    """Every state of some games at random."""
    rng = random.Random(number)
    states = []
    for _ in range(number):
        state = opened(preset, first=rng.randrange(2))
        while state.outcome is None:
            states.append(state)
            state = turns(state, rng.choice(legal(state))).state
        states.append(state)
    return states
