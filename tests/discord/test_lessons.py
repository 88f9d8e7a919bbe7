"""Lessons and puzzles on Discord: with wrong moves, in messages edited in place, across restarts."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.tables.lessons import Lesson, Step, sight
from bot.ui.posts.custom_id import custom_id
from tests.discord.forged import Forger, answer_to
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.discord.tables import fast_forward
from tests.doses import IS_COMPLETE
from tests.ui.test_lessons import ILLEGAL, lesson_of

COMMANDS = {"pond": "pond", "frogs": "frogs", "pontis": "pontis", "pot_black": "potblack"}


def dose(some: int, every: int) -> int:
    """Return how many of all wrong moves or restarts are tried."""
    return every if IS_COMPLETE else some


def wrong_moves(lesson: Lesson, number: int) -> Sequence[str]:
    """Return legal moves that aren't taught at a step."""
    step: Step = lesson.steps[number]
    legal = [str(move) for move in sight(lesson, number, "You").observation.legal]
    return [move for move in legal if move != step.move]


async def makes(ann: Player, page: Seen, key: str, move: str) -> Seen:
    """Make a move on the page of a lesson, in two presses if it takes two."""
    parts = move.split()
    if parts[0] == "move":
        page = await ann.learns(page, f"{key} {parts[1]}")
    return await ann.learns(page, f"{key} {move}")


@pytest.mark.parametrize("key", GAMES)
async def test_a_lesson_can_be_played_with_wrong_moves_and_restarts(world: World, key: str) -> None:
    (ann,) = world.people(1)
    rng, lesson = random.Random(key), lesson_of(key)
    page = await ann.types(f"{COMMANDS[key]} learn")
    first = page.id
    restarts = set(rng.sample(range(lesson.last), dose(1, lesson.last)))
    for number, step in enumerate(lesson.steps[:-1]):
        assert page.is_private
        assert f"{number + 1} of {len(lesson.steps)}" in page.text
        wrong = wrong_moves(lesson, number)
        for move in rng.sample(wrong, min(len(wrong), dose(1, len(wrong)))):
            tried = await makes(ann, page, key, move)
            assert tried.id == first
            assert f"{number + 1} of {len(lesson.steps)}" in tried.text
            page = tried
        forger = Forger(world, ann, ann.home, page.id)
        illegal = [move for move in ILLEGAL if move not in {step.move, "next"}]
        for move in rng.sample(illegal, dose(1, len(illegal))):
            said = answer_to(await forger.presses(custom_id("lesson", 0, number, f"{key} {move}")))
            assert "went wrong" not in said
            page = ann.now(page)
        if number in restarts:
            await world.crash()
        page = await makes(ann, page, key, step.move)
        assert page.id == first
    assert f"{len(lesson.steps)} of {len(lesson.steps)}" in page.text
    assert "Play a game (easy)" in page.labels


@pytest.mark.parametrize("key", GAMES)
async def test_the_last_step_starts_a_game_with_easy_computers(world: World, key: str) -> None:
    (ann,) = world.people(1)
    lesson = lesson_of(key)
    await world.tables.users.set_lesson_step(ann.id, key, lesson.last, finished=True)
    page = await ann.types(f"{COMMANDS[key]} learn")
    answer = await ann.clicks(page, "Play a game (easy)")
    assert "Your first game" in answer.text
    table = await world.tables.table(1)
    assert table.status == "playing"
    assert [sitter.level for sitter in table.sitters if sitter.is_computer] == ["easy"] * (table.seats - 1)
    assert table.place.guild_id is None
    assert [seen for seen in ann.messages() if not seen.is_private] == []


async def test_after_two_wrong_moves_of_a_choice_the_right_one_is_shown(world: World) -> None:
    """With what it brought. A restart in between doesn't forget the first one."""
    (ann,) = world.people(1)
    await world.tables.users.set_lesson_step(ann.id, "pot_black", 2, finished=False)
    page = await ann.types("potblack learn")
    once = await ann.learns(page, "pot_black play 7C")
    assert "would cost Moss 3 chips" in once.text
    assert "Show me" not in once.labels
    await world.restart()
    twice = await ann.learns(once, "pot_black play AH")
    assert "3 of 9" in twice.text
    after = await ann.clicks(twice, "Show me")
    assert "10♣" in after.text
    assert "Moss pays 3 chips into the side pot" in after.text
    assert "4 of 9" in after.text


