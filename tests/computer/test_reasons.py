"""The reasons of hints are true of the move, and false of the alternative, as the rulebooks see it."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from bot import computer
from bot.computer.frogs.why import FrogsWhy
from bot.computer.pontis.why import PontisWhy
from bot.computer.thoughts import How, Kind, Reason, Thought
from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, AnyGame, Value
from tests.computer.facts import FACTS, Claim, happens, turn_of
from tests.doses import IS_COMPLETE

BUDGETS: Final = {"frogs": 600, "pond": 60, "pontis": 100, "pot_black": 120}
FORMS: Final[list[tuple[str, dict[str, Value], int]]] = [
    ("frogs", {}, 12),
    ("pond", {"players": 2}, 5),
    ("pond", {"players": 4}, 5),
    ("pontis", {"players": 4}, 5),
    ("pontis", {"players": 2}, 12),
    ("pot_black", {"deals": 5}, 7),
    ("pot_black", {"players": 3, "deals": 5}, 12),
]
"""Forms of the games, and for how many turns each is looked at: fewer where a turn takes long."""


class Turn(NamedTuple):
    """A seat's turn in a game, and its thought."""

    game: AnyGame
    seen: Any
    thought: Thought


def positions(key: str, options: dict[str, Value], rng: random.Random) -> Iterator[Any]:
    """Play games between fair computers, and yield what the seats on turn see."""
    game = GAMES[key]
    while True:
        settled = game.settle(options)
        state, number = game.start(settled), 0
        deals = Deals(rng.randbytes(32), ("",) * game.seats(settled))
        while actors := game.to_act(state):
            if CHANCE in actors:
                state = game.apply(state, CHANCE, game.chance(state, deals(number))).state
                number += 1
                continue
            seat = turn_of(game, state)
            seen = game.observe(state, seat)
            if len(seen.legal) > 1:
                yield seen
            state = game.apply(state, seat, computer.choose(key, seen, rng, "fair")).state


def thoughts(key: str, options: dict[str, Value], number: int) -> Iterator[Turn]:
    """Yield turns with reasons that compare moves."""
    rng, game, explain = random.Random(f"{key} {options}"), GAMES[key], computer.EXPLAINERS[key]
    found = 0
    for seen in positions(key, options, rng):
        if rng.random() > 0.4:
            continue
        thought: Thought = explain(seen, random.Random(1), BUDGETS[key])  # type: ignore[call-arg]
        if any(reason.against for reason in thought.reasons):
            found += 1
            yield Turn(game, seen, thought)
        if found == number:
            return


# ---- tests

UNCHECKED: Final = {FrogsWhy.WINS, FrogsWhy.REPLY, PontisWhy.LIE, PontisWhy.WAITS}
"""What only the search knows, or what isn't a fact about the move."""


@pytest.mark.parametrize(("key", "options", "turns"), FORMS)
def test_a_reason_is_true_of_its_moves_and_false_of_those_it_is_held_against(
    key: str, options: dict[str, Value], turns: int
) -> None:
    found: Counter[Kind] = Counter()
    for turn in thoughts(key, options, 30 if IS_COMPLETE else turns):
        for reason in turn.thought.reasons:
            found[reason.cause.why] += 1
            check(Claim(turn.game, turn.seen, reason.cause), reason)
    assert len(found) > 2


def check(claim: Claim, reason: Reason) -> None:
    """Check a reason for each of its moves, and against each of the others."""
    if claim.cause.why in UNCHECKED:
        return
    told = {move: FACTS[claim.game.key](claim, move) for move in (*reason.moves, *reason.against)}
    if None not in told.values():
        assert all(told[move] for move in reason.moves), (claim, reason)
        assert not any(told[move] for move in reason.against), (claim, reason)
        return
    shares = {move: happens(claim, move) for move in told}
    least, most = min(shares[move] for move in reason.moves), max(shares[move] for move in reason.against)
    assert least > most - 0.2, (claim, reason, shares)
    assert claim.cause.how is not How.SURE or least == 1, (claim, reason)


@pytest.mark.parametrize(("key", "options", "turns"), FORMS)
def test_every_worse_move_of_a_hint_has_a_reason_against_it(key: str, options: dict[str, Value], turns: int) -> None:
    for turn in thoughts(key, options, turns):
        thought = turn.thought
        if any(not reason.against for reason in thought.reasons):
            continue
        told = {move for reason in thought.reasons if thought.move in reason.moves for move in reason.against}
        assert told.issuperset(other.move for other in thought.worse), turn
