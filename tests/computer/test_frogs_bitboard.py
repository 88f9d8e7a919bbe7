"""The second bitboards agree with the rulebook. ``BITBOARD_GAMES`` says how many games are played."""

import random
from typing import Final

import pytest

from bot.games.frogs.state import PRESETS
from tests.computer.frogs_bitboard import actions, board_of, play, pond_of
from tests.doses import amount
from tests.games.frog_ponds import FROGS, opened

GAMES: Final = amount("BITBOARD_GAMES", test=1000, full=20_000)


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
