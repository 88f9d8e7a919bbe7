"""Pond · cards: dealer, poison, deal and profit. Worked examples PC-E8 and PC-E9."""

import random

import pytest

from bot.fairness import Deals
from bot.games.cards import Card, DealerDrawn, leave_out
from bot.games.game import CHANCE
from bot.games.pond.moves import Deal, HandsPickedUp, Misdealt, Poison, PoisonTurned, ProfitChosen
from bot.games.pond.scoring import group_of, raised_by
from bot.games.pond.state import FACE_DOWN, PACKS, State
from tests.games.pond_table import (
    EAST,
    MISDEAL,
    POND,
    WEST,
    Stacked,
    after,
    cards,
    choosing,
    chosen,
    dealt,
    entry,
    legal,
    play_on,
    refused,
    start,
    to_act,
)

# ---- who deals, poison


def poisons(state: State) -> list[str]:
    """Return the poison suits that the public sees."""
    seen = POND.observe(state, None)
    return [seen.poison(seat) for seat in range(seen.setup.players)]


def test_the_first_dealer_is_drawn_from_all_seats() -> None:
    """PC-01, P-02."""
    assert str(POND.chance(start(players=4), Stacked(""))) == "dealer 3"
    assert refused(start(), "- dealer 2") == "PC-01"
    assert entry(start(), "- dealer 1")[1] == (DealerDrawn(1),)


def test_the_deal_passes_clockwise() -> None:
    """PC-01, P-02."""
    state = play_on(dealt(4), random.Random(1))
    first = state.rounds[0].dealer
    assert [score.dealer for score in state.rounds] == [(first + number) % 4 for number in range(4)]


def test_poison_is_turned_up_to_the_first_card_that_is_no_spade() -> None:
    """PC-E8, PC-02, PC-03."""
    state = after(start(), "- dealer 0")
    move = POND.chance(state, Stacked("4SJS7D2SQH"))
    assert str(move) == "poison 4SJS7D/2SQH"
    state, events = entry(state, f"- {move}")
    assert state.turned == (cards("4SJS7D"), cards("2SQH"))
    assert events == (PoisonTurned(0, 0, state.turned),)
    assert poisons(state) == ["D", "H"]


def test_a_partners_marker_is_the_next_card_of_the_poison_suit() -> None:
    """PC-E8, PC-07, P-01."""
    state = after(start(players=4), "- dealer 3")
    move = POND.chance(state, Stacked("9CKD5H3D8CTC"))
    assert str(move) == "poison 9C/KD/8C/3D"
    assert after(state, f"- {move}").turned == (cards("KD"), cards("8C"), cards("3D"), cards("9C"))


def test_groups_of_poison_are_clockwise_from_the_dealer() -> None:
    """P-01: the example of the notation."""
    state = after(start(players=4), "- dealer 3", "- poison 9S4H/KD/2H/7D")
    assert poisons(state) == ["D", "H", "D", "H"]


def test_turned_cards_are_out_for_the_round() -> None:
    """PC-03."""
    state = after(start(), "- dealer 0", "- poison 4SJS7D/2SQH")
    deal = POND.chance(state, Stacked(""))
    assert isinstance(deal, Deal)
    held = {card for seen, hidden in deal.hands for card in seen + hidden}
    assert held.isdisjoint(cards("4SJS7D2SQH"))
    assert refused(state, f"- {str(deal).replace('AS', '4S')}") == "PC-03"


def test_each_round_turns_new_poison() -> None:
    """PC-04."""
    state = play_on(dealt(2), random.Random(2), rounds=1)
    assert state.turned == ()
    assert to_act(state) == {CHANCE}
    assert isinstance(POND.chance(state, Stacked("")), Poison)


def test_the_pack_never_runs_out() -> None:
    """PC-05: all spades turned, with two and with four players."""
    spades = "AS2S3S4S5S6S7S8S9STSJSQSKS"
    two = after(start(), "- dealer 0")
    two = after(two, f"- {POND.chance(two, Stacked(spades + '2H3H'))}")
    four = after(start(players=4), "- dealer 0")
    four = after(four, f"- {POND.chance(four, Stacked(spades * 2 + '2H3H'))}")
    for state, out in ((two, 15), (four, 30)):
        assert sum(map(len, state.turned)) == out
        assert after(state, f"- {POND.chance(state, Stacked(''))}").phase == "profit"


