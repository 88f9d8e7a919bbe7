"""Tests of what only a store in PostgreSQL has: its schema, how it commits, and lost connections."""

import asyncio
import itertools
import logging
import signal
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from bot.errors import Conflict, DatabaseTooNew, StoreError, TooManyTables, Unreachable
from bot.games.game import Entry
from bot.store.deletion import PARTS
from bot.store.group_commit import Write
from bot.store.migrations import Migration
from bot.store.opening import open_store
from bot.store.postgres import PostgresStore, group_commit, retry, server
from bot.store.postgres.schema import migrations
from bot.store.postgres.together import independent
from bot.store.records import Changes, Place, Quotas, Table
from bot.store.sqlite import SqliteStore
from bot.store.sqlite.schema import migrations as migrations_of_sqlite
from bot.store.transaction import Transaction
from tests.databases import PostgresDatabase, SqliteDatabase
from tests.postgres_server import PostgresServer, running_server
from tests.store.lilypads import DEAL, MOVE, NOW, opened
from tests.waiting import until

MORE: Final = Migration(migrations()[-1].number + 1, "more", "CREATE TABLE more (id BIGINT); DROP VIEW open_tables;")
KINDS: Final = {"INTEGER": {"bigint", "integer"}, "REAL": {"double precision"}, "TEXT": {"text"}, "BLOB": {"bytea"}}
_numbers = itertools.count(1)


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    """The address of a new database."""
    name = f"new_{next(_numbers)}"
    postgres.sql(f"CREATE DATABASE {name}")
    yield postgres.url(name)
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    """An open store in a new database."""
    async with await PostgresStore.open(url) as store:
        yield store


async def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    return await PostgresDatabase(url).rows(query)


