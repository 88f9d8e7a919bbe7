"""Each patch in `bot.running.gateway` is still needed: what discord.py does without it. A failure means it can go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from discord import Client, Intents
from discord.backoff import ExponentialBackoff
from discord.http import Route

from bot.running.gateway import LONGEST_PAUSE_S, REQUEST_S
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault, Refused
from tests.wire.objects import GUILD_ID, TOKEN

HASTE: Final = 20
SHORT_S: Final = 3.0
"""No backoff makes so many attempts to connect in so short a time."""


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as discord:
        yield discord


@asynccontextmanager
async def unpatched(discord: Discord, directory: Path) -> AsyncIterator[BotProcess]:
    """Run a bot that is plain discord.py."""
    shapes = directory / "shapes.json"
    shapes.write_text(json.dumps([]), encoding="utf-8")
    arguments = ("-m", "benchmarks.bare_bot", str(shapes))
    async with running(discord.url, directory / "none.db", arguments=arguments) as bot:
        yield bot


async def test_a_connection_closed_before_its_greeting_is_retried_in_haste(discord: Discord, tmp_path: Path) -> None:
    async with unpatched(discord, tmp_path):
        await discord.gateway.until_ready()
        discord.gateway.outage = "closing"
        await discord.gateway.drop(0)
        await asyncio.sleep(SHORT_S)
        assert len(discord.gateway.history) > HASTE


async def test_an_event_that_cannot_be_parsed_ends_the_program(discord: Discord, tmp_path: Path) -> None:
    async with unpatched(discord, tmp_path) as bot:
        await discord.gateway.until_ready()
        channel = {"id": "77", "guild_id": GUILD_ID, "type": 0}  # without a name, and much else
        await discord.gateway.dispatch("CHANNEL_CREATE", channel, GUILD_ID)
        status, said = await bot.end(within_s=30)
    assert status != 0
    assert "KeyError" in said


async def test_an_outage_at_the_start_ends_the_program(discord: Discord, tmp_path: Path) -> None:
    discord.faults.append(Fault("GET @me", refusal=Refused(503, 0, "503: Service Unavailable"), times=99))
    async with unpatched(discord, tmp_path) as bot:
        status, said = await bot.end(within_s=30)
    assert status != 0
    assert "DiscordServerError" in said


def test_delays_between_attempts_to_connect_grow_beyond_a_minute() -> None:
    backoff = ExponentialBackoff[bool]()
    assert max(backoff.delay() for _ in range(100)) > LONGEST_PAUSE_S


async def test_a_request_may_take_minutes() -> None:
    async with aiohttp.ClientSession() as session:  # as discord.py makes it
        assert (session.timeout.total or 0) > 4 * REQUEST_S


async def test_no_request_follows_one_that_was_cancelled_during_a_global_limit(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Route, "BASE", discord.url)
    limit = Refused(429, 0, "You are being rate limited, globally.", SHORT_S, "global")
    async with Client(intents=Intents.none()) as client:
        await client.login(TOKEN)
        discord.faults.append(Fault("GET members", refusal=limit))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await client.http.get_member(int(GUILD_ID), 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2 * SHORT_S):
                await client.http.get_member(int(GUILD_ID), 1)


async def test_the_gateway_has_the_proxy_of_requests() -> None:
    async with Client(intents=Intents.none(), proxy="http://127.0.0.1:9") as client:
        with pytest.raises(aiohttp.ClientProxyConnectionError):
            await client.http.static_login("a.token")
        with pytest.raises(aiohttp.ClientProxyConnectionError):
            await client.http.ws_connect("ws://127.0.0.1:8/")
