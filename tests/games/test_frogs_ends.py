"""Pond · frogs: the ends of a game, and resigning."""

import pytest

from bot.games.frogs.moves import Scored
from bot.games.game import NOBODY, Outcome, Resigned
from tests.games.frog_ponds import FROGS, legal, pond, refused, standing, turns


@pytest.mark.parametrize(
    ("row", "scores", "spawns", "outcome"),
    [
        ("a1 Df, c1 Df, d1 Lt", (5, 6), (5, 3), Outcome((6, 8), (2, 1), "goal")),
        ("a1 Df, c1 Lf, d1 Lt", (5, 6), (4, 4), Outcome((7, 7), (1, 1), "draw")),
        ("a1 Lf, c1 Df, d1 Lt", (6, 6), (3, 4), Outcome((8, 7), (1, 2), "goal")),
    ],
)
def test_at_the_goal_the_higher_score_wins_whoever_moved(
    row: str, scores: tuple[int, int], spawns: tuple[int, int], outcome: Outcome
) -> None:  # PD-E7, PD-19, G-09
    state = turns(pond(row, spawns, scores), "place b1").state
    assert state.outcome == outcome
    assert FROGS.to_act(state) == NOBODY
    assert standing(state) == "d1 Lt"
    assert refused(state, "move d1 c1") == "G-11"


def test_scores_are_by_seat_not_by_colour() -> None:  # F-01
    state = pond("a1 Lf, c1 Df, d1 Lt", (4, 3), (6, 6), light=1)
    assert turns(state, "place b1").state.outcome == Outcome((7, 8), (2, 1), "goal")


def test_a_side_without_an_action_loses_even_when_ahead() -> None:  # PD-E8a, PD-20
    state = turns(pond("a1 De, b1 De, d1 De, d3 De, d4 De, a4 Lt", (7, 0), (3, 6)), "move a4 a3").state
    assert state.outcome == Outcome((3, 6), (1, 2), "elimination")


def test_a_side_with_an_empty_spawn_plays_on_while_a_piece_can_move() -> None:  # PD-E8c, PD-21
    state = turns(pond("a1 De, b1 De, d1 De, d3 De, d4 De, c4 Lt", (7, 0), (3, 6)), "move c4 c3").state
    assert state.outcome is None
    assert legal(state) == ["move d3 d2"]
    assert refused(state, "place a4") == "PD-21"


FULL = "a1 Le, a2 De, a3 Lt, a4 Dt, b1 Lt, b2 Dt, b3 Le, b4 De, c1 Le, c2 De, c3 Lt, c4 Dt, d1 Lt, d2 Dt, d3 Lf"


def test_filling_the_last_square_without_a_set_wins() -> None:  # PD-22
    state = turns(pond(FULL, (3, 4)), "place d4").state
    assert len(FROGS.observe(state, 0).pieces) == 16
    assert state.outcome == Outcome((0, 0), (1, 2), "elimination")


def test_the_goal_is_tested_before_elimination() -> None:  # F-02
    state = turns(pond("a1 Lf, c1 Lf, a3 De, b4 De, c3 De, d2 De, d4 De", (3, 0), (6, 6)), "place b1").state
    assert state.outcome == Outcome((9, 6), (1, 2), "goal")


CIRCLE = ("move a1 b1", "move d4 c4", "move b1 a1", "move c4 d4")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:  # PD-E9, PD-23, F-03
    state = pond("a1 Lt, d4 Dt", (10, 10))
    seen = FROGS.observe(turns(state, *CIRCLE).state, 0)
    assert (seen.occurrences, seen.quiet, seen.outcome) == (2, 4, None)
    assert turns(state, *CIRCLE, *CIRCLE[:3]).state.outcome is None
    assert turns(state, *CIRCLE, *CIRCLE).state.outcome == Outcome((0, 0), (1, 1), "repetition")


EXCHANGE = ("move a1 a2", "move c3 c1", "move a2 a3", "move c1 a1", "move a3 c3")
"""Light's frog on a1 and Dark's on c3 change places, so that each side sees what the other saw."""


def test_a_position_with_the_other_side_to_move_is_no_repetition() -> None:  # F-03
    state = pond("a1 Lf, c3 Df", (10, 10))
    exchanged = turns(state, *EXCHANGE).state
    assert standing(exchanged) == "a1 Df, c3 Lf"
    assert FROGS.observe(exchanged, 0).occurrences == 1
    back = turns(exchanged, *EXCHANGE).state
    assert standing(back) == "a1 Lf, c3 Df"
    assert (FROGS.observe(back, 0).occurrences, back.outcome) == (2, None)
    assert turns(back, *EXCHANGE).state.outcome is None
    assert turns(back, *EXCHANGE, *EXCHANGE).state.outcome == Outcome((0, 0), (1, 1), "repetition")


def test_repetition_is_a_draw_whatever_the_scores() -> None:  # F-02, G-09
    state = turns(pond("a1 Lt, d4 Dt", (7, 9), (3, 1)), *CIRCLE, *CIRCLE).state
    assert state.outcome == Outcome((3, 1), (1, 1), "repetition")


def test_a_placing_restarts_the_count_of_occurrences() -> None:  # PD-23, F-03
    state = turns(pond("a1 Lt, d4 Dt", (10, 10)), *CIRCLE, "place a4").state
    seen = FROGS.observe(state, 1)
    assert (seen.occurrences, seen.quiet) == (1, 0)


def test_a_score_restarts_the_count_of_occurrences() -> None:  # F-03
    state, events = turns(pond("a1 Lt, b1 Lt, c2 Lt, d4 Dt, c4 Dt", (8, 9)), "move c2 c1")
    assert not [event for event in events if isinstance(event, Scored)]  # b1 has become a frog
    assert FROGS.observe(state, 1).quiet == 1
    state, events = turns(pond("a3 Lt, b3 Le, c3 Lt, b1 Lt, d1 Dt", (7, 10)), "move b1 b2")
    assert Scored(0, ("a3", "b3", "c3")) in events
    assert FROGS.observe(state, 1).quiet == 0


def test_repetition_can_be_switched_off() -> None:  # PD-23
    state = turns(pond("a1 Lt, d4 Dt", (10, 10), repetition="off"), *CIRCLE, *CIRCLE, *CIRCLE).state
    assert state.outcome is None
    assert FROGS.observe(state, 0).occurrences == 4


def test_a_hundred_quiet_plies_are_a_draw_even_without_repetition() -> None:  # PD-24, F-03
    state = pond("a1 Lt, d4 Dt", (9, 9), (1, 1), repetition="off")
    almost = turns(state, *(CIRCLE * 25)[:99]).state
    assert almost.outcome is None
    assert turns(almost, CIRCLE[3]).state.outcome == Outcome((1, 1), (1, 1), "no_progress")


def test_either_seat_may_resign_at_any_time() -> None:  # G-10
    state = pond("a1 Lt, d4 Dt", (8, 9), (2, 1))
    for seat, places in ((0, (2, 1)), (1, (1, 2))):
        step = FROGS.apply(state, seat, FROGS.parse("resign"))
        assert step.state.outcome == Outcome((2, 1), places, "resigned")
        assert step.events == (Resigned(seat),)
        assert FROGS.legal(step.state, 0) == ()
    assert "resign" not in legal(state)
