"""The bot as a process, against a server that is as strict as Discord."""

import asyncio
import json
import random
import signal
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.doses import IS_COMPLETE, on_demand
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.failing import seated
from tests.wire.faults import Fault, Refused
from tests.wire.moderators import delete_unnoticed
from tests.wire.objects import GUILD_ID, LOADING, V2
from tests.wire.people import Person, presses
from tests.wire.playing import (
    DOORS,
    boards,
    by_board,
    by_command,
    by_direct_message,
    doors,
    hands,
    open_table,
    play_on,
    see_the_end,
)

TWO = {"players": 2, "rounds": 2}


@pytest.fixture
async def discord(request: pytest.FixtureRequest) -> AsyncIterator[Discord]:
    """A Discord. At the end, it must have refused nothing, and every interaction must be answered.

    The parameter is the number of shards that it recommends.
    """
    async with Discord(getattr(request, "param", 1)) as discord:
        yield discord
        assert discord.refused == []
        assert discord.slowed_down == []
        assert discord.unanswered == []
        assert "Something went wrong" not in json.dumps([body for _, _, body in discord.requests])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "tables.db"


@pytest.fixture
async def bot(discord: Discord, database: Path) -> AsyncIterator[BotProcess]:
    """A running bot."""
    async with running(discord.url, database) as process:
        await discord.gateway.until_ready()
        yield process


def two(discord: Discord) -> list[Person]:
    """Ann and Ben."""
    return [Person(discord, "Ann"), Person(discord, "Ben")]


# ---- games


async def test_two_people_play_a_game_by_buttons_menus_and_commands(discord: Discord, bot: BotProcess) -> None:
    people = two(discord)
    await open_table(people, **TWO)
    await play_on(people, DOORS, random.Random(1), None if IS_COMPLETE else 12)
    if IS_COMPLETE:  # otherwise test_replays.py plays each game to its end
        await see_the_end(people)
    status, said = await bot.end(signal.SIGTERM)
    assert (status, said.count("ERROR"), said.count("Traceback")) == (0, 0, 0)


@pytest.mark.usefixtures("bot")
async def test_two_people_play_a_game_by_commands_alone(discord: Discord) -> None:
    people = ann, ben = two(discord)
    await ann.type("pond open", **TWO)
    await ben.type("pond join")
    await ann.type("pond start")
    await play_on(people, [by_command], random.Random(2), None if IS_COMPLETE else 8)
    if IS_COMPLETE:
        await see_the_end(people)


@pytest.mark.usefixtures("bot")
async def test_four_people_play_a_game(discord: Discord) -> None:
    people = [Person(discord, name) for name in ("Ann", "Ben", "Cat", "Dan")]
    await open_table(people, players=4, rounds=2)
    await play_on(people, DOORS, random.Random(3), None if IS_COMPLETE else 6)
    if IS_COMPLETE:
        await see_the_end(people)


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    ("group", "people", "options"),
    [
        pytest.param("frogs", 2, {"preset": "big"}, id="frogs on the big pond", marks=on_demand),
        pytest.param(
            "pontis",
            3,
            {"players": 4, "computers": 1, "games": 2},
            id="pontis, a computer among them",
            marks=on_demand,
        ),
        pytest.param(
            "potblack",
            2,
            {"players": 3, "deals": 5, "computers": 1},
            id="pot black, three with 39 cards",
            marks=on_demand,
        ),
    ],
)
async def test_the_other_games_are_played_to_their_ends(
    discord: Discord, group: str, people: int, options: dict[str, object]
) -> None:
    """In other forms than those in test_replays.py, which always plays each game to its end."""
    everybody = [Person(discord, name) for name in ("Ann", "Ben", "Cat", "Dan")[:people]]
    await open_table(everybody, group, **options)
    await play_on(everybody, doors(group), random.Random(9))
    await see_the_end(everybody)


