"""Starting while Discord fails, and after events that the bot has missed."""

import asyncio
import contextlib
import signal
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.open_store import open_store
from tests.postgres_server import PostgresServer
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.failing import replaced, seated
from tests.wire.faults import Fault, How, Refused
from tests.wire.moderators import delete_unnoticed
from tests.wire.people import Person
from tests.wire.playing import boards, hands, open_table, plays_by_board

TWO = {"players": 2, "rounds": 2}
ATTEMPTS = 8
"""How often the bot tries to connect in a few seconds."""
OUT_OF_ORDER = Refused(503, 0, "503: Service Unavailable")


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord in which every interaction has to be answered."""
    async with Discord() as discord:
        yield discord
        assert discord.unanswered == []
        assert not [fault for fault in discord.faults if fault.times]


@pytest.mark.parametrize(
    ("what", "how", "times"),
    [("GET @me", "refused", 3), ("GET @me", "cut", 2), ("GET @me", "unreadable", 1), ("GET bot", "refused", 2)],
)
async def test_the_start_waits_for_the_end_of_an_outage(
    discord: Discord, tmp_path: Path, what: str, how: How, times: int
) -> None:
    discord.faults.append(Fault(what, how, OUT_OF_ORDER, times=times))
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await Person(discord, "Ann").type("help")


@pytest.mark.parametrize(
    ("how", "refusal"), [("refused", OUT_OF_ORDER), ("unreadable", OUT_OF_ORDER), ("hanging", OUT_OF_ORDER)]
)
async def test_syncing_commands_is_retried(discord: Discord, tmp_path: Path, how: How, refusal: Refused) -> None:
    discord.faults.append(Fault("PUT commands", how, refusal))
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await discord.until(lambda: discord.commands)
        await Person(discord, "Ann").type("help")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (4004, "lilypad: Discord refuses DISCORD_TOKEN; copy it again from the developer portal."),
        (4011, "lilypad: Discord refuses SHARDS; this bot needs more shards, or other ones."),
        (4012, "lilypad: Discord refuses this version of its API; upgrade Lilypad."),
        (4013, "lilypad: Discord refuses the bot's intents. Lilypad needs none of the Privileged Gateway Intents;"),
        (4014, "lilypad: Discord refuses the bot's intents. Lilypad needs none of the Privileged Gateway Intents;"),
    ],
)
async def test_a_session_that_is_refused_for_good_ends_in_one_sentence(
    discord: Discord, tmp_path: Path, code: int, sentence: str
) -> None:
    discord.gateway.refuses_with = code
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        status, said = await bot.end()
    assert status == 78
    assert said.startswith(sentence)
    assert len(said.splitlines()) == 1


async def test_an_interrupted_start_ends_quickly_and_silently(discord: Discord, tmp_path: Path) -> None:
    discord.faults.append(Fault("PUT commands", "hanging"))
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await discord.until(lambda: discord.went_wrong)
        assert await bot.end(signal.SIGTERM, within_s=12) == (
            0,
            "",
        )  # a hanging request times out after 15 s


async def test_a_database_that_fails_during_the_start_is_named_and_closed(discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with await open_store(database):
        pass
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "CREATE TRIGGER refusing BEFORE INSERT ON bot_processes BEGIN SELECT RAISE(ABORT, 'out of order'); END"
        )
    async with running(discord.url, database, arguments=IMPATIENT) as bot:
        assert await bot.end() == (2, "lilypad: The database tables.db can't be used: out of order.\n")
    log = tmp_path / "tables.db-wal"
    assert not log.exists()  # SQLite deletes it when the database is closed


async def test_a_bot_that_has_used_up_its_sessions_waits_before_it_connects(discord: Discord, tmp_path: Path) -> None:
    discord.sessions_left, discord.sessions_reset_after_ms = 0, 10 * 60_000
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.until(lambda: any(path.endswith("gateway/bot") for _, path, _ in discord.requests))
        assert (await bot.end(signal.SIGTERM))[0] == 0
    assert discord.commands == []
    discord.sessions_reset_after_ms = 100
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        status, said = await bot.end(signal.SIGTERM)
    assert status == 0
    assert "Discord allows it to connect within 1 min" in said


async def test_a_board_deleted_during_downtime_is_posted_again(discord: Discord, tmp_path: Path) -> None:
    people = ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        await open_table(people, **TWO)
        await discord.until(lambda: hands(ann) and hands(ben))
        await bot.end(signal.SIGKILL)
    delete_unnoticed(discord, ann.board)
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.gateway.until_ready()
        await discord.until(lambda: boards(ann))
        await discord.until(lambda: all(ann.board.id in hands(person)[-1].text for person in people))
        await plays_by_board(ann)
        await plays_by_board(ben)
        assert len(boards(ann)) == 1


async def test_an_old_board_left_by_the_last_run_is_deleted(discord: Discord, tmp_path: Path) -> None:
    ann, ben = Person(discord, "Ann"), Person(discord, "Ben")
    fault = Fault("DELETE messages", refusal=OUT_OF_ORDER, times=99)
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        await seated(ann, ben)
        discord.faults.append(fault)
        await replaced(ann, ben)
        assert len(boards(ann)) == 2
        await discord.until(lambda: discord.went_wrong)
        await bot.end(signal.SIGTERM)
    discord.faults.remove(fault)
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT):
        await discord.until(lambda: len(boards(ann)) == 1)


async def test_a_hanging_request_at_the_start_delays_no_other_table(discord: Discord, tmp_path: Path) -> None:
    tables = [[Person(discord, name, channel) for name in ("Ann", "Ben")] for channel in (0, 1)]
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        for people in tables:
            await open_table(people, **TWO)
        await discord.until(lambda: all(hands(person) for people in tables for person in people))
        stuck = [Fault("PATCH messages", "hanging", about=people[0].channel_id, times=99) for people in tables]
        discord.faults += stuck
        for people in tables:
            await asyncio.wait({asyncio.create_task(plays_by_board(people[0]))}, timeout=1.5)
        await bot.end(signal.SIGKILL)
    discord.give_up_waiting()
    discord.faults.remove(stuck[1])
    async with running(discord.url, tmp_path / "tables.db"):
        await discord.until(lambda: "**Ben**: set a card aside." in tables[1][0].board.text)
    discord.faults.clear()


async def test_the_log_says_once_when_the_bot_is_ready(discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with running(discord.url, database, arguments=IMPATIENT, log_level="INFO") as bot:
        await bot.line_with(f"Ready: 1 server, shard 0 of 1, database {database}")
        await discord.gateway.drop(0, forget=True)
        await discord.gateway.until_ready()
        await Person(discord, "Ann").type("help")
        _, said = await bot.end(signal.SIGTERM)
    assert "Ready:" not in said
    assert "Invite" not in said


async def test_a_bot_on_no_server_shows_how_to_invite_it(discord: Discord, tmp_path: Path) -> None:
    discord.gateway.has_guild = False
    async with running(discord.url, tmp_path / "tables.db", arguments=IMPATIENT, log_level="INFO") as bot:
        await bot.line_with("Ready: 0 servers")
        line = await bot.line_with("Invite the bot")
    application = discord.backend.application_id
    link = f"https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands&permissions="
    assert link in line


async def test_processes_that_begin_sessions_too_soon_after_each_other_all_get_them(postgres: PostgresServer) -> None:
    postgres.sql("CREATE DATABASE too_soon")
    async with Discord(4) as discord:
        discord.gateway.too_soon = 3
        database = postgres.url("too_soon")
        async with (
            running(discord.url, database, arguments=IMPATIENT, shards="0-1/4"),
            running(discord.url, database, arguments=IMPATIENT, shards="2-3/4"),
        ):
            await discord.gateway.until_ready()
        assert discord.gateway.history.count("identify too soon") == 3
        assert all(f"identify {shard}" in discord.gateway.history for shard in range(4))
    postgres.sql("DROP DATABASE too_soon WITH (FORCE)")


async def test_no_clock_runs_before_the_bot_is_connected(
    discord: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, people = tmp_path / "tables.db", [Person(discord, name) for name in ("Ann", "Ben")]
    async with running(discord.url, database, arguments=IMPATIENT) as bot:
        await discord.gateway.until_ready()
        await open_table(people, players=2, clock="three-days")
        await bot.end(signal.SIGTERM)
    monkeypatch.setenv("REMINDERS_S", "0.1")  # both players owe a move for longer
    discord.gateway.outage = "unavailable"
    async with running(discord.url, database, arguments=IMPATIENT):
        await until(lambda: discord.gateway.history.count("unavailable") >= ATTEMPTS)
    with contextlib.closing(sqlite3.connect(database)) as db:
        assert db.execute("SELECT steps FROM waits").fetchall() == []
