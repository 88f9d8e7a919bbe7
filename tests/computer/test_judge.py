"""What a review thinks of decisions: best moves are never flagged, losing ones are."""

import random
from itertools import islice
from typing import Any

import pytest

from bot import computer
from bot.cli import selfplay
from bot.computer.frogs.players import judge, think
from bot.computer.frogs.search import DECIDED
from bot.games import GAMES
from bot.games.frogs.rulebook import Frogs
from bot.games.frogs.state import state_of
from bot.games.game import CHANCE
from tests.computer.proofs import proofs
from tests.doses import IS_COMPLETE

_MANY = 12
_PROOFS = 60 if IS_COMPLETE else 8
BUDGETS = {"frogs": 4000, "pond": 100, "pontis": 100, "pot_black": 100}


def decisions(key: str, count: int = 8, number: int = 0) -> list[Any]:
    """Return observations of seats to move in a game, with the move that was played."""
    game = GAMES[key]
    options = game.settle({})
    entries = selfplay.play(selfplay.Plan(key, options, "judge", levels=("easy",)), number).entries
    found, state = [], game.start(options)
    for entry in entries:
        if entry.seat is not CHANCE:
            seen = game.observe(state, entry.seat)
            if len(seen.legal) > 1:
                found.append((seen, game.parse(entry.move)))
        state = game.apply(state, entry.seat, game.parse(entry.move)).state
    return random.Random(1).sample(found, min(count, len(found)))


@pytest.mark.parametrize("key", GAMES)
def test_the_best_move_is_never_flagged_and_judgements_repeat(key: str) -> None:
    judging: Any = computer._JUDGES[key]
    for seen, played in decisions(key):
        rated = judging(seen, played, random.Random(3), BUDGETS[key])
        assert rated == judging(seen, played, random.Random(3), BUDGETS[key])
        assert rated.worse_by is None or rated.worse_by >= 0
        assert judging(seen, rated.best, random.Random(3), BUDGETS[key]).worse_by == 0


@pytest.mark.parametrize(("key", "budget"), [("pond", 600), ("pontis", 200), ("pot_black", 200)])
def test_proven_losses_are_flagged_and_proven_best_moves_are_not(key: str, budget: int) -> None:
    judging: Any = computer._JUDGES[key]
    flagged = losing = best = 0
    for proof in islice(proofs(key, random.Random(11)), _PROOFS):
        for move in proof.worth if IS_COMPLETE else random.Random(1).sample([*proof.worth], 2):
            if proof.is_best(move):
                best += 1
                assert judging(proof.seen, move, random.Random(1), budget).worse_by == 0
            elif proof.loss(move) >= 1:
                losing += 1
                flagged += judging(proof.seen, move, random.Random(1), budget).worse_by > 0
    assert best > 2
    assert losing > 0
    assert flagged >= 0.9 * losing


def test_moves_after_which_the_rival_wins_at_once_are_flagged_and_wins_are_not() -> None:
    """In positions that aren't lost: the rival has a move that ends the game, but not after the best one."""
    game = Frogs()
    flagged = losing = won = 0
    every = (each for number in range(4) for each in decisions("frogs", 60, number))
    for seen, _played in every:
        if losing > _MANY or think(seen, 3000).value < -DECIDED:
            continue
        state = state_of(seen)
        for move in seen.legal:
            after = game.apply(state, seen.seat, move).state
            if after.outcome is not None and after.outcome.places[seen.seat or 0] == 1 and won < _MANY:
                won += 1
                assert judge(seen, move, random.Random(1), 3000).worse_by == 0
            elif after.outcome is None and loses(game, after, 1 - (seen.seat or 0)):
                losing += 1
                worse_by = judge(seen, move, random.Random(1), 3000).worse_by
                flagged += worse_by is None or worse_by > 0
    assert losing > 3
    assert won
    assert flagged >= 0.9 * losing


def loses(game: Frogs, state: Any, rival: int) -> bool:
    """Whether the rival can win with a single move."""
    ends = (game.apply(state, rival, move).state.outcome for move in game.legal(state, rival))
    return any(outcome is not None and outcome.places[rival] < outcome.places[1 - rival] for outcome in ends)
