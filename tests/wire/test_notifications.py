"""Two processes on PostgreSQL whose ticks are an hour apart: only notifications tell one what the other has done."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from tests.databases import rows
from tests.postgres_server import PostgresServer
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.people import Person, moves
from tests.wire.playing import boards, hands, open_table

LISTENING = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT 1'"
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT 1'"


@pytest.fixture
async def url(postgres: PostgresServer) -> AsyncIterator[str]:
    """The address of a new database."""
    postgres.sql("CREATE DATABASE two_processes")
    yield postgres.url("two_processes")
    postgres.sql("DROP DATABASE two_processes WITH (FORCE)")


async def listens_twice(url: str, *, apart_from: frozenset[int] = frozenset()) -> bool:
    """Return whether two connections listen that aren't those."""
    return len({pid for (pid,) in await rows(url, LISTENING)} - apart_from) == 2


async def test_a_move_in_one_process_is_shown_by_the_other(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TICK_S", "3600")
    async with Discord(2, servers=1) as discord, running(discord.url, url, arguments=IMPATIENT, shards="1/2"):
        await discord.gateway.until_live([1], 1)
        async with running(discord.url, url, arguments=IMPATIENT, shards="0/2"):
            await discord.gateway.until_ready()
            await until(partial(listens_twice, url))
            ann, ben = [Person(discord, name) for name in ("Ann", "Ben")]  # their server is on shard 1
            await open_table((ann, ben), players=2, rounds=2)
            await discord.until(lambda: hands(ann) and hands(ben))
            await play(ann)
            await discord.until(lambda: "\n**Ben**: set a card aside." in ann.board.text)

            before = frozenset([pid for (pid,) in await rows(url, LISTENING)])
            await rows(url, CUT)
            await until(partial(listens_twice, url, apart_from=before))
            await play(ben)
            await discord.until(lambda: "set a card aside." not in ann.board.text)
        assert len(boards(ann)) == 1
    assert discord.unanswered == []


async def play(person: Person) -> None:
    """Play by the hand. Direct messages reach the process of shard 0, which can't update the board."""
    hand = hands(person)[-1]
    await person.press(hand, *moves(hand)[0])
