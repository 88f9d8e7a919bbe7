"""Lessons and puzzles: every step, every legal move, and illegal ones, checked by the rulebook."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from msgspec.structs import replace

from bot.errors import PlayError
from bot.games import GAMES
from bot.records.preference import UserSettings
from bot.tables.lessons import LEARNER, Lesson, sight, tried
from bot.tables.tables import Sight
from bot.texts import gettext as _, languages, translated, using
from bot.ui.actions.lesson_actions import tried_post
from bot.ui.messages.lesson_pages import Shown, in_two_presses, puzzle_post, remark_on, step_post
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post
from bot.ui.posts.text import held_together
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of, unjoined

STYLES: Final = {
    "pictures": UserSettings(),
    "text": UserSettings(hands="text"),
    "menus": UserSettings(hands="text", prefers_menus=True),
}
MOST_PRESSES: Final = 12
MOST_WORDS: Final = 600
ILLEGAL: Final = (
    *("place b9", "place a1", "move a1 a2", "move b2 d4", "sum KS KD", "sum 2H 3H", "play 1S", "play XX"),
    *("profit 4C", "bait AS", "trap 3C", "award 3", "pass", "miss", "decline", "liar 1", "play", "", "next", "resign"),
    *(f"play {rank}{suit}" for rank in "27TKA" for suit in "SHDC"),
)
CARD: Final = re.compile("(?:10|[2-9AJQK])[♠♥♦♣]")
SQUARE: Final = re.compile(r"\b[a-e][1-5]\b")
NUMBER: Final = re.compile(r"\d+")
WORD: Final = re.compile(r"[^\W\d_][^\W_]+")
ALWAYS: Final = {"pot_black": ("10♠", "10♣")}
SENTENCE: Final = re.compile(r"[.!?](?= |$)")
_SIGN: Final = "\ufe0e"


def lesson_of(key: str) -> Lesson:
    lesson = FACES[key].lesson
    assert lesson is not None
    return lesson


def steps() -> Iterator[tuple[str, str, Lesson, int]]:
    """Yield the name, the game, the lesson and the number of each step, and of the first one of each puzzle."""
    for key in GAMES:
        lesson = lesson_of(key)
        for number in range(len(lesson.steps)):
            yield f"{key}-{number + 1}", key, lesson, number
        for number, puzzle in enumerate(FACES[key].puzzles):
            yield f"{key}-puzzle-{number + 1}", key, puzzle, 0


STEPS: Final = [pytest.param(*each, id=name) for name, *each in steps()]
IN_LESSONS: Final = [pytest.param(*each, id=name) for name, _key, *each in steps()]


def legal(seen: Sight) -> list[str]:
    return [str(move) for move in seen.observation.legal]


def texts_of(lesson: Lesson, number: int) -> list[str]:
    """Return what a step says, and all that a puzzle does."""
    here = lesson.steps if lesson.last == 1 else lesson.steps[number : number + 1]
    return [text for step in here for text in (step.says, step.brought, step.better, *step.remarks.values())]


def words_of(post: Post) -> str:
    choices = [f"{choice.label} {choice.hint} {choice.move}" for group in post.choices for choice in group.choices]
    buttons = [button.label for row in (*post.rows, *post.grid) for button in row]
    return "\n".join((*paragraphs_of(post), *choices, *buttons))


def around(key: str, seen: Sight) -> str:
    """Return all that the game itself says about a position."""
    face, table, observation = FACES[key], seen.table, seen.observation
    groups = face.choices(table, observation)
    choices = [f"{choice.label} {choice.hint}" for group in groups for choice in group.choices]
    buttons = [f"{b.label} {b.argument}" for row in face.controls(table, observation) for b in row]
    said = (*face.situation(table, observation), *face.hand(table, observation), *face.standings(table, observation))
    more = (*face.describe(table, observation), *face.beside_picture(table, observation))
    payoff = (
        face.settlement(table, observation),
        face.payoff(table, observation),
        face.prompt(table, observation),
    )
    scores = (*payoff, *face.result(table, observation), face.progress(observation))
    return "\n".join((*said, *more, *scores, *choices, *buttons)).replace(_SIGN, "")


@pytest.mark.parametrize("key", GAMES)
def test_a_lesson_has_8_to_12_steps_and_ends_with_a_game(key: str) -> None:
    lesson = lesson_of(key)
    assert 8 <= len(lesson.steps) <= 12
    assert not lesson.steps[-1].move
    game = GAMES[key]
    assert game.seats(game.settle(lesson.first_game)) == {"pond": 2, "frogs": 2, "pontis": 3, "pot_black": 4}[key]


@pytest.mark.parametrize("key", GAMES)
def test_the_first_page_is_three_sentences_and_a_picture(key: str) -> None:
    """They say what players win by, and what to press."""
    lesson = lesson_of(key)
    winning = {
        "en": r"[Ww]in\b|point",
        "de": r"[Gg]ewinn|[Pp]unkt",
        "fr": r"[Gg]agn|point",
        "es": r"[Gg]ana|punto",
        "pt-BR": r"[Gg]anh|[Vv]enc|ponto",
    }
    for spoken in languages():
        with using(spoken):
            said = translated(lesson.steps[0].says)
            assert len(SENTENCE.findall(said)) == 3, said
            assert re.search(winning[spoken], said), said
            post = step_post(Shown(FACES[key], UserSettings()), lesson, 0)
            assert post.scene is not None
            assert paragraphs_of(post)[1:] == [unjoined(held_together(said))]


@pytest.mark.parametrize("key", GAMES)
def test_a_lesson_takes_few_presses_and_words(key: str) -> None:
    """In frogs, moving a piece takes two presses. The last press opens the first game."""
    lesson = lesson_of(key)
    presses = sum(2 if step.move.startswith("move ") else 1 for step in lesson.steps)
    assert presses <= MOST_PRESSES
    for spoken in languages():
        with using(spoken):
            shown = [step_post(Shown(FACES[key], UserSettings()), lesson, n) for n in range(len(lesson.steps))]
            assert sum(len(WORD.findall(" ".join(paragraphs_of(post)))) for post in shown) <= MOST_WORDS


@pytest.mark.parametrize(("lesson", "number"), IN_LESSONS)
def test_a_step_says_at_most_45_words(lesson: Lesson, number: int) -> None:
    """With what the move before brought, or with what another move would have done."""
    step, before = lesson.steps[number], lesson.steps[number - 1]
    above = [before.brought if number else "", *step.remarks.values()]
    for said in above[: 1 if lesson.last > 1 else None]:
        assert len(f"{said} {step.says}".split()) <= 45, said
    assert all(len(said.split()) <= 30 for said in step.remarks.values())


@pytest.mark.parametrize("key", GAMES)
def test_what_a_move_brought_stands_above_the_next_step(key: str) -> None:
    lesson, shown = lesson_of(key), Shown(FACES[key], UserSettings())
    for number, step in enumerate(lesson.steps[:-1]):
        assert step.brought
        after = paragraphs_of(step_post(shown, lesson, number + 1))
        assert after[1] == unjoined(held_together(f"✅ {translated(step.brought)}"))


@pytest.mark.parametrize("key", GAMES)
def test_every_step_but_the_last_is_a_move_of_several(key: str) -> None:
    """Nobody learns from pressing the only button."""
    lesson = lesson_of(key)
    for number, step in enumerate(lesson.steps[:-1]):
        assert step.move
        assert len(set(legal(sight(lesson, number, "You")))) > 1
    labels = [button.label for row in step_post(Shown(FACES[key], UserSettings()), lesson, 99).rows for button in row]
    assert labels == ["Play a game (easy)", "Puzzles", "Start over"]


@pytest.mark.parametrize("key", GAMES)
def test_the_last_step_names_one_thing_to_try(key: str) -> None:
    assert "Try one thing in your first game: " in str(lesson_of(key).steps[-1].says)


@pytest.mark.parametrize(("key", "lesson", "number"), STEPS)
def test_every_legal_move_gets_an_answer_and_can_be_tried_again(key: str, lesson: Lesson, number: int) -> None:
    step, seen, shown = lesson.steps[number], sight(lesson, number, "You"), Shown(FACES[key], UserSettings())
    assert (step.move in legal(seen)) == bool(step.move)
    assert LEARNER in seen.observation.to_act if step.move else not seen.observation.legal
    again = step_post(shown._replace(verb="lesson-retry"), lesson, number)
    for text in set(legal(seen)) - {step.move}:
        post, remark = (
            tried_post(shown, lesson, number, text),
            remark_on(shown.face, lesson, number, tried(lesson, number, text)),
        )
        assert f"> {unjoined(held_together(remark))}" in paragraphs_of(post)
        if lesson.last > 1 and key != "frogs":  # boards of buttons leave no room
            assert unjoined(held_together(translated(step.says))) in paragraphs_of(post)
        assert post.choices == again.choices
        assert post.grid == again.grid


def named_in(key: str, lesson: Lesson, number: int) -> list[str]:
    """Return the cards, the square or the name of the taught move, as texts name it."""
    step, seen = lesson.steps[number], sight(lesson, number, _("You"))
    groups = FACES[key].choices(seen.table, seen.observation)
    labels = {choice.move: choice.label for group in groups for choice in group.choices}
    label = labels.get(step.move, "").replace(_SIGN, "").partition(" · ")[0].removeprefix("🤖\N{NO-BREAK SPACE}")
    return CARD.findall(label) or SQUARE.findall(label)[-1:] or [label]


@pytest.mark.parametrize(("key", "lesson", "number"), [each for each in STEPS if "puzzle" not in str(each.id)])
def test_the_answer_to_another_move_names_the_taught_one(key: str, lesson: Lesson, number: int) -> None:
    """In bold, unless it's for the learner to find."""
    if lesson.steps[number].is_choice:
        return
    for spoken in languages():
        with using(spoken):
            step, seen = lesson.steps[number], sight(lesson, number, _("You"))
            for text in set(legal(seen)) - {step.move}:
                remark = remark_on(FACES[key], lesson, number, tried(lesson, number, text))
                assert all(f"**{part}**" in remark for part in named_in(key, lesson, number)), remark


