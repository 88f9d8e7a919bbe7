"""Faked misses at Pontis, and who is a liar."""

from bot.games.pontis import (
    AbilityPassed,
    LiarCalled,
    Missed,
    Result,
    Score,
    State,
    SumAbility,
    Window,
)
from tests.games.pontis_table import PONTIS, legal, listed, play, position, reason_of, refusal, score_of, step_of

# ---- faked misses


def test_every_turn_is_an_entry_where_misses_may_be_faked_pt_24_t_05() -> None:
    state = position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on")
    assert legal(state) == ["miss", "play 5H"]
    assert refusal(state, "decline") == "T-05"
    state, events = step_of(state, "miss")
    assert events == (Missed(1, 1, (5,)),)
    assert legal(state) == ["miss", "play 9D"]
    state, events = step_of(play(state, "miss"), "miss")
    assert events == (Missed(0, 0, (4,)), SumAbility(1))
    assert legal(state) == ["decline", "play 5H"]
    assert refusal(state, "miss") == "T-05"


def test_with_the_ability_a_single_may_be_played_too_where_misses_may_be_faked_pt_20() -> None:
    state = play(position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on"), "miss", "miss", "miss", "decline")
    assert legal(state) == ["decline", "play 9D"]
    state = play(state, "play 9D")
    assert not state.ability
    assert state.on_turn == 0


def test_a_lap_of_misses_and_a_lap_of_declines_end_the_game_t_05() -> None:
    state = position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on")
    state = play(state, "miss", "miss", "miss", "decline", "decline")
    assert state.outcome is None
    over, events = step_of(state, "decline")
    assert events[0] == AbilityPassed(0)
    assert reason_of(over) == "stuck"
    assert score_of(over) == [1, 1 - 2, 1]


def test_in_a_curdle_of_two_a_fake_may_be_followed_by_two_declines_t_08() -> None:
    state = play(position("5CQS/8C6D", "6H9C9S2D/3H4C4H", fake="on"), "play 6H")
    assert legal(state) == ["miss"]
    state = play(state, "miss")
    assert (state.on_turn, legal(state)) == (0, ["decline", "sum 9C 9S", "sum 9S 9C"])
    state = play(state, "decline")
    assert (state.on_turn, legal(state)) == (1, ["decline", "sum 4C 4H", "sum 4H 4C"])
    over = play(state, "decline")
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [3, 2]


# ---- liar!


def accused() -> State:
    """Seat 2 missed when 4 was required, and has just played the four of spades (PT-E9)."""
    state = position("9C/4D/8H", "AH2HKC/3HTHQC/4S4HKD", slot=2, fake="on", liar="on")
    return play(state, "miss", "play AH", "miss", "play 4S")


def test_a_fake_that_a_later_card_proves_can_be_called_pt_e9_pt_25() -> None:
    state = accused()
    assert state.window == Window(2, listed("4S"), lie=True)
    state, events = step_of(state, "0: liar 2")
    assert events == (LiarCalled(0, 2, right=True, points=2),)
    assert state.calls == (2, 0, -2)
    assert (state.on_turn, state.window) == (0, None)


def test_a_wrong_call_costs_the_caller_two_pt_e9_pt_25() -> None:
    state = position("9C/4D/8H", "AH2HKC/3HTHQC/4S5SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "play AH", "play 3H", "play 5S")
    assert state.window == Window(2, listed("5S"), lie=False)
    assert play(state, "1: liar 2").calls == (0, -2, 0)


def test_everybody_else_may_call_until_somebody_has_t_06() -> None:
    state = accused()
    assert legal(state, 0)[0] == "liar 2"
    assert legal(state, 1) == ["liar 2"]
    assert legal(state, 2) == []
    assert PONTIS.to_act(state) == {0}
    assert refusal(state, "2: liar 2") == "T-06"
    assert refusal(state, "1: liar 0") == "T-06"
    called = play(state, "1: liar 2")
    assert legal(called, 1) == []
    assert refusal(called, "0: liar 2") == "T-06"


def test_a_miss_leaves_the_window_open_and_the_next_play_has_its_own_t_06() -> None:
    state = play(accused(), "miss")
    assert (state.on_turn, legal(state, 0)) == (1, ["liar 2"])
    assert legal(state, 1) == ["liar 2", "miss", "play 3H", "play TH"]
    state = play(state, "play 3H")
    assert state.window == Window(1, listed("3H"), lie=True)
    assert (legal(state, 0), legal(state, 1)) == (["liar 1"], [])


def test_each_card_of_a_sum_may_be_the_proof_t_07() -> None:
    state = position("9C/4D/8H", "KC/QC/4S8SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss")
    assert play(state, "sum 8S 4S").window == Window(2, listed("8S4S"), lie=True)
    assert play(state, "sum 4S 8S").window == Window(2, listed("4S8S"), lie=True)


def test_a_miss_after_the_play_proves_nothing_t_07() -> None:
    state = position("9C/8C/QC", "KH2H/JH2D/4SKD", slot=2, fake="on", liar="on")
    state = play(state, "play 4S", "miss", "miss", "miss")
    assert state.missed[2] == ((4,),)
    assert play(state, "0: liar 2").calls == (-2, 0, 0)


def test_a_proven_miss_can_be_proven_again_by_another_card_t_07() -> None:
    state = position("9C/8C/QC", "KH2H/JH2D/4S4HKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss", "play 4S", "0: liar 2", "miss", "miss", "play 4H", "1: liar 2")
    assert state.calls == (2, 2, -4)


def test_declining_is_no_lie_t_07() -> None:
    state = position("9C/4D/8H", "KC/QC/5S9SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss", "decline")
    assert state.missed == (((1,),), ((5,),), ((4,),))


def test_a_play_that_ends_a_game_cannot_be_called_t_06() -> None:
    state = position("9C/4D/8H", "AH2HKC/3HTHQC/4S", slot=2, fake="on", liar="on")
    over = play(state, "miss", "play AH", "miss", "play 4S")
    assert reason_of(over) == "out"
    assert over.window is None
    assert score_of(over) == [2 + 1, 1, 2 + 4]


def test_points_of_calls_are_part_of_the_score_pt_25() -> None:
    over = play(accused(), "0: liar 2", *["miss"] * 3, *["decline"] * 3)
    assert over.results == (Result("stuck", (Score(2, 1, 0, -2, 2), Score(1, 0, 0, 0, 0), Score(2, 0, 0, 0, -2))),)
    assert score_of(over) == [3, 1, 0]
