"""Two processes with one token and one database: the one with the lease answers and updates messages."""

import asyncio
import json
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.databases import Database, SqliteDatabase
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.moderators import delete_message
from tests.wire.objects import Message
from tests.wire.people import Person, button, moves, presses
from tests.wire.playing import (
    DOORS,
    Door,
    boards,
    by_board,
    by_command,
    by_direct_message,
    hands,
    is_over,
    may_bait,
    open_table,
    play_on,
    plays_by_board,
    see_the_end,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO = {"players": 2, "rounds": 2}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """Two processes that are ready to play."""
    database = tmp_path_factory.mktemp("wire") / "tables.db"
    async with Discord() as discord:
        discord.gateway.heartbeat_s = 0.5
        async with running(discord.url, database, arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            async with running(discord.url, database, arguments=IMPATIENT):
                await discord.gateway.until_ready(processes=2)
                world = World(discord, bot, SqliteDatabase(database), shares_limits=True)
                world.forgives("10008")  # a deleted board may be edited before the bot learns of it
                world.forgives("40060")  # on a busy machine, the other may take over what is only late
                yield world


@pytest_asyncio.fixture(loop_scope="module")
async def town(town: World) -> AsyncIterator[World]:
    """The world. Both processes receive every interaction, unless the test changes that."""
    yield town
    town.discord.gateway.interactions_to = None


def holder_of(database: Database) -> str:
    """The process that has the lease."""
    return str(database.rows_at_once("SELECT holder FROM leases")[0][0])


async def seated(town: World, *names: str, **options: object) -> list[Person]:
    """People at a table that has started, with their hands."""
    people = town.people(*names)
    await open_table(people, **options or TWO)
    await town.discord.until(lambda: all(map(hands, people)))
    return people


async def is_set(town: World, hand: Message) -> None:
    """Wait until the hand shows that its first move was made."""
    await town.discord.until(lambda: "set aside" in hand.text)


async def test_a_whole_game_is_played_and_nothing_comes_twice(town: World) -> None:
    people = ann, ben = await seated(town)
    await play_on(people, DOORS, random.Random(1))
    await see_the_end(people)
    plies = [ply for ply, _, _ in town.log(ann)]
    assert plies == list(range(len(plies)))
    assert len(boards(ben)) == 1


async def test_one_command_opens_one_table_and_one_press_seats_one_computer(town: World) -> None:
    (ann,) = town.people("Ann")
    await ann.type("pond open", players=4, rounds=2)
    await ann.press_label(ann.board, "Add computer")
    await ann.press_label(ann.board, "Add computer")
    await town.discord.until(lambda: ann.board.text.count("🤖") >= 2)
    await ann.type("help")  # a third computer would have been added before this is answered
    computers = "SELECT count(*) FROM seats WHERE user_id IS NULL AND table_id = (SELECT max(id) FROM tables)"
    assert town.database.rows_at_once(computers) == [(2,)]
    await town.discord.until(lambda: ann.board.text.count("🤖") == 2)  # an edit by the other process may come later
    assert len(boards(ann)) == 1


async def test_a_press_plays_one_move_and_its_player_sees_no_error(town: World) -> None:
    ann, ben = await seated(town)
    for person in (ann, ben):
        hand = hands(person)[-1]
        await person.press(hand, *moves(hand)[0])
        await is_set(town, hand)
        assert "wrong" not in hand.text
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    assert town.moves(ann) == 2
    assert [len(hands(person)) for person in (ann, ben)] == [1, 1]


async def test_of_two_presses_at_the_same_time_both_are_answered(town: World) -> None:
    people = await seated(town)
    pressed = [(person, hands(person)[-1], moves(hands(person)[-1])[0]) for person in people]
    await asyncio.gather(*(person.press(hand, *move) for person, hand, move in pressed))
    for person in people:
        if "set aside" not in hands(person)[-1].text:  # the other was quicker; the hand is now up to date
            await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])
    await town.discord.until(lambda: "set a card aside." not in people[0].board.text)
    assert town.moves(people[0]) == 2


async def test_a_board_that_is_deleted_is_posted_by_one_of_them(town: World) -> None:
    ann, ben = await seated(town)
    for _ in range(2):
        await delete_message(town.discord, ann.board)
        await town.discord.until(lambda: boards(ann))
    await plays_by_board(ben)
    await town.discord.until(lambda: "\n**Ann**: set a card aside." in ann.board.text)
    assert len(boards(ann)) == 1


