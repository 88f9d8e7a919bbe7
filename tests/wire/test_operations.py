"""Logs, health, metrics, and a clean and quick stop, for operators."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.running.leases import LEASE_S
from bot.ui.live.pace import SLOTS
from tests.waiting import until
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault
from tests.wire.people import Person
from tests.wire.playing import open_table

DEFERRED = 5
STOPPED_WITHIN_S = 30.0
"""Ten on a machine without other work."""


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord with one shard."""
    async with Discord(1) as discord:
        yield discord


@pytest.fixture
def port() -> int:
    """Return a free port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number: int = taken.getsockname()[1]
        return number


async def page(port: int, path: str) -> tuple[int, str]:
    """Return status and text of one of the bot's pages."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


def value(metrics: str, name: str) -> float:
    """Return the value of this metric."""
    return next(float(line.rpartition(" ")[2]) for line in metrics.splitlines() if line.startswith(f"{name} "))


async def test_a_running_bot_serves_its_health_and_metrics(
    discord: Discord, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(port))
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        await open_table([Person(discord, "Ann"), Person(discord, "Ben")], players=2, rounds=2)
        status, health = await page(port, "/healthz")
        report = json.loads(health)
        assert report.pop("lease_age_s") < STOPPED_WITHIN_S
        assert report.pop("request_slots_in_use") <= SLOTS
        expected = {"status": "ok", "shards": "0/1", "leases": "0", "request_slots": SLOTS}
        assert (status, report) == (200, expected)
        status, metrics = await page(port, "/metrics")
        assert status == 200
        assert value(metrics, 'lilypad_open_tables{game="pond",status="playing"}') == 1
        assert value(metrics, 'lilypad_commits_total{game="pond",shard="0"}') == 3
        assert value(metrics, "lilypad_first_answer_seconds_count") >= 3
        assert value(metrics, "lilypad_redraw_lag_seconds_count") >= 1
        assert value(metrics, 'lilypad_gateway_connected{shard="0"}') == 1
        assert value(metrics, 'lilypad_lease_held{shard="0"}') == 1
        assert value(metrics, "lilypad_request_slots") == SLOTS
        assert value(metrics, "process_resident_memory_bytes") > 0
        status, said = await bot.end(signal.SIGTERM)
    assert (status, said) == (0, "")


