"""The search of the strong computer for Pond · frogs, and its moves. Budgets are small, so that tests are quick."""

import random
from collections.abc import Iterator
from typing import Final

import pytest

from benchmarks.frogs_strength import plain_estimate_of
from bot.computer.frogs.engine import engine_of
from bot.computer.frogs.evaluation import DRAW, WEIGHTS, WIN, Rules, estimate_of, features
from bot.computer.frogs.players import BUDGET, strong as choose, think
from bot.computer.frogs.search import DECIDED, Found, Search, Start
from bot.games.frogs.state import PRESETS, State
from tests.computer import frogs_plain
from tests.computer.frogs_bitboard import board_of, pond_of
from tests.games.frog_ponds import FROGS, opened, pond, some_games, turns

ENDLESS: Final = 10**9


def searched(state: State, depth: int, *, reductions: bool = False) -> Found:
    """Search to a depth with the estimate of `tests.computer.frogs_plain`."""
    engine = engine_of(state.setup.size)
    rules = Rules(state.setup.goal, draws_by_repetition=True)
    search = Search(engine, rules, plain_estimate_of(engine), reductions=reductions)
    return search.run(Start(engine.board_of(state.position)), ENDLESS, depth)


def plainly_searched(state: State, depth: int) -> int:
    """Return the value by `tests.computer.frogs_plain`."""
    goal, size = state.setup.goal, state.setup.size
    return frogs_plain.value_of(board_of(state.position), depth, pond_of(size), goal)


def comparable(value: int) -> int:
    """Return the value with all wins made equal, and all losses."""
    if abs(value) > frogs_plain.WIN // 2:
        return WIN if value > 0 else -WIN
    return value


def positions(number: int, preset: str) -> Iterator[State]:
    """Yield positions of random games."""
    rng = random.Random(f"{number} {preset}")
    unfinished = [state for state in some_games(12, preset) if state.outcome is None]
    yield from rng.sample(unfinished, number)


@pytest.mark.parametrize("preset", ["standard", "big"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_without_reductions_values_are_those_of_a_plain_search(preset: str, depth: int) -> None:
    for state in positions(24 // depth**2 + 2, preset):
        found = searched(state, depth)
        assert comparable(found.value) == comparable(plainly_searched(state, depth))


def test_the_fast_estimate_is_the_weighted_sum_of_the_features() -> None:
    for preset in ("standard", "big"):
        for state in positions(30, preset):
            engine = engine_of(state.setup.size)
            board = engine.board_of(state.position)
            weights = WEIGHTS[engine.size]
            seen = features(engine, state.setup.goal, board)
            expected = sum(weight * feature for weight, feature in zip(weights, seen, strict=True))
            assert estimate_of(engine, state.setup.goal)(board) == expected


@pytest.mark.parametrize("preset", ["standard", "small14"])
@pytest.mark.parametrize(("depth", "number"), [(3, 60), (5, 30)])
def test_it_finds_forced_wins(preset: str, depth: int, number: int) -> None:
    rng = random.Random(depth)
    wins = [state for state in positions(number, preset) if searched(state, depth).value > DECIDED]
    assert wins
    for state in wins:
        seen = FROGS.observe(state, state.turn)
        assert think(seen, 60_000).value >= searched(state, depth).value
        after = FROGS.apply(state, state.turn, choose(seen, rng, 60_000)).state
        if after.outcome is None:
            assert plainly_searched(after, depth - 1) < -frogs_plain.WIN // 2
        else:
            assert after.outcome.places[state.turn or 0] == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_every_move_is_legal_with_any_budget(preset: str) -> None:
    rng = random.Random(preset)
    state = opened(preset)
    while state.outcome is None:
        seen = FROGS.observe(state, state.turn)
        move = choose(seen, rng, rng.choice((1, 50, 300)))
        assert move in seen.legal
        state = FROGS.apply(state, state.turn, move).state


def test_it_stops_when_its_budget_is_used_up() -> None:
    for state in positions(5, "big"):
        nodes = think(FROGS.observe(state, state.turn), 2000).nodes
        assert nodes < 2000 + 200  # it looks at all boards after a move before it counts them


@pytest.mark.parametrize(("preset", "depth"), [("standard", 10), ("big", 8)])
def test_on_an_empty_pond_fewer_nodes_reach_the_same_depth(preset: str, depth: int) -> None:
    found = think(FROGS.observe(opened(preset), 0), BUDGET)
    assert found.nodes < 0.76 * BUDGET
    assert found.depth == depth
    for first in ("place a2", "place b2"):
        assert think(FROGS.observe(turns(opened(preset), first).state, 1), 20_000).nodes >= 20_000


def test_the_same_observation_and_seed_give_the_same_move() -> None:
    seen = FROGS.observe(turns(opened(), "place b2", "place c3", "place c2").state, 1)
    assert len({choose(seen, random.Random(7), 3000) for _ in range(3)}) == 1


def test_equal_moves_and_their_mirror_images_are_all_played() -> None:
    seen = FROGS.observe(opened(), 0)
    chosen = {str(choose(seen, random.Random(seed), 1000)) for seed in range(200)}
    assert len(chosen) in {4, 8, 12, 16}


@pytest.mark.parametrize(("spawns", "scores", "takes_it"), [((5, 10), (5, 0), True), ((10, 5), (0, 5), False)])
def test_it_repeats_a_position_for_a_draw_only_when_behind(
    spawns: tuple[int, int], scores: tuple[int, int], *, takes_it: bool
) -> None:
    circle = ("move a1 b1", "move d4 c4", "move b1 a1", "move c4 d4")
    state = turns(pond("a1 Lt, d4 Dt", spawns, scores), *circle, *circle[:3]).state
    assert (str(choose(FROGS.observe(state, 1), random.Random(1), 20_000)) == circle[3]) is takes_it


def test_with_repetition_off_it_knows_that_the_game_goes_on() -> None:
    circle = ("move a1 b1", "move d4 c4", "move b1 a1", "move c4 d4")
    start = pond("a1 Lt, d4 Dt", (5, 10), (5, 0), repetition="off")
    state = turns(start, *circle, *circle[:3]).state
    assert think(FROGS.observe(state, 1), 5000).value != DRAW


def test_it_avoids_being_left_without_a_piece_that_can_move() -> None:
    seen = FROGS.observe(pond("a1 Lf, d1 Le, d3 Le, d4 Le, b4 Le", (0, 6), (6, 5)), 0)
    assert str(choose(seen, random.Random(1), 5000)) == "move a1 c1"
