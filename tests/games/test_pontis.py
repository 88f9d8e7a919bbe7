"""Pontis by example, citing its rulings."""

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from bot.errors import IllegalMove, InvalidMove, InvalidOption
from bot.fairness import Deals
from bot.games import cards
from bot.games import pontis_bridges as bridges
from bot.games.cards import JOKER, Card, split
from bot.games.game import CHANCE_ONLY, NOBODY, Entry, Event, Resigned, Step, Value
from bot.games.pontis import (
    AbilityPassed,
    Bridged,
    Curdle,
    DealerChosen,
    Dealt,
    FoundationsLaid,
    FoundationTurned,
    GameScored,
    LiarCalled,
    MatchOver,
    Missed,
    Observation,
    Pontis,
    Result,
    Score,
    State,
    SumAbility,
    Window,
)
from bot.games.pontis_setup import Setup, setup_of

PONTIS = Pontis()


def listed(text: str) -> tuple[Card, ...]:
    """Cards written without separators."""
    group = split(text)
    assert group is not None
    return group


def setup(**options: Value) -> Setup:
    """The setup of a table with these options, the others by default."""
    return setup_of(PONTIS.settle(options))


def position(banks: str, hands: str, slot: int = 0, **options: Value) -> State:
    """A game in play: banks and hands from 0, parted by slashes; on turn is the slot; no card is anywhere else."""
    piles, held = [listed(bank) for bank in banks.split("/")], [listed(hand) for hand in hands.split("/")]
    return PONTIS.start(PONTIS.settle({"players": len(held), "banks": len(piles), **options}))._replace(
        phase="play",
        foundations=tuple(pile[0] for pile in piles),
        banks=tuple(piles),
        hands=tuple(tuple(sorted(hand)) for hand in held),
        slot=slot,
    )


def dealt(foundations: str, hands: str, **options: Value) -> Step[State]:
    """The first game of a table, dealt by seat 0: hands hold the cards given, and others that seats may hold.

    A hand is given as ``5H4D -3T``: these cards, and besides them no three and no ten. What is over stays out.
    """
    state = PONTIS.start(PONTIS.settle(options))
    laid = listed(foundations)
    given = [hand.partition(" -") for hand in hands.split("/")]
    held = [list(listed(hand)) for hand, _, _ in given]
    left = cards.leave_out(state.setup.pack, [*laid, *(card for hand in held for card in hand)])
    for hand, (_, _, avoided) in zip(held, given, strict=True):
        for card in [card for card in left if card[0] not in avoided][: state.setup.hand_size - len(hand)]:
            left.remove(card)
            hand.append(card)
    for text in (
        "dealer 0",
        f"foundations {'/'.join(laid)}",
        f"deal {'/'.join(cards.join(hand) for hand in held)}/{cards.join(left)}",
    ):
        step = PONTIS.apply(state, None, PONTIS.parse(text))
        state = step.state
    return step


def play(state: State, *texts: str) -> State:
    """The state after moves, each by the seat on turn, or with the seat before it: ``2: liar 1``."""
    for text in texts:
        state = step_of(state, text).state
    return state


def step_of(state: State, text: str) -> Step[State]:
    """The step of one move, as `play` reads it."""
    seat, colon, move = text.rpartition(": ")
    return PONTIS.apply(state, int(seat) if colon else state.on_turn, PONTIS.parse(move))


def legal(state: State, seat: int | None = None) -> list[str]:
    """The texts of the legal moves of a seat, by default the one on turn."""
    return [str(move) for move in PONTIS.legal(state, state.on_turn if seat is None else seat)]


def refusal(state: State, text: str) -> str | None:
    """The ruling that a refusal of the move names."""
    with pytest.raises(IllegalMove) as caught:
        step_of(state, text)
    return caught.value.ruling


def score_of(state: State) -> list[int]:
    """The scores at the end."""
    assert state.outcome is not None
    return list(state.outcome.scores)


def reason_of(state: State) -> str:
    """The reason of the end."""
    assert state.outcome is not None
    return state.outcome.reason


def of_type(events: Sequence[Event], kind: type[Event]) -> list[Event]:
    """The events of one type."""
    return [event for event in events if isinstance(event, kind)]


# ---- the arithmetic


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
def test_the_required_bridges_of_the_rules_pt_e2_pt_10(own: str, affecter: str, needed: tuple[int, ...]) -> None:
    tops = Card(own + ("X" if own == "X" else "H")), Card(affecter + ("X" if affecter == "X" else "S"))
    assert bridges.required(*tops) == needed
    assert bridges.required(*reversed(tops)) == needed
    assert len(bridges.explain(*tops)) == len(needed)


