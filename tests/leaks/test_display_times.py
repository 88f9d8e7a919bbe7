"""Forced moves of strong computers are shown when others would be, on idle hosts and on busy ones."""

from pathlib import Path

import pytest

from bot.thinking.turns import TICK_S, Turns
from tests.leaks.display_times import Load, revealing, watched
from tests.virtual_time import run

LOADS: dict[str, Load] = {
    "an idle host": lambda _cards: 0.9,
    "a busy host": lambda _cards: 6.2,
    "a host that is slower with many cards": lambda cards: 0.7 * cards,
}


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
def test_the_time_of_a_move_does_not_tell_that_it_was_forced(tmp_path: Path, load: Load) -> None:
    assert revealing(run(watched(tmp_path, Turns, load)), TICK_S) == []
