"""Faked misses and liar calls in Pontis."""

from bot.games.pontis.moves import AbilityPassed, LiarCalled, Missed, Result, Score, SumAbility
from bot.games.pontis.state import State, Window
from tests.games.pontis_table import PONTIS, legal, listed, play, position, reason_of, refusal, score_of, step_of

# ---- faked misses


def test_with_fakes_every_turn_is_an_entry() -> None:  # PT-24, T-05
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


def test_with_fakes_the_ability_allows_a_single_too() -> None:  # PT-20
    state = play(position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on"), "miss", "miss", "miss", "decline")
    assert legal(state) == ["decline", "play 9D"]
    state = play(state, "play 9D")
    assert not state.ability
    assert state.on_turn == 0


def test_a_lap_of_misses_and_a_lap_of_declines_end_the_game() -> None:  # T-05
    state = position("9C/4C/KC", "QS4S/5H2S/9D4D", slot=1, fake="on")
    state = play(state, "miss", "miss", "miss", "decline", "decline")
    assert state.outcome is None
    over, events = step_of(state, "decline")
    assert events[0] == AbilityPassed(0)
    assert reason_of(over) == "stuck"
    assert score_of(over) == [1, 1 - 2, 1]


def test_a_fake_after_a_two_player_curdle_is_followed_by_two_declines() -> None:  # T-08
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


def test_a_fake_proven_by_a_later_card_can_be_called() -> None:  # PT-E9, PT-25
    state = accused()
    assert state.window == Window(2, listed("4S"), lie=True, missed=((4,),))
    state, events = step_of(state, "0: liar 2")
    assert events == (LiarCalled(0, 2, right=True, points=2),)
    assert state.calls == (2, 0, -2)
    assert (state.on_turn, state.window) == (0, None)


def test_a_wrong_call_costs_the_caller_two() -> None:  # PT-E9, PT-25
    state = position("9C/4D/8H", "AH2HKC/3HTHQC/4S5SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "play AH", "play 3H", "play 5S")
    assert state.window == Window(2, listed("5S"), lie=False, missed=((4,),))
    assert play(state, "1: liar 2").calls == (0, -2, 0)


def test_all_other_seats_may_call_until_one_has() -> None:  # T-06
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


def test_a_miss_leaves_the_window_open_and_a_play_opens_a_new_one() -> None:  # T-06
    state = play(accused(), "miss")
    assert (state.on_turn, legal(state, 0)) == (1, ["liar 2"])
    assert legal(state, 1) == ["liar 2", "miss", "play 3H", "play TH"]
    state = play(state, "play 3H")
    assert state.window == Window(1, listed("3H"), lie=True, missed=((3, 10),))
    assert (legal(state, 0), legal(state, 1)) == (["liar 1"], [])


def test_either_card_of_a_sum_may_prove_a_lie() -> None:  # T-07
    state = position("9C/4D/8H", "KC/QC/4S8SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss")
    assert play(state, "sum 8S 4S").window == Window(2, listed("8S4S"), lie=True, missed=((4,),))
    assert play(state, "sum 4S 8S").window == Window(2, listed("4S8S"), lie=True, missed=((4,),))


def test_a_miss_after_the_play_proves_nothing() -> None:  # T-07
    state = position("9C/8C/QC", "KH2H/JH2D/4SKD", slot=2, fake="on", liar="on")
    state = play(state, "play 4S", "miss", "miss", "miss")
    assert state.missed[2] == ((4,),)
    assert play(state, "0: liar 2").calls == (-2, 0, 0)


def test_a_proven_miss_can_be_proven_again_by_another_card() -> None:  # T-07
    state = position("9C/8C/QC", "KH2H/JH2D/4S4HKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss", "play 4S", "0: liar 2", "miss", "miss", "play 4H", "1: liar 2")
    assert state.calls == (2, 2, -4)


def test_declining_is_no_lie() -> None:  # T-07
    state = position("9C/4D/8H", "KC/QC/5S9SKD", slot=2, fake="on", liar="on")
    state = play(state, "miss", "miss", "miss", "decline")
    assert state.missed == (((1,),), ((5,),), ((4,),))


def test_a_play_that_ends_a_game_cannot_be_called() -> None:  # T-06
    state = position("9C/4D/8H", "AH2HKC/3HTHQC/4S", slot=2, fake="on", liar="on")
    over = play(state, "miss", "play AH", "miss", "play 4S")
    assert reason_of(over) == "out"
    assert over.window is None
    assert score_of(over) == [2 + 1, 1, 2 + 4]


def test_calls_are_part_of_the_score() -> None:  # PT-25
    over = play(accused(), "0: liar 2", *["miss"] * 3, *["decline"] * 3)
    assert over.results == (Result("stuck", (Score(2, 1, 0, -2, 2), Score(1, 0, 0, 0, 0), Score(2, 0, 0, 0, -2))),)
    assert score_of(over) == [3, 1, 0]
