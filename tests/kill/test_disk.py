"""A full disk, a read-only disk, a locked database and a damaged page while the bot runs."""

import asyncio
import logging
import shutil
import sqlite3
import subprocess
import sys
from asyncio.subprocess import PIPE
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from bot.store.open_store import backup
from tests.doses import IS_COMPLETE, dose
from tests.kill.evening import opened
from tests.kill.power import Power
from tests.kill.scenes import OPTIONS, SCENES, stand

ROOT: Final = Path(__file__).parents[2]
GAMES: Final = dose(test=("pond",), full=tuple(OPTIONS))
"""The games played. What a disk does to a table depends little on its game, so one is enough in `make test`.

In `make all-tests`, every button is pressed at the end of each test, otherwise only on a damaged and restored database.
"""
ALONE: Final = ("unshare", "--map-root-user", "--mount")
"""Run a process with its own mounts, which needs no special rights."""
LOCKED: Final = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(0.5)
connection.execute("ROLLBACK")
"""


def can_mount() -> bool:
    """Return whether processes can have their own mounts here."""
    return shutil.which(ALONE[0]) is not None and not subprocess.run([*ALONE, "true"], check=False).returncode  # noqa: S603 - our own arguments


@pytest.mark.skipif(not can_mount(), reason="no user namespaces here")
@pytest.mark.parametrize("game", GAMES)
async def test_moves_are_refused_while_the_disk_is_full(game: str, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *ALONE, sys.executable, "-m", "tests.kill.small_disk", str(tmp_path), game, stdout=PIPE, stderr=PIPE, cwd=ROOT
    )
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()


@pytest.mark.parametrize("game", GAMES)
async def test_a_move_waits_for_a_locked_database_and_is_made_once(game: str, tmp_path: Path) -> None:
    path, scene = tmp_path / "lilypad.db", SCENES["turns"]
    next_move = await stand(path, scene, game)
    async with opened(path, Power(), game, scene.people_in(game), next_move) as evening:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", LOCKED, str(path), stdout=PIPE)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"locked\n"
        await evening.plays()
        await process.communicate()
        await evening.plays()
        if IS_COMPLETE:
            await evening.press_everything()


def page_of(path: Path, table: str) -> tuple[int, bytes]:
    """Return where the first page of a table is in the file, and its bytes."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    start = size * (root - 1)
    return start, path.read_bytes()[start : start + size]


def overwrite(path: Path, start: int, page: bytes) -> None:
    """Overwrite bytes of the file."""
    with path.open("r+b") as file:
        file.seek(start)
        file.write(page)


@pytest.mark.parametrize("game", GAMES)
async def test_a_damaged_page_is_reported_and_a_backup_can_be_played(
    game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, scene = tmp_path / "lilypad.db", SCENES["turns"]
    next_move = await stand(path, scene, game)
    async with opened(path, Power(), game, scene.people_in(game), next_move) as evening:
        await evening.plays()
        ann, copy = evening.people[0], tmp_path / "backup.db"
        await backup(path, copy)
        before = await evening.log()
        start, damage = 0, b""

        async def is_damaged() -> None:
            nonlocal start, damage
            start, page = page_of(path, "entries")
            damage = b"\xff" * len(page)
            overwrite(path, start, damage)

        caplog.set_level(logging.CRITICAL)
        await evening.world.crash(is_damaged)
        await evening.world.env.settle()
        labels = [label for label in ("My hand", "Board in words") if label in ann.board.labels]
        answers = [await ann.clicks(ann.board, label) for label in labels]
        answers.append(await ann.types(f"{evening.group} move", move="anything"))
        assert all("I can't save or load games right now." in answer.text for answer in answers)
        assert path.read_bytes()[start : start + len(damage)] == damage, "what was damaged was overwritten"

        async def is_restored() -> None:
            shutil.copy(copy, path)
            for rest in ("-wal", "-shm"):
                path.with_name(path.name + rest).unlink(missing_ok=True)

        await evening.world.crash(is_restored)
        await evening.world.env.settle()
        assert await evening.log() == before
        await evening.check()
        await evening.plays()
        await evening.press_everything()
