"""A start at which something other than Discord answers: it says so in a sentence, and tries again at a steady pace."""

import contextlib
import json
import signal
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from discord.http import Route

from bot.running.gateway import reason_of
from bot.store.open_store import open_store
from tests.waiting import until
from tests.wire.bot_process import BotProcess, running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault, Page
from tests.wire.gateway import Outage
from tests.wire.people import Person

JSON: Final = "application/json"
CHECK: Final = "check DISCORD_API_URL, the proxy, and whether this network asks for a login"
PAGES: Final = {
    "a page with 403": Page(403, "<html>Blocked</html>"),
    "a page with 404": Page(404, "<html>"),
    "a portal": Page(200, "<html>Welcome to our hotel</html>"),
    "a redirect without end": (ROUND := Page(302, headers={"Location": "/api/v10/login"})),
    "an empty answer": Page(200, "", JSON),
    "half of an object": Page(200, "{", JSON),
    "nothing": Page(200, "null", JSON),
    "a list": Page(200, "[]", JSON),
    "another object": Page(200, '{"id": 7}', JSON),
    "no text": Page(200, "\udc80".encode("utf-16", "surrogatepass").decode("latin-1"), JSON),
}
STOPPED_WITHIN_S: Final = 30.0
"""Ten on a machine without other work."""


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as discord:
        discord.faults += [Fault(f"{method} login", page=ROUND, times=99) for method in ("GET", "PUT")]
        yield discord


async def said_in_the_end(discord: Discord, bot: BotProcess) -> str:
    """Wait until the bot works after all faults, stop it, and return its log."""
    await discord.until(lambda: not any(fault.times for fault in discord.faults if fault.page is not ROUND))
    await discord.gateway.until_ready()
    await discord.until(lambda: discord.commands)
    await Person(discord, "Ann").type("help")
    status, said = await bot.end(signal.SIGTERM)
    assert status == 0
    assert "Traceback" not in said, said
    assert " ERROR " not in said
    return said


def test_a_password_in_the_address_of_the_api_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", "http://lily:hush@127.0.0.1:1/api/v10")
    assert reason_of(ValueError()).startswith("127.0.0.1:1 answers something other than Discord's JSON")


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("GET @me", "The login failed: "),
        ("GET bot", "Looking for the gateway failed: "),
        ("PUT commands", "Discord didn't take the commands: "),
    ],
)
async def test_every_strange_answer_is_one_sentence(discord: Discord, tmp_path: Path, what: str, sentence: str) -> None:
    pages = [*PAGES.values(), Page(403, '{"message": "internal network error", "code": 40333}', JSON)]
    if what == "GET bot":
        pages.pop()  # a refusal by Discord itself, which has accepted the token
    discord.faults += [Fault(what, page=page) for page in pages]
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        said = await said_in_the_end(discord, bot)
    assert said.count(sentence) == len(said.splitlines()) <= len(pages)
    assert said.count(CHECK) >= len(PAGES) - 1
    for part in (
        "answers 403 without Discord's JSON",
        "redirects to other pages",
        "something other than Discord's JSON",
    ):
        assert part in said
    assert ("Discord answers 403 internal network error" in said) == (what != "GET bot")


async def test_an_address_that_is_no_gateways_is_one_sentence(discord: Discord, tmp_path: Path) -> None:
    limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
    for address in ("", "https://127.0.0.1/", "wss://", "//", 7, None):
        answer = {"url": address, "shards": 1, "session_start_limit": limit}
        discord.faults.append(Fault("GET bot", page=Page(200, json.dumps(answer), JSON)))
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        said = await said_in_the_end(discord, bot)
    assert said.count("Looking for the gateway failed: ") == len(said.splitlines()) == 6


@pytest.mark.parametrize("outage", ["unavailable", "closing"])
async def test_a_gateway_that_takes_no_connection_is_tried_again(
    discord: Discord, tmp_path: Path, outage: Outage
) -> None:
    discord.gateway.outage = outage
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await until(lambda: len(discord.gateway.history) >= 3)
        discord.gateway.outage = ""
        said = await said_in_the_end(discord, bot)
    assert said.count("The connection failed: ") == len(said.splitlines()) >= 2


async def test_a_server_that_speaks_no_tls_or_never_answers_is_one_sentence(discord: Discord, tmp_path: Path) -> None:
    async with running(discord.url.replace("http", "https"), tmp_path / "a.db", arguments=IMPATIENT) as bot:
        line = await bot.line_with("Retrying in")
        status, said = await bot.end(signal.SIGTERM)
    assert "The login failed: no secure connection to 127.0.0.1: " in line
    assert (status, "Traceback" in said) == (0, False)
    discord.faults.append(Fault("GET @me", "hanging"))
    async with running(discord.url, tmp_path / "b.db", arguments=IMPATIENT) as bot:
        said = await said_in_the_end(discord, bot)
    assert f"The login failed: no answer in time; {CHECK}. Retrying" in said


async def test_a_wish_to_wait_is_respected(discord: Discord, tmp_path: Path) -> None:
    discord.faults += [
        Fault("GET @me", page=Page(503, headers={"Retry-After": "2"})),
        Fault("GET @me", page=Page(429, "error code: 1015", headers={"Retry-After": "3"})),
    ]
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        said = await said_in_the_end(discord, bot)
    assert [line.rpartition(" Retrying in ")[2] for line in said.splitlines()] == ["2.0 s.", "3.0 s."]


@pytest.mark.parametrize("what", ["GET @me", "gateway"])
async def test_a_start_that_is_being_retried_stops_at_once(discord: Discord, tmp_path: Path, what: str) -> None:
    page = Page(503, headers={"Retry-After": "600"})
    discord.faults.append(Fault(what, page=page, times=99))
    discord.gateway.outage = "closing"
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await until(lambda: discord.went_wrong or discord.gateway.history)
        status, said = await bot.end(signal.SIGTERM, within_s=STOPPED_WITHIN_S)
    assert status == 0
    assert "Traceback" not in said


async def test_a_locked_database_is_waited_for(discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with await open_store(database):
        pass
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        async with running(discord.url, database, arguments=IMPATIENT) as bot:
            heard = await bot.line()
            other.close()
            said = heard + await said_in_the_end(discord, bot)
    sentence = "The start failed: The database tables.db is locked by another program; try again in a moment. Retrying"
    assert said.count(sentence) == len(said.splitlines()) >= 1


async def test_waiting_for_a_locked_database_stops_at_once(discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with await open_store(database):
        pass
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with running(discord.url, database, arguments=IMPATIENT) as bot:
            await bot.line()
            assert (await bot.end(signal.SIGTERM, within_s=STOPPED_WITHIN_S))[0] == 0
