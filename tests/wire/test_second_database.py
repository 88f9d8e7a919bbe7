"""Two bots with one token and two databases: one of them says so, and no healthy bot does."""

import asyncio
import json
import signal
import time
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from bot.running.gateway import GatewayFound, identified
from bot.running.second_bot import NOTICE, SETTLED_S, Sessions
from tests.waiting import DEADLINE_S, until
from tests.wire.bot_process import BotProcess, running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.people import Person

URL: Any = "wss://gateway.example"
DAY_S = 86_400.0


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord with one shard."""
    async with Discord() as discord:
        yield discord


def health(port: int) -> tuple[int, list[str]]:
    """Return the status of /healthz, and what is wrong."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20) as answer:
            return answer.status, json.load(answer).get("wrong", [])
    except HTTPError as error:
        return error.code, json.load(error)["wrong"]


async def both_have_settled(discord: Discord) -> None:
    """Wait until both run. Boards of a bot's first second are no evidence, as Discord's dates are whole seconds."""
    await discord.gateway.until_live([0], 2)
    settled_at = time.time() + 2
    await until(lambda: time.time() > settled_at)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the clocks of bots that start from now on differ from the others'.

    Tables that both open in the same millisecond would get the same tag, and no bot could tell them apart.
    """
    return lambda: monkeypatch.setenv("AHEAD_S", "0.25")


async def test_one_of_two_bots_with_one_token_says_so_after_the_second_command(
    discord: Discord,
    tmp_path: Path,
    unused_tcp_port: int,
    monkeypatch: pytest.MonkeyPatch,
    later: Callable[[], None],
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(unused_tcp_port))
    async with running(discord.url, tmp_path / "forgotten.db", arguments=IMPATIENT) as first:
        await discord.gateway.until_ready()
        monkeypatch.delenv("METRICS_PORT")
        assert health(unused_tcp_port) == (200, [])
        later()
        async with running(discord.url, tmp_path / "service.db", arguments=IMPATIENT):
            await both_have_settled(discord)
            ann = Person(discord, "Ann")
            for command in ("pond open", "frogs open"):
                await ann.type(command)
            assert "WARNING" in await first.line_with(NOTICE)
            assert await asyncio.to_thread(health, unused_tcp_port) == (503, [NOTICE])
            await ann.type("pontis open")
            assert not [message.text for message in ann.seen if "lost" in message.text or "backup" in message.text]
        _, said = await first.end(signal.SIGTERM)
        assert said.count(NOTICE) == 0  # once is enough


async def test_a_press_on_a_board_of_the_other_bot_is_evidence(
    discord: Discord, tmp_path: Path, later: Callable[[], None]
) -> None:
    async with running(discord.url, tmp_path / "forgotten.db", arguments=IMPATIENT) as first:
        await discord.gateway.until_ready()
        later()
        async with running(discord.url, tmp_path / "service.db", arguments=IMPATIENT) as second:
            await both_have_settled(discord)
            ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
            opened = (await ann.type("pond open")).original
            assert opened is not None
            await ben.press_label(opened, "Join")
            said = [asyncio.ensure_future(each.line_with(NOTICE)) for each in (first, second)]
            done, waiting = await asyncio.wait(said, return_when=asyncio.FIRST_COMPLETED, timeout=DEADLINE_S)
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            assert done


async def killed(discord: Discord, bot: BotProcess) -> None:
    """Kill the bot."""
    await bot.end(signal.SIGKILL)
    await discord.gateway.until_live([0], 0)
    discord.gateway.forget([0])


async def test_a_bot_that_was_killed_between_its_tables_says_nothing(discord: Discord, tmp_path: Path) -> None:
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    for command in ("pond open", "frogs open"):
        async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
            await discord.gateway.until_ready()
            opened = (await ann.type(command)).original
            assert opened is not None
            await killed(discord, bot)
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        await ben.press_label(ann.board, "Join")
        await ann.type("pontis open")
        await ben.press_label(ann.board, "Join")
        _, said = await bot.end(signal.SIGTERM)
        assert NOTICE not in said


# ---- sessions


def found(left: int, reset_after_s: float = DAY_S) -> GatewayFound:
    """Discord's answer with so many sessions left."""
    return GatewayFound(URL, 1, left, reset_after_s)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions that this process has begun: none."""
    monkeypatch.setattr(identified, "count", 0)
    monkeypatch.setattr(identified, "last_at", -1000.0)


def begin(at: float) -> None:
    """Begin a session of this process."""
    identified.count += 1
    identified.last_at = at


@pytest.mark.usefixtures("begun")
def test_sessions_of_this_process_are_no_evidence() -> None:
    sessions = Sessions()
    assert not sessions.falls(found(900), 0.0)
    begin(1.0)
    assert not sessions.falls(found(900), 2.0)  # Discord counts it later
    assert not sessions.falls(found(899), 20.0)
    begin(30.0)
    begin(35.0)
    assert not sessions.falls(found(898), 40.0)
    assert not sessions.falls(found(897), 60.0)


@pytest.mark.usefixtures("begun")
def test_a_session_of_somebody_else_is_evidence_once() -> None:
    sessions = Sessions()
    assert not sessions.falls(found(900), 0.0)
    begin(1.0)
    assert sessions.falls(found(898), 20.0)
    assert not sessions.falls(found(898), 40.0)
    assert sessions.falls(found(897), 60.0)


@pytest.mark.usefixtures("begun")
def test_a_new_day_is_no_evidence() -> None:
    sessions = Sessions()
    assert not sessions.falls(found(900, 100.0), 0.0)
    begin(101.0)
    assert not sessions.falls(found(1000), 102.0)
    assert not sessions.falls(found(999), 104.0)
    assert not sessions.falls(found(999), 102.0 + SETTLED_S)
    assert sessions.falls(found(998), 190.0)