def test_a_move_without_effects_has_no_effects_of_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    face, lesson = FACES["pond"], lesson_of("pond")
    number = next(number for number, step in enumerate(lesson.steps) if step.move == "award 1")
    plain = Lesson("pond", [step._replace(remarks={}) for step in lesson.steps])
    move = tried(plain, number, "award 0")
    assert remark_on(face, plain, number, move).startswith("**You** is possible (−40), but")
    (group,) = face.choices((seen := sight(plain, number, "You")).table, seen.observation)
    bare = replace(group, choices=tuple(replace(each, worth="", hint="") for each in group.choices))
    monkeypatch.setattr(face, "choices", lambda *_: (bare,))
    assert remark_on(face, plain, number, move).startswith("**You** is allowed, but")


@pytest.mark.parametrize(("lesson", "number"), IN_LESSONS)
def test_suits_stand_behind_ranks(lesson: Lesson, number: int) -> None:
    """Discord shows a suit alone as an emoji, and black ones are invisible on a dark background."""
    for spoken in languages():
        with using(spoken):
            for text in map(translated, texts_of(lesson, number)):
                assert not re.search("(?<![0-9AJQK])[♠♥♦♣](?!\ufe0e)", text), text


@pytest.mark.parametrize(("lesson", "number"), IN_LESSONS)
def test_illegal_moves_are_refused_as_in_a_game(lesson: Lesson, number: int) -> None:
    step, seen, refused = lesson.steps[number], sight(lesson, number, "You"), 0
    for text in ILLEGAL:
        if not step.move or not text:
            continue
        try:  # texts are read as people type them, such as a card alone
            assert str(tried(lesson, number, text)) in legal(seen)
        except PlayError as error:
            assert error.sentence  # noqa: PT017 - other texts may be legal as typed
            refused += 1
    assert refused >= 10 or not step.move


