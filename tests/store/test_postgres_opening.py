"""Tests of opening PostgreSQL databases: their schema, and servers that can't be used."""

import asyncio
import itertools
import logging
import os
from pathlib import Path
from typing import Final

import pytest

from bot.errors import DatabaseTooNew, Locked, StoreError, Unreachable
from bot.store.bot_processes import Holder
from bot.store.open_store import backup, open_store
from bot.store.postgres import PostgresStore, postgres_errors, postgres_server
from bot.store.postgres.postgres_store import migrations
from bot.store.schema import PARTS, Migration
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.sqlite_schema import migrations as migrations_of_sqlite
from tests.databases import PostgresDatabase, SqliteDatabase, rows
from tests.postgres_server import PostgresServer
from tests.store.lilypads import opened

APPLIED: Final = sorted({each.number for each in migrations()})
"""The numbers of the migrations of a new database."""
MORE: Final = Migration(migrations()[-1].number + 1, "more", "CREATE TABLE more (id BIGINT); DROP VIEW open_tables;")
COMMENT: Final = Migration(MORE.number + 1, "comment", "-- For a new field of the records.\n")
KINDS: Final = {"INTEGER": {"bigint", "integer"}, "REAL": {"double precision"}, "TEXT": {"text"}, "BLOB": {"bytea"}}
_numbers = itertools.count(1)


@pytest.fixture
def store(postgres_store: PostgresStore) -> PostgresStore:
    """An open store in a new database."""
    return postgres_store


# ---- the schema


async def test_both_databases_have_the_same_columns(url: str, tmp_path: Path) -> None:
    async with await PostgresStore.open(url), await SqliteStore.open(tmp_path / "pond.db"):
        pass
    ours = await rows(
        url,
        "SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'migrations'",
    )
    theirs = await SqliteDatabase(tmp_path / "pond.db").rows(
        'SELECT m.name, c.name, c.type, c."notnull" OR c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c'
        " WHERE m.type IN ('table', 'view') AND m.name <> 'migrations'"
    )
    kinds = {(table, column): kind for table, column, kind, _ in theirs}
    assert {(table, column) for table, column, *_ in ours} == kinds.keys()
    assert [each for each in ours if each[2] not in KINDS[kinds[each[0], each[1]]]] == []
    required = {(table, column) for table, column, _, is_required in theirs if is_required and table != "open_tables"}
    assert {(table, column) for table, column, _, is_required in ours if is_required} == required


async def test_all_parts_of_a_table_are_deleted_with_it(store: PostgresStore, url: str) -> None:
    del store
    columns = await PostgresDatabase(url).columns()
    assert {table for table, names in columns.items() if "table_id" in names} == set(PARTS)


def test_both_databases_have_the_same_migrations() -> None:
    assert [each[:2] for each in migrations()] == [each[:2] for each in migrations_of_sqlite()]


async def test_a_migration_keeps_the_data(url: str) -> None:
    async with await PostgresStore.open(url) as store:
        table = await opened(store)
    async with await PostgresStore.open(url, (*migrations(), MORE, COMMENT)) as store:
        assert await store.table(table.id) == table
    assert "more" in await PostgresDatabase(url).columns()
    assert await rows(url, "SELECT number FROM migrations") == [
        (each,) for each in (*APPLIED, MORE.number, COMMENT.number)
    ]


async def test_a_database_is_not_migrated_under_a_running_bot(store: PostgresStore, url: str) -> None:
    await store.leases.acquire([0], Holder("old"), 10.0)
    with pytest.raises(Locked, match="older version"):
        await PostgresStore.open(url, (*migrations(), MORE))
    async with await PostgresStore.open(url):
        pass
    await store.leases.release("old")
    async with await PostgresStore.open(url, (*migrations(), MORE)):
        assert await rows(url, "SELECT * FROM more") == []


async def test_a_failed_migration_changes_nothing(url: str) -> None:
    broken = MORE._replace(script=f"{MORE.script} DROP TABLE no_such_table;")
    with pytest.raises(StoreError, match="no_such_table"):
        await PostgresStore.open(url, (*migrations(), broken))
    assert "more" not in await PostgresDatabase(url).columns()
    async with await PostgresStore.open(url) as store:
        assert await store.lists.open_names() == set()


