"""Pontis by example. The comments cite rulings, and PT-E numbers the worked examples of the rules."""

import pytest

from bot.errors import InvalidMove
from bot.games.cards import Card
from bot.games.game import CHANCE_ONLY, NOBODY, Resigned, Value
from bot.games.pontis import bridges
from bot.games.pontis.moves import (
    AbilityPassed,
    Bridged,
    FoundationTurned,
    GameScored,
    Missed,
    Result,
    Score,
    SumAbility,
)
from bot.games.pontis.state import State
from tests.games.checks.pontis import broken
from tests.games.pontis_table import (
    PONTIS,
    dealt,
    legal,
    listed,
    of_type,
    play,
    position,
    reason_of,
    refusal,
    score_of,
    step_of,
)

# ---- a game


def test_opening_and_sum_ability() -> None:  # PT-E1
    state = dealt("9C4CKC", "AD -67/5H4D9S -3T/8HKS9D -4", players=3).state
    assert PONTIS.observe(state, None).asked == ("9 − 4 = 5",)
    state, events = step_of(state, "play 5H")
    assert events == (
        Bridged(1, 1, listed("5H"), ("9 − 4 = 5",), (), suit_point=False),
        FoundationTurned(2, 2, Card("KC")),
    )
    state, events = step_of(state, "play 8H")
    assert of_type(events, Bridged) == [Bridged(2, 2, listed("8H"), ("13 − 5 = 8",), (), suit_point=True)]
    assert state.required == (1,)
    state = play(state, "play AD")
    assert state.required == (4, 9)
    assert {"play 4D", "play 9S"} <= set(legal(state))
    state, events = step_of(state, "play 4D")
    assert events[1:] == (
        Missed(2, 2, (4,)),
        Missed(0, 0, (6, 7)),
        Missed(1, 1, (3, 10)),
        SumAbility(2),
    )
    assert state.on_turn == 2
    assert state.suit_points == (0, 1, 1)
    before = state
    state, events = step_of(state, "sum KS 9D")
    assert events[0] == Bridged(2, 2, listed("KS9D"), ("8 − 4 = 4",), ("13 − 9 = 4",), suit_point=True)
    assert state.suit_points == (0, 1, 2)
    assert [len(bank) for bank in state.banks] == [2, 3, 4]
    after_king = step_of(before, "sum 9D KS")
    assert of_type(after_king.events, Bridged)[0] == Bridged(
        2, 2, listed("9DKS"), ("8 − 4 = 4",), ("13 − 9 = 4",), suit_point=False
    )
    assert bridges.required(before.banks[0][-1], Card("KS")) == (1, 12)
    assert not state.ability
    assert bridges.required(before.banks[0][-1], Card("9D")) == (5, 8)


def test_going_out_earns_four_points() -> None:  # PT-E5, PT-32, PT-33
    def last_card(**options: Value) -> State:
        banks = "2H" * 12, "3S" * 12, "5C", "6C"
        return position("/".join(banks), "3H/XX/3C/3C", slot=1, **options)._replace(suit_points=(4, 2, 0, 0))

    over, events = step_of(last_card(), "play XX")
    assert over.outcome is not None
    assert reason_of(over) == "out"
    assert over.outcome.scores == (16, 19, 1, 1)
    assert over.outcome.places == (2, 1, 3, 3)
    lines = (Score(12, 4, 0, 0, 0), Score(13, 2, 4, 0, 0), Score(1, 0, 0, 0, 0), Score(1, 0, 0, 0, 0))
    assert events[1:] == (GameScored(0, Result("out", lines), (16, 19, 1, 1)),)
    assert score_of(play(last_card(out_bonus="match"), "play XX")) == [16, 15, 1, 1]
    assert PONTIS.standing(play(last_card(out_bonus="match", games=2), "play XX")) == (16, 19, 1, 1)


def test_the_suit_point_of_the_last_card_counts() -> None:  # PT-32
    assert score_of(play(position("9C/4C", "2H/5C", slot=1), "play 5C")) == [1, 2 + 1 + 4]


def test_a_played_bridge_that_matches_the_affecters_suit_earns_a_point() -> None:  # PT-09, PT-12
    assert play(position("9C/4C/KC", "2H2H/5C2D/2H2H", slot=1), "play 5C").suit_points == (0, 1, 0)
    assert play(position("9C/4C/KC", "2H2H/5H2D/2H2H", slot=1), "play 5H").suit_points == (0, 0, 0)
    matched_by_the_affecter = play(position("9C4H/KD/3C", "AD2C/7H7H/5S5S", slot=0), "play AD")
    assert matched_by_the_affecter.suit_points == (0, 0, 0)


