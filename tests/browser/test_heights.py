"""Boards and hands fit the screen of a phone at any moment of whole random games, in each language.

Only those are measured that are likely to be the highest. ``make heights`` looks at more moments, measures all of them,
and prints the highest.
"""

import math
import sys
import time
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import Value
from bot.ratings import Counted
from bot.records.preference import HandStyle, UserSettings
from bot.records.table import Sitter, Table
from bot.tables.absence.votes import Remedy, Standstill
from bot.tables.lessons import Lesson, sight as lesson_sight
from bot.tables.tables import Sight
from bot.texts import gettext as _, language, languages, using
from bot.texts.rules_pages import topics
from bot.ui.actions.info_pages import rules_page
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.messages.lesson_pages import (
    RETRY,
    Shown,
    in_two_presses,
    puzzle_post,
    remark_on,
    retry_post,
    solved_post,
    step_post,
)
from bot.ui.messages.questions import asked_of
from bot.ui.posts.heard import heard
from bot.ui.posts.names import with_short_names
from bot.ui.posts.post import Post
from tests.browser.phone import CHROMIUM, Height, Phone
from tests.doses import IS_COMPLETE
from tests.leaks.pairs import FACES
from tests.posts import paragraphs_of
from tests.recorded import Moment, recorded
from tests.spoken import some_languages

SCREEN: Final = 696
"""Pixels between the tabs and the input of the sandbox's page on a phone of 390 × 844."""

_MOMENTS: Final = 400 if IS_COMPLETE else 40
"""Whole games of each form are played until they had this many moments."""
_LOOKED_AT: Final = _MOMENTS if IS_COMPLETE else 7
"""At least so many of them are looked at, and every end."""
_SAMPLE: Final = 2
"""Messages of each kind measured of each form, if not all are."""

NAMES: Final = (
    "Maximiliane Mustermann-L",
    "Bartholomew Featherstone",
    "Clementine of the Valley",
    "Wolfeschlegelsteinhausen",
    "Evangeline Butterworth-S",
    "Friedrich der Schreiner_",
)
"""Names of the maximum length."""
HANDS: Final[Mapping[str, HandStyle]] = {"": "pictures", " in words": "text"}
_HEARD: Final = 4
"""Players up to whose number hands in words fit as they are read aloud, with words for signs."""
LINK: Final = "[{}](https://discord.com/channels/1/2/3)"
SEED: Final = "5eed" * 16

SEPARATOR: Final = "-" * 60

Options = Mapping[str, Value]


class Form(NamedTuple):
    """A form of a game."""

    game: str
    options: Options

    def __str__(self) -> str:
        return " ".join((self.game, *(f"{key}={value}" for key, value in self.options.items())))


FORMS: Final = (
    Form("pond", {"players": 2}),
    Form("pond", {"players": 4}),
    Form("frogs", {"preset": "standard"}),
    Form("frogs", {"preset": "big"}),
    *(Form("pontis", {"players": players}) for players in (range(2, 7) if IS_COMPLETE else (2, 4, 6))),
    Form("pontis", {"players": 4, "fake": "on", "liar": "on", "games": 3}),
    Form("pontis", {"players": 2, "banks": 6}),
    Form("pontis", {"players": 6, "banks": 3, "teams": "on"}),
    Form("pot_black", {"players": 4, "form": "partnership"}),
    Form("pot_black", {"players": 4, "form": "individual"}),
    Form("pot_black", {"players": 3, "form": "individual"}),
    Form("pot_black", {"players": 4, "form": "classic"}),
)


def with_names(table: Table) -> Table:
    """Return the table with people whose names are as long as they can be shown. Every other one is new to the game."""
    people = [Sitter(seat, name, 100 + seat, nth_game=(seat + 1) % 2) for seat, name in enumerate(NAMES)]
    return replace(table, sitters=tuple(people[: table.seats]))


def counted(table: Table) -> Counted:
    """Return that the result changed all ratings, and that the sides have played before."""
    sides = GAMES[table.game].sides(table.options)
    return Counted(2, (12.3,) * table.seats, tuple(11 + (side == 0) for side in sides))


def sight(moment: Moment, seat: int | None) -> Sight:
    """Return what the seat or the public sees. The seat that played last may take that back, the others may ask to."""
    game = GAMES[moment.table.game]
    observation = game.observe(moment.state, seat)
    table = with_names(moment.table)
    if observation.outcome is not None:
        table = replace(table, status="over", seed=SEED, outcome=observation.outcome, counted=counted(table))
    is_on = table.status == "playing"
    may_undo = is_on and seat is not None and moment.log.entries[moment.ply - 1].seat == seat
    return Sight(table, observation, moment.events, may_undo, may_ask_undo=is_on and not may_undo)