async def disconnect(url: str) -> None:
    """Let the server end all connections to a database."""
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    await rows(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608 - constant text


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
        monkeypatch.setattr(retry, "PAUSES_S", (0.0,))
        with pytest.raises(StoreError, match=r"can't be written to; it is read-only\.$"):
            await opened(store)


async def test_a_backup_is_left_to_pg_dump(store: PostgresStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"copy\.db wasn't written; back it up with pg_dump\.$"):
        await store.backup(tmp_path / "copy.db")


async def test_behind_a_pooler_every_statement_is_in_a_transaction(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncpg.Connection, "get_server_pid", lambda _: 0)  # a pooler invents one
    async with await PostgresStore.open(url) as store:
        table = await opened(store)
        assert (await store.append(table.id, 1, [DEAL], NOW)).version == 2
        assert (await store.lists.open_tables())[0].version == 2
        for connection in (writing(store), store._database._pool._idle[0]):  # type: ignore[attr-defined]
            assert connection._stmt_cache.get_max_size() == 0
        queries = logged(store._database._pool._idle[0])  # type: ignore[attr-defined]
        await store.table(table.id)
        assert queries[0] == "BEGIN;"


# ---- commits


def writing(store: PostgresStore) -> Any:
    """Return the connection on which the store writes."""
    return store._database._committer._idle[-1]  # type: ignore[attr-defined]


def logged(connection: Any) -> list[str]:
    """Return a list of the queries that the connection runs from now on."""
    queries: list[str] = []
    connection.add_query_logger(lambda record: queries.append(record.query))
    return queries


async def test_writes_that_wait_share_a_commit(store: PostgresStore) -> None:
    tables = [await opened(store, f"Heron {number}") for number in range(16)]
    queries = logged(writing(store))
    await asyncio.gather(*(store.append(table.id, 1, [DEAL], NOW) for table in tables))
    assert queries.count("COMMIT") == 1


async def test_appends_to_many_tables_take_no_more_requests_than_to_one(store: PostgresStore) -> None:
    tables = [await opened(store, f"Heron {number}") for number in range(17)]
    queries = logged(writing(store))
    await store.append(tables[0].id, 1, [DEAL], NOW)
    for_one = len(queries)
    await asyncio.gather(*(store.append(table.id, 1, [DEAL], NOW) for table in tables[1:]))
    await until(lambda: queries.count("COMMIT") == 2)
    assert len([query for query in queries[for_one:] if query == "BEGIN"]) == 1
    assert len(set(queries[for_one:])) <= for_one


async def test_appends_to_one_table_run_in_their_order(store: PostgresStore) -> None:
    table = await opened(store)
    appends = [store.append(table.id, version, [MOVE], NOW) for version in (1, 2, 2, 3)]
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert [each.version if isinstance(each, Table) else type(each) for each in results] == [2, 3, Conflict, 4]


def test_writes_about_different_things_run_together() -> None:
    async def work(_: Transaction) -> None:
        pass

    writes = [Write(work, about) for about in (1, 2, 1, None, 3, 4, None, None)]
    assert independent(writes) == [[0, 1], [2], [3], [4, 5], [6], [7]]


async def test_a_failure_after_a_change_undoes_only_that_work(store: PostgresStore, url: str) -> None:
    tables = [await opened(store, name) for name in ("Heron", "Teal")]
    too_many = Changes(2.0, 7, taken_back=5)
    results = await asyncio.gather(
        store.append(tables[0].id, 1, [], too_many), store.append(tables[1].id, 1, [MOVE], NOW), return_exceptions=True
    )
    assert [type(result) for result in results] == [Conflict, Table]
    assert await rows(url, "SELECT name, version FROM tables ORDER BY id") == [("Heron", 1), ("Teal", 2)]


async def test_a_deadlock_is_repeated(store: PostgresStore, url: str) -> None:
    heron, teal = await opened(store, "Heron"), await opened(store, "Teal")
    other = await asyncpg.connect(url)
    await other.execute("SET deadlock_timeout = '10min'")  # the store's connection notices it, and is rolled back
    await other.execute("BEGIN")
    await other.execute("UPDATE tables SET changed_at = 3 WHERE id = $1", teal.id)
    both = [asyncio.ensure_future(store.append(table.id, 1, [DEAL], NOW)) for table in (heron, teal)]
    await until(partial(rows, url, "SELECT 1 FROM pg_locks WHERE NOT granted"))
    await other.execute("UPDATE tables SET changed_at = 3 WHERE id = $1", heron.id)
    await other.execute("COMMIT")
    await other.close()
    assert [table.version for table in await asyncio.gather(*both)] == [2, 2]


# ---- lost connections


async def test_a_refusal_keeps_the_connection(store: PostgresStore, url: str) -> None:
    await opened(store)
    connections = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    for _ in range(2):
        with pytest.raises(TooManyTables):
            await store.check_quotas(Quotas(0, 0, 0), 1, Place(None, 5))
    before = await rows(url, connections)
    with pytest.raises(TooManyTables):
        await store.check_quotas(Quotas(0, 0, 0), 1, Place(None, 5))
    assert await rows(url, connections) == before


async def test_lost_connections_are_replaced(store: PostgresStore, url: str) -> None:
    table = await opened(store)
    await disconnect(url)
    assert await store.table(table.id) == table
    await disconnect(url)
    assert (await store.append(table.id, 1, [DEAL], NOW)).version == 2


async def test_a_work_whose_connection_is_lost_runs_again(store: PostgresStore) -> None:
    tries = 0

    async def work(db: Transaction) -> int:
        nonlocal tries
        tries += 1
        changed = await db.execute("INSERT INTO claims (interaction_id) VALUES (?)", (7,))
        if tries == 1:
            await db.rows("SELECT pg_terminate_backend(pg_backend_pid())")
        return changed

    assert await store._writer.write(work) == 1
    assert tries == 2


@pytest.mark.parametrize("is_committed", [False, True])
async def test_a_connection_lost_during_a_commit_doubles_nothing(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch, *, is_committed: bool
) -> None:
    table = await opened(store)
    execute = asyncpg.Connection.execute
    losses = [1]

    async def losing(connection: Any, query: str, *values: Any) -> Any:
        if query == "COMMIT" and losses:
            losses.pop()
            if is_committed:
                await execute(connection, query)
            connection.terminate()
            raise ConnectionResetError
        return await execute(connection, query, *values)

    monkeypatch.setattr(asyncpg.Connection, "execute", losing)
    after, has_claimed = await asyncio.gather(store.append(table.id, 1, [DEAL, MOVE], NOW), store.claim(5))
    assert (after.version, has_claimed, losses) == (3, True, [])
    assert await rows(url, "SELECT ply FROM entries ORDER BY ply") == [(0,), (1,)]


async def test_an_unknown_outcome_of_a_commit_is_an_error(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = asyncpg.Connection.execute

    async def losing(connection: Any, query: str, *values: Any) -> Any:
        if query != "COMMIT":
            return await execute(connection, query, *values)
        connection.terminate()
        monkeypatch.setattr(asyncpg, "connect", refuse)
        raise ConnectionResetError

    async def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncpg.Connection, "execute", losing)
    monkeypatch.setattr(group_commit, "OUTCOME_PAUSES_S", (0.0, 0.0))
    with pytest.raises(StoreError, match="Look whether the change was saved before you repeat it"):
        await store.claim(5)


async def append_all(store: PostgresStore, table: Table, count: int, acknowledged: list[int]) -> None:
    """Append entries one after the other, and note the version of each that is acknowledged."""
    version = table.version
    while version < table.version + count:
        version = (await store.append(table.id, version, [Entry(0, f"play {version}")], Changes(1.0))).version
        acknowledged.append(version)


async def test_a_killed_server_loses_and_doubles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "PAUSES_S", [0.05] * 2000)
    monkeypatch.setattr(group_commit, "OUTCOME_PAUSES_S", [0.05] * 2000)
    with running_server(is_durable=True) as own:
        own.sql("CREATE DATABASE pond")
        async with await PostgresStore.open(own.url("pond")) as store:
            tables = [await opened(store, name) for name in ("Heron", "Teal")]
            acknowledged: list[list[int]] = [[], []]
            playing = [
                asyncio.ensure_future(append_all(store, table, 60, versions))
                for table, versions in zip(tables, acknowledged, strict=True)
            ]
            await until(lambda: all(len(versions) > 20 for versions in acknowledged))
            await asyncio.to_thread(own.stop, signal.SIGQUIT)  # all its processes end at once
            await asyncio.to_thread(own.start)
            await asyncio.gather(*playing)
            for table, versions in zip(tables, acknowledged, strict=True):
                log = await store.log(table.id)
                assert log is not None
                assert versions == list(range(2, 62))
                assert [entry.move for entry in log.entries] == [f"play {number}" for number in range(1, 61)]


async def test_a_cancelled_write_does_not_keep_its_locks(store: PostgresStore, url: str) -> None:
    table = await opened(store)
    other = await asyncpg.connect(url)
    await other.execute("BEGIN")
    await other.execute("UPDATE tables SET changed_at = 3 WHERE id = $1", table.id)
    writing = asyncio.ensure_future(store.append(table.id, 1, [DEAL], NOW))
    await until(partial(rows, url, "SELECT 1 FROM pg_locks WHERE NOT granted"))
    (commit,) = [task for task in asyncio.all_tasks() if task.get_name() == "commit"]
    commit.cancel()
    await asyncio.wait({writing})
    await other.execute("ROLLBACK")
    await other.close()
    versions = await asyncio.gather(*map(partial(attempt, store, table), (DEAL, MOVE)))
    assert sorted(versions) == [0, 2]


async def attempt(store: PostgresStore, table: Table, entry: Entry) -> int:
    """Append an entry, and return the version, or 0 after a conflict."""
    try:
        return (await store.append(table.id, 1, [entry], NOW)).version
    except Conflict:
        return 0
