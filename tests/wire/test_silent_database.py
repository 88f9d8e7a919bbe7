"""A bot whose PostgreSQL server stops answering, and closes nothing, or is shut down."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from typing import Final

import pytest

from tests.databases import rows
from tests.postgres_server import PostgresServer, running_server
from tests.silent_proxy import SilentProxy, silent_proxy
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.people import Person, moves
from tests.wire.playing import hands, open_table

LIMIT_S: Final = 20.0
"""Far more than the 5 s in which players learn it, for busy machines."""
STOPPED_WITHIN_S: Final = 30.0
"""Ten on a machine without other work."""
DATABASE: Final = "silent"
REFUSAL: Final = "I can't save or load games right now."


def refusals(person: Person) -> int:
    return sum(REFUSAL in message.text for message in person.seen)


def is_saved(person: Person) -> bool:
    return "\n**Ben**: set a card aside." in person.board.text


async def presses_once(person: Person) -> None:
    """Play a card, and wait until it is saved or refused."""
    refused, hand = refusals(person), hands(person)[-1]
    await person.press(hand, *moves(hand)[0])
    await person.discord.until(lambda: is_saved(person) or refusals(person) > refused)


@pytest.fixture
async def proxy(postgres: PostgresServer) -> AsyncIterator[SilentProxy]:
    """A proxy in front of a new database."""
    postgres.sql(f"CREATE DATABASE {DATABASE}")
    async with silent_proxy(postgres) as proxy:
        yield proxy
    postgres.sql(f"DROP DATABASE {DATABASE} WITH (FORCE)")


async def test_players_learn_in_time_that_the_database_is_silent(proxy: SilentProxy, postgres: PostgresServer) -> None:
    entries = "SELECT count(*) FROM entries"
    async with Discord() as discord, running(discord.url, proxy.url(DATABASE)):
        await discord.gateway.until_ready()
        ann, ben = [Person(discord, name) for name in ("Ann", "Ben")]
        await open_table((ann, ben), players=2, rounds=2)
        await discord.until(lambda: hands(ann) and hands(ben))
        ((before,),) = await rows(postgres.url(DATABASE), entries)

        proxy.is_silent = True
        asked = time.monotonic()
        hand = hands(ann)[-1]
        await ann.press(hand, *moves(hand)[0])
        await discord.until(lambda: REFUSAL in ann.seen[-1].text)
        assert time.monotonic() - asked < LIMIT_S

        proxy.is_silent = False
        while not is_saved(ann):  # on a busy machine, a new connection may take too long at first
            await presses_once(ann)
        assert await rows(postgres.url(DATABASE), entries) == [(before + 1,)]


async def test_a_bot_whose_database_is_silent_stops_in_time(proxy: SilentProxy) -> None:
    async with Discord() as discord, running(discord.url, proxy.url(DATABASE)) as bot:
        await discord.gateway.until_ready()
        await open_table([Person(discord, "Ann")], players=2, rounds=2, computers=1)
        proxy.is_silent = True
        status, _ = await bot.end(signal.SIGTERM, STOPPED_WITHIN_S)
    assert status == 0


async def test_a_bot_whose_database_is_shut_down_stops_in_time() -> None:
    with running_server() as server:
        server.sql(f"CREATE DATABASE {DATABASE}")
        async with Discord() as discord, running(discord.url, server.url(DATABASE)) as bot:
            await discord.gateway.until_ready()
            await open_table([Person(discord, "Ann")], players=2, rounds=2, computers=1)
            await asyncio.to_thread(server.stop)  # as on a machine that shuts down
            status, _ = await bot.end(signal.SIGTERM, STOPPED_WITHIN_S)
    assert status == 0
