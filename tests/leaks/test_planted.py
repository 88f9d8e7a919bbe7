"""Planted leaks are found, so the leak tests work."""

import random
from itertools import islice
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.thinking.turns import TICK_S, Turns
from tests.leaks.at_tables import Program, differing
from tests.leaks.display_times import revealing, watched
from tests.leaks.pairs import Subject, compared, thought
from tests.leaks.planted import PLANTED
from tests.leaks.planted_at_tables import PLANTED as PLANTED_AT_TABLES, REVEALING
from tests.virtual_time import run

PAIRS = 1000
"""Maximum number of pairs needed to find a planted leak."""
PAIRS_AT_TABLES = 100


@pytest.mark.parametrize(("subject", "name"), PLANTED.values(), ids=PLANTED)
def test_a_planted_leak_is_found(subject: Subject, name: str) -> None:
    compare = thought if name == "choice" else compared
    assert any(name in differences for differences in islice(compare(subject, random.Random(1)), PAIRS))


@pytest.mark.parametrize(("program", "part"), PLANTED_AT_TABLES.values(), ids=PLANTED_AT_TABLES)
def test_a_leak_planted_at_tables_is_found(tmp_path: Path, program: Program, part: str) -> None:
    assert part in run(differing(tmp_path, GAMES["pond"], PAIRS_AT_TABLES, program, part))


@pytest.mark.parametrize("turns", REVEALING.values(), ids=REVEALING)
def test_a_time_that_tells_of_a_forced_move_is_found(tmp_path: Path, turns: type[Turns]) -> None:
    assert revealing(run(watched(tmp_path, turns, lambda _cards: 6.2)), TICK_S)
