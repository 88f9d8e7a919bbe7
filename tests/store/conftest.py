"""Fixtures: a store in a new database for each test."""

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store.postgres import PostgresStore
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from tests.conftest import empty_database
from tests.databases import Database, PostgresDatabase
from tests.pgbouncer import PgBouncer, running_pgbouncer
from tests.postgres_server import PostgresServer

_numbers = itertools.count(1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a file, for tests of SQLite."""
    return tmp_path / "pond.db"


@pytest.fixture(scope="session")
def pgbouncer(postgres: PostgresServer) -> Iterator[PgBouncer]:
    """A PgBouncer in transaction mode before the PostgreSQL server, for this worker."""
    with running_pgbouncer(postgres) as bouncer:
        yield bouncer


@pytest.fixture(params=["sqlite", "postgres", "postgres_pgbouncer"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """An empty database, of SQLite, of PostgreSQL, and of PostgreSQL behind PgBouncer."""
    if request.param != "postgres_pgbouncer":
        return await empty_database(request, tmp_path)
    server: PostgresServer = request.getfixturevalue("postgres")
    bouncer: PgBouncer = request.getfixturevalue("pgbouncer")
    name: str = request.getfixturevalue("shared")
    shared = PostgresDatabase(bouncer.url(name), server.url(name))
    await shared.empty()
    return shared


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


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    """The address of a new database on the tests' server."""
    name = f"new_{os.getpid()}_{next(_numbers)}"
    postgres.sql(f"CREATE DATABASE {name}")
    yield postgres.url(name)
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def postgres_store(url: str) -> AsyncIterator[PostgresStore]:
    """An open store in a new database."""
    async with await PostgresStore.open(url) as store:
        yield store
