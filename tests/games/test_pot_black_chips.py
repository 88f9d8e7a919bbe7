"""Pot Black: payments, ties, and the end of the game."""

import random

import pytest

from bot.games.game import CHANCE, Outcome
from bot.games.pot_black.chips import pay_antes, pay_penalty
from bot.games.pot_black.moves import AntePaid, Chips, DealSettled, KnockedOut, TrickTaken
from bot.games.pot_black.state import Setup
from tests.games.checks.pot_black import broken
from tests.games.pot_black_deals import (
    GAME,
    A,
    B,
    C,
    D,
    Luck,
    Tricks,
    hands_of,
    in_deal,
    over,
    play,
    played,
    settled,
    stacks,
    table,
    taken,
    with_chips,
)

# ---- payments


def test_partners_pay_what_a_player_cannot() -> None:
    """BK-13: own chips first; nobody drops out in the middle of a deal."""
    setup = Setup(4, "partnership", "strict", "paid", "first_out", 0)
    payment = pay_penalty(setup, Chips((1, 9, 9, 9), 8), A, 1)
    assert payment == (Chips((0, 9, 7, 9), 8, 3), (1, 0, 2, 0), frozenset())
    antes = pay_antes(setup, Chips((4, 9, 0, 9)), (A, B, C, D), 2)
    assert antes == (Chips((0, 7, 0, 7), 8), (4, 2, 0, 2), frozenset())


def test_what_partners_cannot_pay_is_forgiven() -> None:
    """BK-13."""
    state = with_chips(hands_of(table(), a="KS2D", b="TS3D", c="3S4D", d="4S5D"), (1, 50, 1, 60), main=8)
    state, events = play(state, "KS TS 3S 4S")
    assert taken(events).paid == (1, 0, 1, 0)
    assert state.chips == Chips((0, 50, 0, 60), 8, 2)
    assert state.turn == A


def test_strict_teams_that_cannot_pay_a_penalty_lose_at_once() -> None:
    """BK-13, K-06: whatever the stacks are, and with the trick on the table."""
    state = hands_of(table(short="strict"), a="KS2D", b="TS3D", c="3S4D", d="TC5D")
    state, events = play(with_chips(state, (3, 1, 2, 1), main=113), "KS TS 3S TC")
    assert over(state) == Outcome((0, 2, 0, 2), (2, 1, 2, 1), "broke")
    assert events[-1] == taken(events)
    assert broken(state) == ("hands are even", "cards conserved")  # the hands of this test are no whole pack


@pytest.mark.parametrize("stacks_of_winners", [(1, 1), (0, 0)])
def test_a_team_that_cannot_pay_loses_even_to_one_without_chips(stacks_of_winners: tuple[int, int]) -> None:
    """K-06: places are 1 and 2 whatever the stacks; with no chips on either side it is no draw."""
    b, d = stacks_of_winners
    state = hands_of(table(short="strict"), a="KS2D", b="TS3D", c="3S4D", d="4S5D")
    state, events = play(with_chips(state, (2, b, 0, d), main=118 - b - d), "KS TS 3S 4S")
    assert over(state) == Outcome((0, b + d, 0, b + d), (2, 1, 2, 1), "broke")
    assert taken(events).paid == (2, 0, 0, 0)


def test_a_strict_end_in_the_last_trick_leaves_the_deal_unsettled() -> None:
    """K-06: over at once. Settled, the pots of this deal would have left both teams with chips."""
    state = with_chips(table(short="strict"), (2, 0, 2, 0), main=116)
    state, events = played(state, Tricks([A] * 6 + [C] * 6, A, A, together=True))
    assert over(state) == Outcome((0, 0, 0, 0), (2, 1, 2, 1), "broke")
    assert not [event for event in events if isinstance(event, DealSettled)]
    assert state.chips == Chips((0, 0, 0, 0), 116, 4)


def test_a_team_short_of_its_antes_loses_even_to_one_without_chips() -> None:
    """K-05: the others have exactly their two antes, and nothing left."""
    state = with_chips(table(short="strict"), (9, 2, 0, 2), main=107)
    state, _ = played(state, Tricks([A] * 6 + [B] * 6, A, A, together=True))
    assert over(state) == Outcome((0, 0, 0, 0), (2, 1, 2, 1), "broke")


def test_strict_teams_play_on_while_the_partner_can_pay() -> None:
    """K-06: partner's help counts as payment in full."""
    state = hands_of(table(short="strict"), a="KS2D", b="TS3D", c="3S4D", d="TC5D")
    state, _ = play(with_chips(state, (3, 50, 3, 56), main=8), "KS TS 3S TC")
    assert state.outcome is None
    assert stacks(state) == (0, 50, 0, 56)


