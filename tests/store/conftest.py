"""Fixtures: a store in a new file for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.sqlite import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "pond.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    """An open store."""
    async with await SqliteStore.open(path) as store:
        yield store
