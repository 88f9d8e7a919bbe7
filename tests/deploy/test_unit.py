"""The systemd unit: under its filter, workers draw and think."""

import ctypes.util
import random
import shutil
import signal
import socket
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.deploy.under_unit import allowed
from tests.waiting import until
from tests.wire.bot_process import ROOT, running
from tests.wire.discord_server import Discord
from tests.wire.people import Person
from tests.wire.playing import doors, open_table, play_on
from tests.wire.test_pictures import has_picture

UNIT = ROOT / "deploy/lilypad.service"
UNDER_UNIT = str(Path(__file__).with_name("under_unit.py"))

pytestmark = pytest.mark.skipif(
    not (shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp")),
    reason="needs systemd-analyze and libseccomp2; .ci/run installs them",
)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number: int = taken.getsockname()[1]
        return number


async def page(port: int, path: str) -> tuple[int, str]:
    """Return status and text of one of the bot's pages."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


def test_the_filter_allows_what_is_needed_and_refuses_priorities() -> None:
    calls, _ = allowed(UNIT)
    assert {"execve", "socket", "futex"} <= calls
    assert not {"setpriority", "setrlimit", "mount"} & calls


async def test_boards_have_pictures_and_strong_computers_think_under_the_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("METRICS_PORT", str(port))
    under_unit = (UNDER_UNIT, str(UNIT), sys.executable, "-m", "tests.patient", "run")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", arguments=under_unit) as bot:
        await discord.gateway.until_ready()
        ann = Person(discord, "Ann")
        await open_table([ann], "pond", players=2, computers=1, rounds=2, level="strong")
        await play_on([ann], doors("pond"), random.Random(1), rounds=4)
        await until(lambda: has_picture(ann))
        assert (await page(port, "/healthz"))[0] == 200
        thoughts = [line for line in (await page(port, "/metrics"))[1].splitlines() if "thoughts_total{" in line]
        assert thoughts
        assert not any('"failed"' in line for line in thoughts)
        _, said = await bot.end(signal.SIGTERM)
    assert "rules of thumb" not in said
    assert "process" not in said


async def test_a_host_learns_once_that_no_worker_can_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("METRICS_PORT", str(port))
    (tmp_path / "sitecustomize.py").write_text(
        "from pathlib import Path\n"
        "from tests.deploy.under_unit import allowed, load\n"
        f"calls, number = allowed(Path({str(UNIT)!r}))\n"
        "load(calls - {'execve', 'execveat'}, number)\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        people = [Person(discord, "Ann"), Person(discord, "Ben")]
        await open_table(people, "pond", players=2, rounds=2)
        await play_on(people, doors("pond"), random.Random(1), rounds=4)
        status, health = await page(port, "/healthz")
        assert status == 503
        assert "worker processes can't start" in health
        assert not has_picture(people[0])
        _, said = await bot.end(signal.SIGTERM)
    assert said.count("worker processes can't start") == 1
    assert "Traceback" not in said
