"""The arithmetic of Pontis: required values, and the cards that make them."""

from itertools import product

import pytest

from bot.games import cards
from bot.games.cards import JOKER, Card
from bot.games.pontis import bridges
from tests.games.pontis_table import listed


@pytest.mark.parametrize(
    ("own", "affecter", "needed"),
    [
        ("9", "4", (5,)),
        ("J", "2", (9,)),
        ("A", "J", (3, 10)),
        ("A", "K", (1, 12)),
        ("A", "7", (6, 7)),
        ("7", "X", (6,)),
        ("A", "A", (0, 13)),
        ("A", "X", (0, 13)),
        ("X", "X", (0,)),
        ("2", "A", (1, 12)),
        ("7", "7", (0,)),
        ("5", "A", (4, 9)),
        ("K", "A", (1, 12)),
    ],
)
def test_required_values_are_differences_of_the_tops(
    own: str, affecter: str, needed: tuple[int, ...]
) -> None:  # PT-E2, PT-10
    tops = Card(own + ("X" if own == "X" else "H")), Card(affecter + ("X" if affecter == "X" else "S"))
    assert bridges.required(*tops) == needed
    assert bridges.required(*reversed(tops)) == needed
    assert len(bridges.explain(*tops)) == len(needed)


def test_required_values_are_from_0_to_13_so_a_single_ace_counts_1() -> None:
    reached = {bridge for own, other in product(cards.ALL_CARDS, repeat=2) for bridge in bridges.required(own, other)}
    assert reached == set(range(14))
    assert bridges.value(Card("AS")) == bridges.value(JOKER) == 1
    assert [bridges.value(Card(rank + "H")) for rank in "2TJQK"] == [2, 10, 11, 12, 13]


def test_each_required_value_is_explained() -> None:
    assert bridges.explain(Card("9H"), Card("4S")) == ("9 − 4 = 5",)
    assert bridges.explain(Card("4H"), Card("9S")) == ("9 − 4 = 5",)
    assert bridges.explain(Card("5H"), Card("AS")) == ("5 − 1 = 4", "14 − 5 = 9")
    assert bridges.explain(Card("AH"), Card("AS")) == ("1 − 1 = 0", "14 − 1 = 13")
    assert bridges.explain(JOKER, JOKER) == ("1 − 1 = 0",)


def _pairs(hand: str, needed: tuple[int, ...]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in bridges.pairs(listed(hand), needed)}


def test_sums_for_three() -> None:  # PT-E3, PT-17
    assert _pairs("KSTHAD2S4C9H", (3,)) == {
        frozenset({"KS", "TH"}),
        frozenset({"AD", "2S"}),
        frozenset({"AD", "4C"}),
    }


def test_an_ace_in_a_sum_may_count_14() -> None:  # PT-E3
    assert _pairs("ASTH", (4,)) == {frozenset({"AS", "TH"})}
    assert bridges.arithmetic(Card("AS"), Card("TH"), (4,)) == ("14 − 10 = 4",)


def test_sums_for_zero_are_equal_cards() -> None:  # PT-E3
    assert _pairs("7C7DACXXAH", (0,)) == {
        frozenset({"7C", "7D"}),
        frozenset({"AC", "AH"}),
        frozenset({"AC", "XX"}),
        frozenset({"AH", "XX"}),
    }


def test_two_jokers_are_one_pair() -> None:
    assert bridges.pairs((JOKER, JOKER), (0,)) == [(JOKER, JOKER)]
    assert bridges.has_pair((JOKER, JOKER), (2,))
    assert bridges.pairs((JOKER,), (0,)) == []
    assert not bridges.has_pair((JOKER,), (0,))


def test_partners_are_the_cards_with_an_arithmetic() -> None:
    needs = {bridges.required(own, other) for own, other in product(cards.ALL_CARDS, repeat=2)}
    for card, needed in product(cards.ALL_CARDS, needs):
        fitting = {other for other in cards.ALL_CARDS if bridges.arithmetic(card, other, needed)}
        assert bridges.partners(card[0], needed) == fitting
        assert all(bridges.has_pair((card, other), needed) == (other in fitting) for other in cards.ALL_CARDS)


def test_pairs_are_sorted_and_in_both_orders() -> None:
    found = bridges.pairs(tuple(sorted(listed("KSTHAD2S4C"))), (3,))
    assert found == sorted(found)
    assert len(found) == 6


def test_arithmetic_lists_every_way() -> None:
    assert bridges.arithmetic(Card("AS"), Card("2H"), (1, 12)) == ("2 − 1 = 1", "14 − 2 = 12")
    assert bridges.arithmetic(Card("AS"), Card("2H"), (3,)) == ("1 + 2 = 3",)
    assert bridges.arithmetic(Card("AS"), Card("AH"), (0,)) == ("1 − 1 = 0", "14 − 14 = 0")
    assert bridges.arithmetic(Card("9S"), Card("2H"), (3,)) == ()


def test_pairs_are_those_with_an_arithmetic() -> None:  # PT-18
    tops = [Card(rank + "S") for rank in cards.RANKS]
    asked = {bridges.required(own, affecter) for own, affecter in product(tops, repeat=2)}
    for one, other in product(sorted(cards.ALL_CARDS), repeat=2):
        for needed in asked:
            told = bool(bridges.arithmetic(one, other, needed))
            assert told == bool(bridges.pairs((one, other), needed)) == bridges.has_pair((one, other), needed)


def test_a_single_curdles_only_from_twice_the_affecter_or_king_and_ace() -> None:  # PT-29
    curdles = {
        (own[0], affecter[0])
        for own, affecter, played in product(cards.ALL_CARDS, repeat=3)
        if bridges.value(played) in bridges.required(own, affecter) and bridges.equal(played, affecter)
    }
    low = {(own, other) for own, ace in (("2", "A"), ("K", "A")) for other in (ace, "X")} - {("K", "X")}
    doubles = {("4", "2"), ("6", "3"), ("8", "4"), ("T", "5"), ("Q", "6"), ("A", "7")}
    assert curdles == low | doubles