@pytest.mark.parametrize("process", [0, 1])
async def test_the_holder_of_the_lease_shows_moves_that_either_process_takes(town: World, process: int) -> None:
    town.discord.gateway.interactions_to = process
    holder = holder_of(town.database)
    people = ann, ben = await seated(town)
    for person in people:
        await plays_by_board(person)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    first = ann if "**Ann**: " in ann.board.text else ben
    await town.discord.until(lambda: may_bait(first))
    assert town.moves(ann) == 2
    assert len(boards(ann)) == 1
    assert [len(hands(person)) for person in people] == [1, 1]
    assert holder_of(town.database) == holder


async def test_an_open_hand_follows_moves_made_by_the_other_process(town: World) -> None:
    ann, ben = await seated(town)
    for asked, told in ((0, 1), (1, 0)):
        town.discord.gateway.interactions_to = asked
        opened = await ann.opens(ann.board, "My hand")
        before = presses(opened)  # with the version of the table
        town.discord.gateway.interactions_to = told
        await plays_by_board(ben if asked == 0 else ann)
        await town.discord.until(lambda opened=opened, before=before: presses(opened) != before)  # type: ignore[misc]  # the lambda's defaults


async def test_computers_play_on_whichever_process_was_quicker(town: World) -> None:
    (ann,) = await seated(town, "Ann", computers=1, **TWO)
    await play_on([ann], [by_board], random.Random(2), rounds=12)
    plies = [ply for ply, _, _ in town.log(ann)]
    assert plies == list(range(len(plies)))
    assert len(boards(ann)) == 1


async def test_the_other_process_takes_over_when_the_one_with_the_lease_is_killed(town: World) -> None:
    people = ann, ben = await seated(town)
    holder = holder_of(town.database)
    await play_on(people, DOORS, random.Random(3), rounds=6)
    await town.bot.end(signal.SIGKILL)
    await play_on(people, DOORS, random.Random(4))
    await see_the_end(people)
    assert is_over(ann.board)
    assert button(ben.board, "Rematch")
    assert holder_of(town.database) != holder


async def by_hand(person: Person, rng: random.Random) -> bool:
    """Pick from the hand in the direct message, and look at it again before the next move."""
    if not hands(person):
        return False
    hand = hands(person)[-1]
    before = presses(hand)  # with the version of the table
    played = await by_direct_message(person, rng)
    if played:
        await person.discord.until(lambda: presses(hand) != before)
    return played


@pytest.mark.parametrize("door", [by_hand, by_command])
async def test_a_player_is_answered_by_one_process_and_no_move_of_theirs_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: Door
) -> None:
    monkeypatch.setenv("TAKE_OVER_S", "600")  # longer than any answer takes
    database = SqliteDatabase(tmp_path / "tables.db")
    async with Discord() as discord, running(discord.url, database.address, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        async with running(discord.url, database.address, arguments=IMPATIENT):
            await discord.gateway.until_ready(processes=2)
            people = ann, _ = [Person(discord, name) for name in ("Ann", "Ben")]
            await open_table(people, **TWO)
            await discord.until(lambda: all(map(hands, people)))
            await play_on(people, [door], random.Random(6), rounds=4)
            assert [path for _, path, body in discord.requests if "has moved on" in json.dumps(body)] == []
            if door is by_hand:  # while a command is typed, both make suggestions
                assert [each for each in discord.refused if " 40060 " in each] == []
            assert discord.unanswered == []
            assert database.rows_at_once("SELECT count(*) FROM tables") == [(1,)]
            assert len(boards(ann)) == 1


async def test_an_upgrade_leaves_no_press_unanswered_and_posts_nothing_twice(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "tables.db")
    async with Discord() as discord, running(discord.url, database.address, arguments=IMPATIENT) as old:
        await discord.gateway.until_ready()
        people = ann, _ = [Person(discord, name) for name in ("Ann", "Ben")]
        await open_table(people, **TWO)
        await discord.until(lambda: all(map(hands, people)))
        holder = holder_of(database)
        async with running(discord.url, database.address, arguments=IMPATIENT):
            await discord.gateway.until_ready(processes=2)
            playing = asyncio.create_task(play_on(people, DOORS, random.Random(5)))
            status, said = await old.end(signal.SIGTERM)
            assert (status, said.count("ERROR"), said.count("Traceback")) == (0, 0, 0)
            await playing
            await see_the_end(people)
            assert holder_of(database) != holder
    assert discord.unanswered == []
    assert len(boards(ann)) == 1
    assert [len(hands(person)) for person in people] == [1, 1]