@pytest.mark.usefixtures("bot")
async def test_a_player_against_a_computer_reads_every_page(discord: Discord) -> None:
    ann = Person(discord, "Ann")
    await open_table([ann], computers=1, **TWO)
    await play_on([ann], [by_board], random.Random(4), rounds=6)
    for label in ("Why?", "More"):
        page = await ann.opens(ann.board, label)
        for custom_id, value in presses(page):
            await ann.press(page, custom_id, value)
    for command in ("pond hand", "pond board", "pond won", "pond rules", "pond resign", "tables", "help"):
        shown = (await ann.type(command)).original
        assert shown is not None
        assert shown.only_for == ann.id
        assert shown.flags & V2


@pytest.mark.usefixtures("bot")
async def test_a_cut_is_entered_in_a_form(discord: Discord) -> None:
    ann = Person(discord, "Ann")
    lobby = (await ann.type("pond open")).original
    assert lobby is not None
    page = await ann.opens(lobby, "More")
    await ann.press_label(page, "🔒 Shuffle")
    form = await ann.press_label(page, "Cut")
    assert form.kind == 9
    await ann.fill_in(form.answer, "to be or not to be", page)
    await discord.until(lambda: "has cut" in lobby.text)


@pytest.mark.usefixtures("bot")
async def test_a_player_with_closed_direct_messages_plays_from_the_board(discord: Discord) -> None:
    people = ann, ben = two(discord)
    discord.closed_dms[ben.id] = 50007
    await open_table(people, **TWO)
    await play_on(people, [by_board], random.Random(5), rounds=4)
    assert hands(ann)
    (refusal,) = discord.refused
    assert "50007" in refusal
    discord.refused.clear()


# ---- trouble


async def test_a_killed_bot_continues_after_a_restart(discord: Discord, database: Path) -> None:
    people = two(discord)
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        await open_table(people, **TWO)
        await play_on(people, DOORS, random.Random(6), rounds=12)
        play = [asyncio.create_task(play_on([person], [by_direct_message], random.Random(7))) for person in people]
        count = len(discord.requests)
        await discord.until(lambda: len(discord.requests) > count + 5)
        await bot.end(signal.SIGKILL)
        for task in play:
            task.cancel()
        discord.give_up_waiting()
        await asyncio.gather(*play, return_exceptions=True)
    async with running(discord.url, database):
        await discord.gateway.until_ready()
        for person in people:
            for message in person.seen:
                for custom_id, value in presses(message):
                    if not message.is_deleted:
                        await person.press(message, custom_id, value)
        before = people[0].board.text
        await play_on(people, DOORS, random.Random(8), None if IS_COMPLETE else 6)
        await discord.until(lambda: people[0].board.text != before and len(boards(people[0])) == 1)
        if IS_COMPLETE:
            await see_the_end(people)
    discord.slowed_down.clear()  # a new process doesn't know how much of the limits is left


@pytest.mark.usefixtures("bot")
async def test_lost_connections_resume_and_lost_sessions_are_replaced(discord: Discord) -> None:
    people = two(discord)
    await open_table(people, **TWO)
    await discord.gateway.drop(0)
    await play_on(people, [by_board], random.Random(9), rounds=3)
    await discord.gateway.drop(0, forget=True)
    await discord.gateway.until_ready()
    await play_on(people, [by_board], random.Random(9), rounds=3)
    assert discord.gateway.history == ["identify 0", "resume 0", "invalid session", "identify 0"]


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("discord", [2], indirect=True)
async def test_direct_messages_arrive_on_another_shard_than_the_channel(discord: Discord) -> None:
    people = two(discord)
    await open_table(people, **TWO)
    await play_on(people, [by_direct_message, by_board], random.Random(10), rounds=10)
    assert discord.gateway.history == ["identify 0", "identify 1"]


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("discord", [2], indirect=True)
async def test_each_shard_checks_its_boards_when_a_session_begins(discord: Discord) -> None:
    people = ann, ben = two(discord)
    await open_table(people, **TWO)
    await discord.until(lambda: hands(ann) and hands(ben) and "set a card aside." in ann.board.text)
    await asyncio.sleep(4.0)  # the check of the first session, which finds nothing to do
    shard = discord.gateway.shard_of(GUILD_ID)
    await discord.gateway.drop(shard, forget=True)
    delete_unnoticed(discord, ann.board)
    await discord.until(lambda: boards(ann))
    assert discord.gateway.history.count(f"identify {shard}") == 2
    assert all("10008" in refusal for refusal in discord.refused)
    discord.refused.clear()


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(Refused(500, 0, "500: Internal Server Error"), id="an error that discord.py tries again"),
        pytest.param(Refused(503, 0, "upstream connect error"), id="an error that discord.py gives up on"),
        pytest.param(Refused(429, 0, "The global limit.", 0.3), id="too many requests"),
    ],
)
async def test_a_board_that_could_not_be_edited_is_edited_later(discord: Discord, error: Refused) -> None:
    ann, ben = two(discord)
    await seated(ann, ben)
    discord.faults.append(Fault("PATCH messages", refusal=error))
    await by_direct_message(ann, random.Random(12))
    await discord.until(lambda: "\n**Ben**: set a card aside." in ben.board.text)
    assert len(discord.went_wrong) == 1