def posts(moment: Moment) -> Iterator[tuple[str, Post]]:
    """Yield the board, with the ping that it has when it is posted, and the hand of each seat."""
    face, seen = FACES[moment.table.game], sight(moment, None)
    when = " at the end" if seen.table.has_ended else ""
    mentions = " ".join(f"<@{user}>" for user in seen.table.users_at(seen.observation.to_act))
    link = LINK.format(_("Open board"))
    for seat in range(moment.table.seats):
        # in the channel, a player's own board has a note's place while others are to move
        is_private = face.game.has_hands or seat in seen.observation.to_act
        kind = "hand" if is_private or when else "direct message"
        for how, style in HANDS.items():
            post = hand(face, sight(moment, seat), link, UserSettings(hands=style))
            yield f"{kind}{when}{how}", heard(post) if style == "text" and moment.table.seats <= _HEARD else post
    if not when:
        sides = face.game.sides(seen.table.options)
        asked = asked_of(with_short_names(seen.table), seen.table.sitters[0].user_id or 0, (), voted(seen), sides)
        yield "hand if asked", hand(face, sight(moment, 0), link, UserSettings(hands="pictures"), asked)
    for how, with_picture in (("", True), (" in words", False)):
        post = board(face, seen, with_picture=with_picture)
        ping = (_("{mentions}, your turn.", mentions=mentions),) if mentions else ()
        yield f"board{when}{how}", replace(post, paragraphs=(*post.paragraphs, *ping))
        if mentions:
            yield f"board if absent{how}", board(face, seen, absence(seen), with_picture=with_picture)


def absence(seen: Sight) -> Standstill:
    """Return that the players to move are overdue, and that another one has voted."""
    waited_for = tuple(sorted(seat for seat in seen.observation.to_act if seat is not None))
    voters = tuple(sitter.user_id or 0 for sitter in seen.table.sitters if sitter.seat not in waited_for)
    users = tuple(sitter.user_id or 0 for sitter in seen.table.sitters)
    votes: dict[int, Remedy] = {voters[0]: "play"} if len(voters) > 1 else {}
    return Standstill("none", waited_for, time.time() - 172800, 0.0, 1e6, (), voters, users, votes)


def voted(seen: Sight) -> Standstill:
    """Return that all players but the first have voted to end the game."""
    users = tuple(sitter.user_id or 0 for sitter in seen.table.sitters)
    return Standstill("none", (), time.time(), 0.0, 0.0, (), users, users, dict.fromkeys(users[1:], "end"))


def whole_games(form: Form) -> list[Moment]:
    """Return moments of random games, and the ends."""
    game = GAMES[form.game]
    moments: list[Moment] = []
    for number in count():
        moments += recorded(form.game, form.options, number)
        if len(moments) >= _MOMENTS:
            break
    step = len(moments) // _LOOKED_AT
    return [each for number, each in enumerate(moments) if number % step == 0 or not game.to_act(each.state)]


def guess(post: Post) -> float:
    """Return about how many pixels the message has."""
    paragraphs = paragraphs_of(post)
    lines = [line for paragraph in paragraphs for line in paragraph.split("\n")]
    text = sum(22 * math.ceil(max(1, len(line)) / 34) for line in lines) + 16 * len(paragraphs)
    if post.scene is not None:
        observation = getattr(post.scene, "observation", None)
        text += 150 + 40 * math.ceil(len(getattr(observation, "hand", ())) / 7)
    menus = sum(40 * (math.ceil(len(group.choices) / (2 if group.as_buttons else 25))) for group in post.choices)
    return text + menus + sum(40 * math.ceil(sum(8 + len(b.label) for b in row) / 40) for row in post.rows)


def chosen(form: Form) -> Mapping[str, list[Post]]:
    """Return the messages to measure, by their language and what they show, without repetitions."""
    different: dict[str, dict[Post, None]] = {}
    for moment in whole_games(form):
        for spoken in some_languages(f"boards of {form}"):
            with using(spoken):
                for what, post in posts(moment):
                    different.setdefault(f"{spoken} {what}", {})[post] = None
    return {what: sorted(posts, key=guess, reverse=True)[: _sample(what)] for what, posts in different.items()}


