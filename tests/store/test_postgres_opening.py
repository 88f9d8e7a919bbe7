"""Tests of opening PostgreSQL databases: their schema, and servers that can't be used."""

import asyncio
import itertools
import logging
from pathlib import Path
from typing import Final

import pytest

from bot.errors import DatabaseTooNew, StoreError, Unreachable
from bot.store.migrations import Migration
from bot.store.open_store import open_store
from bot.store.postgres import PostgresStore, retry, server
from bot.store.postgres.schema import migrations
from bot.store.sql_tables import PARTS
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.schema import migrations as migrations_of_sqlite
from tests.databases import PostgresDatabase, SqliteDatabase, rows
from tests.postgres_server import PostgresServer
from tests.store.lilypads import opened

MORE: Final = Migration(migrations()[-1].number + 1, "more", "CREATE TABLE more (id BIGINT); DROP VIEW open_tables;")
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


def test_later_migrations_are_the_same_for_both_databases() -> None:
    baseline, *later = [migration[:2] for migration in migrations()]
    assert baseline == (22, "baseline")
    assert later == [migration[:2] for migration in migrations_of_sqlite() if migration.number > baseline[0]]


async def test_a_migration_keeps_the_data(url: str) -> None:
    async with await PostgresStore.open(url) as store:
        table = await opened(store)
    async with await PostgresStore.open(url, (*migrations(), MORE)) as store:
        assert await store.table(table.id) == table
    assert "more" in await PostgresDatabase(url).columns()
    assert await rows(url, "SELECT number FROM migrations") == [(each.number,) for each in (*migrations(), MORE)]


async def test_a_failed_migration_changes_nothing(url: str) -> None:
    broken = MORE._replace(script=f"{MORE.script} DROP TABLE no_such_table;")
    with pytest.raises(StoreError, match="no_such_table"):
        await PostgresStore.open(url, (*migrations(), broken))
    assert "more" not in await PostgresDatabase(url).columns()
    async with await PostgresStore.open(url) as store:
        assert await store.open_names() == set()


async def test_several_processes_can_create_a_database_at_once(url: str) -> None:
    stores = await asyncio.gather(*(PostgresStore.open(url) for _ in range(4)))
    for number, store in enumerate(stores):
        await opened(store, f"Heron {number}")
        await store.close()
    assert await rows(url, "SELECT number FROM migrations") == [(each.number,) for each in migrations()]
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
    monkeypatch.setattr(server, "VERSIONS", range(98, 100))
    with pytest.raises(StoreError, match=r"is on PostgreSQL \d+; Lilypad needs a version from 98 to 99\.$"):
        await PostgresStore.open(url)


async def test_a_missing_database_is_reported(postgres: PostgresServer) -> None:
    with pytest.raises(StoreError, match=r"^The database nowhere on .* doesn't exist on its server"):
        await PostgresStore.open(postgres.url("nowhere"))


async def test_an_unreachable_server_is_reported_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(retry, "PAUSES_S", (0.0,))
    with caplog.at_level(logging.DEBUG), pytest.raises(Unreachable) as caught:
        await open_store(f"postgresql://lily:secret@/pond?host={tmp_path}")
    assert caught.value.sentence.startswith(f"The database pond on {tmp_path} can't be reached: ")
    assert "secret" not in caught.value.sentence + caplog.text


@pytest.mark.parametrize("address", ["postgresql://lily:secret@h:x/pond", "postgresql://lily:sec/secret@/p"])
async def test_a_malformed_address_is_reported_without_the_password(address: str) -> None:
    with pytest.raises(StoreError, match=r"can't be used; check its address\.$") as caught:
        await open_store(address)
    assert "secret" not in caught.value.sentence


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("sslmode=x", "sslmode in the address of the database is one of disable, allow, "),
        ("target_session_attrs=standby", "target_session_attrs in the address of the database is one of any, primary"),
        ("sslrootcert=/no/such.crt", "The database p on h can't be used: the file of sslrootcert can't be read."),
        ("sslcert=/no/such.crt", "The database p on h can't be used: the file of sslcert can't be read."),
    ],
)
async def test_a_parameter_that_cannot_be_followed_is_refused_with_advice(parameters: str, sentence: str) -> None:
    with pytest.raises(StoreError) as caught:
        await open_store(f"postgresql://lily:secret@h/p?password=secret&{parameters}")
    assert caught.value.sentence.startswith(sentence)
    assert "secret" not in caught.value.sentence


async def test_parameters_of_hosters_are_used_or_ignored_with_one_line(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ours = "application_name=frogs&schema=pond&options=-c%20work_mem%3D8MB&target_session_attrs=read-write"
    ignored = (
        "channel_binding=prefer&connect_timeout=10&keepalives=1&tcp_user_timeout=9&connection_limit=1&pool_timeout=3"
    )
    await rows(url, "CREATE SCHEMA pond")
    address = url.replace("postgresql://", "postgresql+asyncpg://")
    async with await PostgresStore.open(f"{address}&{ours}&{ignored}&client_encoding=utf8&gssencmode=disable") as store:
        table = await opened(store)
        assert await store.table(table.id) == table
        assert await rows(url, "SELECT count(*) FROM pond.tables") == [(1,)]
        used = await store.database.reading.rows(
            "SELECT current_setting('application_name'), current_setting('work_mem')"
        )
        assert used == [("frogs", "8MB")]
    names = (
        "channel_binding, connect_timeout, keepalives, tcp_user_timeout, connection_limit, pool_timeout, "
        "client_encoding, gssencmode"
    )
    assert caplog.text.count("parameters without a use here") == caplog.text.count(f"without a use here: {names}") == 1


@pytest.mark.parametrize("parameter", ["pgbouncer=true", "statement_cache_size=0"])
async def test_an_address_can_say_that_there_is_a_pooler(
    url: str, parameter: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with await PostgresStore.open(f"{url}&{parameter}") as store:
        assert (await opened(store)).id
    assert "statements aren't kept prepared" in caplog.text
    assert "without a use here" not in caplog.text


async def test_the_first_host_that_answers_is_used(url: str, postgres: PostgresServer, tmp_path: Path) -> None:
    name = url.split("/")[3].partition("?")[0]
    hosts = f"host={tmp_path},{postgres.folder}&port={postgres.port}"
    async with await PostgresStore.open(f"postgresql://lilypad@/{name}?{hosts}") as store:
        table = await opened(store)
        assert await store.table(table.id) == table


async def test_an_unknown_user_is_reported(url: str) -> None:
    with pytest.raises(StoreError, match=r"refuses the user or the password\.$"):
        await PostgresStore.open(url.replace("lilypad@", "nobody:secret@"))


async def test_a_read_only_database_is_reported(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await PostgresStore.open(url) as store:
        await rows(
            url, f"ALTER DATABASE {url.split('/')[3].split('?', maxsplit=1)[0]} SET default_transaction_read_only = on"
        )
        monkeypatch.setattr(retry, "PAUSES_S", (0.0,))
        with pytest.raises(StoreError, match=r"can't be written to; it is read-only\.$"):
            await opened(store)


async def test_a_backup_is_left_to_pg_dump(store: PostgresStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"copy\.db wasn't written; back it up with pg_dump\.$"):
        await store.backup(tmp_path / "copy.db")