async def test_a_lesson_goes_on_where_it_was_left(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("frogs learn")
    page = await makes(ann, page, "frogs", "place b2")
    await world.restart()
    assert "2 of 9" in (await ann.types("frogs learn")).text
    ended = await ann.types("pontis learn")
    assert "1 of 8" in ended.text


async def test_a_message_of_another_version_shows_the_step_as_it_is(world: World) -> None:
    """Its moves may be illegal now, and it may know more steps."""
    (ann,) = world.people(1)
    page = await ann.types("pontis learn")
    forger = Forger(world, ann, ann.home, page.id)
    await forger.presses(custom_id("lesson", 0, 5, "pontis sum TS 8C"))
    assert "6 of 8" in ann.now(page).text
    page = await ann.learns(ann.now(page), "pontis play 2D")
    assert "7 of 8" in page.text
    await forger.presses(custom_id("lesson", 0, 40, "pontis sum KS KD"))
    assert "8 of 8" in ann.now(page).text
    await world.tables.users.set_lesson_step(ann.id, "pontis", 40, finished=False)
    assert "8 of 8" in (await ann.types("pontis learn")).text


async def test_two_presses_at_once_take_one_step(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("frogs learn")
    taught, other = page.lesson["frogs place b2"], page.lesson["frogs place a1"]
    await world.at_once((ann, taught), (ann, taught))
    assert "2 of 9" in ann.now(page).text
    assert await world.tables.users.lesson_step(ann.id, "frogs") == 1
    await world.at_once((ann, other), (ann, taught), (ann, other))
    page = ann.now(page)
    move = "place b2" if "1 of 9" in page.text else "place c2"
    assert " of 9" in (await ann.learns(page, f"frogs {move}")).text


async def test_two_presses_at_once_start_one_game(world: World) -> None:
    (ann,) = world.people(1)
    await world.tables.users.set_lesson_step(ann.id, "frogs", lesson_of("frogs").last, finished=True)
    page = await ann.types("frogs learn")
    start = page.use("Play a game (easy)")
    answers = await world.at_once((ann, start), (ann, start))
    assert all(answer is not None and "Your first game" in answer.text for answer in answers)
    assert "Your first game" in (await ann.clicks(page, "Play a game (easy)")).text
    assert [table.status for table in await world.store.lists.open_tables()] == ["playing"]


async def test_a_first_game_that_a_crash_left_in_its_lobby_is_started(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open", at=ann.dm, computers=1, level="easy")
    await world.tables.users.set_lesson_step(ann.id, "pond", lesson_of("pond").last, finished=True)
    await world.crash()
    await ann.clicks(await ann.types("pond learn"), "Play a game (easy)")
    assert [table.status for table in await world.store.lists.open_tables()] == ["playing"]


async def test_deleting_data_in_a_lesson_forgets_the_step_but_stops_nobody(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("frogs learn")
    page = await makes(ann, page, "frogs", "place b2")
    await ann.clicks(await ann.clicks(await ann.types("privacy"), "Delete"), "Delete all")
    assert "1 of 9" in (await ann.types("frogs learn")).text
    assert "3 of 9" in (await makes(ann, page, "frogs", "place c2")).text
    assert "3 of 9" in (await ann.types("frogs learn")).text


async def test_a_lesson_goes_on_in_another_language(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("potblack learn")
    await ann.types("settings", language="de")
    page = await makes(ann, page, "pot_black", "play JS")
    assert "2 von 9" in page.text
    assert "ausgespielten Farbe" in page.text


async def test_in_direct_messages_a_lesson_is_an_ordinary_message(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("pontis learn", ann.dm)
    assert not page.is_private
    later = await makes(ann, page, "pontis", "play 5S")
    assert later.id == page.id
    assert "2 of 8" in later.text


async def test_a_lesson_can_be_begun_again(world: World) -> None:
    (ann,) = world.people(1)
    await world.tables.users.set_lesson_step(ann.id, "pond", lesson_of("pond").last, finished=True)
    page = await ann.clicks(await ann.types("pond learn"), "Start over")
    assert "1 of 10" in page.text


async def test_users_without_pictures_learn_by_text_and_menus(world: World) -> None:
    (ann,) = world.people(1)
    settings = await world.tables.users.settings(ann.id)
    await world.tables.users.set_settings(ann.id, replace(settings, hands="text", prefers_menus=True))
    page = await ann.types("frogs learn")
    assert not page.pictures
    assert "a1 empty" in page.text
    assert "2 of 9" in (await ann.picks(page, "place b2")).text


async def test_lessons_are_offered_where_people_begin(world: World) -> None:
    ann, ben, cleo = world.people(3)
    for key in GAMES:
        page = await ann.types("help")
        (answer,) = await world.at_once((ann, Use(page.id, page.channel_id, custom_id("learn", 0, 0, key))))
        assert answer is not None
        assert "1 of " in answer.text
    assert "1 of 8" in (await ann.clicks(await ann.types("pontis rules"), "Learn (3 min)")).text
    lobby = await ann.types("pond open")
    assert "1 of 10" in (await ben.clicks(lobby, "Learn (3 min)")).text
    await ben.clicks(lobby, "Join")
    in_dm = await ben.clicks(ben.dms[-1], "Learn (3 min)")
    assert "1 of 10" in in_dm.text
    assert not in_dm.is_private
    await ann.clicks(ann.board, "Start")
    rules = await cleo.clicks_through(cleo.board, "More", "Rules")
    assert "1 of 10" in (await cleo.clicks(rules, "Learn (3 min)")).text


async def test_the_lesson_is_not_offered_again_to_who_has_done_it(world: World) -> None:
    """A lobby offers it as long as somebody there is new to the game."""
    ann, ben = world.people(2)
    last = lesson_of("pond").last
    await world.tables.users.set_lesson_step(ann.id, "pond", last, finished=True)
    await ann.types("pond open")
    assert "Learn (3 min)" not in ann.board.labels
    await ben.clicks(ann.board, "Join")
    assert "Learn (3 min)" in ann.board.labels
    assert "Learn (3 min)" in ben.dms[-1].labels
    await ann.types("frogs open")
    assert "Learn (3 min)" in ann.board.labels


async def test_who_has_learned_watches_without_being_taught(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open")
    await ben.clicks(ann.board, "Join")
    await ann.clicks(ann.board, "Start")
    assert "Learn (3 min)" in (await cleo.clicks(cleo.board, "My hand")).labels
    await world.tables.users.set_lesson_step(cleo.id, "pond", lesson_of("pond").last, finished=True)
    await world.tables.users.set_lesson_step(cleo.id, "pond", 0, finished=False)
    assert "Learn (3 min)" not in (await cleo.clicks(cleo.board, "My hand")).labels


async def test_puzzles_are_solved_or_told_in_one_message(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.clicks(await ann.types("frogs rules", topic="First advice"), "Puzzles")
    assert page.is_private
    assert "Puzzle 1 of 3" in page.text
    assert "Show the move" not in page.labels
    tried = await ann.learns(page, "frogs place a1")
    assert tried.id == page.id
    assert "but another move prepares three in a column" in tried.text
    await world.restart()
    told = await ann.clicks(tried, "Show the move")
    assert "three in column b, and you win" in told.text
    second = await ann.clicks(told, "Next puzzle")
    assert "Puzzle 2 of 3" in second.text
    moving = await ann.learns(second, "frogs c2")
    assert "Puzzle 2 of 3" in (await ann.learns(moving, "frogs move c2 b2")).text
    assert "✅" in (await ann.learns(ann.now(second), "frogs place d1")).text
    assert {ann.now(page).id, second.id, told.id} == {page.id}


async def test_puzzles_follow_a_lesson(world: World) -> None:
    (ann,) = world.people(1)
    for key, command in COMMANDS.items():
        await world.tables.users.set_lesson_step(ann.id, key, lesson_of(key).last, finished=True)
        assert "Puzzle 1 of 3" in (await ann.clicks(await ann.types(f"{command} learn"), "Puzzles")).text


async def test_boards_have_why_once_something_was_scored(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open")
    await ben.clicks(ann.board, "Join")
    await ann.clicks(ann.board, "Start")
    assert ann.board.labels == ["My hand", "Rules", "More"]
    await fast_forward(world, lambda seen: bool(getattr(seen, "taken", ())))
    assert [label for label in ann.board.labels if label != "Undo"] == ["My hand", "Why?", "More"]
    assert "the trick" in (await ann.clicks(ann.board, "Why?")).text
    assert "Rules" in (await ann.clicks(ann.board, "More")).labels


async def test_why_explains_the_last_trick_to_whoever_asks(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await ann.types("pond open")
    await ben.clicks(ann.board, "Join")
    await ann.clicks(ann.board, "Start")
    assert "Nothing has been scored yet" in (await ann.types("why")).text
    await fast_forward(world, lambda seen: bool(getattr(seen, "taken", ())))
    for player in (ann, ben):
        answer = await player.types("why")
        assert answer.is_private
        assert "the trick" in answer.text
        assert (await player.clicks(answer, "The rule")).text
    watching = await cleo.clicks(cleo.board, "Why?")
    assert "secret profit" in watching.text
