"""Playouts agree with the rulebook, move by move and point by point."""

import random

import pytest

from bot.computer.pond_playout import Playout
from bot.games.game import CHANCE
from bot.games.pond import Pond, RoundScored, State, Trap, TrapLaid

POND = Pond()


class Luck:
    """Chance from a generator, for games that need no fair deal."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def dealt(rng: random.Random, **options: str | int) -> State:
    """A table whose first round is dealt."""
    state = POND.start(POND.settle(options))
    while not state.hands:
        state = POND.apply(state, CHANCE, POND.chance(state, Luck(rng))).state
    return state


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("tie", ["leader", "first"])
def test_a_playout_goes_as_the_round_would_go_from_any_of_its_moments(players: int, tie: str) -> None:
    rng = random.Random(7)
    for number in range(60):
        state = dealt(rng, players=players, tie=tie)
        for _ in range(number):
            seat = rng.choice([seat for seat in POND.to_act(state) if seat is not None])
            after = POND.apply(state, seat, rng.choice(POND.legal(state, seat))).state
            if after.rounds:
                break
            state = after
        playout = Playout(state)
        scored: list[RoundScored] = []
        while not playout.over:
            assert playout.turn in POND.to_act(state)
            found = playout.legal()
            moves = tuple(dict.fromkeys(map(playout.move, found)))
            assert moves == POND.legal(state, playout.turn)
            choice = rng.choice(found)
            state, events = POND.apply(state, playout.turn, playout.move(choice))
            scored += [event for event in events if isinstance(event, RoundScored)]
            playout.play(choice)
        assert [round_scored.score.points for round_scored in scored] == [playout.points()]


def test_a_playout_leaves_its_state_as_it_was() -> None:
    rng = random.Random(1)
    state = dealt(rng, players=4)
    before = repr(state)
    playout = Playout(state)
    while not playout.over:
        playout.play(rng.choice(playout.legal()))
    assert repr(state) == before


def test_trap_cards_laid_out_of_turn_are_owed_by_the_others_alone() -> None:
    rng = random.Random(2)
    state = dealt(rng, players=4)
    while state.phase != "traps":
        seat = min(seat for seat in POND.to_act(state) if seat is not None)
        state = POND.apply(state, seat, POND.legal(state, seat)[-1]).state
    partner = (state.starter + 2) % 4
    trap = POND.legal(state, partner)[0]
    state, events = POND.apply(state, partner, trap)
    assert isinstance(trap, Trap)
    assert events == (TrapLaid(partner),)
    playout = Playout(state)
    owing = []
    for _ in range(2):
        owing.append(playout.turn)
        playout.play(playout.legal()[0])
    assert owing == [(state.starter + 1) % 4, (state.starter + 3) % 4]
    assert playout.turn == state.starter
