"""What lessons leave to the learner: choices without the answer, and menus without words that weren't explained."""

import re
from typing import Final

import pytest

from bot.games import GAMES
from bot.records.preference import UserSettings
from bot.tables.lessons import sight, tried
from bot.texts import languages, translated, using
from bot.ui.actions.lesson_actions import tried_post
from bot.ui.messages.lesson_pages import Shown, remark_on, step_post
from bot.ui.posts.post import Post
from tests.leaks.pairs import FACES
from tests.ui.test_lessons import coloured, legal, lesson_of, named_in

TERMS: Final = re.compile(
    r"\b(anti-trump|trump|trick|pond|profit|poison|bait|trap|tie|round|group|pile|egg|tadpole|frog|develop|score|point|"
    r"bank|bridge|suit|sum|ability|curdle|joker|ace|miss|pair|chip|pot|side|partner|lead|follow|deal|ten)"
)
"""The games' own words."""

IDEAS: Final = {
    "pond": "trap KH",
    "frogs": "place a3",
    "pontis": "play 3H",
    "pot_black": "play AH",
}
"""The choice that is the idea of the game: a trap for whoever takes it, building for two, what the next one lacks, and
when to lead trumps."""


@pytest.mark.parametrize("key", GAMES)
def test_at_least_two_steps_are_choices_and_one_is_the_idea(key: str) -> None:
    choices = [step.move for step in lesson_of(key).steps if step.is_choice]
    assert len(choices) >= 2
    assert IDEAS[key] in choices


def test_the_lesson_throws_a_black_ten_on_an_opponent() -> None:
    """And the learner finds that."""
    lesson = lesson_of("pot_black")
    number = next(number for number, step in enumerate(lesson.steps) if step.move == "play TC")
    assert lesson.steps[number].is_choice
    assert "Moss pays 3 chips" in str(lesson.steps[number].brought)
    after = sight(lesson, number + 1, "You")
    assert "10♣" in FACES["pot_black"].payoff(after.table, after.observation)


def test_the_lesson_of_pot_black_says_what_differs_for_three() -> None:
    said = [step.says for step in lesson_of("pot_black").steps if (step.options or {}).get("players") == 3]
    assert len(said) == 1
    assert "Three players have no partners" in str(said[0])


@pytest.mark.parametrize("key", GAMES)
def test_choices_do_not_give_their_answer_away(key: str) -> None:
    """Neither in a colour, nor in a remark, nor in the worth of a menu's options."""
    lesson, shown = lesson_of(key), Shown(FACES[key], UserSettings())
    for number, step in enumerate(lesson.steps):
        if not step.is_choice:
            continue
        for spoken in languages():
            with using(spoken):
                named = named_in(key, lesson, number)
                said = [translated(text) for text in (step.says, step.better, *step.remarks.values())]
                assert all(not all(f"**{part}**" in text for part in named) for text in said), said
        post = step_post(shown, lesson, number)
        assert not coloured(post)
        for choice in (choice for group in post.choices for choice in group.choices):
            assert (choice.worth, choice.hint) == ("", "")


@pytest.mark.parametrize("key", GAMES)
def test_after_two_wrong_moves_of_a_choice_the_learner_may_see_the_right_one(key: str) -> None:
    lesson, shown = lesson_of(key), Shown(FACES[key], UserSettings())
    for number, step in enumerate(lesson.steps[:-1]):
        wrong = next(move for move in legal(sight(lesson, number, "You")) if move != step.move)
        once = tried_post(shown, lesson, number, wrong)
        assert verbs(once) == {"lesson-retry"}
        twice = tried_post(shown._replace(verb="lesson-retry"), lesson, number, wrong)
        shows = [button for row in twice.rows for button in row if button.label == "Show me"]
        assert [(button.verb, button.argument) for button in shows] == (
            [("lesson", f"{key} {step.move}")] if step.is_choice else []
        )
        assert not [button for row in once.rows for button in row if button.label == "Show me"]


def verbs(post: Post) -> set[str]:
    pressed = {button.verb for row in (*post.grid, *post.rows) for button in row}
    return pressed | {group.verb for group in post.choices}


@pytest.mark.parametrize("key", GAMES)
def test_no_word_of_a_menu_comes_before_it_was_said(key: str) -> None:
    """Nor of an answer to a move. Numbers of points are only in texts of the lesson."""
    lesson, shown, said = lesson_of(key), Shown(FACES[key], UserSettings()), set[str]()
    for number, step in enumerate(lesson.steps[:-1]):
        before = lesson.steps[number - 1].brought if number else ""
        said |= set(TERMS.findall(f"{before} {step.says}".lower()))
        post = step_post(shown, lesson, number)
        offered = [text for group in post.choices for text in (group.prompt, *(c.label for c in group.choices))]
        offered += [button.label for row in (*post.rows, *post.grid) for button in row]
        assert not any(re.search(r"[+−]\d", text) for text in offered)
        moves = (move for move in legal(sight(lesson, number, "You")) if move != step.move)
        offered += [remark_on(shown.face, lesson, number, tried(lesson, number, move)) for move in moves]
        for text in offered:
            assert set(TERMS.findall(text.lower())) <= said, (number + 1, text)