@pytest.mark.parametrize(
    ("before", "tricks", "outcome"),
    [
        # A and C win the main pot; B has 3 chips for two antes.
        ((10, 3, 10, 0), Tricks([A] * 11, A, A), Outcome((106, 0, 106, 0), (1, 2, 1, 2), "broke")),
        # Nobody wins anything; both teams have less than 4.
        ((9, 1, 0, 2), Tricks([A] * 6 + [B] * 6, A, A, together=True), Outcome((0, 0, 0, 0), (1, 1, 1, 1), "draw")),
    ],
)
def test_strict_teams_lose_when_they_cannot_pay_their_antes(
    before: tuple[int, ...], tricks: Tricks, outcome: Outcome
) -> None:
    """BK-13, K-05."""
    state = with_chips(table(short="strict"), before, main=120 - sum(before))
    state, events = played(state, tricks)
    assert over(state) == outcome
    assert isinstance(events[-1], AntePaid)
    assert state.order == ()


def test_an_individual_short_of_chips_plays_on() -> None:
    """BK-23."""
    state = with_chips(table(players=3), (1, 40, 40), main=9)
    _, events = played(state, Tricks([A] * 11, A, A))
    assert [event.paid for event in events if isinstance(event, TrickTaken) and event.penalty] == [(1, 0, 0), (0, 0, 0)]
    assert settled(events).chips == Chips((9, 40, 40), 0, 1)


def test_odd_chips_stay_in_their_pot() -> None:
    """BK-18, K-08."""
    state = with_chips(table(), (20, 20, 20, 20), main=37, side=3)
    _, events = played(state, Tricks([A] * 11, B, B))
    assert settled(events).chips == Chips((42, 14, 42, 20), 1, 1)


# ---- ties


@pytest.mark.parametrize(("rule", "side", "chips"), [("paid", (0, 3, 3, 0), 0), ("stays", (0, 0, 0, 0), 6)])
def test_after_a_tie_of_individuals_an_option_decides_on_the_side_pot(
    rule: str, side: tuple[int, ...], chips: int
) -> None:
    """BK-20, BK-21."""
    state = table(form="individual", tied_side_pot=rule)
    _, events = played(state, Tricks([A] * 4 + [B] * 4 + [C] * 3, spade_ten=A, club_ten=D))
    assert settled(events).winners == ()
    assert settled(events).from_main == (0, 0, 0, 0)
    assert settled(events).from_side == side
    assert settled(events).chips.main == 8
    assert settled(events).chips.side == chips


# ---- the end


def test_a_team_without_chips_has_lost_when_the_deal_is_settled() -> None:
    """BK-15, BK-16: even if the pots that stay are full. BK-19: they are nobody's."""
    state = with_chips(table(), (4, 30, 2, 30), main=54)
    state, _ = played(state, Tricks([A] * 6 + [B] * 6, A, A, together=True))
    assert over(state) == Outcome((0, 60, 0, 60), (2, 1, 2, 1), "broke")


def test_a_team_without_chips_in_mid_deal_may_still_win_a_pot() -> None:
    """BK-15."""
    state = with_chips(table(), (0, 50, 0, 52), main=18)
    state, _ = played(state, Tricks([A] * 11, B, B))
    assert state.outcome is None
    assert stacks(state) == (10, 42, 10, 50)


def test_two_teams_without_chips_draw() -> None:
    """BK-17."""
    state = with_chips(table(), (0, 2, 0, 2), main=116)
    state, _ = played(state, Tricks([A] * 6 + [B] * 6, B, B, together=True))
    assert over(state) == Outcome((0, 0, 0, 0), (1, 1, 1, 1), "draw")


def test_the_first_individual_without_chips_ends_the_game() -> None:
    """BK-22."""
    state = with_chips(table(form="individual"), (3, 40, 40, 3), main=34)
    state, events = played(state, Tricks([B] * 11, spade_ten=A, club_ten=B))
    assert settled(events).from_side == (0, 0, 3, 3)
    assert over(state) == Outcome((0, 71, 43, 6), (4, 1, 2, 3), "broke")


def test_individuals_with_equal_chips_draw() -> None:
    """BK-22, G-09."""
    state = with_chips(table(form="individual"), (3, 35, 38, 0), main=44)
    state, _ = played(state, Tricks([B] * 5 + [C] * 5 + [D], spade_ten=A, club_ten=D))
    assert over(state) == Outcome((0, 36, 39, 0), (3, 2, 1, 3), "broke")
    state = with_chips(table(form="individual"), (3, 35, 35, 0), main=47)
    state, _ = played(state, Tricks([B] * 5 + [C] * 5 + [D], spade_ten=A, club_ten=D))
    assert over(state) == Outcome((0, 36, 36, 0), (3, 1, 1, 3), "draw")