def test_a_required_bridge_is_always_from_0_to_13_so_a_lone_ace_counts_1() -> None:
    reached = {bridge for own, other in product(cards.ALL_CARDS, repeat=2) for bridge in bridges.required(own, other)}
    assert reached == set(range(14))
    assert bridges.value(Card("AS")) == bridges.value(JOKER) == 1
    assert [bridges.value(Card(rank + "H")) for rank in "2TJQK"] == [2, 10, 11, 12, 13]


def test_the_arithmetic_is_spelled_out_value_by_value() -> None:
    assert bridges.explain(Card("9H"), Card("4S")) == ("9 − 4 = 5",)
    assert bridges.explain(Card("4H"), Card("9S")) == ("9 − 4 = 5",)
    assert bridges.explain(Card("5H"), Card("AS")) == ("5 − 1 = 4", "14 − 5 = 9")
    assert bridges.explain(Card("AH"), Card("AS")) == ("1 − 1 = 0", "14 − 1 = 13")
    assert bridges.explain(JOKER, JOKER) == ("1 − 1 = 0",)


def _pairs(hand: str, needed: tuple[int, ...]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in bridges.pairs(listed(hand), needed)}


def test_sums_for_three_pt_e3_pt_17() -> None:
    assert _pairs("KSTHAD2S4C9H", (3,)) == {
        frozenset({"KS", "TH"}),
        frozenset({"AD", "2S"}),
        frozenset({"AD", "4C"}),
    }


def test_an_ace_in_a_sum_may_count_14_pt_e3() -> None:
    assert _pairs("ASTH", (4,)) == {frozenset({"AS", "TH"})}
    assert bridges.arithmetic(Card("AS"), Card("TH"), (4,)) == ("14 − 10 = 4",)


def test_sums_for_nought_are_equal_cards_pt_e3() -> None:
    assert _pairs("7C7DACXXAH", (0,)) == {
        frozenset({"7C", "7D"}),
        frozenset({"AC", "AH"}),
        frozenset({"AC", "XX"}),
        frozenset({"AH", "XX"}),
    }


def test_two_jokers_are_one_move_and_one_joker_is_none() -> None:
    assert bridges.pairs((JOKER, JOKER), (0,)) == [(JOKER, JOKER)]
    assert bridges.has_pair((JOKER, JOKER), (2,))
    assert bridges.pairs((JOKER,), (0,)) == []
    assert not bridges.has_pair((JOKER,), (0,))


def test_a_sum_in_both_orders_is_two_moves_and_the_list_is_sorted() -> None:
    found = bridges.pairs(tuple(sorted(listed("KSTHAD2S4C"))), (3,))
    assert found == sorted(found)
    assert len(found) == 6


def test_every_way_of_a_sum_is_told() -> None:
    assert bridges.arithmetic(Card("AS"), Card("2H"), (1, 12)) == ("2 − 1 = 1", "14 − 2 = 12")
    assert bridges.arithmetic(Card("AS"), Card("2H"), (3,)) == ("1 + 2 = 3",)
    assert bridges.arithmetic(Card("AS"), Card("AH"), (0,)) == ("1 − 1 = 0", "14 − 14 = 0")
    assert bridges.arithmetic(Card("9S"), Card("2H"), (3,)) == ()


def test_a_pair_is_listed_exactly_if_there_is_an_arithmetic_for_it_pt_18() -> None:
    tops = [Card(rank + "S") for rank in cards.RANKS]
    asked = {bridges.required(own, affecter) for own, affecter in product(tops, repeat=2)}
    for one, other in product(sorted(cards.ALL_CARDS), repeat=2):
        for needed in asked:
            told = bool(bridges.arithmetic(one, other, needed))
            assert told == bool(bridges.pairs((one, other), needed)) == bridges.has_pair((one, other), needed)


def test_a_single_makes_a_curdle_only_from_twice_the_affecters_top_or_with_a_king_on_an_ace_pt_29() -> None:
    curdles = {
        (own[0], affecter[0])
        for own, affecter, played in product(cards.ALL_CARDS, repeat=3)
        if bridges.value(played) in bridges.required(own, affecter) and bridges.equal((played, affecter))
    }
    low = {(own, other) for own, ace in (("2", "A"), ("K", "A")) for other in (ace, "X")} - {("K", "X")}
    doubles = {("4", "2"), ("6", "3"), ("8", "4"), ("T", "5"), ("Q", "6"), ("A", "7")}
    assert curdles == low | doubles


# ---- options


@pytest.mark.parametrize(
    ("jokers", "sizes"),
    [
        (2, "26+0 17+0 12+2 9+4 8+0 6+5 5+6 5+0 4+4 3+10 3+6 3+2"),
        (0, "25+0 16+1 12+0 9+2 7+4 6+3 5+4"),
        (4, "27+0 17+2 13+0 10+1 8+2 7+0 6+0"),
    ],
)
def test_the_size_of_a_hand_pt_01_pt_02_pt_06(jokers: int, sizes: str) -> None:
    for players, size in enumerate(sizes.split(), 2):
        table = setup(players=players, jokers=jokers)
        assert f"{table.hand_size}+{table.rest}" == size


