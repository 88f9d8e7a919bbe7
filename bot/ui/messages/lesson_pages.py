"""Lessons and puzzles as messages: a step with the game's own picture and choices, and what a move would have done."""

from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot.errors import Text
from bot.games.game import Move
from bot.records.preference import UserSettings
from bot.tables.lessons import Lesson, Step, sight
from bot.tables.tables import Sight
from bot.texts import gettext as _, translated
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_BUTTONS_IN_ROW
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import title_of

LEARN: Final = "learn"
"""The verb that opens a lesson where the user has got to, or with ``again`` in the argument from the beginning."""
PUZZLE: Final = "puzzle"
"""The verb of moves in puzzles. The number of the puzzle is the version in the button."""
FIRST_GAME: Final = "first-game"
"""The verb that opens the table of the last step."""
PUZZLES: Final = "puzzles"
"""The verb that opens the first puzzle of a game."""
LESSON: Final = "lesson"
"""The verb of moves in lessons. The number of the step is the version in the button."""
RETRY: Final = "lesson-retry"
"""The verb of moves in lessons after another one was tried at the same step."""
NEXT: Final = "next"
"""Stands for a move in a puzzle, and leads to the next one."""
TELL: Final = "tell"
"""Stands for a move in a puzzle, and tells the best one."""

Rows = tuple[tuple[Button, ...], ...]


class Shown(NamedTuple):
    """What a step is shown with. ``verb`` is that of its moves; the argument is the game and the move."""

    face: Face[Any]
    settings: UserSettings
    verb: str = LESSON
    title: str = ""
    """The heading in place of that of a lesson and the number of the step."""


def learn_button(key: str) -> Button:
    """Return the button that opens the lesson of a game."""
    return Button(LEARN, _("Learn (3 min)"), argument=key)


def puzzles_button(key: str) -> Button:
    """Return the button that opens the puzzles of a game."""
    return Button(PUZZLES, _("Puzzles"), argument=key)


def step_post(shown: Shown, lesson: Lesson, number: int, remark: str = "") -> Post:
    """Return a step. ``remark``, in place of what the last move brought, is what another move would have done here.

    Where there's no room for both, beside a board of buttons and in puzzles, it's also in place of what is to be done.
    """
    number = min(number, lesson.last)
    step, face = lesson.steps[number], shown.face
    first = f"> {remark}" if remark else _brought(lesson, number)
    has_room = face.game.has_hands and shown.verb != PUZZLE
    says = translated(step.says) if has_room or not remark else ""
    above = (_heading(shown, lesson, number), *filter(None, (first, says)))
    seen = sight(lesson, number, _("You"))
    if not step.move:
        return Post((*above, *_outcome(face, seen, step)), rows=(_at_the_end(face),))
    return _playable(shown, seen, above, step)


def _brought(lesson: Lesson, number: int) -> str:
    """Return what the move before a step brought."""
    brought = lesson.steps[number - 1].brought if number else Text("")
    return f"✅ {translated(brought)}" if brought else ""


def retry_post(shown: Shown, lesson: Lesson, number: int, remark: str) -> Post:
    """Return a step after another move than the taught one. After the second, the learner may see that one made."""
    post, step = step_post(shown._replace(verb=RETRY), lesson, number, remark), lesson.steps[number]
    if shown.verb != RETRY or not step.is_choice:
        return post
    show = Button(LESSON, _("Show me"), argument=f"{lesson.game} {step.move}")
    if post.grid or not post.rows:
        return replace(post, rows=(*post.rows, (show,)))
    return replace(post, rows=(*post.rows[:-1], (*post.rows[-1], show)))


def _heading(shown: Shown, lesson: Lesson, number: int) -> str:
    counted = _(" · {n} of {all}", n=number + 1, all=len(lesson.steps))
    return f"### {shown.title or _('Learn {game}', game=title_of(shown.face.game)) + counted}"


def in_two_presses(shown: Shown, lesson: Lesson, number: int, first: str) -> Post | None:
    """Return the step with where a move is completed that ``first`` begins; ``None`` if it begins none."""
    seen, step = sight(lesson, number, _("You")), lesson.steps[number]
    post = shown.face.second_press(seen.table, seen.observation, first)
    if post is None:
        return None
    above = (_heading(shown, lesson, number), translated(step.says), "\n".join(post.paragraphs).partition("\n")[0])
    grid = _grid(shown, post.grid, None if step.is_choice else step)
    post = replace(post, paragraphs=above, rows=_grid(shown, post.rows), grid=grid)
    return post if shown.settings.hands == "text" else illustrated(post, shown.face, seen, above=above)


def remark_on(face: Face[Any], lesson: Lesson, number: int, move: Move) -> str:
    """Return what a move would have done that isn't the taught one, and what speaks for that."""
    step, seen = lesson.step(number), sight(lesson, number, _("You"))
    if (said := step.remark(move)) is not None:
        return translated(said)
    groups = face.choices(seen.table, seen.observation)
    choice = next(choice for group in groups for choice in group.choices if choice.move == str(move))
    effects = " · ".join(filter(None, (choice.worth, choice.hint.removesuffix("."))))
    if face.game.has_hands and not effects:
        return _("**{move}** is allowed, but {better}", move=choice.name, better=translated(step.better))
    effects = effects or _("nothing develops")
    return _(
        "**{move}** is possible ({effects}), but {better}",
        move=choice.name,
        effects=effects,
        better=translated(step.better),
    )


def puzzle_post(shown: Shown, number: int, remark: str = "") -> Post:
    """Return a puzzle. Only who tried another move, about which the ``remark`` is, may have the best one told."""
    puzzle = shown.face.puzzles[number]
    post = step_post(as_puzzle(shown, number), puzzle, 0, remark)
    tell = Button(PUZZLE, _("Show the move"), argument=f"{puzzle.game} {TELL}")
    return replace(post, rows=(*post.rows, (tell,))) if remark else post


