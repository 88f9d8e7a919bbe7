"""Pontis before the first turn: options, dealer, foundations and deal."""

import pytest

from bot.errors import IllegalMove, InvalidOption
from bot.fairness import Deals
from bot.games.cards import Card, DealerDrawn
from bot.games.game import CHANCE_ONLY, Value
from bot.games.pontis.moves import Dealt, FoundationsLaid, FoundationTurned
from tests.games.checks.pontis import broken
from tests.games.pontis_table import PONTIS, dealt, listed, position, refusal, setup

# ---- options


@pytest.mark.parametrize(
    ("jokers", "sizes"),
    [
        (2, "26+0 17+0 12+2 9+4 8+0 6+5 5+6 5+0 4+4 3+10 3+6 3+2"),
        (0, "25+0 16+1 12+0 9+2 7+4 6+3 5+4"),
        (4, "27+0 17+2 13+0 10+1 8+2 7+0 6+0"),
    ],
)
def test_the_size_of_a_hand_depends_on_players_and_jokers(jokers: int, sizes: str) -> None:  # PT-01, PT-02, PT-06
    for players, size in enumerate(sizes.split(), 2):
        table = setup(players=players, jokers=jokers)
        assert f"{table.hand_size}+{table.rest}" == size


def test_options_have_defaults() -> None:
    assert PONTIS.settle({}) == {
        "players": 4,
        "jokers": 2,
        "fake": "off",
        "liar": "off",
        "curdle": "deadlock",
        "out_bonus": "always",
        "games": 1,
        "banks": 4,
        "teams": "off",
    }
    assert PONTIS.settle({"players": 7})["banks"] == 7
    assert PONTIS.settle({"players": "2", "banks": "4"})["banks"] == 4
    assert PONTIS.options_of(PONTIS.start(PONTIS.settle({"games": 3}))) == PONTIS.settle({"games": 3})


@pytest.mark.parametrize(
    ("options", "ruling"),
    [
        ({"players": 1}, "PT-01"),
        ({"players": 14}, "PT-01"),
        ({"players": "14", "banks": 7}, "PT-01"),
        ({"jokers": 1}, "PT-02"),
        ({"liar": "on"}, "PT-25"),
        ({"players": 4, "banks": 3}, "PT-40"),
        ({"players": 4, "banks": 6}, "PT-40"),
        ({"teams": "on"}, "PT-42"),
        ({"players": 2, "banks": 4, "teams": "on"}, "PT-42"),
        ({"games": 11}, "PT-36"),
    ],
)
def test_options_that_exclude_one_another_are_refused(options: dict[str, Value], ruling: str) -> None:  # T-01
    with pytest.raises(InvalidOption) as caught:
        PONTIS.settle(options)
    assert caught.value.ruling == ruling


def test_more_than_thirteen_players_are_refused_with_the_reason() -> None:  # PT-01
    with pytest.raises(InvalidOption, match="even if they share banks: with more, hands would be too small"):
        PONTIS.settle({"players": 14, "banks": 7})


def test_options_with_a_fixed_default_have_no_other() -> None:
    with pytest.raises(NotImplementedError):
        PONTIS.default(PONTIS.options[0], {})


def test_seats_that_share_a_bank_are_a_team() -> None:  # T-01
    assert PONTIS.sides(PONTIS.settle({"players": 6, "banks": 3, "teams": "on"})) == (0, 1, 2, 0, 1, 2)
    assert PONTIS.sides(PONTIS.settle({"players": 4, "banks": 2})) == (0, 1, 2, 3)
    assert PONTIS.seats(PONTIS.settle({"players": 6, "banks": 3})) == 6


# ---- chance


def test_a_fair_deal_matches_the_test_vector() -> None:  # G-12
    state, entries, _ = PONTIS.run_chance(
        PONTIS.start(PONTIS.settle({"players": 3})), 0, Deals(bytes(range(32)), ("", "", ""))
    )
    dealer, foundations, deal = (entry.move for entry in entries)
    assert (dealer, foundations) == ("dealer 2", "foundations 7C/4C/9C")
    assert deal.removeprefix("deal ").split("/") == [
        "7SADQS3D5S7H6SJHTDTH9D8HTSAHKD3C6D",
        "5D7D5HQD9H2D8D6H2SQH2C4HKC3HKSXX8S",
        "JC6CXXQC8CJD5CJSACTC9S4D4SKH3SAS2H",
        "",
    ]
    assert broken(state) == ()
    assert PONTIS.fold(PONTIS.settle({"players": 3}), entries) == state


def test_no_seat_may_act_while_chance_is_due() -> None:  # G-01
    state = PONTIS.start(PONTIS.settle({"players": 2}))
    assert PONTIS.to_act(state) == CHANCE_ONLY
    assert PONTIS.legal(state, 0) == ()
    assert refusal(state, "0: play 5H") == "G-01"
    assert refusal(state, "0: dealer 0") == "G-01"
    assert refusal(state, "0: resign") == "G-10"


@pytest.mark.parametrize(
    ("before", "text", "ruling"),
    [
        ([], "dealer 2", "T-03"),
        ([], "foundations 9C/4C", "G-01"),
        ([], "play 5H", "G-01"),
        (["dealer 1"], "dealer 1", "G-01"),
        (["dealer 1"], "foundations 9C/4C/5C", "PT-04"),
        (["dealer 1"], "foundations 9C/9C", "PT-04"),
        (["dealer 1"], "foundations 9C/4D", "PT-04"),
        (["dealer 1"], "foundations XX/XX", "PT-04"),
        (["dealer 1", "foundations 9C/4C"], "deal 5H/6H/", "PT-06"),
        (["dealer 1", "foundations 9C/4C"], f"deal {'5H' * 26}/{'6H' * 26}/", "T-03"),
    ],
)
def test_impossible_chance_entries_are_refused(before: list[str], text: str, ruling: str) -> None:
    state = PONTIS.start(PONTIS.settle({"players": 2}))
    for entry in before:
        state = PONTIS.apply(state, None, PONTIS.parse(entry)).state
    with pytest.raises(IllegalMove) as caught:
        PONTIS.apply(state, None, PONTIS.parse(text))
    assert caught.value.ruling == ruling


def test_chance_may_not_act_during_play() -> None:
    state = position("9C/4C", "5H/5D")
    with pytest.raises(IllegalMove):
        PONTIS.apply(state, None, PONTIS.parse("dealer 0"))
    assert refusal(state, "dealer 0") == "G-01"


def test_foundations_are_turned_up_turn_by_turn() -> None:  # PT-04, PT-07, PT-08
    state = PONTIS.start(PONTIS.settle({"players": 3}))
    state, chosen = PONTIS.apply(state, None, PONTIS.parse("dealer 0"))
    state, laid = PONTIS.apply(state, None, PONTIS.parse("foundations 9C/4C/KC"))
    assert (chosen, laid) == ((DealerDrawn(0),), (FoundationsLaid("C"),))
    step = dealt("9C4CKC", "6S -4/5H -A/8H -", players=3)
    assert step.events == (Dealt(0, 17, 0), FoundationTurned(0, 0, Card("9C")), FoundationTurned(1, 1, Card("4C")))
    assert step.state.on_turn == 1
    assert step.state.banks == (listed("9C"), listed("4C"), ())
    assert broken(step.state) == ()