async def test_several_processes_can_create_a_database_at_once(url: str) -> None:
    stores = await asyncio.gather(*(PostgresStore.open(url) for _ in range(4)))
    for number, store in enumerate(stores):
        await opened(store, f"Heron {number}")
        await store.close()
    assert await rows(url, "SELECT number FROM migrations") == [(each,) for each in APPLIED]
    assert await rows(url, "SELECT count(*) FROM tables") == [(4,)]


async def test_a_database_from_a_newer_version_is_refused(url: str) -> None:
    async with await PostgresStore.open(url, (*migrations(), MORE)):
        pass
    with pytest.raises(DatabaseTooNew, match="was written by a newer version of Lilypad"):
        await PostgresStore.open(url)


async def test_the_database_of_another_program_stays_as_it_is(url: str) -> None:
    await rows(url, "CREATE TABLE diary (day DATE)")
    with pytest.raises(StoreError, match="belongs to another program; it was left as it is"):
        await PostgresStore.open(url)
    assert list(await PostgresDatabase(url).columns()) == ["diary"]


# ---- servers that can't be used


async def test_an_unsupported_version_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server, "VERSIONS", range(98, 100))
    with pytest.raises(StoreError, match=r"is on PostgreSQL \d+; Lilypad needs a version from 98 to 99\.$"):
        await PostgresStore.open(url)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
async def test_a_database_that_can_not_store_all_names_is_refused(encoding: str, postgres: PostgresServer) -> None:
    name = f"other_{encoding.lower()}_{os.getpid()}"
    postgres.sql(f"CREATE DATABASE {name} ENCODING {encoding} LOCALE 'C' TEMPLATE template0")
    url = postgres.url(name)
    with pytest.raises(StoreError, match=f"^The database {name} on .* is in {encoding}, .*; create one in UTF8: "):
        await PostgresStore.open(url)
    assert await PostgresDatabase(url).columns() == {}, "it was left as it is"
    postgres.sql(f"DROP DATABASE {name}")


async def test_a_missing_database_is_reported(postgres: PostgresServer) -> None:
    with pytest.raises(StoreError, match=r"^The database nowhere on .* doesn't exist on its server"):
        await PostgresStore.open(postgres.url("nowhere"))


async def test_an_unreachable_server_is_reported_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_errors, "PAUSES_S", (0.0,))
    with caplog.at_level(logging.DEBUG), pytest.raises(Unreachable) as caught:
        await open_store(f"postgresql://lily:secret@/pond?host={tmp_path}")
    assert caught.value.sentence.startswith(f"The database pond on {tmp_path} can't be reached: ")
    assert "secret" not in caught.value.sentence + caplog.text


@pytest.mark.parametrize("address", ["postgresql://lily:secret@h:x/pond", "postgresql://lily:secret@/p?sslmode=x"])
async def test_a_malformed_address_is_reported_without_the_password(address: str) -> None:
    with pytest.raises(StoreError, match=r"can't be used; check its address\.$") as caught:
        await open_store(address)
    assert "secret" not in caught.value.sentence


async def test_an_unknown_user_is_reported(url: str) -> None:
    with pytest.raises(StoreError, match=r"refuses the user or the password\.$"):
        await PostgresStore.open(url.replace("lilypad@", "nobody:secret@"))


async def test_a_read_only_database_is_reported(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await PostgresStore.open(url) as store:
        await rows(
            url, f"ALTER DATABASE {url.split('/')[3].split('?', maxsplit=1)[0]} SET default_transaction_read_only = on"
        )
        monkeypatch.setattr(postgres_errors, "PAUSES_S", (0.0,))
        with pytest.raises(StoreError, match=r"can't be written to; it is read-only\.$"):
            await opened(store)


async def test_a_backup_is_left_to_pg_dump(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"copy\.db wasn't written; back it up with pg_dump\.$"):
        await backup(url, tmp_path / "copy.db")