async def until_page(port: int, condition: Callable[[int, dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until the status and the report of the health check are like this. Return the report."""
    reports: list[dict[str, Any]] = []

    async def is_so() -> bool:
        status, text = await page(port, "/healthz")
        reports.append(json.loads(text))
        return condition(status, reports[-1])

    await until(is_so)
    return reports[-1]


async def test_refused_writes_show_in_the_health_and_once_a_minute_in_the_log(
    discord: Discord, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(port))
    database = tmp_path / "tables.db"
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        await until_page(port, lambda status, _: status == 200)
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            for event in ("INSERT", "UPDATE"):
                refusal = "BEGIN SELECT RAISE(ABORT, 'out of order'); END"
                other.execute(f"CREATE TRIGGER no_{event} BEFORE {event} ON bot_processes {refusal}")
            report = await until_page(port, lambda status, _: status == 503)
            assert report["wrong"] == ["The database tables.db can't be used: out of order."]
            report = await until_page(port, lambda _, report: len(report["wrong"]) > 1)
            assert report["lease_age_s"] >= LEASE_S
            assert report["wrong"][1].startswith("the leases are 1")
            assert (await page(port, "/metrics"))[0] == 200
            for event in ("INSERT", "UPDATE"):
                other.execute(f"DROP TRIGGER no_{event}")
        await until_page(port, lambda status, _: status == 200)
        status, said = await bot.end(signal.SIGTERM)
    assert status == 0
    assert said.count("the database can't be used; retrying") == 1
    assert said.count("the database can be used again") == 1
    assert "Traceback" not in said


def is_replaced(database: Path, put_back: Path) -> None:
    """Move the database away, and put a copy there."""
    copy = database.with_name("copy.db")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    database.rename(put_back)
    copy.rename(database)


def loses_its_log(database: Path, put_back: Path) -> None:
    """Move the write-ahead log away."""
    database.with_name(f"{database.name}-wal").rename(put_back)


@pytest.mark.parametrize(
    ("lose", "lost"),
    [(Path.rename, "lilypad.db"), (is_replaced, "lilypad.db"), (loses_its_log, "lilypad.db-wal")],
    ids=["deleted", "replaced", "without its log"],
)
async def test_moves_are_refused_while_the_database_is_not_the_one_that_was_opened(  # noqa: PLR0913, PLR0917 - fixtures
    lose: Callable[[Path, Path], object],
    lost: str,
    discord: Discord,
    tmp_path: Path,
    port: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(port))
    database, put_back, ann = tmp_path / "lilypad.db", tmp_path / "away.db", Person(discord, "Ann")
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        lobby = (await ann.type("pond open", computers=1)).original
        assert lobby is not None
        lose(database, put_back)
        report = await until_page(port, lambda status, _: status == 503)
        (why,) = [each for each in report["wrong"] if "was deleted, moved or replaced" in each]
        refused = (await ann.press_label(lobby, "Start")).original
        assert refused is not None
        assert "I can't save or load games right now. Nothing has changed." in refused.text
        put_back.replace(tmp_path / lost)
        await until_page(port, lambda status, _: status == 200)
        await ann.press_label(lobby, "Start")
        await discord.until(lambda: "set a card aside." in lobby.text)
        status, said = await bot.end(signal.SIGTERM)
    assert (status, said.count(f"the database can't be used; retrying: {why}")) == (0, 1)


async def test_metrics_are_served_without_a_database(
    discord: Discord, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(port))
    database = tmp_path / "tables.db"
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("ALTER TABLE tables RENAME TO others")
        status, metrics = await page(port, "/metrics")
        assert (status, value(metrics, 'lilypad_gateway_connected{shard="0"}')) == (200, 1)
        _, said = await bot.end(signal.SIGTERM)
    assert "Traceback" not in said


async def test_a_used_port_ends_the_start_with_one_error_line(
    discord: Discord, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_PORT", str(port))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        async with running(discord.url, tmp_path / "tables.db") as bot:
            status, said = await bot.end()
    assert status == 78
    assert said == f"lilypad: METRICS_PORT {port} can't be opened: Address already in use.\n"


async def test_a_start_without_the_library_for_metrics_says_how_to_install_it(
    discord: Discord, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "prometheus_client.py").write_text("raise ModuleNotFoundError(name=__name__)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("METRICS_PORT", str(port))
    async with running(discord.url, tmp_path / "tables.db", forks=False) as bot:
        status, said = await bot.end()
    assert (status, said) == (78, "lilypad: METRICS_PORT needs prometheus-client. Run: make ready.\n")


LATE_PICTURE = "a picture took more than"
"""A warning that a busy machine is entitled to."""


async def test_a_start_logs_little_and_json_logs_have_json_lines_only(
    discord: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_FORMAT", "json")
    async with running(discord.url, tmp_path / "tables.db", log_level="DEBUG") as bot:
        await discord.gateway.until_ready()
        await open_table([Person(discord, "Ann"), Person(discord, "Ben")], players=2, rounds=2)
        status, said = await bot.end(signal.SIGTERM)
    lines = [json.loads(line) for line in said.splitlines()]
    assert status == 0
    loud = [line for line in lines if line["level"] not in {"DEBUG", "INFO"}]
    assert [line for line in loud if not line["message"].startswith(LATE_PICTURE)] == []
    assert "a.good.token" not in said
    assert not [move for move in ("deal ", "profit ") if move in said]


async def is_deferred(discord: Discord) -> None:
    """Wait until the bot has deferred an interaction that it works on."""
    await discord.until(lambda: any(each.kind == DEFERRED for each in discord.interactions.values()))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_pending_writes_and_answers_are_finished_before_the_end(
    how: signal.Signals, discord: Discord, tmp_path: Path
) -> None:
    ann = Person(discord, "Ann")
    database = tmp_path / "tables.db"
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            opening = asyncio.create_task(ann.type("pond open", computers=1))
            await is_deferred(discord)
            ending = asyncio.create_task(bot.end(how, STOPPED_WITHIN_S))
            await asyncio.sleep(0.3)
            other.execute("ROLLBACK")
        status, said = await ending
        assert opening.done()
        lobby = opening.result().original
    assert lobby is not None
    assert "### Table" in lobby.text
    assert (status, said) == (0, "")
    async with running(discord.url, database):
        await discord.gateway.until_ready()
        await ann.press_label(lobby, "Start")
        await discord.until(lambda: "set a card aside." in lobby.text)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_does_not_disturb_the_stop(how: signal.Signals, discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            opening = asyncio.create_task(Person(discord, "Ann").type("pond open", computers=1))
            await is_deferred(discord)
            ending = asyncio.create_task(bot.end(how, STOPPED_WITHIN_S))
            await asyncio.sleep(0.3)
            os.kill(bot.pid, how)
            await asyncio.sleep(0.3)
            other.execute("ROLLBACK")
        status, said = await ending
        opening.cancel()
    assert (status, said) == (0, "")


async def test_a_bot_whose_database_stays_locked_stops_in_time(discord: Discord, tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    async with running(discord.url, database) as bot:
        await discord.gateway.until_ready()
        await open_table([Person(discord, "Ann")], players=2, rounds=2, computers=1)
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            status, _ = await bot.end(signal.SIGTERM, STOPPED_WITHIN_S)
    assert status == 0


async def test_a_cut_connection_during_autocomplete_is_not_an_error(discord: Discord, tmp_path: Path) -> None:
    ann = Person(discord, "Ann")
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        await open_table([ann], players=2, rounds=2, computers=1)
        discord.faults.append(Fault("POST callback", "cut", about=ann.id))
        completing = asyncio.create_task(ann.complete("pond move", "move"))
        await discord.until(lambda: discord.went_wrong)
        status, said = await bot.end(signal.SIGTERM)
        completing.cancel()
    assert (status, said) == (0, "")


async def test_the_bot_stops_in_time_if_discord_does_not_answer(discord: Discord, tmp_path: Path) -> None:
    async with running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        await Person(discord, "Ann").type("pond open", computers=1)
        await discord.close()
        status, _ = await bot.end(signal.SIGTERM, STOPPED_WITHIN_S)
    assert status == 0
