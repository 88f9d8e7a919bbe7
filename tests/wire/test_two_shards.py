"""Two processes on PostgreSQL with a shard each: direct messages reach one, the table is on the other's server."""

import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from tests.databases import Database, PostgresDatabase
from tests.doses import IS_COMPLETE
from tests.postgres_server import PostgresServer
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT, World
from tests.wire.discord_server import Discord
from tests.wire.people import Person, button, moves, presses
from tests.wire.playing import (
    DOORS,
    boards,
    by_board,
    by_direct_message,
    hands,
    is_over,
    open_table,
    play_on,
    plays_by_board,
    resign,
    see_the_end,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

TWO = {"players": 2, "rounds": 2}
TICK_S = "0.2"
"""The interval of looking for what the other process has changed, as each move from a direct message waits for it."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(postgres: PostgresServer) -> AsyncIterator[World]:
    """Two processes. The server is on shard 1, and direct messages on shard 0."""
    postgres.sql("CREATE DATABASE two_shards")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("TICK_S", TICK_S)
        async with two_shards(PostgresDatabase(postgres.url("two_shards"))) as world:
            yield world
    postgres.sql("DROP DATABASE two_shards WITH (FORCE)")


@asynccontextmanager
async def two_shards(database: Database) -> AsyncIterator[World]:
    """Two processes that are ready to play."""
    async with (
        Discord(2) as discord,
        running(discord.url, database.address, arguments=IMPATIENT, shards="0/2") as bot,
        running(discord.url, database.address, arguments=IMPATIENT, shards="1/2"),
    ):
        await discord.gateway.until_ready()
        yield World(discord, bot, database, shares_limits=True)


async def seated(town: World, *names: str, **options: object) -> list[Person]:
    """People at a table that has started, with their hands."""
    people = town.people(*names)
    await open_table(people, **options or TWO)
    await town.discord.until(lambda: all(map(hands, people)))
    return people


async def plays_by_message(person: Person) -> None:
    """Play a move from the hand in the direct message, as soon as it offers one."""
    await person.discord.until(lambda: moves(hands(person)[-1]))
    await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])


async def test_moves_from_direct_messages_are_shown_on_the_board_and_in_every_hand(town: World) -> None:
    ann, ben = await seated(town)
    await plays_by_message(ann)
    await town.discord.until(lambda: "**Ann**: set a card aside." not in ann.board.text)
    await plays_by_message(ben)
    await town.discord.until(lambda: "set a card aside." not in ann.board.text)
    assert town.moves(ann) == 2
    assert [len(boards(ann)), len(hands(ann)), len(hands(ben))] == [1, 1, 1]


async def test_a_whole_game_is_played_through_both_processes(town: World) -> None:
    people = ann, ben = await seated(town)
    await play_on(people, DOORS, random.Random(1), None if IS_COMPLETE else 8)
    if IS_COMPLETE:
        await see_the_end(people)
    plies = [ply for ply, _, _ in town.log(ann)]
    assert plies == list(range(len(plies)))
    await town.discord.until(lambda: len(boards(ben)) == 1)


async def test_a_rematch_from_direct_messages_is_posted_by_the_other_process(town: World) -> None:
    people = ann, ben = await seated(town)
    await play_on(people, (by_board,), random.Random(2), rounds=2)
    await resign(ann)
    await see_the_end(people)
    asked = await ann.press_label(hands(ann)[-1], "Rematch")
    await town.discord.until(lambda: button(ben.board, "Start"))
    assert "The rematch is" in json.dumps(asked.answer)
    await ben.press_label(hands(ben)[-1], "Rematch")
    await town.discord.until(lambda: "Ben" in ben.board.text and not is_over(ben.board))
    await ben.press_label(ben.board, "Start")
    await town.discord.until(lambda: button(ben.board, "My hand"))
    await plays_by_board(ben)


async def test_a_hand_opened_in_direct_messages_follows_moves_on_the_board(town: World) -> None:
    ann, ben = await seated(town)
    channel, ann.channel_id = ann.channel_id, ann.dm_id
    opened = (await ann.type("pond hand")).original
    ann.channel_id = channel
    assert opened is not None
    await town.discord.until(lambda: presses(opened))
    before = presses(opened)  # with the version of the table
    await plays_by_board(ben)
    await town.discord.until(lambda: presses(opened) != before)


async def test_computers_answer_moves_from_direct_messages(town: World) -> None:
    (ann,) = await seated(town, "Ann", computers=1, **TWO)
    await play_on([ann], [by_direct_message, by_board], random.Random(3), None if IS_COMPLETE else 8)
    if IS_COMPLETE:
        await see_the_end([ann])
    plies = [ply for ply, _, _ in town.log(ann)]
    assert plies == list(range(len(plies)))