def _sample(what: str) -> int | None:
    """Return how many messages of a kind are measured: few players see them without pictures."""
    if IS_COMPLETE:
        return None
    return _SAMPLE - 1 if " in " in what else _SAMPLE


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", GAMES)
async def test_boards_and_hands_fit_a_phone(game: str, screen: Phone) -> None:
    too_high = []
    assert screen.room == SCREEN
    for form in (form for form in FORMS if form.game == game):
        messages = [(what, post) for what, posts in chosen(form).items() for post in posts]
        heights = await screen.measure([(post, " hand" in what) for what, post in messages])
        by_kind: dict[str, list[Height]] = {}
        for (what, _post), height in zip(messages, heights, strict=True):
            by_kind.setdefault(what, []).append(height)
        for what, measured in by_kind.items():
            highest = max(measured)
            line = f"{highest.pixels:5} px  {what:19}  {form} ({len(measured)} measured)"
            sys.stdout.write(f"{line}\n{highest.text}\n{SEPARATOR}\n" if IS_COMPLETE else f"{line}\n")
            if highest.pixels > SCREEN:
                too_high.append(f"{line}\n{highest.text}")
    assert not too_high, f"\n\n{SEPARATOR}\n".join(too_high)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
async def test_pages_of_the_rules_fit_a_phone(screen: Phone) -> None:
    """All with pictures, and of each game the longest without."""
    too_high = []
    for spoken in languages():
        with using(spoken):
            pages = [post for game in GAMES for post in rules_of(game)]
        highest = max(await screen.measure([(page, True) for page in pages]))
        sys.stdout.write(f"{highest.pixels:5} px  rules in {spoken} ({len(pages)} measured)\n")
        if highest.pixels > SCREEN:
            too_high.append(f"{highest.pixels} px: {highest.text}")
    assert not too_high, f"\n\n{SEPARATOR}\n".join(too_high)


def rules_of(game: str) -> list[Post]:
    """Return the pages of the rules to measure."""
    every = [
        rules_page(GAMES[game].title, game, number, page)
        for number, topic in enumerate(topics(game, language()))
        for page in range(len(topic.pages))
    ]
    in_words = sorted((post for post in every if post.scene is None), key=guess, reverse=True)
    return [*(post for post in every if post.scene), *in_words[:2]]


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
async def test_steps_of_lessons_fit_a_phone(screen: Phone) -> None:
    """Also with the longest remark on a move."""
    too_high, heights = [], []
    for spoken in languages():
        with using(spoken):
            named = sorted(lesson_posts(), key=lambda each: guess(each[1]), reverse=True)
            named = named[: None if IS_COMPLETE else 4]
            measured = await screen.measure([(post, True) for _what, post in named])
        heights += [
            (height.pixels, f"{spoken} {what}", height.text)
            for (what, _post), height in zip(named, measured, strict=True)
        ]
    for pixels, what, text in sorted(heights, reverse=True)[: None if IS_COMPLETE else 3]:
        sys.stdout.write(f"{pixels:5} px  {what}\n")
        if pixels > SCREEN:
            too_high.append(f"{pixels} px  {what}\n{text}")
    assert not too_high, f"\n\n{SEPARATOR}\n".join(too_high)


def lesson_posts() -> Iterator[tuple[str, Post]]:
    """Yield every step of the lessons in each style, and again with the longest remark that a move gets there.

    Puzzles are shown likewise, and once they are solved.
    """
    for key, face in FACES.items():
        for how, style in HANDS.items():
            shown = Shown(face, UserSettings(hands=style))
            for number in range(len(face.lesson.steps) if face.lesson else 0):
                assert face.lesson is not None
                yield f"{key} {number + 1}{how}", step_post(shown, face.lesson, number)
                for remark in remarks_at(key, face.lesson, number) - {""}:
                    retried = retry_post(shown._replace(verb=RETRY), face.lesson, number, remark)
                    yield f"{key} {number + 1}{how}, again", retried
                first = (face.lesson.steps[number].move or "").split()[1:2]
                if first and (moving := in_two_presses(shown, face.lesson, number, first[0])) is not None:
                    yield f"{key} {number + 1}{how}, moving", moving
            for number, puzzle in enumerate(face.puzzles):
                what = f"{key} puzzle {number + 1}{how}"
                yield from ((what, puzzle_post(shown, number, said)) for said in remarks_at(key, puzzle, 0))
                yield f"{what}, solved", solved_post(shown, number, is_told=False)


def remarks_at(key: str, lesson: Lesson, number: int) -> set[str]:
    """Return no remark, and the longest one at a step."""
    legal, taught = lesson_sight(lesson, number, "").observation.legal, lesson.steps[number].move
    remarks = [remark_on(FACES[key], lesson, number, move) for move in legal if taught not in {"", str(move)}]
    return {"", max(remarks, key=len, default="")}
