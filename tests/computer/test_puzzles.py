"""The puzzles of the lessons: our own search finds one move clearly best."""

import random

import pytest

from bot import computer
from bot.tables.lessons import Lesson, sight
from tests.ui.test_puzzles import PUZZLES
from tools.puzzles import CLEAR, margin, thought_of

PART = 4
"""The part of the strong computer's budget."""


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_a_puzzle_has_one_clearly_best_move(key: str, number: int, puzzle: Lesson) -> None:
    seen = sight(puzzle, 0, "You").observation
    thought = thought_of(key, seen, random.Random(number), PART)
    assert str(thought.move) == puzzle.steps[0].move
    assert margin(thought) >= CLEAR[key], thought


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_a_beginner_does_not_find_it_at_once(key: str, number: int, puzzle: Lesson) -> None:
    seen = sight(puzzle, 0, "You").observation
    assert str(computer.choose(key, seen, random.Random(number), "easy")) != puzzle.steps[0].move