def test_only_the_card_on_top_matches_suits() -> None:  # PT-13
    state = position("9C/4C/KC", "2H2H/2C3S7D/2H2H", slot=1)._replace(idle=3)
    assert play(state, "sum 3S 2C").suit_points == (0, 1, 0)
    assert play(state, "sum 2C 3S").suit_points == (0, 0, 0)


def test_a_joker_never_gives_or_allows_a_suit_point() -> None:  # PT-14
    state = position("9CXX/2C/5C", "3H3H/XX3H/7H7H", slot=1)
    assert play(state, "play XX").suit_points == (0, 0, 0)
    assert play(position("9CXX/8C/5C", "3H3H/7C3H/7H7H", slot=1), "play 7C").suit_points == (0, 0, 0)


def test_a_seat_with_bridges_must_play_one_of_them() -> None:  # PT-11, PT-24
    state = position("AC/5C/KC", "2H2H/4D9S8H/2H2H", slot=1)
    assert legal(state) == ["play 4D", "play 9S"]
    assert refusal(state, "miss") == "PT-11"
    assert refusal(state, "decline") == "PT-11"
    assert refusal(state, "play 8H") == "PT-10"
    assert refusal(state, "play 4S") == "G-04"
    assert refusal(state, "sum 4D 8H") == "PT-17"
    assert refusal(state, "0: play 2H") == "T-02"
    assert refusal(state, "liar 0") == "PT-25"


def test_after_a_lap_of_misses_the_first_misser_has_the_sum_ability() -> None:  # PT-15
    state, events = step_of(position("9C/4C/KC", "QSJS/5H2S7D/QDJD3H", slot=1), "play 5H")
    assert events[1:] == (
        Missed(2, 2, (8,)),
        Missed(0, 0, (4,)),
        Missed(1, 1, (4,)),
        SumAbility(2),
    )
    assert state.ability
    assert legal(state) == ["sum 3H JD", "sum JD 3H"]


def test_a_play_restarts_the_count_of_misses() -> None:  # PT-16
    state = play(position("9C/4C/KC", "4SQS/5H2S3D/QDJD", slot=1), "play 5H")
    assert (state.on_turn, state.idle) == (0, 1)
    state, events = step_of(state, "play 4S")
    assert events[1:] == (Missed(1, 1, (1,)), Missed(2, 2, (8,)), Missed(0, 0, (9,)), SumAbility(1))
    assert legal(state) == ["sum 2S 3D", "sum 3D 2S"]


def test_a_sum_is_exact_and_of_cards_in_hand() -> None:  # PT-17, PT-18, G-04
    state = position("9C/4C/KC", "2H2H/2C3S7DXX/2H2H", slot=1)._replace(idle=3)
    assert legal(state) == ["sum 2C 3S", "sum 2C 7D", "sum 3S 2C", "sum 7D 2C"]
    assert refusal(state, "miss") == refusal(state, "decline") == "PT-19"
    assert refusal(state, "sum 2C 9D") == "G-04"
    assert refusal(state, "sum XX XX") == "G-04"
    assert refusal(state, "sum 3S 7D") == "PT-18"


def test_a_sum_needs_two_cards() -> None:  # PT-21
    lone = position("9C/4C/KC", "2H2H/2C/3H2H", slot=1, fake="on")._replace(idle=3)
    assert legal(lone) == ["decline"]


def test_the_ability_travels_until_it_is_used() -> None:  # PT-22, PT-23
    state, events = step_of(position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1), "play 4H")
    assert of_type(events, SumAbility) == [SumAbility(2), SumAbility(0, 2)]
    assert of_type(events, AbilityPassed) == [AbilityPassed(2)]
    assert legal(state) == ["sum 2S 6S", "sum 6S 2S"]
    state = play(state, "sum 2S 6S")
    assert legal(state) == ["play 2H"]  # though KD - JH = 2


def test_the_first_misser_of_a_stuck_game_loses_two_points() -> None:  # PT-31, PT-37
    over, events = step_of(position("9C/4C/KC", "QSKS/5H2H/QDKD", slot=1), "play 5H")
    assert of_type(events, Missed) == [Missed(2, 2, (8,)), Missed(0, 0, (4,)), Missed(1, 1, (4,))]
    assert of_type(events, AbilityPassed) == [AbilityPassed(2), AbilityPassed(0), AbilityPassed(1)]
    assert reason_of(over) == "stuck"
    assert score_of(over) == [1, 2, 1 - 2]
    assert PONTIS.to_act(over) == NOBODY
    assert PONTIS.legal(over, 0) == ()
    assert refusal(over, "0: play QS") == "G-11"
    assert refusal(over, "0: resign") == "G-10"


