"""The bitboards of `benchmarks` agree with the rulebook. ``GAMES=20000`` plays that many games, not a few hundred."""

import os
import random
from typing import Final

import pytest

from benchmarks.frogs_bitboard import actions, board_of, play, pond_of
from bot.games.frogs.state import PRESETS
from tests.games.frog_ponds import FROGS, opened

GAMES: Final = int(os.environ.get("GAMES", "1000"))


@pytest.mark.parametrize("preset", PRESETS)
def test_engine_and_rulebook_agree_on_random_games(preset: str) -> None:
    rng = random.Random(preset)
    for number in range(GAMES // len(PRESETS)):
        state = opened(preset, first=number % 2)
        board, pond = board_of(state.position), pond_of(state.setup.size)
        while state.outcome is None:
            found = actions(board, pond)
            assert {action.move for action in found} == {*FROGS.legal(state, state.turn or 0)}
            action = rng.choice(found)
            state = FROGS.apply(state, state.turn, action.move).state
            board = play(board, action)
            assert board == board_of(state.position)
        if state.outcome.reason == "elimination":
            assert actions(board, pond) == []
