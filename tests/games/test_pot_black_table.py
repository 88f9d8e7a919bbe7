"""Pot Black: options, resigning, observations and invariants."""

import random

import pytest

from bot.errors import IllegalMove, InvalidOption
from bot.games.cards import Card, CardPlayed, Play
from bot.games.game import CHANCE, RESIGN, Outcome
from bot.games.pot_black.moves import Chips, Deal, TrickTaken
from bot.games.pot_black.state import SHORT_PACK, State, Trick
from tests.games.checks.pot_black import broken, imagine
from tests.games.pot_black_deals import (
    GAME,
    A,
    B,
    C,
    D,
    Luck,
    Tricks,
    cards,
    every_form,
    hands_of,
    in_deal,
    over,
    play,
    played,
    settled,
    table,
    with_chips,
)

# ---- options


def test_options_have_defaults() -> None:
    assert GAME.settle({}) == {
        "players": 4,
        "form": "partnership",
        "short": "cover",
        "tied_side_pot": "paid",
        "end": "first_out",
        "deals": 0,
    }


def test_defaults_depend_on_players_and_form() -> None:
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
def test_options_without_meaning_in_the_form_are_refused(options: dict[str, str | int]) -> None:
    """K-01, G-06."""
    with pytest.raises(InvalidOption, match="K-01"):
        GAME.settle(options)


def test_opposite_seats_are_partners_or_each_seat_is_a_side() -> None:
    """G-07."""
    assert GAME.sides(GAME.settle({})) == (0, 1, 0, 1)
    assert GAME.sides(GAME.settle({"form": "individual"})) == (0, 1, 2, 3)
    assert GAME.sides(GAME.settle({"players": 3})) == (0, 1, 2)
    assert GAME.seats(GAME.settle({"players": 3})) == 3


# ---- resigning


def test_a_resignation_counts_for_both_partners() -> None:
    """G-10."""
    state = with_chips(hands_of(table(), a="KS", b="AS", c="3S", d="4S"), (20, 30, 26, 29), main=15)
    state, _ = GAME.apply(state, D, RESIGN)
    assert over(state) == Outcome((46, 59, 46, 59), (1, 2, 1, 2), "resigned")


def test_individuals_do_not_resign() -> None:
    """G-10."""
    state = hands_of(table(players=3), a="KS", b="AS", c="3S")
    with pytest.raises(IllegalMove, match="G-10"):
        GAME.apply(state, A, RESIGN)


# ---- observations


def test_seats_see_everything_but_other_hands() -> None:
    """BK-14, BK-30."""
    state = hands_of(in_deal(2), a="KS2D", b="TS3D", c="3H4D", d="4S5D")
    state, events = play(state, "KS TS 3H 4S 2D")
    seen = GAME.observe(state, D)
    assert isinstance(events[-1], CardPlayed)
    assert (seen.deal, seen.dealer, seen.trumps, seen.next_trumps, seen.ante) == (2, A, "C", "D", 2)
    assert (seen.hand, seen.hand_counts) == (cards("5D"), (0, 1, 1, 1))
    assert (seen.turn, seen.order, seen.trick) == (B, (A, B, C, D), cards("2D"))
    assert seen.last_trick == Trick((A, B, C, D), cards("KS TS 3H 4S"), A, counts=False, paid=(3, 0, 0, 0))
    assert seen.tricks == (seen.last_trick,)
    assert (seen.counted, seen.ten_takers) == ((0, 0, 0, 0), (A, None))
    assert seen.voids == ("", "", "S", "")
    assert seen.chips == Chips((25, 28, 28, 28), 8, 3)
    assert (seen.setup.sides, seen.in_play, seen.out) == ((0, 1, 0, 1), (A, B, C, D), (0,) * 4)
    assert seen.legal == ()
    assert GAME.observe(state, B).legal == (Play(Card("3D")),)


def test_the_last_trick_stays_visible_until_the_next_is_taken() -> None:
    """BK-30."""
    state, events = played(table(), Tricks([A] * 11, B, B))
    seen = GAME.observe(state, None)
    assert seen.last_trick is not None
    assert seen.last_trick.cards == [event.cards for event in events if isinstance(event, TrickTaken)][-1]
    assert (seen.tricks, seen.order, seen.hand, seen.hand_counts) == ((), (), (), (0, 0, 0, 0))


def test_finished_deals_are_kept_with_their_gains() -> None:
    state, first = played(table(), Tricks([A] * 8 + [B] * 3, B, D))
    state, second = played(state, Tricks([A] * 4 + [B] * 7, C, B))
    seen = GAME.observe(state, None)
    assert seen.settled == (settled(first), settled(second))
    assert [deal.gains for deal in seen.settled] == [(5, -5, 5, -5), (-2, -1, -5, 2)]


def test_the_next_trumps_are_known_before_the_first_deal() -> None:
    seen = GAME.observe(GAME.start(GAME.settle({})), A)
    assert (seen.deal, seen.dealer, seen.trumps, seen.next_trumps) == (0, None, None, "H")


def test_imagined_hands_agree_with_voids() -> None:
    """B and C are void in spades, so only A can hold them."""
    rng = random.Random(5)
    clubs, hearts, diamonds, spades = (sorted(card for card in SHORT_PACK if card[1] == suit) for suit in "CHDS")
    hands = ((*spades, *clubs[:3]), (*hearts, *clubs[3:6]), (*diamonds, *clubs[6:]))
    state, _ = GAME.apply(table(C, players=3), CHANCE, Deal(tuple(map(tuple, hands))))
    state, _ = play(state, "AS 5H 5D")
    for seat in (None, B, C):
        for _ in range(20):
            made_up = imagine(GAME.observe(state, seat), rng)
            assert {*made_up.hands[A]} & {*spades} == {*state.hands[A]} & {*spades}
            assert broken(made_up) == ()


# ---- random games


def moments(options: dict[str, str | int], rng: random.Random) -> list[State]:
    """Return all states of a random game of at most six deals."""
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
    assert [names for state in moments(options, rng) if (names := broken(state))] == []


@every_form
def test_an_imagined_state_gives_the_same_observation(options: dict[str, str | int]) -> None:
    rng = random.Random(2)
    for state in moments(options, rng)[::7]:
        for seat in (None, *range(state.setup.players)):
            seen = GAME.observe(state, seat)
            made_up = imagine(seen, rng)
            assert GAME.observe(made_up, seat) == seen
            assert broken(made_up) == ()
            assert hash(seen) == hash(GAME.observe(made_up, seat))


@every_form
def test_the_options_can_be_read_from_a_state(options: dict[str, str | int]) -> None:
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
def test_check_names_the_broken_invariant(spoilt: dict[str, object], name: str) -> None:
    assert name in broken(table()._replace(**spoilt))  # type: ignore[arg-type] # any field may be spoilt