@pytest.mark.usefixtures("bot")
async def test_a_slow_answer_is_deferred_and_sent_later(discord: Discord, database: Path) -> None:
    people = ann, ben = two(discord)
    await open_table(people, **TWO)
    hand = await ben.opens(ben.board, "My hand")
    with sqlite3.connect(database, isolation_level=None) as locked:
        locked.execute("BEGIN IMMEDIATE")
        (custom_id, value), *_ = [each for each in presses(hand) if each[1]]
        typed, pressed = await asyncio.gather(
            ann.type("pond move", move=(await ann.complete("pond move", "move"))[0]), ben.press(hand, custom_id, value)
        )
        assert (typed.kind, pressed.kind) == (5, 6)
        locked.execute("ROLLBACK")
    locked.close()
    answer = typed.original
    assert answer is not None
    await discord.until(lambda: not answer.flags & LOADING and "set aside" in hand.text)
    assert answer.flags & V2
    assert answer.only_for == ann.id
    assert "Your hand" in answer.text


async def test_the_bot_stops_in_the_middle_of_a_game(discord: Discord, bot: BotProcess) -> None:
    people = two(discord)
    await open_table(people, **TWO)
    await play_on(people, DOORS, random.Random(11), rounds=8)
    assert len(boards(people[0])) == 1
    status, said = await bot.end(signal.SIGTERM)
    assert (status, said.count("Traceback")) == (0, 0)


async def test_messages_of_an_old_database_are_not_reused(discord: Discord, database: Path) -> None:
    people = ann, ben = two(discord)
    for number in (1, 2):
        async with running(discord.url, database.with_name(f"{number}.db")):
            await discord.gateway.until_ready()
            await open_table(people, **TWO)
            await discord.until(
                lambda: len(hands(ann)) == len(hands(ben)) == discord.gateway.history.count("identify 0")
            )


# ---- starts that fail


async def test_a_wrong_token_is_one_error_line(database: Path) -> None:
    async with Discord() as discord, running(discord.url, database, "a.wrong.token", "ERROR") as bot:
        status, said = await bot.end()
    assert (status, said.count("\n")) == (78, 1)
    assert "DISCORD_TOKEN" in said


async def test_if_commands_are_refused_the_previous_ones_still_work(discord: Discord, database: Path) -> None:
    async with running(discord.url, database):
        await discord.gateway.until_ready()
    refusal = Refused(400, 30034, "Max number of daily application command creates reached")
    discord.faults.append(Fault("PUT commands", refusal=refusal))
    async with running(discord.url, database):
        await discord.until(lambda: discord.went_wrong)
        await discord.gateway.until_ready()
        await Person(discord, "Ann").type("help")


async def test_a_missing_gateway_is_one_error_line(database: Path) -> None:
    async with Discord() as discord:
        discord.faults.append(Fault("GET bot", refusal=Refused(404, 0, "404: Not Found"), times=99))
        async with running(discord.url, database, log_level="ERROR") as bot:
            status, said = await bot.end()
    assert (status, said.count("\n")) == (1, 1)
    assert "can't be reached" in said


async def test_an_unreachable_discord_is_one_error_line(database: Path) -> None:
    async with running("http://127.0.0.1:9/api/v10", database, log_level="ERROR") as bot:
        status, said = await bot.end()
    assert (status, said.count("\n")) == (1, 1)
    assert "can't be reached" in said
