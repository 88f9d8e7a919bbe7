"""Pot Black by example: deals, tricks and moves. BK-E numbers the worked examples of the rules."""

import random

import pytest

from bot.errors import IllegalMove, InvalidMove
from bot.fairness import Deals
from bot.games.cards import JOKER, Card, Dealer, DealerDrawn, Play
from bot.games.game import CHANCE, RESIGN, Entry, Move, Outcome, Seat
from bot.games.pot_black.moves import AntePaid, Chips, Deal, Dealt, TrickTaken
from bot.games.pot_black.state import SHORT_PACK, trumps
from bot.games.pot_black.tricks import winner
from tests.games.pot_black_deals import (
    GAME,
    A,
    B,
    C,
    D,
    Luck,
    Tricks,
    cards,
    hands_of,
    in_deal,
    play,
    played,
    settled,
    stacks,
    table,
    taken,
    with_chips,
)

# ---- the worked examples


def test_most_tricks_and_no_black_ten_win_both_pots() -> None:  # BK-E1
    """BK-06, BK-10, BK-14."""
    state = table()
    assert stacks(state) == (28, 28, 28, 28)
    state, events = played(state, Tricks([A] * 4 + [C] * 4 + [B, B, D], spade_ten=B, club_ten=D))
    assert settled(events).counted == (4, 2, 4, 1)
    assert settled(events).chips == Chips((35, 25, 35, 25), 0, 0)


def test_the_side_pot_stays_when_the_winners_took_a_black_ten() -> None:  # BK-E2
    """BK-10."""
    state = with_chips(in_deal(2), (33, 23, 33, 23), main=8)
    state, events = played(state, Tricks([A] * 4 + [B] * 4 + [D] * 3, spade_ten=C, club_ten=B))
    assert settled(events).chips == Chips((33, 24, 30, 27), 0, 6)
    assert settled(events).winners == (B, D)


def test_both_pots_stay_after_a_tie() -> None:  # BK-E3
    """BK-07, BK-12."""
    state = with_chips(in_deal(3), (31, 22, 28, 25), main=8, side=6)
    state, events = played(state, Tricks([A] * 3 + [C] * 3 + [B] * 4 + [D] * 2, A, A, together=True))
    assert settled(events).chips == Chips((25, 22, 28, 25), 8, 12)
    assert settled(events).winners == ()
    assert stacks(state) == (23, 20, 26, 23)
    assert state.chips.main == 16


def test_pots_that_stayed_are_won_whole() -> None:  # BK-E4
    """BK-11."""
    state = with_chips(in_deal(4), (23, 20, 26, 23), main=16, side=12)
    state, events = played(state, Tricks([A] * 5 + [C] * 4 + [B, D], D, D))
    assert settled(events).chips == Chips((40, 20, 43, 17), 0, 0)
    assert settled(events).from_main == (8, 0, 8, 0)
    assert settled(events).from_side == (9, 0, 9, 0)


def test_tricks_with_black_tens_do_not_count() -> None:  # BK-E5
    """BK-09: seven tricks, two of them with a black ten, are five."""
    _, events = played(table(), Tricks([A] * 2 + [C] * 3 + [B] * 3 + [D] * 3, spade_ten=A, club_ten=A))
    assert settled(events).counted == (2, 3, 3, 3)
    assert settled(events).chips == Chips((22, 35, 28, 35), 0, 0)


def test_individuals_without_a_black_ten_share_the_side_pot() -> None:  # BK-E6
    """BK-24."""
    state = table(form="individual")
    _, events = played(state, Tricks([A] * 4 + [B] * 3 + [C] * 3 + [D], spade_ten=B, club_ten=D))
    assert settled(events).counted == (4, 3, 3, 1)
    assert settled(events).chips == Chips((39, 25, 31, 25), 0, 0)


def test_three_individuals_share_the_pots() -> None:  # BK-E8
    """BK-25, BK-26."""
    state = table(players=3)
    assert state.chips == Chips((28, 28, 28), 6, 0)
    _, events = played(state, Tricks([A] * 5 + [B] * 4 + [C] * 2, spade_ten=C, club_ten=C))
    assert settled(events).chips == Chips((37, 31, 22), 0, 0)