def test_options_by_default() -> None:
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
        ({"jokers": 1}, "PT-02"),
        ({"liar": "on"}, "PT-25"),
        ({"players": 4, "banks": 3}, "PT-40"),
        ({"players": 4, "banks": 6}, "PT-40"),
        ({"teams": "on"}, "PT-42"),
        ({"players": 2, "banks": 4, "teams": "on"}, "PT-42"),
        ({"games": 11}, "PT-36"),
    ],
)
def test_options_that_are_refused_t_01(options: dict[str, Value], ruling: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        PONTIS.settle(options)
    assert caught.value.ruling == ruling


def test_an_option_with_a_default_of_its_own_has_no_other() -> None:
    with pytest.raises(NotImplementedError):
        PONTIS.default(PONTIS.options[0], {})


def test_teams_are_those_who_share_a_bank_t_01() -> None:
    assert PONTIS.sides(PONTIS.settle({"players": 6, "banks": 3, "teams": "on"})) == (0, 1, 2, 0, 1, 2)
    assert PONTIS.sides(PONTIS.settle({"players": 4, "banks": 2})) == (0, 1, 2, 3)
    assert PONTIS.seats(PONTIS.settle({"players": 6, "banks": 3})) == 6


# ---- chance


def test_the_published_deal_for_three_g_12() -> None:
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
    assert PONTIS.check(state) == ()
    assert PONTIS.fold(PONTIS.settle({"players": 3}), entries) == state


def test_while_chance_is_due_nobody_else_may_act_g_01() -> None:
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
def test_a_chance_entry_that_cannot_be_is_refused(before: list[str], text: str, ruling: str) -> None:
    state = PONTIS.start(PONTIS.settle({"players": 2}))
    for entry in before:
        state = PONTIS.apply(state, None, PONTIS.parse(entry)).state
    with pytest.raises(IllegalMove) as caught:
        PONTIS.apply(state, None, PONTIS.parse(text))
    assert caught.value.ruling == ruling


def test_no_chance_entry_is_allowed_in_play() -> None:
    state = position("9C/4C", "5H/5D")
    with pytest.raises(IllegalMove):
        PONTIS.apply(state, None, PONTIS.parse("dealer 0"))
    assert refusal(state, "dealer 0") == "G-01"


def test_a_deal_is_announced_and_foundations_turned_in_turn_pt_04_pt_07_pt_08() -> None:
    state = PONTIS.start(PONTIS.settle({"players": 3}))
    state, chosen = PONTIS.apply(state, None, PONTIS.parse("dealer 0"))
    state, laid = PONTIS.apply(state, None, PONTIS.parse("foundations 9C/4C/KC"))
    assert (chosen, laid) == ((DealerChosen(0),), (FoundationsLaid("C"),))
    step = dealt("9C4CKC", "6S -4/5H -A/8H -", players=3)
    assert step.events == (Dealt(0, 17, 0), FoundationTurned(0, 0, Card("9C")), FoundationTurned(1, 1, Card("4C")))
    assert step.state.on_turn == 1
    assert step.state.banks == (listed("9C"), listed("4C"), ())
    assert PONTIS.check(step.state) == ()


# ---- a game as it goes


def test_opening_and_sum_ability_pt_e1() -> None:
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


def test_the_last_card_earns_four_points_which_may_decide_pt_e5_pt_32_pt_33() -> None:
    def last_card(**options: Value) -> State:
        banks = "2H" * 12, "3S" * 12, "5C", "6C"
        return position("/".join(banks), "3H/XX/3C/3C", slot=1, **options)._replace(suit_points=(4, 2, 0, 0))

    over, events = step_of(last_card(), "play XX")
    assert over.outcome is not None
    assert reason_of(over) == "out"
    assert over.outcome.scores == (16, 19, 1, 1)
    assert over.outcome.places == (2, 1, 3, 3)
    lines = (Score(12, 4, 0, 0, 0), Score(13, 2, 4, 0, 0), Score(1, 0, 0, 0, 0), Score(1, 0, 0, 0, 0))
    assert events[1:] == (GameScored(0, Result("out", lines), (16, 19, 1, 1)), MatchOver(over.outcome))
    assert score_of(play(last_card(out_bonus="match"), "play XX")) == [16, 15, 1, 1]
    assert PONTIS.standing(play(last_card(out_bonus="match", games=2), "play XX")) == (16, 19, 1, 1)


def test_the_suit_point_of_the_last_card_counts_pt_32() -> None:
    assert score_of(play(position("9C/4C", "2H/5C", slot=1), "play 5C")) == [1, 2 + 1 + 4]


def test_a_suit_point_is_for_a_played_bridge_that_matches_the_affecter_pt_09_pt_12() -> None:
    assert play(position("9C/4C/KC", "2H2H/5C2D/2H2H", slot=1), "play 5C").suit_points == (0, 1, 0)
    assert play(position("9C/4C/KC", "2H2H/5H2D/2H2H", slot=1), "play 5H").suit_points == (0, 0, 0)
    matched_by_the_affecter = play(position("9C4H/KD/3C", "AD2C/7H7H/5S5S", slot=0), "play AD")
    assert matched_by_the_affecter.suit_points == (0, 0, 0)


def test_only_the_card_on_top_matches_suits_pt_13() -> None:
    state = position("9C/4C/KC", "2H2H/2C3S7D/2H2H", slot=1)._replace(idle=3)
    assert play(state, "sum 3S 2C").suit_points == (0, 1, 0)
    assert play(state, "sum 2C 3S").suit_points == (0, 0, 0)


def test_a_joker_never_gives_or_allows_a_suit_point_pt_14() -> None:
    state = position("9CXX/2C/5C", "3H3H/XX3H/7H7H", slot=1)
    assert play(state, "play XX").suit_points == (0, 0, 0)
    assert play(position("9CXX/8C/5C", "3H3H/7C3H/7H7H", slot=1), "play 7C").suit_points == (0, 0, 0)


def test_a_bridge_must_be_played_but_the_choice_is_free_pt_11_pt_24() -> None:
    state = position("AC/5C/KC", "2H2H/4D9S8H/2H2H", slot=1)
    assert legal(state) == ["play 4D", "play 9S"]
    assert refusal(state, "miss") == "PT-11"
    assert refusal(state, "decline") == "PT-19"
    assert refusal(state, "play 8H") == "PT-10"
    assert refusal(state, "play 4S") == "PT-11"
    assert refusal(state, "sum 4D 8H") == "PT-17"
    assert refusal(state, "0: play 2H") == "T-02"
    assert refusal(state, "liar 0") == "PT-25"


def test_after_a_lap_of_misses_the_first_of_them_has_the_sum_ability_pt_15() -> None:
    state, events = step_of(position("9C/4C/KC", "QSJS/5H2S7D/QDJD3H", slot=1), "play 5H")
    assert events[1:] == (
        Missed(2, 2, (8,)),
        Missed(0, 0, (4,)),
        Missed(1, 1, (4,)),
        SumAbility(2),
    )
    assert state.ability
    assert legal(state) == ["sum 3H JD", "sum JD 3H"]


def test_a_row_of_misses_begins_anew_after_a_play_pt_16() -> None:
    state = play(position("9C/4C/KC", "4SQS/5H2S3D/QDJD", slot=1), "play 5H")
    assert (state.on_turn, state.idle) == (0, 1)
    state, events = step_of(state, "play 4S")
    assert events[1:] == (Missed(1, 1, (1,)), Missed(2, 2, (8,)), Missed(0, 0, (9,)), SumAbility(1))
    assert legal(state) == ["sum 2S 3D", "sum 3D 2S"]


def test_the_sum_must_be_exact_and_of_cards_that_are_held_pt_17_pt_18() -> None:
    state = position("9C/4C/KC", "2H2H/2C3S7DXX/2H2H", slot=1)._replace(idle=3)
    assert legal(state) == ["sum 2C 3S", "sum 2C 7D", "sum 3S 2C", "sum 7D 2C"]
    assert refusal(state, "sum 2C 9D") == "PT-17"
    assert refusal(state, "sum XX XX") == "PT-17"
    assert refusal(state, "sum 3S 7D") == "PT-18"


def test_one_card_is_too_few_for_a_sum_pt_21() -> None:
    lone = position("9C/4C/KC", "2H2H/2C/3H2H", slot=1, fake="on")._replace(idle=3)
    assert legal(lone) == ["decline"]


def test_the_ability_travels_until_it_is_used_then_singles_are_back_pt_22_pt_23() -> None:
    state, events = step_of(position("9C/5C/KC", "2S6S8S/4H2HJHKD/THJS", slot=1), "play 4H")
    assert of_type(events, SumAbility) == [SumAbility(2), SumAbility(0)]
    assert of_type(events, AbilityPassed) == [AbilityPassed(2)]
    assert legal(state) == ["sum 2S 6S", "sum 6S 2S"]
    state = play(state, "sum 2S 6S")
    assert legal(state) == ["play 2H"]  # though KD - JH = 2


def test_a_game_that_dries_up_costs_the_first_who_missed_two_points_pt_31_pt_37() -> None:
    over, events = step_of(position("9C/4C/KC", "QSKS/5H2H/QDKD", slot=1), "play 5H")
    assert of_type(events, Missed) == [Missed(2, 2, (8,)), Missed(0, 0, (4,)), Missed(1, 1, (4,))]
    assert of_type(events, AbilityPassed) == [AbilityPassed(2), AbilityPassed(0), AbilityPassed(1)]
    assert reason_of(over) == "stuck"
    assert score_of(over) == [1, 2, 1 - 2]
    assert PONTIS.to_act(over) == NOBODY
    assert PONTIS.legal(over, 0) == ()
    assert refusal(over, "0: play QS") == "G-11"
    assert refusal(over, "0: resign") == "G-10"


def test_a_game_may_end_with_its_deal_t_04() -> None:
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
    assert PONTIS.check(state) == ()


# ---- curdles


def test_in_a_game_of_two_whoever_makes_a_curdle_has_the_ability_first_pt_e6_pt_26() -> None:
    state, events = step_of(position("5CQS/8C6D", "6H9C9S2D/3H4C4H"), "play 6H")
    assert events[1:] == (Curdle((0, 1), complete=True), Missed(1, 1, (0,)), SumAbility(0))
    assert legal(state) == ["sum 9C 9S", "sum 9S 9C"]
    state = play(state, "sum 9C 9S")
    assert (state.on_turn, state.required) == (1, (3,))
    assert legal(state) == ["play 3H"]


def test_after_the_maker_of_a_curdle_the_opponent_has_the_ability_pt_e6_pt_26() -> None:
    state, events = step_of(position("5CQS/8C6D", "6H9C2D/3H4C4H"), "play 6H")
    assert of_type(events, SumAbility) == [SumAbility(0), SumAbility(1)]
    assert legal(state) == ["sum 4C 4H", "sum 4H 4C"]
    assert not play(state, "sum 4C 4H").ability


def test_a_curdle_of_two_that_nobody_can_use_ends_the_game_pt_e6_pt_30_pt_37() -> None:
    over, events = step_of(position("5CQS/8C6D", "6H9C2D/3H4C5H"), "play 6H")
    assert len(of_type(events, Missed)) == 1
    assert len(of_type(events, AbilityPassed)) == 2
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [3, 2]


def test_with_three_nobody_jumps_the_queue_after_a_curdle_pt_e6() -> None:
    state, events = step_of(position("5CQS/8C2D/9C6D", "6H9C9S/3HJH/3C5H"), "play 6H")
    assert events[1:] == (
        Curdle((0, 2), complete=False),
        Missed(1, 1, (4,)),
        Missed(2, 2, (4,)),
        Missed(0, 0, (0,)),
        SumAbility(1),
        AbilityPassed(1),
        SumAbility(2),
        AbilityPassed(2),
        SumAbility(0),
    )
    assert legal(state) == ["sum 9C 9S", "sum 9S 9C"]


def test_with_two_shared_banks_nobody_jumps_the_queue_pt_27() -> None:
    state, events = step_of(position("5CQS/8C6D", "6H9C9S/3HJH/4C5H/2H3C"), "play 6H")
    assert of_type(events, Missed) == [Missed(seat, seat % 2, (0,)) for seat in (1, 2, 3, 0)]
    assert of_type(events, SumAbility) == [SumAbility(seat) for seat in (1, 2, 3, 0)]
    assert state.on_turn == 0


def test_the_opponent_may_bridge_a_curdle_of_aces_with_a_king_pt_26() -> None:
    state = play(position("5C2S/8CAD", "AHQC/KH4C4H"), "play AH")
    assert (state.required, legal(state)) == ((0, 13), ["play KH"])
    assert play(state, "play KH").required == (1, 12)


def test_the_maker_of_a_curdle_of_aces_may_play_a_king_himself_pt_20_t_08() -> None:
    state = play(position("5C2S/8CAD", "AHKS7C7DTS3H/QH4C"), "play AH")
    assert state.on_turn == 0
    assert legal(state) == ["play KS", "sum 3H TS", "sum 7C 7D", "sum 7D 7C", "sum TS 3H"]
    assert play(state, "play KS").on_turn == 1


def test_ace_and_joker_are_a_curdle_and_two_jokers_take_no_king_pt_28_t_09() -> None:
    state, events = step_of(position("5C2S/8CAD", "XXQC/KH4C4H"), "play XX")
    assert of_type(events, Curdle) == [Curdle((0, 1), complete=True)]
    assert state.required == (0, 13)
    jokers = play(position("5C2S/8CXX", "XXQC/KH4C4H"), "play XX")
    assert jokers.required == (0,)
    assert legal(jokers) == ["sum 4C 4H", "sum 4H 4C"]


def test_a_complete_curdle_goes_on_until_nobody_can_play_pt_30_pt_31() -> None:
    state, events = step_of(position("6H/6S/QC", "5S5D2H/3H4C/6D2C", slot=2), "play 6D")
    assert events[1] == Curdle((0, 1, 2), complete=True)
    assert legal(state) == ["sum 5D 5S", "sum 5S 5D"]
    over = play(position("6H/6S/QC", "5S4D2H/3H4C/6D2C", slot=2), "play 6D")
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [1, 1, 2]


def test_an_instant_curdle_ends_the_game_with_the_play_t_10() -> None:
    over = play(position("6H/6S/QC", "5S5D2H/3H4C/6D2C", slot=2, curdle="instant"), "play 6D")
    assert reason_of(over) == "complete_curdle"
    assert score_of(over) == [1, 1, 2]
    of_two = play(position("5CQS/8C6D", "6H9C9S/3H4C4H", curdle="instant"), "play 6H")
    assert reason_of(of_two) == "complete_curdle"


def test_whoever_goes_out_with_an_instant_curdle_is_out_t_10() -> None:
    over = play(position("6H/6S/QC", "5S5D2H/3H4C/6D", slot=2, curdle="instant"), "play 6D")
    assert reason_of(over) == "out"
    assert score_of(over) == [1, 1, 2 + 4]


def test_a_curdle_of_some_banks_does_not_end_an_instant_game_t_10() -> None:
    state, events = step_of(position("2H/6S/QC", "5S5D9H/3H4C/6D2C", slot=2, curdle="instant"), "play 6D")
    assert events[1] == Curdle((1, 2), complete=False)
    assert (state.on_turn, legal(state)) == (1, ["play 4C"])
    early = position("6H/QS/9C", "4D/6D3C/3D8C", slot=1, curdle="instant")
    state, events = step_of(early._replace(banks=(*early.banks[:2], ())), "play 6D")
    assert events[1:] == (Curdle((0, 1), complete=False), FoundationTurned(2, 2, Card("9C")))
    assert (state.on_turn, legal(state)) == (2, ["play 3D"])


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


# ---- banks and teams


def test_four_on_two_banks_pt_e10_pt_40_pt_41() -> None:
    table = setup(players=4, banks=2)
    assert (table.hand_size, table.rest, table.lap, table.owners) == (13, 0, 4, (0, 1, 2, 3))
    state = position("9C/4C", "2H3H/5H2S/4H4S/6S7S", slot=1)
    state = play(state, "play 5H")
    assert (state.on_turn, state.bank, state.required) == (2, 0, (4,))
    assert len(of_type(step_of(state, "play 4H").events, Missed)) == 4


def test_a_player_with_several_banks_plays_them_one_after_the_other_pt_40_t_02() -> None:
    table = setup(players=2, banks=6)
    assert (table.owners, table.lap, table.first_slot(1)) == ((0, 0, 0, 1, 1, 1), 6, 3)
    step = dealt("9C4CKC2C", "5H/8H", players=2, banks=4)
    assert of_type(step.events, FoundationTurned) == [
        FoundationTurned(0, 0, Card("9C")),
        FoundationTurned(0, 1, Card("4C")),
    ]
    assert (step.state.on_turn, step.state.bank, step.state.required) == (0, 1, (5,))
    assert PONTIS.observe(step.state, None).order == (0, 1, 1, 0)


def test_the_seat_that_played_last_may_be_the_first_to_miss_t_11() -> None:
    over, events = step_of(position("5C/4C/KC/JC", "6H9S/QSKS"), "play 6H")
    assert of_type(events, Missed)[0] == Missed(0, 1, (2,))
    assert reason_of(over) == "stuck"
    assert score_of(over) == [3 - 2, 2]


def test_banks_of_ones_own_count_with_their_foundations_t_12() -> None:
    over = play(position("5C/4C/KC/JC", "6H/QSKS"), "play 6H")
    assert score_of(over) == [3 + 4, 2]


def test_on_a_shared_bank_everybody_counts_what_he_played_pt_42_t_12() -> None:
    state = position("9C/4C", "2H/5C/3H3S/6S7S", slot=1)
    over = play(state._replace(suit_points=(0, 0, 3, 0)), "play 5C")
    size = state.setup.hand_size
    assert score_of(over) == [size - 1, size + 1 + 4, size - 2 + 3, size - 2]
    assert over.outcome is not None
    assert over.outcome.places == (3, 1, 2, 4)


def test_a_team_counts_its_bank_and_all_points_of_its_seats_pt_42_pt_43_t_12() -> None:
    state = position("9C3C/4C", "2H/5C/3H3S/6S7S", slot=3, teams="on", fake="on")
    state = play(state._replace(suit_points=(1, 0, 3, 2), calls=(2, 0, 0, -2)), "miss", "miss")
    assert state.on_turn == 1
    last = state._replace(banks=(listed("9C"), listed("4C")))
    over = play(last, "play 5C")
    assert score_of(over) == [1 + 4 + 2, 2 + 3 + 4 - 2, 7, 7]
    assert over.outcome is not None
    assert over.outcome.places == (1, 1, 1, 1)
    assert over.results[0].scores == (Score(1, 4, 0, 0, 2), Score(2, 3, 4, 0, -2))


def test_a_team_mate_may_not_call_t_06() -> None:
    state = position("9C/4C", "2HKH/5C6C/3H3S/6S7S", slot=1, teams="on", fake="on", liar="on")
    state = play(state, "play 5C")
    assert [legal(state, seat)[:1] for seat in range(4)] == [["liar 1"], [], ["liar 1"], []]
    assert refusal(state, "3: liar 1") == "T-06"


# ---- several games, resigning


def test_the_deal_passes_left_and_totals_are_added_pt_36_t_03() -> None:
    state = position("9C/4C/KC", "QS2H/5H/QDKD", slot=1, games=2)._replace(dealer=2)
    between, events = step_of(state, "play 5H")
    lines = (Score(1, 0, 0, 0, 0), Score(2, 0, 4, 0, 0), Score(1, 0, 0, 0, 0))
    assert events[1:] == (GameScored(0, Result("out", lines), (1, 6, 1)),)
    assert between.phase == "foundations"
    assert (between.dealer, between.outcome, PONTIS.to_act(between)) == (0, None, CHANCE_ONLY)
    assert PONTIS.check(between) == ()
    assert refusal(between, "0: resign") == "G-10"
    again = position("9C/4C/KC", "QSKS/5H2H/QDKD", slot=1, games=2)._replace(results=between.results)
    over = play(again, "play 5H")
    assert reason_of(over) == "stuck"
    assert score_of(over) == [2, 8, 1 - 1]


def test_one_of_two_may_resign_and_the_game_in_play_counts_nothing_g_10() -> None:
    state = position("9C/4C", "2H2D/5C7C", slot=1, games=3)
    state = state._replace(results=(Result("out", (Score(9, 1, 0, 0, 0), Score(12, 0, 4, 0, 0))),))
    over, events = step_of(state, "0: resign")
    assert events == (Resigned(0),)
    assert over.outcome is not None
    assert (over.outcome.scores, over.outcome.places, over.outcome.reason) == ((10, 16), (2, 1), "resigned")
    assert PONTIS.observe(over, 1).legal == ()


def test_a_team_resigns_and_three_never_do_g_10() -> None:
    teams = position("9C/4C", "2H/5C7C/3H3S/6S7S", slot=1, teams="on")
    assert play(teams, "2: resign").outcome is not None
    assert "resign" not in legal(teams)
    assert refusal(position("9C/4C/KC", "2H/5C/3H", slot=1), "0: resign") == "G-10"


# ---- text


def test_a_move_is_its_text_g_04() -> None:
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
def test_what_is_no_move_is_said_so(text: str) -> None:
    with pytest.raises(InvalidMove):
        PONTIS.parse(text)


def test_cards_may_be_typed_as_people_write_them() -> None:
    assert PONTIS.tidy("SUM king of spades ♦9") == "sum KS 9D"
    assert PONTIS.tidy("Play joker") == "play XX"


# ---- what can be known


def test_a_seat_sees_its_own_hand_and_the_public_none() -> None:
    state = dealt("9C4CKC", "/5H/", players=3).state
    seen, public = PONTIS.observe(state, 1), PONTIS.observe(state, None)
    assert seen.hand == state.hands[1]
    assert seen.legal == PONTIS.legal(state, 1)
    assert (public.hand, public.legal) == ((), ())
    for observation in (seen, public):
        assert observation.hand_counts == (17, 17, 17)
        assert observation.banks == (listed("9C"), listed("4C"), ())
        assert (observation.suit, observation.rest_count) == ("C", 0)
        assert (observation.bank, observation.required, observation.asked) == (1, (5,), ("9 − 4 = 5",))
        assert observation.order == (1, 2, 0)
        assert observation.totals == (0, 0, 0)


def test_before_the_deal_nobody_is_on_turn() -> None:
    observation = PONTIS.observe(PONTIS.start(PONTIS.settle({})), 0)
    assert (observation.suit, observation.bank, observation.required, observation.order) == ("", None, (), ())
    assert not observation.ability


def moments(**options: Value) -> Iterator[State]:
    """States of random games, at every entry."""
    rng = random.Random(str(options))
    settled = PONTIS.settle(options)
    for number in range(3):
        deals = Deals(bytes([number]) * 32, ("",) * PONTIS.seats(settled))
        state, count = PONTIS.start(settled), 0
        while state.outcome is None:
            yield state
            if PONTIS.to_act(state) == CHANCE_ONLY:
                move = PONTIS.chance(state, deals(count))
                state, count = PONTIS.apply(state, None, move).state, count + 1
            else:
                state = PONTIS.apply(state, state.on_turn, rng.choice(PONTIS.legal(state, state.on_turn))).state
        yield state


TABLES: list[dict[str, Value]] = [
    {"players": 2, "games": 2},
    {"players": 3, "jokers": 4},
    {"players": 5, "fake": "on", "liar": "on"},
    {"players": 6, "banks": 2, "teams": "on", "fake": "on", "liar": "on"},
    {"players": 2, "banks": 8},
    {"players": 13, "jokers": 0},
]


@pytest.mark.parametrize("options", TABLES)
def test_an_imagined_state_agrees_with_what_was_seen(options: dict[str, Value]) -> None:
    rng = random.Random(5)
    for state in moments(**options):
        for seat in (None, rng.randrange(state.setup.players)):
            seen = PONTIS.observe(state, seat)
            imagined = PONTIS.imagine(seen, rng)
            assert PONTIS.observe(imagined, seat) == seen
            assert PONTIS.check(imagined) == PONTIS.check(state) == ()


def test_an_honest_miss_is_believed_in_what_is_imagined() -> None:
    rng = random.Random(6)
    for state in moments(players=3):
        hands = PONTIS.imagine(PONTIS.observe(state, 0), rng).hands
        for hand, missed in zip(hands, state.missed, strict=True):
            denied = {value for required in missed for value in required}
            assert denied.isdisjoint(map(bridges.value, hand))


def test_what_cannot_be_is_not_imagined() -> None:
    seen = PONTIS.observe(dealt("9C4CKC", "/5H/", players=3).state, None)
    everything = (tuple(range(14)),)
    spoilt = Observation(
        **{name: getattr(seen, name) for name in seen.__dataclass_fields__} | {"missed": (everything,) * 3}
    )
    with pytest.raises(ValueError, match="no deal agrees"):
        PONTIS.imagine(spoilt, random.Random(1))


def test_a_hidden_card_changes_nothing_that_others_see() -> None:
    state = dealt("9C4CKC2C", "/5H//", players=4).state
    hands = (state.hands[0], state.hands[1], state.hands[3], state.hands[2])
    other = state._replace(hands=hands, foundations=(*state.foundations[:2], *state.foundations[:1:-1]))
    assert PONTIS.observe(other, 0) == PONTIS.observe(state, 0)
    assert PONTIS.observe(other, None) == PONTIS.observe(state, None)
    assert PONTIS.observe(other, 2) != PONTIS.observe(state, 2)


# ---- invariants


def test_broken_invariants_are_named() -> None:
    state = dealt("9C4CKC2C", "/5H//", players=4).state
    assert PONTIS.check(state) == ()
    spoilt = {
        "every card is in one place": state._replace(rest=listed("5H5H")),
        "each bank stands on its foundation": state._replace(foundations=listed("4C9CKC2C")),
        "the foundations share a suit": state._replace(foundations=listed("9C4CKC2D")),
        "the rest stays out": state._replace(rest=()),
        "hands never grow": state._replace(hands=(state.hands[0] * 2, *state.hands[1:])),
        "hands are sorted": state._replace(hands=(state.hands[0][::-1], *state.hands[1:])),
        "points for suits need plays": state._replace(suit_points=(9, 0, 0, 0)),
        "a lie needs a miss": state._replace(window=Window(1, listed("5H"), lie=True)),
        "the banks of the turn are up": state._replace(slot=0, banks=((), *state.banks[1:])),
        "the seat on turn can move": state._replace(hands=((), (), (), ())),
        "no game goes on without plays": state._replace(idle=8),
        "the table is empty before the deal": state._replace(phase="deal"),
    }
    assert {name: name in PONTIS.check(broken) for name, broken in spoilt.items()} == dict.fromkeys(spoilt, True)


def test_a_log_is_folded_again_to_the_same_state() -> None:
    settled = PONTIS.settle({"players": 2})
    deals = Deals(bytes(32), ("", ""))
    state, entries, _ = PONTIS.run_chance(PONTIS.start(settled), 0, deals)
    while state.outcome is None:
        move = PONTIS.legal(state, state.on_turn)[0]
        entries.append(Entry(state.on_turn, str(move)))
        state = PONTIS.apply(state, state.on_turn, move).state
    assert PONTIS.fold(settled, entries) == state
    assert PONTIS.outcome(state) == state.outcome
