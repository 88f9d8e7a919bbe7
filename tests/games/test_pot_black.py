"""Pot Black by example. Every test cites the ruling that it holds; BK-E are the worked examples."""

import random
from collections.abc import Mapping

import pytest

from bot.errors import IllegalMove, InvalidMove, InvalidOption
from bot.fairness import Deals
from bot.games.card_table import CardPlayed, Dealer, DealerDrawn, Play
from bot.games.cards import JOKER, Card, split
from bot.games.game import CHANCE, RESIGN, Entry, Event, Move, Outcome, Seat
from bot.games.pot_black import (
    AntePaid,
    Chips,
    Deal,
    DealSettled,
    Dealt,
    GameOver,
    KnockedOut,
    State,
    Terms,
    TrickTaken,
)
from bot.games.pot_black.chips import pay_antes, pay_penalty
from bot.games.pot_black.state import SHORT_PACK, Trick, trumps
from bot.games.tricks import winner
from tests.games.pot_black_deals import GAME, Tricks, played, table, with_chips

A, B, C, D = range(4)
"""The seats; A and C are partners, and so are B and D."""

FORMS: Mapping[str, dict[str, str | int]] = {
    "partnership": {},
    "strict": {"short": "strict"},
    "individual": {"form": "individual", "tied_side_pot": "stays"},
    "three": {"players": 3, "end": "knock_out", "deals": 20},
    "limit": {"form": "individual", "end": "deals", "deals": 5},
    "classic": {"form": "classic"},
    "classic three": {"form": "classic", "players": 3, "deals": 10},
}
every_form = pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)