@pytest.mark.parametrize(
    ("trump", "trick", "taker"),
    [
        ("H", "KC AC 2H QH", 3),
        (None, "5D TS AH 6D", 3),
        ("S", "TC JC 2S AC", 2),
        ("H", "9S TS 2D 3D", 1),
        ("H", "2D AS AC KS", 0),
    ],
)
def test_the_best_trump_or_card_of_the_suit_led_takes_the_trick(trump: str | None, trick: str, taker: int) -> None:
    """BK-E10, BK-05."""
    assert winner(cards(trick), trump) == taker


@pytest.mark.parametrize(
    ("deal", "hands", "trick", "taker"),
    [
        (5, {"a": "5D2D", "b": "TS2H", "c": "AH2C", "d": "6D3D"}, "5D TS AH 6D", D),
        (4, {"a": "TC2C", "b": "JC3C", "c": "2S3S", "d": "AC4C"}, "TC JC 2S AC", C),
        (1, {"a": "9S2S", "b": "TS3S", "c": "2D4D", "d": "3D5D"}, "9S TS 2D 3D", B),
    ],
)
def test_a_black_ten_costs_its_taker_three_and_the_trick(
    deal: int, hands: dict[str, str], trick: str, taker: Seat
) -> None:  # BK-E10
    """BK-06, BK-08, BK-09."""
    state, events = play(hands_of(in_deal(deal), **hands), trick)
    paid = tuple(3 if seat == taker else 0 for seat in range(4))
    assert taken(events) == TrickTaken(taker, cards(trick), counts=False, penalty=3, paid=paid)
    assert state.chips.side == 3
    assert state.turn == taker
    assert GAME.observe(state, None).counted == (0, 0, 0, 0)


def test_the_short_pack_has_39_cards_with_both_black_tens() -> None:  # BK-E12
    assert len(SHORT_PACK) == 39
    assert [sum(card[1] == suit for card in SHORT_PACK) for suit in "SHDC"] == [10, 10, 10, 9]
    assert {"TS", "TC", "6C", "5D", "5H", "5S"} <= set(SHORT_PACK)
    assert not {"5C", "4S", "2D"} & set(SHORT_PACK)


# ---- tricks


def test_trumps_change_with_every_deal_in_a_cycle_of_five() -> None:
    """BK-03."""
    assert [trumps(deal) for deal in range(1, 8)] == ["H", "C", "D", "S", None, "H", "C"]


def test_the_dealers_left_leads_first_then_the_taker_of_each_trick() -> None:
    """BK-02."""
    state, _ = GAME.apply(table(D), CHANCE, GAME.chance(table(D), Luck(random.Random(1))))
    assert state.turn == A
    state, events = play(hands_of(table(), a="2S2D", b="AS3D", c="3S4D", d="4S5D"), "2S AS 3S 4S")
    assert taken(events).counts
    assert state.turn == B


def test_players_must_follow_suit() -> None:
    """BK-04: there is no duty to beat."""
    state, _ = play(hands_of(table(), a="KS2D", b="AS3SAH", c="3D4D", d="4S5D"), "KS")
    assert GAME.legal(state, B) == (Play(Card("3S")), Play(Card("AS")))
    with pytest.raises(IllegalMove, match=r"Follow suit: you have ♠\ufe0e. \(BK-04\)"):
        GAME.apply(state, B, Play(Card("AH")))


def test_a_void_seat_may_play_any_card_and_need_not_trump() -> None:
    """BK-04."""
    state, _ = play(hands_of(table(), a="KS2D", b="2HAD3C", c="3S4D", d="4S5D"), "KS")
    assert [str(move) for move in GAME.legal(state, B)] == ["play 2H", "play 3C", "play AD"]


def test_a_card_that_is_not_held_is_refused() -> None:
    """BK-04; a joker is no card of this game."""
    state = hands_of(table(), a="KS2D", b="2H", c="3S", d="4S")
    with pytest.raises(IllegalMove, match="You don't have 10♥"):
        GAME.apply(state, A, Play(Card("TH")))
    with pytest.raises(IllegalMove, match="You don't have Joker"):
        GAME.apply(state, A, Play(JOKER))