def test_both_sides_may_have_the_same_poison() -> None:
    """PC-06."""
    assert poisons(choosing()) == ["C", "C"]


@pytest.mark.parametrize(
    ("players", "text", "ruling"),
    [
        (2, "poison 2C", "P-01"),
        (2, "poison 2C/3C/4C", "P-01"),
        (4, "poison 2C/3C", "P-01"),
        (2, "poison 2C3C/4C", "PC-03"),
        (2, "poison 2S/4C", "PC-03"),
        (2, "poison 2C/4S5S", "PC-03"),
        (2, "poison 2C/2C", "PC-03"),
        (4, "poison 2C/2C/2C/2C", "PC-03"),
        (4, "poison 2C/3D/4D/5C", "PC-07"),
        (4, "poison 2C/3D/4C/5D6D", "PC-07"),
    ],
)
def test_impossible_poison_is_refused(players: int, text: str, ruling: str) -> None:
    assert refused(after(start(players=players), "- dealer 0"), f"- {text}") == ruling


# ---- the deal


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """PC-08."""
    state = after(start(players=4), "- dealer 1", "- poison 2C/3D/4C/5D")
    pack = leave_out(PACKS[4], cards("2C3D4C5D"))
    deal = POND.chance(state, Stacked(""))
    assert isinstance(deal, Deal)
    assert deal.hands[2] == (tuple(pack[0:44:4]), tuple(pack[44:64:4]))
    assert deal.hands[1] == (tuple(pack[3:44:4]), tuple(pack[47:64:4]))


def test_a_fair_deal_matches_the_test_vector() -> None:
    """G-12: the first copy of a card that exists twice is left out."""
    deals = Deals(bytes(range(32)), ("", "hello", "", "7"))
    _, entries, _ = POND.run_chance(start(players=4), 0, deals)
    assert [written.move for written in entries] == [
        "dealer 0",
        "poison 8D/7C/QD/6C",
        (
            "deal JH5S7HJCAD4S7D9D3STCJC+KD6D6H9H7S/KCQD5CJS7H9SKH7SQS5HTH+8D3C8S3HQH/"
            "9CAH8CQCAC9S5CAD3D6S4S+4H2S5H2C4D/7D9H2D8C9DKS3S6H6C4D2H+4CJS8SACAS"
        ),
    ]


@pytest.mark.parametrize(
    "hands",
    [
        [EAST],
        [EAST, WEST, WEST],
        [EAST, (WEST[0][2:], WEST[1])],
        [EAST, (WEST[0], WEST[1] + "AH")],
        [(EAST[0] + "5C", EAST[1][2:]), WEST],
    ],
)
def test_every_seat_gets_eleven_cards_and_five(hands: list[tuple[str, str]]) -> None:
    """PC-08."""
    state = after(start(), "- dealer 0", "- poison 2C/3C")
    assert refused(state, "- deal " + "/".join("+".join(hand) for hand in hands)) == "PC-08"


def test_a_card_cannot_be_dealt_twice() -> None:
    state = after(start(), "- dealer 0", "- poison 2C/3C")
    assert refused(state, f"- deal {'+'.join(EAST)}/{EAST[0][:2]}{WEST[0][2:]}+{WEST[1]}") == "PC-03"


def test_a_hand_of_fours_and_face_cards_is_dealt_again() -> None:
    """PC-E9, PC-09, PC-10, PC-11: the eleven count, the poison stays."""
    state = after(start(), "- dealer 0", "- poison 2C/3C")
    again, events = entry(state, f"- deal {MISDEAL}+AS2S3S5S6S/5H6H7H8H9HTHAH2H3H5D6D+7S8S9STSJS")
    assert again == state
    assert events == (Misdealt((0,)),)
    assert after(again, f"- deal {'+'.join(EAST)}/{'+'.join(WEST)}").phase == "profit"