class Luck:
    """Chance from a generator, for tests that need no fair deal."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def cards(text: str) -> tuple[Card, ...]:
    return split(text.replace(" ", "")) or ()


def hands_of(state: State, **hands: str) -> State:
    """Give these hands to a, b, c and d. A leads. The cards are not a whole pack."""
    held = tuple(tuple(sorted(cards(hands[seat]))) for seat in sorted(hands))
    return state._replace(hands=held, order=tuple(range(len(held))))


def in_deal(number: int, **options: str | int) -> State:
    """A table before the hands of a later deal are dealt, everybody with the chips of the first."""
    state = table(**options)
    return state._replace(deal=number)


def play(state: State, text: str) -> tuple[State, list[Event]]:
    """The state after these cards, each played by the seat whose turn it is."""
    events: list[Event] = []
    for card in cards(text):
        state, seen = GAME.apply(state, state.turn, Play(card))
        events += seen
    return state, events


def stacks(state: State) -> tuple[int, ...]:
    return state.chips.stacks


def settled(events: list[Event]) -> DealSettled:
    return next(event for event in events if isinstance(event, DealSettled))


def taken(events: list[Event]) -> TrickTaken:
    return next(event for event in events if isinstance(event, TrickTaken))


def over(state: State) -> Outcome:
    assert state.outcome is not None
    assert GAME.to_act(state) == frozenset()
    return state.outcome


# ---- the worked examples


def test_bk_e1_most_tricks_and_no_black_ten_take_both_pots() -> None:
    """BK-06, BK-10, BK-14."""
    state = table()
    assert stacks(state) == (28, 28, 28, 28)
    state, events = played(state, Tricks([A] * 4 + [C] * 4 + [B, B, D], spade_ten=B, club_ten=D))
    assert settled(events).counted == (4, 2, 4, 1)
    assert settled(events).chips == Chips((35, 25, 35, 25), 0, 0)


def test_bk_e2_the_side_pot_rolls_over_when_the_winners_took_a_black_ten() -> None:
    """BK-10."""
    state = with_chips(in_deal(2), (33, 23, 33, 23), main=8)
    state, events = played(state, Tricks([A] * 4 + [B] * 4 + [D] * 3, spade_ten=C, club_ten=B))
    assert settled(events).chips == Chips((33, 24, 30, 27), 0, 6)
    assert settled(events).winners == (B, D)


def test_bk_e3_a_tie_leaves_both_pots_and_the_next_antes_are_paid_as_usual() -> None:
    """BK-07, BK-12."""
    state = with_chips(in_deal(3), (31, 22, 28, 25), main=8, side=6)
    state, events = played(state, Tricks([A] * 3 + [C] * 3 + [B] * 4 + [D] * 2, A, A, together=True))
    assert settled(events).chips == Chips((25, 22, 28, 25), 8, 12)
    assert settled(events).winners == ()
    assert stacks(state) == (23, 20, 26, 23)
    assert state.chips.main == 16


def test_bk_e4_rolled_over_pots_are_won_whole() -> None:
    """BK-11."""
    state = with_chips(in_deal(4), (23, 20, 26, 23), main=16, side=12)
    state, events = played(state, Tricks([A] * 5 + [C] * 4 + [B, D], D, D))
    assert settled(events).chips == Chips((40, 20, 43, 17), 0, 0)
    assert settled(events).from_main == (8, 0, 8, 0)
    assert settled(events).from_side == (9, 0, 9, 0)


def test_bk_e5_more_tricks_win_nothing_if_black_tens_are_in_them() -> None:
    """BK-09: seven tricks, two of them with a black ten, are five."""
    _, events = played(table(), Tricks([A] * 2 + [C] * 3 + [B] * 3 + [D] * 3, spade_ten=A, club_ten=A))
    assert settled(events).counted == (2, 3, 3, 3)
    assert settled(events).chips == Chips((22, 35, 28, 35), 0, 0)


def test_bk_e6_four_individuals_share_the_side_pot_if_they_took_no_black_ten() -> None:
    """BK-24."""
    state = table(form="individual")
    _, events = played(state, Tricks([A] * 4 + [B] * 3 + [C] * 3 + [D], spade_ten=B, club_ten=D))
    assert settled(events).counted == (4, 3, 3, 1)
    assert settled(events).chips == Chips((39, 25, 31, 25), 0, 0)


def test_bk_e8_three_individuals() -> None:
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
def test_bk_e10_who_takes_a_trick(trump: str | None, trick: str, taker: int) -> None:
    """BK-05."""
    assert winner(cards(trick), trump) == taker


@pytest.mark.parametrize(
    ("deal", "hands", "trick", "taker"),
    [
        (5, {"a": "5D2D", "b": "TS2H", "c": "AH2C", "d": "6D3D"}, "5D TS AH 6D", D),
        (4, {"a": "TC2C", "b": "JC3C", "c": "2S3S", "d": "AC4C"}, "TC JC 2S AC", C),
        (1, {"a": "9S2S", "b": "TS3S", "c": "2D4D", "d": "3D5D"}, "9S TS 2D 3D", B),
    ],
)
def test_bk_e10_a_black_ten_costs_its_taker_three_and_the_trick(
    deal: int, hands: dict[str, str], trick: str, taker: Seat
) -> None:
    """BK-06, BK-08, BK-09."""
    state, events = play(hands_of(in_deal(deal), **hands), trick)
    paid = tuple(3 if seat == taker else 0 for seat in range(4))
    assert taken(events) == TrickTaken(taker, cards(trick), counts=False, penalty=3, paid=paid)
    assert state.chips.side == 3
    assert state.turn == taker
    assert GAME.observe(state, None).counted == (0, 0, 0, 0)


def test_bk_e12_the_short_pack_has_39_cards_and_both_black_tens() -> None:
    assert len(SHORT_PACK) == 39
    assert [sum(card[1] == suit for card in SHORT_PACK) for suit in "SHDC"] == [10, 10, 10, 9]
    assert {"TS", "TC", "6C", "5D", "5H", "5S"} <= set(SHORT_PACK)
    assert not {"5C", "4S", "2D"} & set(SHORT_PACK)


# ---- tricks


def test_trumps_change_with_every_deal_in_a_cycle_of_five() -> None:
    """BK-03."""
    assert [trumps(deal) for deal in range(1, 8)] == ["H", "C", "D", "S", None, "H", "C"]


def test_the_seat_left_of_the_dealer_leads_and_then_whoever_took_the_trick() -> None:
    """BK-02."""
    state, _ = GAME.apply(table(D), CHANCE, GAME.chance(table(D), Luck(random.Random(1))))
    assert state.turn == A
    state, events = play(hands_of(table(), a="2S2D", b="AS3D", c="3S4D", d="4S5D"), "2S AS 3S 4S")
    assert taken(events).counts
    assert state.turn == B


def test_who_can_follow_suit_has_to() -> None:
    """BK-04: there is no duty to beat."""
    state, _ = play(hands_of(table(), a="KS2D", b="AS3SAH", c="3D4D", d="4S5D"), "KS")
    assert GAME.legal(state, B) == (Play(Card("3S")), Play(Card("AS")))
    with pytest.raises(IllegalMove, match=r"You hold spades and have to follow suit. \(BK-04\)"):
        GAME.apply(state, B, Play(Card("AH")))


def test_a_void_seat_may_play_any_card_and_need_not_trump() -> None:
    """BK-04."""
    state, _ = play(hands_of(table(), a="KS2D", b="2HAD3C", c="3S4D", d="4S5D"), "KS")
    assert [str(move) for move in GAME.legal(state, B)] == ["play 2H", "play 3C", "play AD"]


def test_a_card_that_is_not_held_is_refused() -> None:
    """BK-04; a joker is no card of this game."""
    state = hands_of(table(), a="KS2D", b="2H", c="3S", d="4S")
    with pytest.raises(IllegalMove, match="You don't hold 10♥"):
        GAME.apply(state, A, Play(Card("TH")))
    with pytest.raises(IllegalMove, match="You don't hold Joker"):
        GAME.apply(state, A, Play(JOKER))


def test_nobody_plays_out_of_turn_between_deals_or_after_the_end() -> None:
    """BK-02, G-01, G-11."""
    state = hands_of(table(), a="KS2D", b="2H", c="3S", d="4S")
    for ended in (table(), state._replace(outcome=Outcome((0,) * 4, (1,) * 4, "draw"))):
        assert GAME.legal(ended, A) == ()
        with pytest.raises(IllegalMove, match="not your turn"):
            GAME.apply(ended, A, Play(Card("KS")))
    with pytest.raises(IllegalMove, match="not your turn"):
        GAME.apply(state, B, Play(Card("2H")))
    with pytest.raises(IllegalMove, match="not your turn"):
        GAME.apply(state, CHANCE, Play(Card("KS")))


# ---- dealer and deal


def test_a_shuffle_that_anybody_can_check() -> None:
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
def test_chance_deals_the_whole_pack_and_nothing_else(move: Move) -> None:
    """K-04."""
    with pytest.raises(IllegalMove):
        GAME.apply(table(players=3), CHANCE, move)


def test_chance_names_a_dealer_who_sits_there_before_anything_else() -> None:
    """K-04, G-01."""
    state = GAME.start(GAME.settle({"players": 3}))
    for move in (Dealer(D), Deal((SHORT_PACK[:13], SHORT_PACK[13:26], SHORT_PACK[26:]))):
        with pytest.raises(IllegalMove, match="G-01"):
            GAME.apply(state, CHANCE, move)
    with pytest.raises(IllegalMove, match="G-01"):
        GAME.apply(state, A, Dealer(A))


# ---- payments


def test_the_partner_pays_what_a_player_cannot() -> None:
    """BK-13: own chips first; nobody drops out in the middle of a deal."""
    terms = Terms(4, "partnership", "strict", "paid", "first_out", 0)
    payment = pay_penalty(terms, Chips((1, 9, 9, 9), 8), A, 1)
    assert payment == (Chips((0, 9, 7, 9), 8, 3), (1, 0, 2, 0), frozenset())
    antes = pay_antes(terms, Chips((4, 9, 0, 9)), (A, B, C, D), 2)
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
    assert events[-1] == GameOver(over(state))
    assert GAME.check(state) == ("hands are even", "cards conserved")  # the hands of this test are no whole pack


@pytest.mark.parametrize("stacks_of_winners", [(1, 1), (0, 0)])
def test_a_team_that_cannot_pay_loses_even_to_one_without_chips(stacks_of_winners: tuple[int, int]) -> None:
    """K-06: places are 1 and 2 whatever the stacks; with no chips on either side it is no draw."""
    b, d = stacks_of_winners
    state = hands_of(table(short="strict"), a="KS2D", b="TS3D", c="3S4D", d="4S5D")
    state, events = play(with_chips(state, (2, b, 0, d), main=118 - b - d), "KS TS 3S 4S")
    assert over(state) == Outcome((0, b + d, 0, b + d), (2, 1, 2, 1), "broke")
    assert taken(events).paid == (2, 0, 0, 0)


def test_a_penalty_not_paid_in_the_last_trick_ends_the_table_unsettled() -> None:
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
    assert isinstance(events[-2], AntePaid)
    assert state.order == ()


def test_an_individual_pays_what_he_has_and_plays_on() -> None:
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
def test_individuals_who_tie_leave_the_main_pot_and_the_option_decides_on_the_side_pot(
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


def test_the_first_individual_without_chips_ends_the_game_and_the_richest_wins() -> None:
    """BK-22."""
    state = with_chips(table(form="individual"), (3, 40, 40, 3), main=34)
    state, events = played(state, Tricks([B] * 11, spade_ten=A, club_ten=B))
    assert settled(events).from_side == (0, 0, 3, 3)
    assert over(state) == Outcome((0, 71, 43, 6), (4, 1, 2, 3), "broke")


def test_individuals_who_are_equally_rich_draw() -> None:
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


def test_before_the_limit_the_next_antes_are_paid() -> None:
    """BK-28, K-05."""
    state, events = played(in_deal(4, deals=5), Tricks([A] * 11, B, B))
    assert state.outcome is None
    assert state.deal == 5
    assert isinstance(events[-1], AntePaid)


# ---- knock-out and the classic form


def test_who_is_knocked_out_is_skipped_and_three_go_on_with_the_short_pack() -> None:
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


def test_the_deal_passes_over_a_seat_that_is_knocked_out() -> None:
    """K-04: the seat that would deal is out."""
    state = with_chips(table(form="individual", end="knock_out"), (60, 3, 40, 9), main=8)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    assert state.dealer == C
    assert state.in_play == (A, C, D)


def test_later_out_is_better_and_out_together_is_equal() -> None:
    """K-03: two drop out, and two are left, who are placed by chips."""
    state = with_chips(table(form="individual", end="knock_out"), (50, 3, 54, 3), main=10)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    assert over(state) == Outcome((63, 0, 57, 0), (1, 3, 2, 3), "knock_out")


def test_the_earlier_out_comes_last() -> None:
    """K-03."""
    state = with_chips(table(form="individual", end="knock_out"), (60, 3, 40, 9), main=8)
    state, _ = played(state, Tricks([A] * 11, spade_ten=B, club_ten=D))
    state = with_chips(state, (60, 0, 3, 37), main=20)
    state, _ = played(state, Tricks([A] * 11, spade_ten=C, club_ten=C))
    assert over(state).places == (1, 4, 3, 2)


def test_all_who_drop_out_in_the_last_deal_share_first_place() -> None:
    """K-03."""
    state = with_chips(table(form="classic", players=3), (0, 0, 10), main=350)
    state, _ = played(state, Tricks([A] * 5 + [B] * 5 + [C], spade_ten=C, club_ten=C))
    assert over(state) == Outcome((0, 0, 0), (1, 1, 1), "draw")


def test_a_limit_may_end_a_knock_out_too() -> None:
    """K-02."""
    state = in_deal(5, form="individual", end="knock_out", deals=5)
    state, _ = played(state, Tricks([A] * 6 + [B] * 5, spade_ten=C, club_ten=C))
    assert over(state).reason == "deals"


def test_the_classic_form_has_one_pot_of_larger_chips() -> None:
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


# ---- options


def test_the_defaults_are_a_partnership_until_a_team_is_broke() -> None:
    assert GAME.settle({}) == {
        "players": 4,
        "form": "partnership",
        "short": "cover",
        "tied_side_pot": "paid",
        "end": "first_out",
        "deals": 0,
    }


def test_three_are_individuals_and_classic_is_a_knock_out() -> None:
    """K-01: the two defaults that are not the first value."""
    assert GAME.settle({"players": 3})["form"] == "individual"
    assert GAME.settle({"form": "classic"})["end"] == "knock_out"
    assert GAME.settle({"form": "classic", "players": 3})["end"] == "knock_out"


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3, "form": "partnership"},
        {"tied_side_pot": "stays"},
        {"end": "knock_out"},
        {"end": "deals", "deals": 5},
        {"form": "individual", "short": "strict"},
        {"form": "individual", "end": "deals"},
        {"form": "classic", "short": "strict"},
        {"form": "classic", "tied_side_pot": "stays"},
        {"form": "classic", "end": "first_out"},
        {"form": "classic", "end": "deals", "deals": 5},
    ],
)
def test_options_that_mean_nothing_in_the_form_are_refused(options: dict[str, str | int]) -> None:
    """K-01, G-06."""
    with pytest.raises(InvalidOption, match="K-01"):
        GAME.settle(options)


def test_sides_are_partners_who_sit_opposite_or_everybody_alone() -> None:
    """G-07."""
    assert GAME.sides(GAME.settle({})) == (0, 1, 0, 1)
    assert GAME.sides(GAME.settle({"form": "individual"})) == (0, 1, 2, 3)
    assert GAME.sides(GAME.settle({"players": 3})) == (0, 1, 2)
    assert GAME.seats(GAME.settle({"players": 3})) == 3


# ---- resigning


def test_a_partner_resigns_for_both_with_the_stacks_of_that_moment() -> None:
    """G-10."""
    state = with_chips(hands_of(table(), a="KS", b="AS", c="3S", d="4S"), (20, 30, 26, 29), main=15)
    state, _ = GAME.apply(state, D, RESIGN)
    assert over(state) == Outcome((46, 59, 46, 59), (1, 2, 1, 2), "resigned")


def test_individuals_do_not_resign() -> None:
    """G-10."""
    state = hands_of(table(players=3), a="KS", b="AS", c="3S")
    with pytest.raises(IllegalMove, match="G-10"):
        GAME.apply(state, A, RESIGN)


# ---- text


@pytest.mark.parametrize("text", ["play TH", "dealer 3", "deal AS2H/TD", "resign"])
def test_what_is_parsed_is_written_the_same(text: str) -> None:
    """G-04."""
    assert str(GAME.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "play", "play th", "play XX", "play TH ", "dealer 4", "dealer 03", "deal", "deal AS//2H", "TH", "lead TH"],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    """G-04."""
    with pytest.raises(InvalidMove, match="no move of Pot Black"):
        GAME.parse(text)


@pytest.mark.parametrize("typed", ["play 10d", "♦10", "10♦", "ten of diamonds", "TD", " PLAY  td"])
def test_people_type_cards_as_they_like(typed: str) -> None:
    assert GAME.tidy(typed) == "play TD"


def test_other_words_and_jokers_stay_what_they_are() -> None:
    assert GAME.tidy("joker") == "XX"
    assert GAME.tidy(" Resign ") == "resign"


# ---- what can be seen


def test_everything_but_the_hands_of_others_is_seen() -> None:
    """BK-14, BK-30."""
    state = hands_of(in_deal(2), a="KS2D", b="TS3D", c="3H4D", d="4S5D")
    state, events = play(state, "KS TS 3H 4S 2D")
    seen = GAME.observe(state, D)
    assert isinstance(events[-1], CardPlayed)
    assert (seen.deal, seen.dealer, seen.trumps, seen.next_trumps, seen.ante) == (2, A, "C", "D", 2)
    assert (seen.hand, seen.hand_counts) == (cards("5D"), (0, 1, 1, 1))
    assert (seen.leader, seen.turn, seen.order, seen.trick) == (A, B, (A, B, C, D), cards("2D"))
    assert seen.last_trick == Trick((A, B, C, D), cards("KS TS 3H 4S"), A, counts=False)
    assert seen.tricks == (seen.last_trick,)
    assert (seen.taken, seen.counted, seen.ten_takers) == ((1, 0, 0, 0), (0, 0, 0, 0), (A, None))
    assert seen.voids == ("", "", "S", "")
    assert seen.chips == Chips((25, 28, 28, 28), 8, 3)
    assert (seen.totals, seen.sides, seen.in_play, seen.out) == ((53, 56, 53, 56), (0, 1, 0, 1), (A, B, C, D), (0,) * 4)
    assert seen.legal == ()
    assert GAME.observe(state, B).legal == (Play(Card("3D")),)


def test_the_last_trick_of_a_deal_is_seen_until_the_next_trick_is_taken() -> None:
    """BK-30."""
    state, events = played(table(), Tricks([A] * 11, B, B))
    seen = GAME.observe(state, None)
    assert seen.last_trick is not None
    assert seen.last_trick.cards == [event.cards for event in events if isinstance(event, TrickTaken)][-1]
    assert (seen.tricks, seen.leader, seen.hand, seen.hand_counts) == ((), None, (), (0, 0, 0, 0))


def test_before_there_is_a_dealer_there_are_no_trumps_but_the_next() -> None:
    seen = GAME.observe(GAME.start(GAME.settle({})), A)
    assert (seen.deal, seen.dealer, seen.trumps, seen.next_trumps) == (0, None, None, "H")


def test_nobody_is_imagined_with_a_suit_that_he_did_not_follow() -> None:
    """Nine of the ten spades are gone when B and C have failed to follow; the last one can only be with A."""
    rng = random.Random(5)
    clubs, hearts, diamonds, spades = (sorted(card for card in SHORT_PACK if card[1] == suit) for suit in "CHDS")
    hands = ((*spades, *clubs[:3]), (*hearts, *clubs[3:6]), (*diamonds, *clubs[6:]))
    state, _ = GAME.apply(table(C, players=3), CHANCE, Deal(tuple(map(tuple, hands))))
    state, _ = play(state, "AS 5H 5D")
    for seat in (None, B, C):
        for _ in range(20):
            made_up = GAME.imagine(GAME.observe(state, seat), rng)
            assert {*made_up.hands[A]} & {*spades} == {*state.hands[A]} & {*spades}
            assert GAME.check(made_up) == ()


# ---- the whole of it


def moments(options: dict[str, str | int], rng: random.Random) -> list[State]:
    """Every state of a random game with at most six deals."""
    state = GAME.start(GAME.settle(options))
    states = [state]
    luck = Luck(rng)
    while state.deal < 7 and (actors := GAME.to_act(state)):
        (seat,) = actors
        move = GAME.chance(state, luck) if seat is CHANCE else rng.choice(GAME.legal(state, seat))
        state, _ = GAME.apply(state, seat, move)
        states.append(state)
    return states


@every_form
def test_no_state_breaks_an_invariant(options: dict[str, str | int]) -> None:
    rng = random.Random(1)
    assert [broken for state in moments(options, rng) if (broken := GAME.check(state))] == []


@every_form
def test_what_is_imagined_looks_the_same(options: dict[str, str | int]) -> None:
    rng = random.Random(2)
    for state in moments(options, rng)[::7]:
        for seat in (None, *range(state.terms.players)):
            seen = GAME.observe(state, seat)
            made_up = GAME.imagine(seen, rng)
            assert GAME.observe(made_up, seat) == seen
            assert GAME.check(made_up) == ()
            assert hash(seen) == hash(GAME.observe(made_up, seat))


@every_form
def test_a_state_knows_its_options(options: dict[str, str | int]) -> None:
    settled_options = GAME.settle(options)
    assert GAME.options_of(GAME.start(settled_options)) == settled_options


@pytest.mark.parametrize(
    ("spoilt", "name"),
    [
        ({"chips": Chips((30, 30, 30, 29))}, "chips conserved"),
        ({"chips": Chips((130, 30, -30, -10))}, "chips never negative"),
        ({"out": (1, 1, 0, 0)}, "at least three play on"),
    ],
)
def test_a_spoilt_state_is_named(spoilt: dict[str, object], name: str) -> None:
    assert name in GAME.check(table()._replace(**spoilt))  # type: ignore[arg-type] # any field may be spoilt
