"""The engine of the computers agrees with the rulebook on random rounds of Pond · cards.

``ROUNDS=1000000`` compares that many rounds instead of those of the dose.
"""

import random
from typing import Final

import pytest

from bot.computer.pond.engine import AWARDS, CARDS, INDEX, OVER, PASSING, Round, move_of
from bot.computer.pond.thumb import finish, pick
from bot.fairness import Deals
from bot.games.cards import Card, Play
from bot.games.game import Move
from bot.games.pond.moves import Award, Bait, Profit, Trap
from bot.games.pond.rulebook import Pond
from bot.games.pond.state import State
from tests.doses import amount

ROUNDS: Final = amount("ROUNDS", test=300, full=10_000)
FORMS: Final = [(players, tie) for players in (2, 4) for tie in ("leader", "first")]
POND: Final = Pond()


def action_of(move: Move) -> int:
    """Return the action of a move of a seat."""
    match move:
        case Profit(card) | Bait(card) | Trap(card) | Play(card):
            return INDEX[card]
        case Award(seat):
            return AWARDS + seat
        case _:
            return PASSING


def round_of(state: State) -> Round:
    """Return the engine's round for a table where profit is about to be chosen."""
    found = Round(
        "".join(map(state.poison, range(state.setup.players))), state.starter, first=state.setup.tie == "first"
    )
    found.hands = [list(map(INDEX.__getitem__, hand)) for hand in state.hands]
    found.hidden = [list(map(INDEX.__getitem__, hand)) for hand in state.hidden]
    return found


def cards_of(hand: list[int]) -> list[Card]:
    return sorted(CARDS[card] for card in hand)


def compared(state: State, rng: random.Random) -> State:
    """Play a round with both, and compare every decision. Seats that move at once do so in the engine's order."""
    found, played = round_of(state), len(state.rounds)
    is_random = rng.random() < 0.7
    while len(state.rounds) == played:
        assert found.phase != OVER
        assert found.turn in POND.to_act(state)
        actions = found.actions()
        moves = [move_of(found.phase, action) for action in actions]
        assert {*moves} == {*POND.legal(state, found.turn)}
        assert list(map(action_of, moves)) == actions
        seat, action = found.turn, rng.choice(actions) if is_random else pick(found)
        assert action in actions
        state = POND.apply(state, seat, move_of(found.phase, action)).state
        found.play(action)
        if len(state.rounds) == played:
            assert [cards_of(hand) for hand in found.hands] == [list(hand) for hand in state.hands]
            assert found.hands == [sorted(hand) for hand in found.hands] or state.phase == "profit"
    assert found.phase == OVER
    points = state.rounds[-1].points
    assert found.score == points[0] - points[1]
    return state


@pytest.mark.parametrize(("players", "tie"), FORMS)
def test_engine_and_rulebook_agree_on_random_rounds(players: int, tie: str) -> None:
    rng = random.Random(f"{players} {tie}")
    rounds = 0
    while rounds < ROUNDS / len(FORMS):
        state = POND.start(POND.settle({"players": players, "tie": tie}))
        deals, dealt = Deals(rng.randbytes(32), ("",) * players), 0
        while state.outcome is None:
            state, entries, _ = POND.run_chance(state, dealt, deals)
            dealt += len(entries)
            state = compared(state, rng)
        rounds += len(state.rounds)


def test_a_finished_round_is_played_by_the_rule_of_thumb() -> None:
    state = POND.start(POND.settle({"players": 4}))
    state = POND.run_chance(state, 0, Deals(bytes(32), ("",) * 4))[0]
    by_hand, at_once = round_of(state), round_of(state)
    while by_hand.phase != OVER:
        by_hand.play(pick(by_hand))
    assert finish(at_once) == by_hand.score
