"""The computer player for Pond · cards."""

import random

import pytest

from bot.computer import choose, on_time_out
from bot.fairness import Deals
from bot.games.cards import Card, Play, split
from bot.games.game import Value
from bot.games.pond.rulebook import Pond
from bot.games.pond.state import Laid, Observation, State
from tests.doses import IS_COMPLETE
from tests.games.pond_table import dealt, play_trick

POND = Pond()


def play(number: int, levels: tuple[str, str], **options: Value) -> State:
    """Play a table. ``levels`` are those of the sides."""
    rng = random.Random(number)
    state = POND.start(POND.settle(options))
    players = state.setup.players
    deals = Deals(rng.randbytes(32), ("",) * players)
    state, entries, _ = POND.run_chance(state, 0, deals)
    count = len(entries)
    while state.outcome is None:
        seat = min(seat for seat in POND.to_act(state) if seat is not None)
        seen = POND.observe(state, seat)
        move = choose("pond", seen, rng, levels[seat % 2])
        assert move in seen.legal
        state = POND.apply(state, seat, move).state
        state, entries, _ = POND.run_chance(state, count, deals)
        count += len(entries)
    return state


def wins(tables: int, **options: Value) -> int:
    """Return how many tables the rules of thumb win against random play, on alternating sides."""
    won = 0
    for number in range(tables):
        side = number % 2
        outcome = play(number, ("random", "fair") if side else ("fair", "random"), **options).outcome
        assert outcome is not None
        won += outcome.places[side] == 1
    return won


@pytest.mark.parametrize(("tables", "players"), [(60, 2), (20, 4)] if IS_COMPLETE else [(20, 2), (10, 4)])
def test_it_beats_random_play(tables: int, players: int) -> None:
    assert wins(tables, players=players) > 0.9 * tables


@pytest.mark.parametrize("tie", ["leader", "first"])
def test_it_plays_with_all_kinds_of_options(tie: str) -> None:
    assert wins(6, players=4, rounds=2, tie=tie, tiebreak="extra", history="last") >= 5


def seen_in_trick(seat: int, hand: str, trick: str, stakes: str) -> Observation:
    """Return what the last or the third of four players sees. Poison is ♥ for 0 and 2, ♦ for 1 and 3."""
    cards = split(hand) or ()
    played = tuple(Laid(at, card) for at, card in enumerate(split(trick) or ()))
    state = POND.start(POND.settle({"players": 4}))._replace(
        phase="play",
        first_dealer=0,
        turned=((Card("2H"),), (Card("2D"),), (Card("3H"),), (Card("3D"),)),
        hands=tuple(cards if owner == seat else cards[: len(cards) - (owner < seat)] for owner in range(4)),
        set_aside=(Card("8C"),) * 4,
        baits=tuple(Laid(at, card) for at, card in enumerate(split(stakes) or ())),
        trick=played,
    )
    return POND.observe(state, seat)


def chosen(seen: Observation) -> str:
    return str(choose("pond", seen, random.Random(1)))


def test_it_does_not_beat_its_partners_winner() -> None:
    """The partner, seat 1, is winning with the king of trumps, so the ace is kept."""
    assert chosen(seen_in_trick(3, "5C6C7CAS", "4CKS5C", "8S9CTCTS")) != "play AS"


def test_it_takes_a_good_pond() -> None:
    assert chosen(seen_in_trick(3, "5C6C7CAS", "4C6CKS", "8S9CTCTS")) == "play AS"


def test_it_leaves_a_poisoned_pond_to_opponents() -> None:
    """The pond holds only ♦, the poison of seat 3."""
    assert chosen(seen_in_trick(3, "4C6C7CAS", "4C6CJC", "ADJDQDKD")) != "play AS"


def test_it_gives_poison_to_opponents() -> None:
    """♥ is poison for the side that wins this trick, ♦ for the own side."""
    assert chosen(seen_in_trick(3, "4D4H5C6C", "4C6CKS", "8S9CTCTS")) == "play 4H"


def test_a_random_computer_plays_any_legal_move() -> None:
    seen = seen_in_trick(3, "4D4H5C6C", "4C6CKS", "8S9CTCTS")
    moves = {choose("pond", seen, random.Random(seed), "random") for seed in range(60)}
    assert moves == {Play(card) for card in seen.hand}
    assert choose("a game without rules of thumb", seen, random.Random(1)) in seen.legal


def test_on_timeout_the_leader_takes_a_tied_trick() -> None:
    state = play_trick("KDKC")
    assert str(on_time_out("pond", POND.observe(state, 0))) == "award 0"  # PC-23


def test_on_timeout_computers_choose_otherwise() -> None:
    state = dealt(2)
    seen = POND.observe(state, min(seat for seat in POND.to_act(state) if seat is not None))
    assert on_time_out("pond", seen) is on_time_out("frogs", seen) is None
