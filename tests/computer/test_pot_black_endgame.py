"""The last tricks of Pot Black, solved by the engine, are worth as much as by the rulebook."""

import random
from collections.abc import Iterator

import pytest

from bot.computer import choose
from bot.computer.pot_black.engine import BITS, Deal, evaluate, solve
from bot.games.cards import Play
from bot.games.game import CHANCE, Value
from bot.games.pot_black.state import State
from tests.computer.pot_black_tables import FORMS, GAME, Luck
from tests.computer.test_pot_black_engine import engine_of


def endings(options: dict[str, Value], cards: int, rng: random.Random) -> Iterator[State]:
    """Yield positions of a game of fair computers in which the seat to play has this number of cards."""
    state = GAME.start(GAME.settle(options))
    while actors := GAME.to_act(state):
        (seat,) = actors
        if seat is CHANCE:
            state = GAME.apply(state, seat, GAME.chance(state, Luck(rng))).state
            continue
        if len(state.hands[seat]) == cards:
            yield state
        state = GAME.apply(state, seat, choose("pot_black", GAME.observe(state, seat), rng)).state


def values(state: State, played: int, start: Deal) -> tuple[float, ...]:
    """Return the value to each seat in play by trying all cards with the rulebook. ``played`` deals were before."""
    seats = start.setup.seats
    if len(state.settled) > played or state.outcome:
        end = start.copy()
        if len(state.settled) > played:
            end.stacks, end.counted = [*state.settled[-1].chips[0]], [*state.settled[-1].counted]
        else:
            assert state.outcome is not None
            end.stacks, end.counted = [*state.chips.stacks], [*state.counted]
            end.lost = state.outcome.places.index(2)
        return tuple(evaluate(end, seat) for seat in seats)
    assert state.turn is not None
    moves = [move for move in GAME.legal(state, state.turn) if isinstance(move, Play)]
    moves.sort(key=lambda move: BITS[move.card])
    found = [values(GAME.apply(state, state.turn, move).state, played, start) for move in moves]
    return max(found, key=lambda each: each[seats.index(state.turn)])


@pytest.mark.parametrize("options", FORMS)
def test_last_tricks_are_solved_exactly(options: dict[str, Value]) -> None:
    rng = random.Random(2)
    for state in [*endings(options, 2, rng)][:24]:
        deal = engine_of(state)
        expected = values(state, len(state.settled), deal)
        assert tuple(solve(deal, seat) for seat in deal.setup.seats) == pytest.approx(expected)
