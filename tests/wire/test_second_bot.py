"""A second bot for the same shards, and the next one after a kill, an upgrade or a suspension."""

import random
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import PostgresDatabase, SqliteDatabase
from tests.doses import IS_COMPLETE
from tests.postgres_server import PostgresServer
from tests.wire.bot_process import BotProcess, running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.people import Person
from tests.wire.playing import (
    DOORS,
    all_know,
    boards,
    hands,
    open_table,
    play_on,
    plays_by_board,
    resign,
    see_the_end,
)

TWO = {"players": 2, "rounds": 2}
WAITING = "waiting until other processes stop: process "


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord with one shard."""
    async with Discord() as discord:
        yield discord


@pytest.fixture
async def database(postgres: PostgresServer) -> AsyncIterator[PostgresDatabase]:
    """A new database on PostgreSQL."""
    postgres.sql("CREATE DATABASE second_bot")
    yield PostgresDatabase(postgres.url("second_bot"))
    postgres.sql("DROP DATABASE second_bot WITH (FORCE)")


async def seated(discord: Discord) -> list[Person]:
    """People at a table that has started, with their hands."""
    people = [Person(discord, name) for name in ("Ann", "Ben")]
    await open_table(people, **TWO)
    await discord.until(lambda: all(map(hands, people)))
    return people


async def is_played_on(people: list[Person]) -> None:
    """Play some moves, in full all of them, end the game, and check that nothing was shown twice."""
    await play_on(people, DOORS, random.Random(1), rounds=None if IS_COMPLETE else 12)
    if not all_know(people):
        await resign(people[0])
    await see_the_end(people)
    assert [len(boards(people[0])), *(len(hands(person)) for person in people)] == [1, 1, 1]


async def killed(discord: Discord, bot: BotProcess) -> None:
    """Kill the bot."""
    await bot.end(signal.SIGKILL)
    await discord.gateway.until_live([0], 0)
    discord.gateway.forget([0])


async def test_a_second_bot_on_a_file_is_refused_at_once(discord: Discord, tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    async with running(discord.url, path, arguments=IMPATIENT):
        await discord.gateway.until_ready()
        async with running(discord.url, path, arguments=IMPATIENT) as second:
            assert await second.output() == (
                1,
                "",
                "lilypad: A bot is running on the database tables.db; stop it first.\n",
            )
        await is_played_on(await seated(discord))


async def test_the_next_bot_on_a_file_waits_for_no_lease_of_a_killed_one(discord: Discord, tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "tables.db")
    async with running(discord.url, database.address, arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        people = await seated(discord)
        await killed(discord, bot)
    with closing(sqlite3.connect(database.address)) as file, file:
        for kept in ("leases", "bot_processes"):  # as if the kill had just happened, and for longer than the test
            file.execute(f"UPDATE {kept} SET expires_at = unixepoch() + 55")  # noqa: S608 - constants
    async with running(discord.url, database.address, arguments=IMPATIENT, log_level="INFO") as bot:
        await discord.gateway.until_ready()
        await is_played_on(people)
        _, said = await bot.end(signal.SIGTERM)
    assert "may make 46 of 46 requests a second" in said
    assert WAITING not in said


async def test_on_the_same_host_a_killed_process_leaves_its_shards_at_once(
    discord: Discord, database: PostgresDatabase
) -> None:
    async with running(discord.url, database.address, arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        people = await seated(discord)
        await killed(discord, bot)
    for kept in ("leases", "bot_processes"):  # as if the kill had just happened, and for longer than the test
        await database.rows(f"UPDATE {kept} SET expires_at = extract(epoch FROM now()) + 55")  # noqa: S608 - constants
    async with running(discord.url, database.address, arguments=IMPATIENT, log_level="INFO") as bot:
        await discord.gateway.until_ready()
        await is_played_on(people)
        _, said = await bot.end(signal.SIGTERM)
    assert "may make 46 of 46 requests a second" in said
    assert WAITING not in said


async def test_on_another_host_the_lease_of_a_killed_process_has_to_end(
    discord: Discord, database: PostgresDatabase
) -> None:
    async with running(discord.url, database.address, arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        people = await seated(discord)
        await killed(discord, bot)
    await database.rows("UPDATE leases SET host = 'alpha-1', expires_at = expires_at + 40")
    async with running(discord.url, database.address, arguments=IMPATIENT) as bot:
        assert " on alpha-1 serves some of the shards 0" in await bot.line_with(WAITING)
        await database.rows("UPDATE leases SET expires_at = 0")
        await discord.gateway.until_ready()
        await is_played_on(people)


async def test_an_upgrade_stops_one_process_for_the_next_one_that_waits(
    discord: Discord, database: PostgresDatabase
) -> None:
    async with running(discord.url, database.address, arguments=IMPATIENT) as old:
        await discord.gateway.until_ready()
        people = await seated(discord)
        await plays_by_board(people[0])
        async with running(discord.url, database.address, arguments=IMPATIENT) as new:
            line = await new.line_with(WAITING)
            assert f"process {old.pid} on " in line
            assert len(discord.gateway.live(0)) == 1
            await plays_by_board(people[1])
            status, said = await old.end(signal.SIGTERM)
            assert (status, said.count("ERROR"), said.count("Traceback")) == (0, 0, 0)
            discord.gateway.forget([0])
            await discord.gateway.until_ready()
            await is_played_on(people)
            assert (await new.end(signal.SIGTERM))[0] == 0


async def test_a_process_ends_for_a_restart_if_another_one_has_its_shards(
    discord: Discord, database: PostgresDatabase
) -> None:
    async with running(discord.url, database.address, arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        await database.rows("UPDATE leases SET holder = 'other', host = 'alpha-1', expires_at = expires_at + 40")
        status, _, said = await bot.output()
    assert status == 1
    assert said.splitlines()[-1] == "lilypad: Another process of the bot serves the same shards."
    assert "another process serves the shards 0 now; this one stops" in said
    assert await database.rows("SELECT holder FROM leases") == [("other",)]
