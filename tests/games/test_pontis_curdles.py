"""Curdles in Pontis."""

from bot.games.cards import Card
from bot.games.pontis.moves import AbilityPassed, Curdle, FoundationTurned, Missed, SumAbility
from tests.games.pontis_table import legal, of_type, play, position, reason_of, score_of, step_of


def test_with_two_players_the_maker_of_a_curdle_has_the_ability_first() -> None:  # PT-E6, PT-26
    state, events = step_of(position("5CQS/8C6D", "6H9C9S2D/3H4C4H"), "play 6H")
    assert events[1:] == (Curdle((0, 1), complete=True), Missed(1, 1, (0,)), SumAbility(0))
    assert legal(state) == ["sum 9C 9S", "sum 9S 9C"]
    state = play(state, "sum 9C 9S")
    assert (state.on_turn, state.required) == (1, (3,))
    assert legal(state) == ["play 3H"]


def test_the_opponent_has_the_ability_after_the_maker_of_a_curdle() -> None:  # PT-E6, PT-26
    state, events = step_of(position("5CQS/8C6D", "6H9C2D/3H4C4H"), "play 6H")
    assert of_type(events, SumAbility) == [SumAbility(0), SumAbility(1, 0)]
    assert legal(state) == ["sum 4C 4H", "sum 4H 4C"]
    assert not play(state, "sum 4C 4H").ability


def test_a_two_player_curdle_that_nobody_can_use_ends_the_game() -> None:  # PT-E6, PT-30, PT-37
    over, events = step_of(position("5CQS/8C6D", "6H9C2D/3H4C5H"), "play 6H")
    assert len(of_type(events, Missed)) == 1
    assert len(of_type(events, AbilityPassed)) == 2
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [3, 2]


def test_a_curdle_with_three_players_does_not_change_the_order() -> None:  # PT-E6
    state, events = step_of(position("5CQS/8C2D/9C6D", "6H9C9S/3HJH/3C5H"), "play 6H")
    assert events[1:] == (
        Curdle((0, 2), complete=False),
        Missed(1, 1, (4,)),
        Missed(2, 2, (4,)),
        Missed(0, 0, (0,)),
        SumAbility(1),
        AbilityPassed(1),
        SumAbility(2, 1),
        AbilityPassed(2),
        SumAbility(0, 2),
    )
    assert legal(state) == ["sum 9C 9S", "sum 9S 9C"]


def test_a_curdle_with_two_shared_banks_does_not_change_the_order() -> None:  # PT-27
    state, events = step_of(position("5CQS/8C6D", "6H9C9S/3HJH/4C5H/2H3C"), "play 6H")
    assert of_type(events, Missed) == [Missed(seat, seat % 2, (0,)) for seat in (1, 2, 3, 0)]
    assert of_type(events, SumAbility) == [SumAbility(1), SumAbility(2, 1), SumAbility(3, 2), SumAbility(0, 3)]
    assert state.on_turn == 0


def test_the_opponent_may_bridge_a_curdle_of_aces_with_a_king() -> None:  # PT-26
    state = play(position("5C2S/8CAD", "AHQC/KH4C4H"), "play AH")
    assert (state.required, legal(state)) == ((0, 13), ["play KH"])
    assert play(state, "play KH").required == (1, 12)


def test_the_maker_of_a_curdle_of_aces_may_play_a_king_too() -> None:  # PT-20, T-08
    state = play(position("5C2S/8CAD", "AHKS7C7DTS3H/QH4C"), "play AH")
    assert state.on_turn == 0
    assert legal(state) == ["play KS", "sum 3H TS", "sum 7C 7D", "sum 7D 7C", "sum TS 3H"]
    assert play(state, "play KS").on_turn == 1


def test_an_ace_and_a_joker_curdle_but_two_jokers_take_no_king() -> None:  # PT-28, T-09
    state, events = step_of(position("5C2S/8CAD", "XXQC/KH4C4H"), "play XX")
    assert of_type(events, Curdle) == [Curdle((0, 1), complete=True)]
    assert state.required == (0, 13)
    jokers = play(position("5C2S/8CXX", "XXQC/KH4C4H"), "play XX")
    assert jokers.required == (0,)
    assert legal(jokers) == ["sum 4C 4H", "sum 4H 4C"]


def test_a_complete_curdle_ends_the_game_when_nobody_can_play() -> None:  # PT-30, PT-31
    state, events = step_of(position("6H/6S/QC", "5S5D2H/3H4C/6D2C", slot=2), "play 6D")
    assert events[1] == Curdle((0, 1, 2), complete=True)
    assert legal(state) == ["sum 5D 5S", "sum 5S 5D"]
    over = play(position("6H/6S/QC", "5S4D2H/3H4C/6D2C", slot=2), "play 6D")
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [1, 1, 2]


def test_an_instant_curdle_ends_the_game_at_once() -> None:  # T-10
    over = play(position("6H/6S/QC", "5S5D2H/3H4C/6D2C", slot=2, curdle="instant"), "play 6D")
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [1, 1, 2]
    of_two = play(position("5CQS/8C6D", "6H9C9S/3H4C4H", curdle="instant"), "play 6H")
    assert reason_of(of_two) == "complete_curdle"


def test_going_out_counts_more_than_an_instant_curdle() -> None:  # T-10
    over = play(position("6H/6S/QC", "5S5D2H/3H4C/6D", slot=2, curdle="instant"), "play 6D")
    assert reason_of(over) == "out"
    assert score_of(over) == [1, 1, 2 + 4]


def test_an_incomplete_curdle_does_not_end_an_instant_game() -> None:  # T-10
    state, events = step_of(position("2H/6S/QC", "5S5D9H/3H4C/6D2C", slot=2, curdle="instant"), "play 6D")
    assert events[1] == Curdle((1, 2), complete=False)
    assert (state.on_turn, legal(state)) == (1, ["play 4C"])
    early = position("6H/QS/9C", "4D/6D3C/3D8C", slot=1, curdle="instant")
    state, events = step_of(early._replace(banks=(*early.banks[:2], ())), "play 6D")
    assert events[1:] == (Curdle((0, 1), complete=False), FoundationTurned(2, 2, Card("9C")))
    assert (state.on_turn, legal(state)) == (2, ["play 3D"])
