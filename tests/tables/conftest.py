"""Fixtures: tables with a new store for each test."""

from collections.abc import AsyncIterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from bot.store.store import Store
from bot.tables.tables import Tables
from tests.databases import Database, without_sync
from tests.doses import on_demand
from tests.tables.people import Clock, make_tables

_ONE_IN: Final = 5


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most tests on PostgreSQL to ``make all-tests``: the statements are those that run on SQLite.

    In each file, one in five stays, so that every kind of statement runs on PostgreSQL. It takes ten times as long.
    """
    ours = [item for item in items if item.path.parent == Path(__file__).parent and "[postgres" in item.name]
    for _, of_one_file in groupby(ours, lambda item: item.path):
        for number, item in enumerate(of_one_file):
            if number % _ONE_IN:
                item.add_marker(on_demand)


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    """An open store, of each engine."""
    with without_sync():
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