def solved_post(shown: Shown, number: int, *, is_told: bool) -> Post:
    """Return the position after the best move of a puzzle, and what that move is for."""
    shown, puzzle = as_puzzle(shown, number), shown.face.puzzles[number]
    mark = "" if is_told else "✅ "
    above = (f"### {shown.title}", mark + translated(puzzle.steps[1].says))
    seen = sight(puzzle, 1, _("You"))
    result = _outcome(shown.face, seen, puzzle.steps[1])
    after = Post((*above, *result)) if result else _playable(shown, seen, above, puzzle.steps[1])
    grid = tuple(tuple(replace(button, disabled=True) for button in row) for row in after.grid)
    if number + 1 < len(shown.face.puzzles):
        row: tuple[Button, ...] = (Button(PUZZLE, _("Next puzzle"), "primary", f"{puzzle.game} {NEXT}"),)
    else:
        row = (Button(FIRST_GAME, _("Play a game (easy)"), "success", puzzle.game), learn_button(puzzle.game))
    return replace(after, choices=(), grid=grid, rows=(row,))


def as_puzzle(shown: Shown, number: int) -> Shown:
    """Return a lesson's look as that of a puzzle."""
    title = _("Puzzle {n} of {all}", n=number + 1, all=len(shown.face.puzzles))
    return shown._replace(verb=PUZZLE, title=f"{title} · {title_of(shown.face.game)}")


def _playable(shown: Shown, seen: Sight, above: tuple[str, ...], step: Step) -> Post:
    """Return a step that asks for a move. It shows the hand as the user likes to see hands."""
    face, table, observation = shown.face, seen.table, seen.observation
    is_text = shown.settings.hands == "text"
    if not face.game.has_hands and not shown.settings.prefers_menus:
        grid = _grid(shown, face.controls(table, observation), step)
        post = Post((*above, *face.standings(table, observation)), grid=grid, is_plain=is_text)
        below: tuple[str, ...] = ()
    else:
        words = face.describe(table, observation) if not face.game.has_hands else face.situation(table, observation)
        choices, rows = _choices(shown, face.choices(table, observation))
        post = Post((*above, *words, *face.hand(table, observation)), choices, rows, is_plain=is_text)
        is_puzzle = face.game.has_hands and shown.verb == PUZZLE  # lessons say all that is new
        beside = "\n".join(face.beside_picture(table, observation)).split("\n") if is_puzzle else []
        below = tuple(line for line in beside if not line.startswith("-# "))
    return post if is_text else illustrated(post, face, seen, above=(*above, *below))


def _outcome(face: Face[Any], seen: Sight, step: Step) -> tuple[str, ...]:
    """Return the result of the game, or the score of the deal that the step ends."""
    if seen.observation.outcome is not None:
        return tuple(face.result(seen.table, seen.observation))[:1]
    scored = face.settlement(seen.table, seen.observation) if step.before else ""
    return (scored,) if scored else ()


def _at_the_end(face: Face[Any]) -> tuple[Button, ...]:
    """Return the buttons of the last step."""
    key = face.game.key
    again = Button(LEARN, _("Start over"), argument=f"{key} again")
    puzzles = (puzzles_button(key),) if face.puzzles else ()
    return (Button(FIRST_GAME, _("Play a game (easy)"), "success", key), *puzzles, again)


def _choices(shown: Shown, groups: tuple[Choices, ...]) -> tuple[tuple[Choices, ...], Rows]:
    """Return the game's menus and buttons as those of the lesson."""
    key, menus, buttons = shown.face.game.key, [], []
    for group in map(_unrated, groups):
        if group.as_buttons:
            buttons += [_button(shown, choice, group) for choice in group.choices]
        else:
            menus.append(replace(group, verb=shown.verb, argument=key))
    rows = (buttons[start : start + MAX_BUTTONS_IN_ROW] for start in range(0, len(buttons), MAX_BUTTONS_IN_ROW))
    return tuple(menus), tuple(map(tuple, rows))


def _unrated(group: Choices) -> Choices:
    """Return choices without their worth, which learners are to find; pairs of cards or squares by their names."""
    named = (replace(choice, worth="", hint="") for choice in group.choices)
    return replace(group, choices=tuple(sorted(named, key=lambda each: each.move if each.move.count(" ") > 1 else "")))


def _button(shown: Shown, choice: Choice, group: Choices) -> Button:
    return Button(shown.verb, choice.label, group.style, f"{shown.face.game.key} {choice.move}", emoji=choice.emoji)


def _grid(shown: Shown, grid: Rows, step: Step | None = None) -> Rows:
    """Return the game's buttons as those of the lesson. Only those of a move that a ``step`` names have a colour."""
    if step and step.move and shown.verb != PUZZLE:
        named = "" if step.is_choice else step.move
        grid = tuple(tuple(_coloured(button, named) for button in row) for row in grid)
    return tuple(tuple(_own(shown, button) for button in row) for row in grid)


def _coloured(button: Button, taught: str) -> Button:
    is_meant = button.argument == taught or button.argument in taught.split()[1:]
    if is_meant and button.style == "secondary" and not button.disabled:
        return replace(button, style="primary")
    return button if is_meant else replace(button, style="secondary")


def _own(shown: Shown, button: Button) -> Button:
    """Return a button of the game as one of the lesson. Its argument is a move, a part of one, or empty to go back."""
    return replace(button, verb=shown.verb, argument=f"{shown.face.game.key} {button.argument}".rstrip())
