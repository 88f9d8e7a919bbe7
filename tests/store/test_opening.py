"""Tests of opening databases: creation, migration, and files that are refused and stay as they were."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.errors import DatabaseTooNew, Locked, StoreError
from bot.store.bot_processes import Holder
from bot.store.schema import Migration
from bot.store.sqlite import SqliteStore, connection
from bot.store.sqlite.sqlite_schema import migrations
from tests.commands import locked_elsewhere
from tests.doses import not_in_check
from tests.store.lilypads import DEAL, append, opened
from tests.version_48 import old_file

APPLIED = sorted({each.number for each in migrations()})
"""The numbers of the migrations of a new database."""
MORE = Migration(
    migrations()[-1].number + 1, "more", "CREATE TABLE more (id INTEGER) STRICT;\nDROP VIEW open_tables;\n"
)
COMMENT = Migration(MORE.number + 1, "comment", "-- For a new field of the records.\n")


@pytest.fixture
def diary(path: Path) -> Path:
    """A file that isn't a database."""
    path.write_text("Dear diary, today at the pond " * 40)
    return path


def tables_in(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def content(path: Path) -> bytes:
    return path.read_bytes()


def damage(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))


def damage_a_page(path: Path) -> bytes:
    """Overwrite the first page of the tables, and return the contents of the file."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tables'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    whole = path.read_bytes()
    path.write_bytes(whole[: size * (root - 1)] + b"\xff" * size + whole[size * root :])
    return path.read_bytes()


def damage_the_schema(path: Path) -> None:
    """Make a statement of the schema unreadable, and its name no text."""
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE leases (", b"CREATE-TABLE leases (").replace(b"leases", b"l\xffases"))


def answer(query: str, connection: sqlite3.Connection) -> object:
    return connection.execute(query).fetchone()


def recorded(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM migrations ORDER BY number")]


async def test_connections_have_the_settings_that_keep_moves(sqlite_store: SqliteStore) -> None:
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000, "secure_delete": 1}
    for wires in (sqlite_store._writing, sqlite_store._reader):
        for pragma, value in pragmas.items():
            assert await wires.run(partial(answer, f"PRAGMA {pragma}")) == (value,)


async def test_a_migration_keeps_the_data(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        table = await opened(store)
    async with await SqliteStore.open(path, (*migrations(), MORE, COMMENT)) as store:
        assert await store.table(table.id) == table
    assert "more" in tables_in(path)
    assert recorded(path) == [*APPLIED, MORE.number, COMMENT.number]


async def test_a_database_is_not_migrated_under_a_running_bot(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        await store.leases.acquire([0], Holder("old"), 10.0)  # which alone doesn't count
    with locked_elsewhere(path):
        with pytest.raises(Locked, match="older version"):
            await SqliteStore.open(path, (*migrations(), MORE))
        assert list(path.parent.glob("*.backup")) == []
        async with await SqliteStore.open(path):
            pass
    async with await SqliteStore.open(path, (*migrations(), MORE)):
        assert "more" in tables_in(path)


async def test_a_database_is_not_migrated_under_a_bot_of_before_the_lock(path: Path) -> None:
    lease = "INSERT OR REPLACE INTO leases (shard, holder, expires_at) VALUES (0, 'old', unixepoch() + 50)"
    with closing(sqlite3.connect(old_file(path), isolation_level=None)) as connection:
        connection.execute(lease)
        with pytest.raises(Locked, match="older version"):
            await SqliteStore.open(path)
        connection.execute("DELETE FROM leases")
    async with await SqliteStore.open(path):
        assert "claims" not in tables_in(path)


async def test_a_failed_migration_changes_nothing(path: Path) -> None:
    broken = MORE._replace(script=MORE.script + "DROP TABLE no_such_table;\n")
    with pytest.raises(StoreError, match="no_such_table"):
        await SqliteStore.open(path, (*migrations(), broken))
    assert "more" not in tables_in(path)
    async with await SqliteStore.open(path) as store:
        assert await store.lists.open_names() == set()
    assert recorded(path) == APPLIED
    async with await SqliteStore.open(path, (*migrations(), MORE)):
        assert "more" in tables_in(path)


async def test_several_processes_can_create_a_database_at_once(path: Path) -> None:
    stores = await asyncio.gather(*(SqliteStore.open(path) for _ in range(4)))
    for number, store in enumerate(stores):
        await opened(store, f"Heron {number}")
    assert len(await stores[0].lists.all()) == 4
    for store in stores:
        await store.close()
    assert recorded(path) == APPLIED


async def test_a_database_from_a_newer_version_is_refused(path: Path) -> None:
    async with await SqliteStore.open(path, (*migrations(), MORE)):
        pass
    before = content(path)
    with pytest.raises(DatabaseTooNew, match=r"pond\.db was written by a newer version of Lilypad"):
        await SqliteStore.open(path)
    assert content(path) == before


async def test_a_file_that_is_no_database_stays_as_it_is(diary: Path) -> None:
    before = content(diary)
    with pytest.raises(StoreError, match="is not a database; it was left as it is"):
        await SqliteStore.open(diary)
    assert content(diary) == before


async def test_the_database_of_another_program_stays_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tables (id INTEGER)")
    before = content(path)
    with pytest.raises(StoreError, match="belongs to another program; it was left as it is"):
        await SqliteStore.open(path)
    assert content(path) == before


async def test_a_damaged_database_is_reported(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        for number in range(200):
            await opened(store, f"Heron {number}")
    damage(path)
    with pytest.raises(StoreError, match="is damaged; restore it from a backup"):
        async with await SqliteStore.open(path) as store:
            await store.lists.all()


async def test_a_damaged_schema_that_cannot_be_quoted_is_reported(path: Path) -> None:
    async with await SqliteStore.open(path):
        pass
    damage_the_schema(path)
    with pytest.raises(StoreError, match="is damaged; restore it from a backup"):
        await SqliteStore.open(path)


async def test_a_damaged_page_is_reported_and_not_overwritten(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        for number in range(200):
            await opened(store, f"Heron {number}")
    broken = damage_a_page(path)
    with pytest.raises(StoreError, match="is damaged; restore it from a backup"):
        async with await SqliteStore.open(path) as store:
            await opened(store, "Heron 201")
    assert content(path) == broken


async def test_a_missing_directory_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened; check that its directory exists") as raised:
        await SqliteStore.open(tmp_path / "nowhere" / "pond.db")
    assert str(tmp_path / "nowhere") in raised.value.sentence


async def test_a_locked_database_is_reported_and_works_afterwards(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.05)
    async with await SqliteStore.open(path) as store:
        table = await opened(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="is locked by another program"):
                await append(store, table, [DEAL])
            with pytest.raises(StoreError, match="is locked by another program"):
                await SqliteStore.open(path)
            assert await store.table(table.id) == table
            other.execute("ROLLBACK")
        assert (await append(store, table, [DEAL])).version == 2


async def test_a_full_disk_is_reported_and_keeps_the_data(sqlite_store: SqliteStore) -> None:
    table = await opened(sqlite_store)
    (pages,) = await sqlite_store._reader.run(lambda bare: bare.execute("PRAGMA page_count").fetchone())
    await sqlite_store._writing.run(partial(answer, f"PRAGMA max_page_count = {pages}"))
    long = [DEAL] * 2000
    results = await asyncio.gather(*(append(sqlite_store, table, long) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(result, StoreError) and "the disk is full" in result.sentence for result in results)
    assert await sqlite_store.table(table.id) == table
    await sqlite_store._writing.run(partial(answer, "PRAGMA max_page_count = 1000000"))
    assert (await append(sqlite_store, table, long)).version == 2001


async def test_a_read_only_database_is_reported(path: Path) -> None:
    # SQLite's pragma gives the same error as a read-only disk; permissions don't stop a superuser.
    async with await SqliteStore.open(path) as store:
        await store._writing.run(lambda bare: bare.execute("PRAGMA query_only = ON").close())
        with pytest.raises(StoreError, match="can't be written to; it is read-only"):
            await opened(store)


@not_in_check
async def test_a_start_takes_no_longer_with_a_hundred_thousand_tables(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await SqliteStore.open(path) as store:
        table = await opened(store)
        few = await steps_of_a_start(path, table.id, monkeypatch)
        await store._writing.run(fill)
    assert await steps_of_a_start(path, table.id, monkeypatch) < few + 100_000


async def steps_of_a_start(path: Path, open_id: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Open the store and read what a start reads; return how many steps SQLite's virtual machine took."""
    counted = 0
    connect = connection.connect

    def count() -> None:
        nonlocal counted
        counted += 1000

    def counting(path: Path) -> sqlite3.Connection:
        opened = connect(path)
        opened.set_progress_handler(count, 1000)
        return opened

    with monkeypatch.context() as patched:
        patched.setattr(connection, "connect", counting)
        async with await SqliteStore.open(path) as store:
            assert await store.lists.open_names() == {"Heron"}
            assert [open_table.id for open_table in await store.lists.open_tables()] == [open_id]
    return counted


def fill(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO tables (name, game, status, version, host_id, channel_id, opened_at, changed_at)"
        " VALUES (?, 'pond', 'over', 9, 1, 1, 0, 0)",
        ((f"Heron {number % 300}",) for number in range(100_000)),
    )
    connection.execute("COMMIT")
