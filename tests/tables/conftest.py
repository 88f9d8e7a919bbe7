"""Fixtures: tables with a new store for each test."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from bot.store.store import Store
from bot.tables import Tables
from tests.databases import Database
from tests.doses import on_demand
from tests.tables.people import Clock, make_tables

_RULES: Final = {
    *("test_absence", "test_clocks", "test_endings", "test_folds", "test_lobby", "test_looking", "test_numbers"),
    *("test_pinned_rules", "test_play", "test_undo", "test_votes"),
}
"""Tests of what tables do, whatever the engine. They run on SQLite; on PostgreSQL by ``make whole-games``."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests of rules on PostgreSQL to ``make whole-games``."""
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.stem in _RULES and "[postgres" in item.name:
            item.add_marker(on_demand)


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
