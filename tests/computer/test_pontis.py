"""The computer at Pontis: never illegal, better than chance, and by the rules of thumb it claims."""

import random

import pytest

from bot.computer import choose
from bot.fairness import Deals
from bot.games.cards import split
from bot.games.game import Outcome, Value
from bot.games.pontis import Observation, Pontis, State, Window

PONTIS = Pontis()


def play(number: int, thumb: int, **options: Value) -> Outcome:
    """A whole table on which one seat plays by the rules of thumb and the others at random."""
    rng = random.Random(number)
    settled = PONTIS.settle(options)
    deals = Deals(rng.randbytes(32), ("",) * PONTIS.seats(settled))
    state, entries, _ = PONTIS.run_chance(PONTIS.start(settled), 0, deals)
    count = len(entries)
    while state.outcome is None:
        seen = PONTIS.observe(state, state.on_turn)
        move = choose("pontis", seen, rng, "thumb" if state.on_turn == thumb else "random")
        assert move in seen.legal
        state = PONTIS.apply(state, state.on_turn, move).state
        state, entries, _ = PONTIS.run_chance(state, count, deals)
        count += len(entries)
    return state.outcome


def wins(tables: int, **options: Value) -> int:
    """How many tables the rules of thumb win, from seats in turn."""
    players = PONTIS.settle(options)["players"]
    assert isinstance(players, int)
    return sum(play(number, number % players, **options).places[number % players] == 1 for number in range(tables))


def test_rules_of_thumb_beat_chance() -> None:
    assert wins(100, players=2) > 75
    assert wins(40, players=4, fake="on", liar="on") > 30


@pytest.mark.parametrize(
    "options",
    [
        {"players": 13, "jokers": 4},
        {"players": 6, "banks": 2, "teams": "on", "fake": "on", "liar": "on"},
        {"players": 2, "banks": 10, "fake": "on"},
        {"players": 3, "curdle": "instant", "games": 2},
    ],
)
def test_a_computer_plays_every_form(options: dict[str, Value]) -> None:
    for number in range(3):
        play(number, number % 2, **options)


def seen(banks: str, hand: str, **changes: object) -> Observation:
    """What seat 0 sees, on turn, of as many seats as there are banks; the others hold five cards each."""
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


def test_a_suit_point_is_taken() -> None:
    assert chosen(seen("9C/3C/4D", "5S5D5HKS")) == "play 5D"


def test_the_last_card_is_played_at_once() -> None:
    assert chosen(seen("9C/3C/4D", "5S")) == "play 5S"


def test_high_cards_go_with_the_sum_ability() -> None:
    assert chosen(seen("9C/3C/4D", "KS8S2H3H7C", idle=3)).startswith(("sum KS 8S", "sum 8S KS"))


def test_a_rival_is_left_a_bridge_that_he_hardly_holds() -> None:
    """Seat 1 shows a king: from an ace it would need 12 or 1, from a 9 only 4, of which none are left."""
    gone = "4S4H4D"
    assert chosen(seen(f"TC/{gone}KC/AD", "9S9HQDQS2S4C")) == "play 9H"


def test_a_miss_is_faked_where_two_high_cards_are_likely_to_follow() -> None:
    """Two players: seat 1 needs a five as well, and all other fives are gone."""
    assert chosen(seen("2C5S5H9C/8C5D4C", "5CKSQH8D8H")) == "miss"


def test_nobody_fakes_a_miss_while_banks_are_face_down() -> None:
    assert chosen(seen("9C//4D", "5S5D5HKS")) == "play 5D"


def test_a_lie_is_called_and_nothing_else() -> None:
    lie = Window(1, split("5S") or (), lie=True)
    assert chosen(seen("9C/3C/4D", "5DKS", window=lie)) == "liar 1"
    assert chosen(seen("9C/3C/4D", "5DKS", window=lie._replace(lie=False))) == "play 5D"


def test_a_card_that_would_prove_a_lie_is_held_back() -> None:
    told = (((5,),), (), ())
    assert chosen(seen("AC/3C/6D", "5S8HKS", missed=told)) == "play 8H"


def test_without_a_bridge_it_declines() -> None:
    assert chosen(seen("9C/3C/4D", "KS", idle=3)) == "decline"