@pytest.mark.parametrize(
    ("form", "outcome"),
    [
        ("partnership", Outcome((90, 18, 90, 18), (1, 2, 1, 2), "deals")),
        ("individual", Outcome((60, 18, 39, 0), (1, 3, 2, 4), "deals")),
    ],
)
def test_a_limit_of_deals_ends_the_game(form: str, outcome: Outcome) -> None:
    """BK-28, K-02: a seat without chips plays on if only the limit ends the game."""
    end = {"end": "deals"} if form == "individual" else {}
    state = in_deal(5, form=form, deals=5, **end)
    state = (
        with_chips(state, (40, 24, 36, 0), main=20) if form == "individual" else with_chips(state, (40, 24, 36, 0), 20)
    )
    state, _ = played(state, Tricks([A] * 11, B, B))
    assert over(state).reason == outcome.reason
    assert over(state).places == outcome.places


def test_a_limit_with_equal_chips_is_a_draw() -> None:
    """BK-28, G-09."""
    state = with_chips(in_deal(5, deals=5), (30, 30, 18, 24), main=18)
    state, _ = played(state, Tricks([A] * 6 + [B] * 6, B, B, together=True))
    assert over(state) == Outcome((48, 48, 48, 48), (1, 1, 1, 1), "draw")


def test_play_goes_on_before_the_limit() -> None:
    """BK-28, K-05."""
    state, events = played(in_deal(4, deals=5), Tricks([A] * 11, B, B))
    assert state.outcome is None
    assert state.deal == 5
    assert isinstance(events[-1], AntePaid)


# ---- knock-out and the classic form


def test_after_a_knock_out_three_players_use_the_short_pack() -> None:
    """BK-22, K-04."""
    state = with_chips(table(form="individual", end="knock_out"), (3, 60, 40, 9), main=8)
    state, events = played(state, Tricks([B] * 11, spade_ten=A, club_ten=D))
    assert KnockedOut(A, 1) in events
    assert state.in_play == (B, C, D)
    assert state.dealer == B
    assert AntePaid(2, 2, (0, 2, 2, 2), state.chips) in events
    deal = GAME.chance(state, Luck(random.Random(1)))
    assert len(str(deal).split("/")) == 3
    state, _ = GAME.apply(state, CHANCE, deal)
    assert state.order == (C, D, B)
    assert GAME.observe(state, None).hand_counts == (0, 13, 13, 13)


def test_the_deal_skips_a_seat_that_is_knocked_out() -> None:
    """K-04: the seat that would deal is out."""
    state = with_chips(table(form="individual", end="knock_out"), (60, 3, 40, 9), main=8)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    assert state.dealer == C
    assert state.in_play == (A, C, D)


def test_seats_knocked_out_together_share_a_place() -> None:
    """K-03: two drop out, and two are left, who are placed by chips."""
    state = with_chips(table(form="individual", end="knock_out"), (50, 3, 54, 3), main=10)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    assert over(state) == Outcome((63, 0, 57, 0), (1, 3, 2, 3), "knock_out")


def test_the_first_seat_knocked_out_is_last() -> None:
    """K-03."""
    state = with_chips(table(form="individual", end="knock_out"), (60, 3, 40, 9), main=8)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    state = with_chips(state, (60, 0, 3, 37), main=20)
    state, _ = played(state, Tricks([A] * 11, spade_ten=C, club_ten=C))
    assert over(state).places == (1, 4, 3, 2)


def test_seats_that_all_drop_out_together_share_first_place() -> None:
    """K-03."""
    state = with_chips(table(form="classic", players=3), (0, 0, 10), main=350)
    state, _ = played(state, Tricks([A] * 5 + [B] * 5 + [C], spade_ten=C, club_ten=C))
    assert over(state) == Outcome((0, 0, 0), (1, 1, 1), "draw")


def test_a_limit_may_end_a_knock_out() -> None:
    """K-02."""
    state = in_deal(5, form="individual", end="knock_out", deals=5)
    state, _ = played(state, Tricks([A] * 6 + [B] * 5, spade_ten=C, club_ten=C))
    assert over(state).reason == "deals"


def test_the_classic_form_has_one_pot_and_larger_stakes() -> None:
    """K-07."""
    state = table(form="classic")
    assert state.chips == Chips((90,) * 4, 40)
    state, events = played(state, Tricks([A] * 5 + [B] * 4 + [C, D], spade_ten=B, club_ten=D))
    assert settled(events).chips == Chips((150, 80, 90, 80), 0, 0)
    assert state.ante == 11


def test_a_tie_leaves_the_classic_pot() -> None:
    """K-07."""
    _, events = played(table(form="classic"), Tricks([A] * 5 + [B] * 5 + [D], spade_ten=B, club_ten=D))
    assert settled(events).chips == Chips((90, 80, 90, 80), 60, 0)


def test_the_classic_ante_rises_by_five_with_three_seats() -> None:
    """K-07: from 120 chips with three from the start; after a knock-out from the ante last used."""
    state = table(form="classic", players=3)
    assert state.chips == Chips((110,) * 3, 30)
    state, _ = played(state, Tricks([A] * 11, B, B))
    assert state.ante == 15
    state = with_chips(table(form="classic"), (190, 100, 100, 10))
    state, _ = played(state, Tricks([A] * 11, spade_ten=D, club_ten=D))
    assert state.ante == 15
