"""Tests that only their owner can read the files of a database."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.open_store import backup
from bot.store.sqlite import SqliteStore
from tests.store.lilypads import opened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return the mode of each file in the folder."""
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


@pytest.mark.usefixtures("_umask")
async def test_only_the_owner_can_read_the_database_and_backups(path: Path, tmp_path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        await opened(store)
        await backup(path, tmp_path / "copy.db")
        expected = dict.fromkeys(("pond.db", "pond.db-wal", "pond.db-shm", "copy.db"), 0o600)
        assert modes(tmp_path) == expected


def test_a_new_database_behind_a_link_is_private(path: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "elsewhere.db")
    before = os.umask(0)
    asyncio.run(open_and_close(path))
    os.umask(before)
    assert modes(tmp_path)["elsewhere.db"] == 0o600


def test_an_existing_database_keeps_its_mode(path: Path) -> None:
    path.touch()
    path.chmod(0o640)
    asyncio.run(open_and_close(path))
    assert path.stat().st_mode & 0o777 == 0o640


async def open_and_close(path: Path) -> None:
    """Open the store, and close it."""
    async with await SqliteStore.open(path):
        pass
