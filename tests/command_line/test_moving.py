"""Moving all data to another database, and PostgreSQL's own copies of it."""

import asyncio
import contextlib
import os
import re
import shlex
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.bot_processes import Holder
from bot.store.open_store import open_store
from bot.store.schema import KEYS
from bot.store.store import Store
from bot.tables.tables import Tables
from tests.command_line.output import Output, error_line, printed_lines
from tests.commands import HOST, ROOT, ended, locked_elsewhere, make_database, started
from tests.databases import Database, PostgresDatabase, SqliteDatabase
from tests.deploy.operations import commands
from tests.postgres_server import PostgresServer

OPERATIONS = (ROOT / "docs/OPERATIONS.md").read_text(encoding="utf-8")
EXAMPLE = "postgresql://lilypad@db.example/lilypad"
"""The address in OPERATIONS."""


@pytest.fixture
def databases(postgres: PostgresServer, tmp_path: Path) -> Iterator[dict[str, Database]]:
    """A new database of each engine. The file doesn't exist yet."""
    postgres.sql("CREATE DATABASE moved")
    yield {"postgres": PostgresDatabase(postgres.url("moved")), "sqlite": SqliteDatabase(tmp_path / "moved.db")}
    postgres.sql("DROP DATABASE moved WITH (FORCE)")


@pytest.fixture(params=[("sqlite", "postgres"), ("postgres", "sqlite")], ids="-to-".join)
def pair(request: pytest.FixtureRequest, databases: dict[str, Database]) -> tuple[Database, Database]:
    """A database with some tables, and an empty one of the other engine."""
    source, target = (databases[engine] for engine in request.param)
    asyncio.run(make_database(source.address))
    return source, target


def contents(database: Database) -> dict[str, list[tuple[str, object]]]:
    """Return everything in a database but the times of its migrations."""
    cells = asyncio.run(database.cells())
    return {
        table: sorted(((column, value) for name, column, value in cells if name == table), key=repr) for table in KEYS
    }


def move(*databases: Database) -> tuple[str, ...]:
    """Return the command that moves everything from one database to the other."""
    return ("move-database", *(str(database.address) for database in databases))


def test_everything_is_moved_to_another_database_and_back(
    pair: tuple[Database, Database], tmp_path: Path, capsys: Output
) -> None:
    source, target = pair
    before = contents(source)
    (line,) = printed_lines(capsys, *move(source, target))
    assert line.endswith("rows copied and checked. Set DATABASE_URL to the new database before you start the bot.")
    assert contents(target) == before == contents(source)
    third = SqliteDatabase(tmp_path / "third.db")
    printed_lines(capsys, *move(target, third))
    assert contents(third) == before


def test_a_moved_database_is_played_on(pair: tuple[Database, Database], capsys: Output) -> None:
    source, target = pair
    printed_lines(capsys, *move(source, target))

    async def play() -> list[int]:
        async with await open_store(target.address) as store:
            tables = Tables(store)
            await tables.resign(1, HOST.id)
            opened = (await tables.lobbies.open("pond", {}, HOST, (await tables.table(1)).place)).table
            return [opened.id, len(await tables.lists.open_tables())]

    assert asyncio.run(play()) == [4, 2]


def test_the_progress_is_printed_to_standard_error(pair: tuple[Database, Database], capsys: Output) -> None:
    assert main(move(*pair)) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "tables: 3 rows"
    assert all(line.split(":")[0] in KEYS for line in lines)


def test_a_target_with_tables_is_refused(pair: tuple[Database, Database], capsys: Output) -> None:
    source, target = pair
    asyncio.run(make_database(target.address))
    before = contents(target)
    assert "isn't empty; nothing was copied" in error_line(capsys, *move(source, target))
    assert contents(target) == before


@pytest.mark.parametrize("engine", ["postgres", "sqlite"])
def test_a_database_is_not_moved_to_itself(
    engine: str, databases: dict[str, Database], tmp_path: Path, capsys: Output
) -> None:
    source = databases[engine]
    asyncio.run(make_database(source.address))
    (tmp_path / "link.db").symlink_to(tmp_path / "moved.db")
    target = SqliteDatabase(tmp_path / "link.db") if engine == "sqlite" else source
    assert "Both are the same database; nothing was copied." in error_line(capsys, *move(source, target))


def test_a_database_with_a_running_bot_is_refused(pair: tuple[Database, Database], capsys: Output) -> None:
    source, target = pair
    with running_on(source):
        assert "A bot is running on the database" in error_line(capsys, *move(source, target), expected=1)
    assert not any(contents(target).values())
    printed_lines(capsys, *move(source, target))


