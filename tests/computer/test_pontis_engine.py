"""The engine of the computers agrees with the rulebook on random games.

``DEALS=1000000`` plays that many games instead of those of the dose.
"""

import random
from typing import Final

import pytest

from bot.computer.pontis.engine import CARDS, COMPLETE, NUMBERS, OUT, STUCK, Deal, deal_of, denied_by, each, set_of
from bot.games.cards import Play
from bot.games.game import CHANCE, Move, Value
from bot.games.pontis.moves import DECLINE, MISS, Liar, Sum
from bot.games.pontis.state import State
from tests.computer.pontis_tables import FORMS, GAME, Luck
from tests.doses import amount

DEALS: Final = amount("DEALS", test=200, full=10_000)
REASONS: Final = {OUT: "out", COMPLETE: "complete_curdle", STUCK: "stuck"}


def engine_of(state: State) -> Deal:
    """Return the engine's deal of a whole state."""
    deal = deal_of(GAME.observe(state, state.on_turn), [*map(set_of, state.hands)])
    deal.foundations = [NUMBERS[card] for card in state.foundations]
    return deal


def moves_of(deal: Deal) -> dict[Move, tuple[int, int]]:
    """Return the moves of the seat on turn, by those of the rulebook."""
    found: dict[Move, tuple[int, int]] = {}
    for played, top in deal.moves():
        cards = [CARDS[bit.bit_length() - 1] for bit in each(played)]
        if not cards:
            found[DECLINE if deal.has_ability else MISS] = (played, top)
        elif len(cards) == 1:
            found[Play(cards[0])] = (played, top)
        else:
            cards.remove(CARDS[top])
            found[Sum(cards[0], CARDS[top])] = (played, top)
    assert len(found) == len(deal.moves())
    return found


def assert_same(deal: Deal, state: State) -> None:
    """Compare a deal in progress."""
    assert not deal.ended
    assert (deal.slot, deal.seat, deal.idle, deal.has_ability) == (
        state.slot,
        state.on_turn,
        state.idle,
        state.ability,
    )
    tops = [bank[-1] if bank else None for bank in state.banks]
    assert [CARDS[top] if top >= 0 else None for top in deal.tops] == tops
    hands = [sorted(CARDS[bit.bit_length() - 1] for bit in each(hand)) for hand in deal.hands]
    assert hands == [*map(list, state.hands)]
    assert deal.denied == [*map(denied_by, state.missed)]
    points = [suits + calls for suits, calls in zip(state.suit_points, state.calls, strict=True)]
    assert deal.points == points
    window = (state.window.seat, state.window.lie) if state.window else (-1, False)
    assert (deal.accused, deal.lies) == window


def compared(options: dict[str, Value], rng: random.Random) -> str:
    """Play a game with both, and compare every position. Return why its last deal ended."""
    state = GAME.start(GAME.settle(options))
    while actors := GAME.to_act(state):
        (seat,) = actors
        if seat is CHANCE:
            state = GAME.apply(state, seat, GAME.chance(state, Luck(rng))).state
            deal = engine_of(state) if state.phase == "play" else None
            continue
        assert deal is not None
        assert_same(deal, state)
        callers = [each for each in range(state.setup.players) if Liar(deal.accused) in GAME.legal(state, each)]
        if callers and rng.random() < 0.1:
            caller = rng.choice(callers)
            state = GAME.apply(state, caller, Liar(deal.accused)).state
            deal.call(caller)
            continue
        found = moves_of(deal)
        legal = [move for move in GAME.legal(state, state.on_turn) if not isinstance(move, Liar)]
        assert found.keys() == {*legal}
        move = rng.choice(legal)
        state = GAME.apply(state, state.on_turn, move).state
        deal.play(found[move])
        if deal.ended:
            result = state.results[-1]
            assert REASONS[deal.ended] == result.reason
            setup = state.setup
            foundations = (
                setup.banks // len(setup.members) if setup.teams == "on" or setup.banks >= setup.players else 0
            )
            assert [score + foundations for score in deal.scores()] == [score.total for score in result.scores]
    return state.results[-1].reason


@pytest.mark.parametrize("options", FORMS)
def test_engine_and_rulebook_agree_on_random_games(options: dict[str, Value]) -> None:
    rng = random.Random(str(options))
    for _ in range(DEALS // len(FORMS)):
        compared(options, rng)
