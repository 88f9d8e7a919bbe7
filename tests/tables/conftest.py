"""Fixtures: tables with a new store for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.sqlite import SqliteStore
from bot.tables import Tables
from tests.tables.people import Clock, make_tables


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """An open store."""
    async with await SqliteStore.open(tmp_path / "pond.db") as store:
        yield store


@pytest.fixture
def tables(store: SqliteStore) -> Tables:
    """Tables of Pebbles and all real games. Each reading of the clock is a second later."""
    return make_tables(store)


@pytest.fixture
def clock() -> Clock:
    """A clock that only the test moves."""
    return Clock()