@contextlib.contextmanager
def running_on(database: Database) -> Iterator[None]:
    """Leave in the database what a running bot does: its lock on a file, its lease on a server."""

    async def change(sql: Callable[[Store], Awaitable[object]]) -> None:
        async with await open_store(database.address) as store:
            await sql(store)

    asyncio.run(change(lambda store: store.leases.acquire({0}, Holder("a bot"), 60)))
    with locked_elsewhere(database.address) if isinstance(database.address, Path) else contextlib.nullcontext():
        yield
    if not isinstance(database.address, Path):  # that of a file doesn't count without the lock
        asyncio.run(change(lambda store: store.leases.release("a bot")))


def test_a_copy_that_cannot_be_played_on_is_not_kept(pair: tuple[Database, Database], capsys: Output) -> None:
    source, target = pair

    async def damage() -> None:
        async with await open_store(source.address) as store:
            await store._writer.execute("UPDATE entries SET move = 'fly away' WHERE table_id = 1 AND ply = 0")

    asyncio.run(damage())
    assert main(move(source, target)) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("lilypad: The copy can't be played on, so nothing was kept: table 1, entry 0: ")
    assert not any(contents(target).values())


def test_a_missing_source_is_named(databases: dict[str, Database], tmp_path: Path, capsys: Output) -> None:
    missing = SqliteDatabase(tmp_path / "missing.db")
    assert "missing.db doesn't exist" in error_line(capsys, *move(missing, databases["postgres"]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("postgresql://lily:secret@db.example/pond", 1),
        ("postgresql://lily@db.example/pond?password=secret", 1),
        ("postgresql://lily@db.example/pond?passfile=secret", 0),
        ("pond.db", 0),
    ],
)
def test_a_password_on_the_command_line_is_not_for_others(
    address: str, warned: int, tmp_path: Path, capsys: Output
) -> None:
    assert main(["move-database", str(tmp_path / "missing.db"), address]) == 2
    *warnings, mistake = capsys.readouterr().err.splitlines()
    assert mistake.endswith("missing.db doesn't exist.")
    assert [line for line in warnings if "~/.pgpass or PGPASSWORD" in line] == warnings
    assert len(warnings) == warned
    assert "secret" not in "".join(warnings)


@pytest.mark.parametrize("address", ["mysql://host/pond", "postgresql://lily:secret@host/", "sqlite:///"])
def test_an_invalid_address_is_refused_without_its_password(address: str, capsys: Output) -> None:
    line = error_line(capsys, "move-database", address, "pond.db")
    assert "A database is a path, sqlite:///path or postgresql://" in line
    assert "secret" not in line


async def test_every_table_of_the_schema_is_copied(database: Database) -> None:
    async with await database.open():
        columns = await database.columns()
    assert columns.keys() == {*KEYS, "migrations"}


def test_the_commands_read_a_postgres_database(
    databases: dict[str, Database], monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    address = str(databases["postgres"].address)
    asyncio.run(make_database(address))
    monkeypatch.setenv("DATABASE_URL", address)
    assert [line.split("  ")[0] for line in printed_lines(capsys, "tables")] == ["1", "2", "3"]
    assert printed_lines(capsys, "transcript", "2")[0].startswith("{")
    assert "back it up with pg_dump" in error_line(capsys, "backup", "copy.db")


@pytest.mark.skipif(not shutil.which("pg_dump"), reason="needs PostgreSQL's clients")
def test_a_dump_of_postgres_is_private_and_is_restored_as_operations_says(
    postgres: PostgresServer,
    databases: dict[str, Database],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    address = str(databases["postgres"].address)
    asyncio.run(make_database(address))
    dump = commands("Back up PostgreSQL").replace(EXAMPLE, shlex.quote(address))
    create, restore = re.findall(r"`((?:createdb|pg_restore)\s[^`]*)`", OPERATIONS.partition("\n## Restore\n")[2])
    for name, value in {
        "PGHOST": str(postgres.folder),
        "PGPORT": str(postgres.port),
        "PGUSER": "lilypad",
        "PATH": f"{postgres.programs}:{os.environ['PATH']}",
    }.items():
        monkeypatch.setenv(name, value)
    try:
        status, _, told = ended(started("sh", "-ec", f"umask 022\n{dump}\n{create}\n{restore}"))
        assert (status, told) == (0, "")
        assert (tmp_path / "lilypad.dump").stat().st_mode & 0o777 == 0o600
        assert contents(PostgresDatabase(postgres.url("restored"))) == contents(databases["postgres"])
        monkeypatch.setenv("DATABASE_URL", postgres.url("restored"))
        assert "of 2 open tables are posted again" in printed_lines(capsys, "redraw")[0]
    finally:
        postgres.sql("DROP DATABASE IF EXISTS restored WITH (FORCE)")
