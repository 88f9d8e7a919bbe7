"""The systemd unit: under its filter, workers draw and think."""

import ctypes.util
import os
import random
import shutil
import signal
import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from tests.deploy.operations import installed
from tests.deploy.playing import gets_hint, sees_picture
from tests.deploy.room import has_rooms, running_in_room
from tests.deploy.under_unit import allowed, as_service
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


async def thoughts(port: int) -> list[str]:
    """Return the metrics of the moves of strong computers so far."""
    return [line for line in (await page(port, "/metrics"))[1].splitlines() if "thoughts_total{" in line]


def priorities(pid: int) -> set[int]:
    """Return the priorities of the processes that a process has started, and of those that they have."""
    entries = [each for each in Path("/proc").iterdir() if each.name.isdecimal()]
    found, families = set[int](), {pid}
    for entry in sorted(entries, key=lambda each: int(each.name)):  # a parent comes before its children
        with suppress(OSError):  # it has just ended
            parent = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent in families:
                families.add(int(entry.name))
                found.add(os.getpriority(os.PRIO_PROCESS, int(entry.name)))
    return found


def test_the_filter_allows_what_is_needed_and_refuses_better_schedulers() -> None:
    calls, _ = allowed(UNIT)
    assert {"execve", "socket", "futex", "setpriority"} <= calls
    assert not {"sched_setscheduler", "sched_setattr", "ioprio_set", "setrlimit", "mount"} & calls


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
        await until(partial(thoughts, port))
        assert not any('"failed"' in line for line in await thoughts(port))
        ours = os.getpriority(os.PRIO_PROCESS, bot.pid)
        assert max(priorities(bot.pid)) > ours, "strong computers would delay answers"
        _, said = await bot.end(signal.SIGTERM)
    assert "rules of thumb" not in said
    assert "process" not in said


@pytest.mark.skipif(not has_rooms(), reason="only root may mount")
async def test_the_installed_service_draws_and_gives_hints_where_only_its_directory_is_writable(tmp_path: Path) -> None:
    port = free_port()
    async with Discord() as discord:
        change = f"s|^DISCORD_API_URL=|&{discord.url}|; s|^METRICS_PORT=|&{port}|"
        configure = f"\nsed -i '{change}' /opt/lilypad/.env\n"
        async with running_in_room(tmp_path, installed() + configure + as_service(UNIT)) as bot:
            await discord.gateway.until_ready()
            ann = Person(discord, "Ann")
            await open_table([ann], computers=1, level="strong")
            hint = await gets_hint(ann)
            assert "### Hint" in hint
            assert "quick guess" not in hint
            await sees_picture(ann)
            assert (await page(port, "/healthz"))[0] == 200
            metrics = (await page(port, "/metrics"))[1]
            status, said = await bot.end(signal.SIGTERM)
    assert {"process_resident_memory_bytes", "process_cpu_seconds_total"} <= set(metrics.split())
    assert status == 0
    assert "worker processes" not in said
    assert "Traceback" not in said


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
    async with Discord() as discord, running(discord.url, tmp_path / "tables.db", forks=False) as bot:
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
