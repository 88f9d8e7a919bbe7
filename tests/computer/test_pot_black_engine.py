"""The engine of the computers agrees with the rulebook on random games.

``GAMES=1000`` plays that many games instead of those of the dose.
"""

import random
from typing import Final

import pytest

from bot.computer.pot_black.engine import BITS, CARDS, Deal, deal_of, set_of, setup_of
from bot.games.cards import Play
from bot.games.game import CHANCE, Value
from bot.games.pot_black.state import State
from tests.computer.pot_black_tables import FORMS, GAME, Luck
from tests.doses import amount

GAMES: Final = amount("GAMES", test=36, full=1_000)


def engine_of(state: State) -> Deal:
    """Return the engine's deal of a whole state."""
    return deal_of(state, setup_of(GAME.observe(state, None)), [*map(set_of, state.hands)])


def fields_of(deal: Deal) -> dict[str, object]:
    """Return the deal's attributes, but for whose loss ended it."""
    fields = {name: getattr(deal, name) for name in dir(deal) if not name.startswith("_") and name != "lost"}
    return {name: value for name, value in fields.items() if not callable(value)}


def compared(options: dict[str, Value], rng: random.Random) -> int:
    """Play a game with both, and compare every position. Return the number of moves."""
    state, moves = GAME.start(GAME.settle(options)), 0
    while actors := GAME.to_act(state):
        (seat,) = actors
        if seat is CHANCE:
            state = GAME.apply(state, seat, GAME.chance(state, Luck(rng))).state
            deal = engine_of(state) if state.order else None
            continue
        assert deal is not None
        legal = GAME.legal(state, seat)
        assert deal.turn == seat
        assert {Play(card) for bit, card in CARDS.items() if bit & deal.playable()} == {*legal}
        move = rng.choice(legal)
        assert isinstance(move, Play)
        number, state = state.deal, GAME.apply(state, seat, move).state
        deal.play(BITS[move.card])
        moves += 1
        if state.deal == number and not state.outcome and len(state.settled) < number:
            again = engine_of(state)
            assert fields_of(again) == fields_of(deal)
        elif len(state.settled) == number:
            settled = state.settled[-1].chips
            assert (tuple(deal.stacks), deal.main, deal.side, deal.turn) == (*settled, -1)
            assert tuple(deal.counted) == state.settled[-1].counted
        else:
            assert state.outcome is not None
            assert deal.lost >= 0
            assert deal.turn == -1
            assert state.outcome.places[deal.lost] == 2
    return moves


@pytest.mark.parametrize("options", FORMS)
def test_engine_and_rulebook_agree_on_random_games(options: dict[str, Value]) -> None:
    rng = random.Random(str(options))
    assert sum(compared(options, rng) for _ in range(GAMES // len(FORMS))) > GAMES
