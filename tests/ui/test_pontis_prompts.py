"""Prompts of Pontis: the bridge, the sum ability, and the cost of a miss."""

import pytest

from tests.games.pontis_table import play, position
from tests.ui.pontis_texts import ANN, BEN, prompt


def test_a_prompt_spells_out_the_bridge_for_everybody() -> None:
    state = position("4D/9S/KC", "2H3H/5H8C/7C9C", slot=1)
    assert prompt(state) == f"{BEN}: play a 5.\n9♠ on top, after 4♦ on {ANN}'s bank: 9 − 4 = 5"
    assert prompt(state, 0) == f"Waiting for {BEN}: play a 5.\n9♠ on top, after 4♦ on {ANN}'s bank: 9 − 4 = 5"
    assert prompt(state, 1) == f"Your 9♠, after 4♦ on {ANN}'s bank: 9 − 4 = 5\nPlay a 5 for a point."


def test_a_prompt_gives_the_values_of_aces_and_court_cards() -> None:
    state = position("KC/AS/9C", "2H3H/QH8C/7C9C", slot=1)
    assert f"A♠ (1 or 14) on top, after K♣ (13) on {ANN}'s bank: 14 − 13 = 1 or 13 − 1 = 12" in prompt(state)
    assert prompt(state).startswith(f"{BEN}: play a 1 (ace or joker) or a 12 (queen).")


def test_a_prompt_mentions_the_suit_point_if_it_can_be_had() -> None:
    matching = position("4D/9S/KC", "2H3H/5H5D/7C9C", slot=1)
    assert prompt(matching, 1).endswith("Match ♦ for 1 more.")


def test_a_prompt_says_what_the_sum_ability_has_to_make() -> None:
    able = position("4D/9S/KC", "2H3H/2C3D/7C9C", slot=1)._replace(idle=3)
    assert prompt(able) == f"{BEN}: two cards that make 5.\n9♠ on top, after 4♦ on {ANN}'s bank: 9 − 4 = 5"
    assert "Sum ability: add or subtract two cards to make 5." in prompt(able, 1)
    curdle = position("9D/9S/KC", "2H3H/2C2D/7C9C", slot=1)._replace(idle=3)
    assert "Sum ability: play two equal cards." in prompt(curdle, 1)


@pytest.mark.parametrize(
    ("hand", "own"),
    [
        ("KH9D3C", "Play a 13 (king) for a point."),
        ("KH9D9C", "Sum ability: play a 13 (king), or two cards that make 0 or 13."),
        ("QH9D9C", "Sum ability: add or subtract two cards to make 0 or 13."),
    ],
)
def test_a_prompt_after_a_curdle_of_aces_names_the_king_that_may_be_played(hand: str, own: str) -> None:
    state = play(position("5C2S/8CAD", f"AS{hand}/3H4C6C"), "play AS")
    assert prompt(state, 0).split("\n")[1].startswith(own)


@pytest.mark.parametrize(
    ("hand", "own"),
    [
        ("5H2S", "Sum ability: play a 5, or pass it on."),
        ("5H2S3D", "Sum ability: play a 5 or two cards that make 5, or pass it on."),
        ("2S3D", "Sum ability: play two cards that make 5, or pass it on."),
        ("2S4D", "You don't have two cards that make 5: pass the sum ability on."),
    ],
)
def test_with_the_sum_ability_a_fake_leaves_the_card_that_fitted_all_along(hand: str, own: str) -> None:
    state = play(position("9C/4C/KC", f"QS4S/{hand}/9D4D", slot=1, fake="on"), "miss", "miss", "miss")
    assert prompt(state, 1).endswith(f"\n{own}")


def test_a_miss_in_a_complete_curdle_threatens_no_penalty() -> None:
    state = play(position("5CQS/8C6D", "6H9C9S2D/3H4C4H", fake="on"), "play 6H")
    assert prompt(state, 1).endswith("\nNo card is worth 0: press Miss.")
    assert "The first miss costs" in prompt(position("5CQS/8C7D", "6H9C9S2D/3H4C4H", fake="on"), 0)


@pytest.mark.parametrize(
    ("hand", "liar", "own"),
    [
        ("5H8C", "off", "Play a 5, or miss. The first miss costs 2 points if the game gets stuck."),
        ("5H8C", "on", "Play a 5, or miss. Faking a miss can cost you 2 points."),
        ("6H8C", "on", "You don't have a 5: press Miss. The first miss costs 2 points if the game gets stuck."),
    ],
)
def test_a_prompt_says_what_a_miss_may_cost_before_it_happens(hand: str, liar: str, own: str) -> None:
    state = position("4D/9S/KC", f"2H3H/{hand}/7C9C", slot=1, fake="on", liar=liar)
    assert prompt(state).startswith(f"{BEN}: play a 5, or miss.")
    assert prompt(state, 1).endswith(own)