def test_cards_out_of_turn_are_refused() -> None:
    """BK-02, G-01, G-11."""
    state = hands_of(table(), a="KS2D", b="2H", c="3S", d="4S")
    over = state._replace(outcome=Outcome((0,) * 4, (1,) * 4, "draw"))
    for other, refusal in ((table(), "isn't your turn yet"), (over, "The game is over")):
        assert GAME.legal(other, A) == ()
        with pytest.raises(IllegalMove, match=refusal):
            GAME.apply(other, A, Play(Card("KS")))
    with pytest.raises(IllegalMove, match="isn't your turn yet"):
        GAME.apply(state, B, Play(Card("2H")))
    with pytest.raises(IllegalMove, match="isn't your turn yet"):
        GAME.apply(state, CHANCE, Play(Card("KS")))


# ---- dealer and deal


def test_a_fair_deal_matches_the_test_vector() -> None:
    """The test vector of G-12."""
    deals = Deals(bytes(range(32)), ("a", "", "b", ""))
    _, entries, events = GAME.run_chance(GAME.start(GAME.settle({})), 0, deals)
    assert entries == [
        Entry(CHANCE, "dealer 2"),
        Entry(
            CHANCE,
            "deal QH7STH9S9HKS3SKH8H7DAD8C5H/9CJSJDKC6D8DAH4D6C2DKD5C9D/"
            "AC2H8S3C3HTS4H7H5DJC5S4CJH/2C7CAS6STDQD2S4SQS6H3DQCTC",
        ),
    ]
    assert events == [
        DealerDrawn(C),
        AntePaid(1, 2, (2, 2, 2, 2), Chips((28,) * 4, 8)),
        Dealt(1, C, D, "H"),
    ]


def test_the_deal_passes_to_the_left_after_every_deal() -> None:
    """BK-01: after a tie, too."""
    state, _ = played(table(D), Tricks([A] * 6 + [B] * 6, A, A, together=True))
    assert state.dealer == A
    state, _ = played(state, Tricks([A] * 6 + [B] * 5, A, A))
    assert state.dealer == B


@pytest.mark.parametrize(
    "move",
    [
        Deal((SHORT_PACK[:13], SHORT_PACK[13:26])),
        Deal((SHORT_PACK[:13], SHORT_PACK[13:26], SHORT_PACK[26:38])),
        Deal((SHORT_PACK[:13], SHORT_PACK[13:26], (*SHORT_PACK[26:38], SHORT_PACK[0]))),
        Deal((SHORT_PACK[:13], SHORT_PACK[13:26], (*SHORT_PACK[26:38], JOKER))),
        Deal((SHORT_PACK[:14], SHORT_PACK[14:26], SHORT_PACK[26:])),
        Dealer(A),
        RESIGN,
    ],
)
def test_a_deal_is_the_whole_pack(move: Move) -> None:
    """K-04."""
    with pytest.raises(IllegalMove):
        GAME.apply(table(players=3), CHANCE, move)


def test_chance_draws_the_dealer_first() -> None:
    """K-04, G-01."""
    state = GAME.start(GAME.settle({"players": 3}))
    for move in (Dealer(D), Deal((SHORT_PACK[:13], SHORT_PACK[13:26], SHORT_PACK[26:]))):
        with pytest.raises(IllegalMove, match="G-01"):
            GAME.apply(state, CHANCE, move)
    with pytest.raises(IllegalMove, match="G-01"):
        GAME.apply(state, A, Dealer(A))


# ---- text


@pytest.mark.parametrize("text", ["play TH", "dealer 3", "deal AS2H/TD", "resign"])
def test_moves_and_their_texts_correspond(text: str) -> None:
    """G-04."""
    assert str(GAME.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "play", "play th", "play XX", "play TH ", "dealer 4", "dealer 03", "deal", "deal AS//2H", "TH", "lead TH"],
)
def test_other_texts_are_not_moves(text: str) -> None:
    """G-04."""
    with pytest.raises(InvalidMove, match="isn't a move"):
        GAME.parse(text)


@pytest.mark.parametrize("typed", ["play 10d", "♦10", "10♦", "ten of diamonds", "TD", " PLAY  td"])
def test_typed_cards_are_tidied(typed: str) -> None:
    assert GAME.tidy(typed) == "play TD"


def test_other_typed_words_stay() -> None:
    assert GAME.tidy("joker") == "XX"
    assert GAME.tidy(" Resign ") == "resign"