@pytest.mark.parametrize(("key", "lesson", "number"), STEPS)
def test_a_step_names_only_what_is_in_its_position(key: str, lesson: Lesson, number: int) -> None:
    """Cards, squares and numbers; a remark may speak of the position after its step, too, and any of the black tens."""
    for spoken in languages():
        with using(spoken):
            here = around(key, sight(lesson, number, _("You")))
            after = around(key, sight(lesson, min(number + 1, lesson.last), _("You")))
            for text in map(translated, texts_of(lesson, number)):
                for pattern in (CARD, SQUARE, NUMBER):
                    rest = text if pattern is not NUMBER else SQUARE.sub("", CARD.sub("", text))
                    known = {*pattern.findall(here), *pattern.findall(after), *ALWAYS.get(key, ())}
                    assert {*pattern.findall(rest)} <= known, text


@pytest.mark.parametrize(("lesson", "number"), IN_LESSONS)
def test_translations_name_the_same_cards_squares_and_numbers(lesson: Lesson, number: int) -> None:
    for spoken in languages():
        with using(spoken):
            for text in texts_of(lesson, number):
                for pattern in (CARD, SQUARE, NUMBER):
                    assert sorted(set(pattern.findall(translated(text)))) == sorted(set(pattern.findall(text))), text


@pytest.mark.parametrize(("key", "lesson", "number"), STEPS)
def test_every_step_fits_a_message(key: str, lesson: Lesson, number: int) -> None:
    for style in STYLES.values():
        post = step_post(Shown(FACES[key], style), lesson, number)
        ids = [part.custom_id for part in layout(post, 0, number).walk_children() if hasattr(part, "custom_id")]
        assert len(set(ids)) == len(ids)
        assert ids