def test_a_game_may_end_with_its_deal() -> None:  # T-04
    state = PONTIS.start(PONTIS.settle({"players": 13, "jokers": 0}))
    for text in (
        "dealer 0",
        "foundations AD/5D/3D/8D/KD/6D/7D/JD/9D/QD/2D/TD/4D",
        "deal JH6SKC/2HTSQS/TC5C5S/KSJC4S/4HJS7C/9H3SKH/2C6HQC/7H2S5H/8H8S9C/9SASAH/6C8C7S/4C3HAC/3CQHTH/",
    ):
        state, events = PONTIS.apply(state, None, PONTIS.parse(text))
    assert len(of_type(events, FoundationTurned)) == len(of_type(events, Missed)) == 13
    assert reason_of(state) == "stuck"
    assert score_of(state) == [1, -1] + [1] * 11  # the penalty is for the seat left of the dealer
    assert broken(state) == ()


# ---- several games, resigning


def test_games_add_up_and_the_deal_passes_left() -> None:  # PT-36, T-03
    state = position("9C/4C/KC", "QS2H/5H/QDKD", slot=1, games=2)._replace(dealer=2)
    between, events = step_of(state, "play 5H")
    lines = (Score(1, 0, 0, 0, 0), Score(2, 0, 4, 0, 0), Score(1, 0, 0, 0, 0))
    assert events[1:] == (GameScored(0, Result("out", lines), (1, 6, 1)),)
    assert between.phase == "foundations"
    assert (between.dealer, between.outcome, PONTIS.to_act(between)) == (0, None, CHANCE_ONLY)
    assert broken(between) == ()
    assert refusal(between, "0: resign") == "G-10"
    again = position("9C/4C/KC", "QSKS/5H2H/QDKD", slot=1, games=2)._replace(results=between.results)
    over = play(again, "play 5H")
    assert reason_of(over) == "stuck"
    assert score_of(over) == [2, 8, 1 - 1]


def test_a_resignation_leaves_the_totals_of_finished_games() -> None:  # G-10
    state = position("9C/4C", "2H2D/5C7C", slot=1, games=3)
    state = state._replace(results=(Result("out", (Score(9, 1, 0, 0, 0), Score(12, 0, 4, 0, 0))),))
    over, events = step_of(state, "0: resign")
    assert events == (Resigned(0),)
    assert over.outcome is not None
    assert (over.outcome.scores, over.outcome.places, over.outcome.reason) == ((10, 16), (2, 1), "resigned")
    assert PONTIS.observe(over, 1).legal == ()


def test_teams_may_resign_but_three_sides_may_not() -> None:  # G-10
    teams = position("9C/4C", "2H/5C7C/3H3S/6S7S", slot=1, teams="on")
    assert play(teams, "2: resign").outcome is not None
    assert "resign" not in legal(teams)
    assert refusal(position("9C/4C/KC", "2H/5C/3H", slot=1), "0: resign") == "G-10"


# ---- text


def test_moves_and_their_texts_correspond() -> None:  # G-04
    for text in (
        "play 5H",
        "play XX",
        "sum KS 9D",
        "sum XX XX",
        "miss",
        "decline",
        "liar 12",
        "dealer 0",
        "foundations 9C/4C/KC",
        "deal 5H6H/7H/",
        "deal 5H/7H/XX",
        "resign",
    ):
        assert str(PONTIS.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play",
        "play 5h",
        "play 10H",
        "play  5H",
        "play 5H ",
        "sum KS9D",
        "sum KS KS",
        "liar 02",
        "liar 13",
        "dealer x",
        "foundations 9C",
        "foundations 9C4C/5C",
        "deal 5H",
        "deal 5H/7",
        "lay 5H/7H",
    ],
)
def test_other_texts_are_not_moves(text: str) -> None:
    with pytest.raises(InvalidMove):
        PONTIS.parse(text)


def test_typed_cards_are_tidied() -> None:
    assert PONTIS.tidy("SUM king of spades ♦9") == "sum KS 9D"
    assert PONTIS.tidy("Play joker") == "play XX"
