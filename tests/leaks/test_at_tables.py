"""Through `Tables` and `Turns`, hidden cards change nothing, and the log has no secrets. `make leaks` compares more."""

from pathlib import Path

import pytest

from bot.games import GAMES
from bot.games.game import AnyGame
from tests.leaks.at_tables import differing
from tests.leaks.knowledge import READERS
from tests.leaks.test_pairs import PAIRS
from tests.virtual_time import run


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_hidden_cards_change_nothing_that_a_table_does(tmp_path: Path, game: AnyGame) -> None:
    pairs = PAIRS // (30 if READERS[game.key] else 50)
    assert run(differing(tmp_path, game, pairs)) == set()
