"""The computer player for Pontis."""

import random

import pytest

from bot.computer import choose
from bot.fairness import Deals
from bot.games.cards import split
from bot.games.game import Outcome, Value
from bot.games.pontis.rulebook import Pontis
from bot.games.pontis.state import Observation, State, Window
from tests.doses import IS_COMPLETE

PONTIS = Pontis()


def play(number: int, fair: int, **options: Value) -> Outcome:
    """Play a table where one seat plays by rules of thumb and the others at random."""
    rng = random.Random(number)
    settled = PONTIS.settle(options)
    deals = Deals(rng.randbytes(32), ("",) * PONTIS.seats(settled))
    state, entries, _ = PONTIS.run_chance(PONTIS.start(settled), 0, deals)
    count = len(entries)
    while state.outcome is None:
        seen = PONTIS.observe(state, state.on_turn)
        move = choose("pontis", seen, rng, "fair" if state.on_turn == fair else "random")
        assert move in seen.legal
        state = PONTIS.apply(state, state.on_turn, move).state
        state, entries, _ = PONTIS.run_chance(state, count, deals)
        count += len(entries)
    return state.outcome


def wins(tables: int, **options: Value) -> int:
    """Return how many tables the rules of thumb win, from alternating seats."""
    players = PONTIS.settle(options)["players"]
    assert isinstance(players, int)
    return sum(play(number, number % players, **options).places[number % players] == 1 for number in range(tables))


def test_it_beats_random_play() -> None:
    tables = 100 if IS_COMPLETE else 40
    assert wins(tables, players=2) > 0.75 * tables
    assert wins(tables // 2, players=4, fake="on", liar="on") > 0.75 * tables // 2


@pytest.mark.parametrize(
    "options",
    [
        {"players": 13, "jokers": 4},
        {"players": 6, "banks": 2, "teams": "on", "fake": "on", "liar": "on"},
        {"players": 2, "banks": 10, "fake": "on"},
        {"players": 3, "curdle": "instant", "games": 2},
    ],
)
def test_it_plays_with_all_kinds_of_options(options: dict[str, Value]) -> None:
    for number in range(3):
        play(number, number % 2, **options)


def seen(banks: str, hand: str, **changes: object) -> Observation:
    """Return what seat 0 sees on turn. There are as many seats as banks, and others hold five cards each."""
    piles = [split(bank) or () for bank in banks.split("/")]
    options: dict[str, Value] = {"players": len(piles), "fake": "on", "liar": "on"}
    state: State = PONTIS.start(PONTIS.settle(options))._replace(
        phase="play",
        foundations=tuple((pile or split("2C") or ())[0] for pile in piles),
        banks=tuple(piles),
        hands=(tuple(sorted(split(hand) or ())), *((split("TSTHTDJSJH") or (),) * (len(piles) - 1))),
    )
    return PONTIS.observe(state._replace(**changes), 0)  # type: ignore[arg-type]  # any of its fields


def chosen(observation: Observation) -> str:
    return str(choose("pontis", observation, random.Random(1)))


def test_it_takes_a_suit_point() -> None:
    assert chosen(seen("9C/3C/4D", "5S5D5HKS")) == "play 5D"


def test_it_goes_out_when_it_can() -> None:
    assert chosen(seen("9C/3C/4D", "5S")) == "play 5S"


def test_it_plays_high_cards_with_the_sum_ability() -> None:
    assert chosen(seen("9C/3C/4D", "KS8S2H3H7C", idle=3)).startswith(("sum KS 8S", "sum 8S KS"))


def test_it_leaves_an_opponent_a_bridge_they_hardly_hold() -> None:
    """Seat 1 shows a king. It would need 12 or 1 for an ace, but 4 for a nine, and all fours are gone."""
    gone = "4S4H4D"
    assert chosen(seen(f"TC/{gone}KC/AD", "9S9HQDQS2S4C")) == "play 9H"


def test_it_does_not_fake_a_miss_while_banks_are_face_down() -> None:
    assert chosen(seen("9C//4D", "5S5D5HKS")) == "play 5D"


def test_it_calls_lies_only() -> None:
    lie = Window(1, split("5S") or (), lie=True)
    assert chosen(seen("9C/3C/4D", "5DKS", window=lie)) == "liar 1"
    assert chosen(seen("9C/3C/4D", "5DKS", window=lie._replace(lie=False))) == "play 5D"


def test_it_holds_back_a_card_that_proves_a_lie() -> None:
    told = (((5,),), (), ())
    assert chosen(seen("AC/3C/6D", "5S8HKS", missed=told)) == "play 8H"


def test_without_a_bridge_it_declines() -> None:
    assert chosen(seen("9C/3C/4D", "KS", idle=3)) == "decline"


@pytest.mark.parametrize("level", ["easy", "fair", "strong"])
def test_off_turn_it_can_only_call_a_liar(level: str) -> None:
    window = Window(1, split("5S") or (), lie=False)
    off_turn = seen("9C/3C/4D", "5DKS", slot=2, window=window)
    assert str(choose("pontis", off_turn, random.Random(1), level)) == "liar 1"
