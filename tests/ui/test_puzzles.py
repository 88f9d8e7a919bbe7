"""Puzzles: retry before telling, and what is said when they are solved."""

from collections.abc import Iterator
from typing import Final

import pytest

from bot.games import GAMES
from bot.tables.lessons import Lesson, sight
from bot.texts import languages, translated, using
from bot.ui.actions.lesson_actions import puzzled_post
from bot.ui.messages.lesson_pages import NEXT, PUZZLE, TELL, Shown, puzzle_post
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.ui.test_lessons import STYLES

AT_LEAST: Final = 3


def puzzles() -> Iterator[tuple[str, int, Lesson]]:
    for key in GAMES:
        for number, puzzle in enumerate(FACES[key].puzzles):
            yield key, number, puzzle


PUZZLES: Final = [pytest.param(*each, id=f"{each[0]}-{each[1] + 1}") for each in puzzles()]


def labels(post: Post) -> list[str]:
    return [button.label for row in post.rows for button in row]


def wrong_moves(puzzle: Lesson) -> list[str]:
    legal = (str(move) for move in sight(puzzle, 0, "You").observation.legal)
    return [move for move in legal if move != puzzle.steps[0].move]


def test_every_game_has_puzzles() -> None:
    for key in GAMES:
        assert len(FACES[key].puzzles) >= AT_LEAST


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_a_puzzle_is_told_only_after_a_try(key: str, number: int, puzzle: Lesson) -> None:
    question, solution = puzzle.steps
    for style in STYLES.values():
        shown = Shown(FACES[key], style)
        for spoken in languages():
            with using(spoken):
                first = puzzled_post(shown, number, "")
                tell = [button for row in first.rows for button in row if button.argument.endswith(TELL)]
                assert not tell
                for move in wrong_moves(puzzle):
                    tried = puzzled_post(shown, number, move)
                    assert tried.rows[-1][0].argument.endswith(TELL)
                    assert (tried.choices, tried.grid) == (first.choices, first.grid)
                    assert translated(solution.says) not in paragraphs_of(tried)
                solved = puzzled_post(shown, number, question.move)
                told = puzzled_post(shown, number, TELL)
                assert f"✅ {translated(solution.says)}" in paragraphs_of(solved)
                assert translated(solution.says) in paragraphs_of(told)


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_the_choices_of_a_puzzle_do_not_say_what_they_are_worth(key: str, number: int, puzzle: Lesson) -> None:
    for style in STYLES.values():
        post = puzzle_post(Shown(FACES[key], style), number)
        for choice in (choice for group in post.choices for choice in group.choices):
            assert " · " not in choice.label
            assert not choice.hint
        pairs = [choice.move for group in post.choices for choice in group.choices if choice.move.count(" ") > 1]
        assert pairs == sorted(pairs)
    assert puzzle.game == key


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_every_state_of_a_puzzle_fits_a_message(key: str, number: int, puzzle: Lesson) -> None:
    for style in STYLES.values():
        shown = Shown(FACES[key], style)
        for text in ("", wrong_moves(puzzle)[0], puzzle.steps[0].move, TELL):
            post = puzzled_post(shown, number, text)
            ids = [part.custom_id for part in layout(post, 0, number).walk_children() if hasattr(part, "custom_id")]
            assert len(set(ids)) == len(ids)
            enabled = [button for row in (*post.grid, *post.rows) for button in row if not button.disabled]
            assert enabled or post.choices
            assert all(group.verb == PUZZLE for group in post.choices)


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_illegal_moves_show_the_puzzle_as_it_is(key: str, number: int, puzzle: Lesson) -> None:
    """They come from messages of another version."""
    assert puzzle.game == key
    shown = Shown(FACES[key], STYLES["text"])
    for text in ("play ZZ", "place a9", "liar 1", "resign"):
        assert puzzled_post(shown, number, text) == puzzle_post(shown, number)


def test_the_last_puzzle_leads_to_a_game() -> None:
    for key in GAMES:
        shown, last = Shown(FACES[key], STYLES["text"]), len(FACES[key].puzzles) - 1
        assert labels(puzzled_post(shown, 0, TELL)) == ["Next puzzle"]
        assert labels(puzzled_post(shown, last, TELL)) == ["Play a game (easy)", "Learn (3 min)"]
        assert f"Puzzle {last + 1} of" in paragraphs_of(puzzled_post(shown, last, NEXT))[0]


@pytest.mark.parametrize(("key", "number", "puzzle"), PUZZLES)
def test_a_move_that_ends_the_game_is_not_said_to_go_on_and_shows_the_result(
    key: str, number: int, puzzle: Lesson
) -> None:
    seen = sight(puzzle, 1, "You")
    post = puzzled_post(Shown(FACES[key], STYLES["pictures"]), number, puzzle.steps[0].move)
    words = "\n".join(paragraphs_of(post))
    outcome = seen.observation.outcome
    assert ("the game ends" in words) == (outcome is not None)
    assert all(str(score) in words for score in (outcome.scores if outcome else ()))


def test_a_puzzle_does_not_deny_the_other_player_a_move_that_follows() -> None:
    for number, puzzle in enumerate(FACES["pontis"].puzzles):
        after = sight(puzzle, 1, "You").observation
        said = paragraphs_of(puzzled_post(Shown(FACES["pontis"], STYLES["text"]), number, puzzle.steps[0].move))[1]
        assert "without a move" not in said or not after.to_act - {0}
