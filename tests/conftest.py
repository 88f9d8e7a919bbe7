"""Set-up for all tests."""

import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from tests.databases import Database, PostgresDatabase, SqliteDatabase, new_file
from tests.doses import IS_CHECK, dose
from tests.patient import wait_for_pictures
from tests.postgres_server import PostgresServer, shared_server

# In the background, some shells start processes with interrupts ignored. Child processes would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

wait_for_pictures()

LIMIT_S: Final = 600
"""A test that takes longer fails, with the stacks of its tasks. The slowest take a minute."""
AGAIN_S: Final = 30
"""The time until a test that goes on after that, perhaps in a cleanup, is interrupted again."""

WAITING: Final = frozenset({"browser", "kill", "wire"})
"""Folders whose tests take longest, and mostly wait: for browsers and for other processes."""
OTHERS_BETWEEN: Final = 3

NOT_IN_CHECK: Final = (
    *("browser", "computer", "deploy", "discord", "evenings", "kill", "leaks", "pictures", "wire"),
    *("command_line/test_database.py", "command_line/test_run.py", "command_line/test_selfplay.py"),
    *("command_line/test_streams.py", "store/test_notifications.py", "store/test_processes.py"),
    *("tables/test_outages.py", "test_sandbox.py", "test_several_processes.py", "test_thinkers.py"),
)
"""Slow folders and files; most of their tests start processes."""
collect_ignore = [*dose(check=NOT_IN_CHECK, test=())]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let files that wait run beside others, and early, so that no worker is left alone with one at the end."""
    if IS_CHECK:
        items[:] = [item for item in items if "postgres" not in item.nodeid]
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [file for file in files if file.parent.name in WAITING]
    others = iter([file for file in files if file.parent.name not in WAITING])
    ordered = [file for each in waiting for file in (each, *islice(others, OTHERS_BETWEEN))]
    items[:] = [item for file in (*ordered, *others) for item in files[file]]


gc.disable()  # until all tests are collected


def pytest_collection_finish() -> None:
    """Turn on garbage collection, without the thousands of collected tests, and less often than by default.

    By default it takes up to a fifth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Interrupt tests that wait forever, unless ``faulthandler_timeout`` is 0."""
    if not float(item.config.getini("faulthandler_timeout")) or not hasattr(signal, "SIGALRM"):  # Windows has no alarms
        return (yield)
    signal.signal(signal.SIGALRM, _time_out)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S, AGAIN_S)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _time_out(*_: object) -> None:
    with contextlib.suppress(RuntimeError):  # no event loop is running
        for task in asyncio.all_tasks():
            task.print_stack(file=sys.stderr)
    pytest.fail(f"still running after {LIMIT_S} s")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """The PostgreSQL server of all workers. Tests that need it are skipped if none is installed."""
    folder = tmp_path_factory.getbasetemp()
    with shared_server((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "postgres") as server:
        yield server


@pytest.fixture(scope="session")
def shared(postgres: PostgresServer) -> str:
    """The name of a database that the tests of this worker use one after the other."""
    name = f"shared_{os.getpid()}"
    postgres.sql(f"CREATE DATABASE {name}")
    return name


@pytest.fixture(params=["sqlite", "postgres"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """An empty database, of SQLite and then of PostgreSQL."""
    return await empty_database(request, tmp_path)


async def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Return an empty database of the engine that the fixture asks for."""
    if request.param == "sqlite":
        return SqliteDatabase(new_file(tmp_path / "pond.db"))
    server: PostgresServer = request.getfixturevalue("postgres")
    database = PostgresDatabase(server.url(request.getfixturevalue("shared")))
    await database.empty()
    return database