def test_a_single_card_with_a_group_forces_the_choice() -> None:
    """PC-E9, PC-13, PC-14, G-03: an ace is no face card; the forced choice is an entry."""
    state = after(start(), "- dealer 0", "- poison 2C/3C")
    state = after(state, f"- deal {MISDEAL[:-2]}AC+AS2S3S5S6S/5H6H7H8H9HTHAH2H3H5D6D+7S8S9STSJS")
    assert legal(state, 0) == ["profit AC"]
    assert to_act(state) == {0, 1}


# ---- profit


def test_seats_choose_profit_at_once_in_any_order() -> None:
    """PC-12, G-02."""
    one_way = after(choosing(), "0 profit 2H", "1 profit 5D")
    other_way = after(choosing(), "1 profit 5D", "0 profit 2H")
    assert one_way == other_way
    assert one_way.phase == "bait"
    assert entry(choosing(), "1 profit 5D")[1] == (ProfitChosen(1),)
    assert refused(after(choosing(), "0 profit 2H"), "0 profit 3H") == "PC-12"
    assert refused(choosing(), "0 bait 3H") == "PC-12"


def test_others_see_only_that_a_seat_has_chosen() -> None:
    """PC-12."""
    state = after(choosing(), "0 profit 2H")
    assert POND.observe(state, None).set_aside == (FACE_DOWN, None)
    assert POND.observe(state, 1).set_aside == (FACE_DOWN, None)
    assert POND.observe(state, 0).set_aside == ("2H", None)


def test_only_a_visible_card_with_a_group_may_be_set_aside() -> None:
    """PC-13, G-04: a trump and an anti-trump may be, a 4, a face and a hidden card may not."""
    state = choosing()
    assert legal(state, 0) == [f"profit {card}" for card in ("2H", "2S", "3H", "8S", "9S", "AS", "TD")]
    assert refused(state, "0 profit 4H") == "PC-13"
    assert refused(state, "0 profit KD") == "PC-13"
    assert refused(state, "0 profit 5C") == "G-04"
    assert refused(state, "2 profit 5C") == "PC-31"


def test_a_poison_card_may_be_set_aside_and_scores_for_nobody() -> None:
    """PC-13, PC-15."""
    state = chosen(2, seed=4)
    done = play_on(state, random.Random(3), rounds=1)
    for seat, one in enumerate(done.rounds[0].tallies):
        assert one.set_aside == state.set_aside[seat]
        assert all(one.set_aside not in line.cards for line in one.lines)


def test_the_hidden_five_are_picked_up_when_all_have_chosen() -> None:
    """PC-08."""
    state = after(choosing(), "0 profit 2H")
    assert len(POND.observe(state, 0).hand) == 10
    assert POND.observe(state, 0).hidden == 5
    state, events = entry(state, "1 profit 5D")
    assert events == (ProfitChosen(1), HandsPickedUp())
    assert len(POND.observe(state, 0).hand) == 15
    assert POND.observe(state, 0).hidden == 0
    assert set(cards(EAST[1])) < set(POND.observe(state, 0).hand)


def test_partners_see_each_others_card_when_all_have_chosen() -> None:
    """PC-32."""
    state = dealt(4)
    for seat in (0, 2, 3):
        state = POND.apply(state, seat, POND.legal(state, seat)[0]).state
    assert POND.observe(state, 0).set_aside[2] == FACE_DOWN
    state = POND.apply(state, 1, POND.legal(state, 1)[0]).state
    seen = POND.observe(state, 0).set_aside
    assert seen == (state.set_aside[0], FACE_DOWN, state.set_aside[2], FACE_DOWN)
    assert POND.observe(state, None).set_aside == (FACE_DOWN,) * 4


def test_each_card_stands_for_its_group_and_raises_the_cards_of_the_hand_in_it() -> None:
    """PC-13, PC-16."""
    assert [group_of(Card(rank + "H")) for rank in "A23567"] == ["A234"] * 3 + ["4567"] * 3
    assert [group_of(Card(rank + "S")) for rank in "89T4JQK"] == ["89T"] * 3 + [None] * 4
    hand = cards("2H4S4D5C5CKD")
    assert raised_by(Card("2H"), hand) == [*cards("2H4S4D")]
    assert raised_by(Card("5C"), hand) == [*cards("4S4D5C5C")]
    assert raised_by(Card("KD"), hand) == []