@pytest.mark.parametrize(("key", "lesson", "number"), STEPS)
def test_illegal_moves_show_the_step_as_it_is(key: str, lesson: Lesson, number: int) -> None:
    """They come from messages of another version, which would offer them forever."""
    shown, offered = Shown(FACES[key], UserSettings()), set(legal(sight(lesson, number, "You")))
    for text in ("sum KS KD", "award 3", "place e5", "next"):
        assert text not in offered
        assert tried_post(shown, lesson, number, text) == step_post(shown, lesson, number)


def test_a_frog_is_moved_in_two_presses() -> None:
    lesson, shown = lesson_of("frogs"), Shown(FACES["frogs"], UserSettings())
    post = in_two_presses(shown, lesson, 3, "b2")
    assert post is not None
    moves = {button.argument for row in post.grid for button in row if not button.disabled}
    assert "frogs move b2 b4" in moves
    assert unjoined(translated(lesson.steps[3].says)) in paragraphs_of(post)
    assert post.scene is not None, "the picture of the board stays"
    assert {button.verb for row in (*post.grid, *post.rows) for button in row} == {"lesson"}
    assert in_two_presses(shown, lesson, 3, "d4") is None


def coloured(post: Post) -> set[str]:
    """Return what the buttons in colour are about."""
    return {button.argument for row in post.grid for button in row if button.style != "secondary"}


def test_a_lesson_colours_only_the_squares_of_its_move() -> None:
    lesson, shown = lesson_of("frogs"), Shown(FACES["frogs"], UserSettings())
    for number, step in enumerate(lesson.steps[:-1]):
        verb, first, *rest = step.move.split()
        if step.is_choice:
            continue
        assert coloured(step_post(shown, lesson, number)) == {f"frogs {step.move if verb == 'place' else first}"}
        if rest:
            moving = in_two_presses(shown, lesson, number, first)
            assert moving is not None
            assert coloured(moving) == {f"frogs {first}", f"frogs {step.move}"}


def test_a_puzzle_has_the_colours_of_the_game() -> None:
    face = FACES["frogs"]
    for number, puzzle in enumerate(face.puzzles):
        seen = sight(puzzle, 0, "You")
        game = {
            f"frogs {each.argument}"
            for row in face.controls(seen.table, seen.observation)
            for each in row
            if each.style != "secondary"
        }
        assert coloured(puzzle_post(Shown(face, UserSettings()), number)) == game


def test_a_lesson_shows_nothing_hidden() -> None:
    """The learner's view is that of a seat: others' hands and traps aren't in it."""
    seen = sight(lesson_of("pond"), 5, "You")
    assert "2 traps" in (said := around("pond", seen))
    assert "8♦" not in said
    assert seen.observation.seat == LEARNER
