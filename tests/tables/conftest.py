"""Fixtures: tables with a new store for each test."""

from collections.abc import AsyncIterator

import pytest

from bot.store.store import Store
from bot.tables import Tables
from tests.databases import Database
from tests.tables.people import Clock, make_tables


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    """An open store, of each engine."""
    async with await database.open() as store:
        yield store


@pytest.fixture
def tables(store: Store) -> Tables:
    """Tables of Pebbles and all real games. Each reading of the clock is a second later."""
    return make_tables(store)


@pytest.fixture
def clock() -> Clock:
    """A clock that only the test moves."""
    return Clock()
