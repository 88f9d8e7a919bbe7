"""The computer player for Pond · frogs."""

import random

import pytest

from bot.computer import Chooser
from bot.computer.frogs.players import easy, fair as choose
from bot.games.frogs.state import Observation
from bot.games.game import Move
from tests.games.frog_ponds import FROGS, opened, pond, turns


def at_random(seen: Observation, rng: random.Random) -> Move:
    return rng.choice(seen.legal)


def place_of_the_computer(number: int, preset: str, rival: Chooser = at_random) -> int:
    """Return the place of the fair computer after a game. It plays Light in every other game."""
    rng = random.Random(number)
    computer = number % 2
    state = opened(preset)
    while state.outcome is None:
        seen = FROGS.observe(state, state.turn)
        move = (choose if state.turn == computer else rival)(seen, rng)
        assert move in seen.legal
        state = FROGS.apply(state, state.turn, move).state
    return state.outcome.places[computer]


@pytest.mark.parametrize("preset", ["standard", "big"])
def test_it_beats_random_play(preset: str) -> None:
    assert [place_of_the_computer(number, preset) for number in range(6)].count(1) >= 5


def test_it_beats_the_easy_computer() -> None:
    assert [place_of_the_computer(number, "standard", easy) for number in range(4)].count(1) >= 3


def test_it_is_deterministic_for_a_given_seed() -> None:
    seen = FROGS.observe(turns(opened(), "place b2", "place c3", "place c2").state, 1)
    assert len({choose(seen, random.Random(7)) for _ in range(3)}) == 1


@pytest.mark.parametrize(
    ("pieces", "spawns", "scores"),
    [
        ("a1 Lf, c1 Df, d3 Lt", (3, 4), (6, 6)),
        ("a1 De, b1 De, d1 De, d3 De, d4 De, a4 Lt", (7, 0), (3, 6)),
    ],
)
@pytest.mark.parametrize("level", [choose, easy])
def test_it_takes_an_immediate_win(
    pieces: str, spawns: tuple[int, int], scores: tuple[int, int], level: Chooser
) -> None:
    state = pond(pieces, spawns, scores)
    outcome = FROGS.apply(state, 0, level(FROGS.observe(state, 0), random.Random(1))).state.outcome
    assert outcome is not None
    assert outcome.places == (1, 2)


@pytest.mark.parametrize(("spawns", "scores", "takes_it"), [((5, 10), (5, 0), True), ((10, 5), (0, 5), False)])
def test_it_repeats_a_position_for_a_draw_only_when_behind(
    spawns: tuple[int, int], scores: tuple[int, int], *, takes_it: bool
) -> None:
    circle = ("move a1 b1", "move d4 c4", "move b1 a1", "move c4 d4")
    state = turns(pond("a1 Lt, d4 Dt", spawns, scores), *circle, *circle[:3]).state
    assert (str(choose(FROGS.observe(state, 1), random.Random(1))) == circle[3]) is takes_it


def test_it_avoids_being_left_without_a_piece_that_can_move() -> None:
    seen = FROGS.observe(pond("a1 Lf, d1 Le, d3 Le, d4 Le, b4 Le", (0, 6), (6, 5)), 0)
    assert str(choose(seen, random.Random(1))) == "move a1 c1"
