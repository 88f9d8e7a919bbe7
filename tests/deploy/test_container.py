"""The container: its command, its user, its read-only root and its health check, and what its image is built from."""

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import make_database
from tests.deploy import image
from tests.deploy.playing import sees_picture
from tests.deploy.room import has_rooms, room, running_in_room
from tests.waiting import DEADLINE_S, until
from tests.wire.bot_process import ROOT
from tests.wire.discord_server import Discord
from tests.wire.people import Person
from tests.wire.playing import open_table

READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,bind,ro / && shift && exec "$@"'
"""Make everything read-only but a directory, and execute a command. It runs in a namespace of its own."""
WORK = """
import math, tempfile
from bot.worker_processes import Worker, starts

try:
    tempfile.gettempdir()
except FileNotFoundError:
    worker = Worker("test", 2**30)
    print(worker.run(math.sqrt, 9), starts.refused)
    worker.end()
"""


@pytest.mark.skipif(not (shutil.which("unshare") and os.geteuid() == 0), reason="only root may mount")
def test_workers_start_without_a_directory_for_temporary_files(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, "sh", str(tmp_path), sys.executable, "-c", WORK]
    ended = subprocess.run(  # noqa: S603 - a constant
        command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert (ended.stdout, ended.stderr) == ("3.0 None\n", "")


def test_the_build_may_read_what_it_copies() -> None:
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    shown = {path for each in patterns if each.startswith("!") for path in ROOT.glob(each[1:])}
    dockerfile = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (\S+)", dockerfile, re.MULTILINE)
    assert copied
    for source in copied:
        assert set(ROOT.glob(source.replace("${LOCK}", "*"))) <= shown


def test_the_base_image_and_the_actions_are_pinned() -> None:
    dockerfile = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM \S+@sha256:[0-9a-f]{64}$", dockerfile, re.MULTILINE)
    used = re.findall(r"uses: (\S+)", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert used
    assert all(re.search(r"@[0-9a-f]{40}$", each) for each in used)


async def in_container(pid: int, environment: dict[str, str], command: list[str]) -> tuple[int | None, str]:
    """Run a command in the container of this process, as `docker exec` does. Return its status and all output."""
    entered = ["nsenter", "--target", str(pid), "--mount", "--root", "--wd", *image.inside(environment, command)]
    started = await asyncio.create_subprocess_exec(*entered, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed, _ = await started.communicate()
    return started.returncode, printed.decode()


def settings(url: str, folder: Path) -> dict[str, str]:
    """Return the variables that a copy of `.env.example` has, with a token, quotes and a comment."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    for name, value in {
        "DISCORD_TOKEN": "a.good.token",
        "DISCORD_API_URL": f"'{url}'  # of this test",
        "LOG_LEVEL": '"INFO"',
    }.items():
        text = text.replace(f"\n{name}=\n", f"\n{name}={value}\n")
    (folder / "env").write_text(text, encoding="utf-8")
    return image.env_file(folder / "env")


@pytest.mark.skipif(not has_rooms(), reason="only root may mount")
def test_a_copy_takes_the_place_of_a_database_whose_bot_was_killed(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    asyncio.run(make_database(tmp_path / "shared/lilypad-copy.db"))
    script = (
        image.built(),
        "cp -r /srv/shared /from\nfor end in '' -wal -shm; do echo old >/data/lilypad.db$end; done",
        shlex.join(image.put()),
        "ls /data\nstat --format '%U %a' /data/lilypad.db",
        shlex.join(image.inside({}, ["python", "-m", "bot", "tables"])),
    )
    ended = subprocess.run(  # noqa: S603 - our own
        room(tmp_path, "\n".join(script)), capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert ended.stdout.startswith("lilypad.db\nlilypad 600\n1  "), ended.stdout + ended.stderr
    assert ended.stdout.count("  pond  playing  Ann") == 1


@pytest.mark.skipif(not has_rooms(), reason="only root may mount")
async def test_the_container_becomes_healthy_and_draws_pictures(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        another_port = f"sed -i 's/9100/{free.getsockname()[1]}/' .env\n"
    prepared, command = image.run()
    async with Discord() as discord:
        environment = settings(discord.url, tmp_path)
        execute = f"exec {shlex.join(image.inside(environment, command))}\n"
        async with running_in_room(tmp_path, image.built() + another_port + prepared + execute) as bot:

            async def run(*arguments: str) -> tuple[int | None, str]:
                return await in_container(bot.pid, environment, list(arguments))

            async def is_healthy() -> bool:
                return (await run(*image.health_check()))[0] == 0

            await discord.gateway.until_ready()
            await until(is_healthy)
            ann = Person(discord, "Ann")
            await open_table([ann], computers=1)
            await sees_picture(ann)
            ended = [await run(*command) for _, *command in image.docker("exec")]
            assert [status for status, _ in ended] == [0, 0, 0]
            listed, copied, _ = (printed for _, printed in ended)
            assert "  pond  playing  Ann, " in listed
            assert listed.endswith("Database: /data/lilypad.db\n")
            assert "Copied /data/lilypad.db to /data/copy.db" in copied
            assert (await run("touch", "/opt/lilypad/file"))[0] == 1
            status, said = await bot.end(signal.SIGTERM)
    assert status == 0
    assert "can be read by other users" not in said
    levels = {json.loads(line)["level"] for line in said.splitlines()}
    assert "INFO" in levels
    assert "ERROR" not in levels
