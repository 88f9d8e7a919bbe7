"""Fixtures: a store in a new database for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from tests.databases import Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a file, for tests of SQLite."""
    return tmp_path / "pond.db"


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    """An open store, of each engine."""
    async with await database.open() as store:
        yield store


@pytest.fixture
async def sqlite_store(path: Path) -> AsyncIterator[SqliteStore]:
    """An open store in a file."""
    async with await SqliteStore.open(path) as store:
        yield store
