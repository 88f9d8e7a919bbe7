"""The engine of the computers agrees with the rulebook on random games.

``POSITIONS=1000000`` compares that many positions instead of those of the dose.
"""

import random
from collections.abc import Callable
from itertools import chain
from typing import Final

import pytest

from bot.computer.frogs.engine import Action, Board, Engine, engine_of
from bot.computer.frogs.evaluation import DRAW, WIN, Endings, Rules, key_of
from bot.games.frogs.state import PRESETS, State
from tests.doses import amount
from tests.games.frog_ponds import FROGS, opened, pond

POSITIONS: Final = amount("POSITIONS", test=6000, full=100_000)
KINDS: Final = [(preset, repetition) for preset in PRESETS for repetition in ("draw", "off")]

Pick = Callable[[list[Action]], Action]


def outcome_of(endings: Endings, board: Board, ply: int, quiet: int) -> tuple[str | None, int]:
    """Return the reason and the winner by the engine: 1 for the side that moved last, -1 for the other, else 0."""
    value = endings.value(board, ply, quiet)
    assert value is None or value in {DRAW, WIN - ply, ply - WIN}
    return endings.reason(board, ply & 1, quiet), ((value or 0) > 0) - ((value or 0) < 0)


def outcome_by_rulebook(state: State, mover: int) -> tuple[str | None, int]:
    """Return the same by the rulebook."""
    if state.outcome is None:
        return None, 0
    return state.outcome.reason, state.outcome.places[1 - mover] - state.outcome.places[mover]


def compared(state: State, pick: Pick) -> tuple[int, str]:
    """Play a game with both, and compare every position. Return their number and how the game ended."""
    engine = engine_of(state.setup.size)
    endings = Endings(engine, Rules(state.setup.goal, state.setup.repetition == "draw"))
    board, ply, quiet = engine.board_of(state.position), 0, 0
    endings.enter(key_of(board), 0)
    while state.outcome is None:
        found = engine.actions(board)
        mover = state.turn or 0
        assert {engine.moves[action] for action in found} == {*FROGS.legal(state, mover)}
        assert engine.can_act(board)
        action = pick(found)
        after = engine.play(board, action)
        is_reversible = not action.eggs and sum(after[5:]) == sum(board[5:])
        ply, quiet = ply + 1, quiet + 1 if is_reversible else 0
        state = FROGS.apply(state, mover, engine.moves[action]).state
        board = after
        assert board == engine.board_of(state.position)
        assert outcome_of(endings, board, ply, quiet) == outcome_by_rulebook(state, mover)
        endings.enter(key_of(board), ply & 1)
    if state.outcome.reason == "elimination":
        assert not engine.can_act(board)
    return ply, state.outcome.reason


def moving_rather_than_placing(rng: random.Random) -> Pick:
    """Return a way to pick actions that makes long games with few eggs."""

    def pick(found: list[Action]) -> Action:
        moves = [action for action in found if not action.eggs]
        return rng.choice(moves if moves and rng.random() < 0.95 else found)

    return pick


@pytest.mark.parametrize(("preset", "repetition"), KINDS)
def test_engine_and_rulebook_agree_on_random_games(preset: str, repetition: str) -> None:
    rng = random.Random(f"{preset} {repetition}")
    picks = (rng.choice, moving_rather_than_placing(rng))
    positions, games = 0, 0
    while positions < POSITIONS // len(KINDS):
        played, _ = compared(opened(preset, repetition, first=games % 2), picks[games % 5 == 0])
        positions, games = positions + played, games + 1


@pytest.mark.parametrize(
    ("repetition", "expected"),
    [("draw", "repetition"), ("off", "no_progress")],
)
def test_they_agree_on_games_without_an_end(repetition: str, expected: str) -> None:
    engine = engine_of(4)
    state = pond("a1 Lt, d4 Dt", (10, 10), repetition=repetition)
    circle = [FROGS.parse(f"move {squares}") for squares in ("a1 b1", "d4 c4", "b1 a1", "c4 d4")]
    number = iter(range(1000))

    def pick(found: list[Action]) -> Action:
        move = circle[next(number) % 4]
        return next(action for action in found if engine.moves[action] == move)

    assert compared(state, pick) == (8 if repetition == "draw" else 100, expected)


def test_the_same_pond_with_sides_swapped_is_no_repetition() -> None:
    engine = engine_of(4)
    endings = Endings(engine, Rules(7, draws_by_repetition=True))
    key = key_of(engine.board_of(pond("a1 Lt, d4 Dt", (10, 10)).position))
    for _ in range(2):
        endings.enter(key, 0)
    board = engine.board_of(pond("a1 Lt, d4 Dt", (10, 10)).position)
    assert endings.reason(board, 0, 4) == "repetition"
    assert endings.reason(board, 1, 5) is None


@pytest.mark.parametrize(("size", "families"), [(4, 3), (5, 6)])
def test_first_placings_fall_into_a_few_families(size: int, families: int) -> None:
    engine = engine_of(size)
    board = engine.board_of(opened("standard" if size == 4 else "big").position)
    found = engine.families(board, engine.actions(board))
    assert len(found) == families
    assert sorted(chain.from_iterable(found)) == sorted(engine.actions(board))


def test_actions_of_a_family_lead_to_boards_with_as_many_continuations() -> None:
    engine: Engine = engine_of(4)
    board = engine.board_of(pond("b2 Lf, c3 Df", (10, 10)).position)
    for family in engine.families(board, engine.actions(board)):
        assert len({len(engine.actions(engine.play(board, action))) for action in family}) == 1
