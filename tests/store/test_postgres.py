"""Tests of how a store in PostgreSQL commits, and of lost connections."""

import asyncio
import signal
from functools import partial
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace

from bot.errors import Conflict, StoreError, TooManyTables
from bot.games.game import Entry
from bot.records.quota import Quotas
from bot.records.table import Place, Table
from bot.store.database import Transaction
from bot.store.postgres import PostgresStore, postgres_errors, postgres_store
from tests.databases import rows
from tests.postgres_server import running_server
from tests.store.lilypads import DEAL, MOVE, append, opened
from tests.waiting import until


@pytest.fixture
def store(postgres_store: PostgresStore) -> PostgresStore:
    """An open store in a new database."""
    return postgres_store


async def disconnect(url: str) -> None:
    """Let the server end all connections to a database."""
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    await rows(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608 - constant text


# ---- commits


def writing(store: PostgresStore) -> Any:
    """Return the connection on which the store writes."""
    return store.database._committer._connection  # type: ignore[attr-defined]


def logged(connection: Any) -> list[str]:
    """Return a list of the queries that the connection runs from now on."""
    queries: list[str] = []
    connection.add_query_logger(lambda record: queries.append(record.query))
    return queries


async def test_behind_a_pooler_every_statement_is_in_a_transaction(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncpg.Connection, "get_server_pid", lambda _: 0)  # a pooler invents one
    async with await PostgresStore.open(url) as store:
        table = await opened(store)
        assert (await append(store, table, [DEAL])).version == 2
        assert (await store.lists.open_tables())[0].version == 2
        for connection in (writing(store), store.database._pool._idle[0]):  # type: ignore[attr-defined]
            assert connection._stmt_cache.get_max_size() == 0
        queries = logged(store.database._pool._idle[0])  # type: ignore[attr-defined]
        await store.table(table.id)
        assert queries[0] == "BEGIN;"


async def test_writes_that_wait_share_a_commit(store: PostgresStore) -> None:
    tables = [await opened(store, f"Heron {number}") for number in range(16)]
    queries = logged(writing(store))
    await asyncio.gather(*(append(store, table, [DEAL]) for table in tables))
    assert queries.count("COMMIT") == 1


async def test_appends_that_run_together_touch_only_their_tables(store: PostgresStore, url: str) -> None:
    tables = [await opened(store, name) for name in ("Heron", "Teal", "Rail")]
    appends = [
        append(store, tables[0], [DEAL], at=3.0, by_user=7, to_act=frozenset({1})),
        append(store, replace(tables[1], version=7), [MOVE], at=3.0, by_user=7),
        append(store, tables[2], [DEAL, MOVE], at=3.0, by_user=7, to_act=frozenset({0})),
    ]
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert [each.version if isinstance(each, Table) else type(each) for each in results] == [2, Conflict, 3]
    assert await rows(url, "SELECT table_id, ply, seat, move, by_user, at FROM entries ORDER BY table_id, ply") == [
        (tables[0].id, 0, None, DEAL.move, None, 3.0),
        (tables[2].id, 0, None, DEAL.move, None, 3.0),
        (tables[2].id, 1, MOVE.seat, MOVE.move, 7, 3.0),
    ]
    assert await rows(url, "SELECT table_id, seat FROM seats WHERE owes = 1 ORDER BY table_id") == [
        (tables[0].id, 1),
        (tables[2].id, 0),
    ]


async def test_appends_to_one_table_run_in_their_order(store: PostgresStore) -> None:
    table = await opened(store)
    versions = [replace(table, version=version, plies=version - 1) for version in (1, 2, 2, 3)]
    appends = [append(store, each, [MOVE]) for each in versions]
    results = await asyncio.gather(*appends, return_exceptions=True)
    assert [each.version if isinstance(each, Table) else type(each) for each in results] == [2, 3, Conflict, 4]


async def test_a_failure_after_a_change_undoes_only_that_work(store: PostgresStore, url: str) -> None:
    tables = [await opened(store, name) for name in ("Heron", "Teal")]
    results = await asyncio.gather(
        append(store, tables[0], by_user=7, taken_back=5), append(store, tables[1], [MOVE]), return_exceptions=True
    )
    assert [type(result) for result in results] == [Conflict, Table]
    assert await rows(url, "SELECT name, version FROM tables ORDER BY id") == [("Heron", 1), ("Teal", 2)]


async def test_a_deadlock_is_repeated(store: PostgresStore, url: str) -> None:
    heron, teal = await opened(store, "Heron"), await opened(store, "Teal")
    other = await asyncpg.connect(url)
    await other.execute("SET deadlock_timeout = '10min'")  # the store's connection notices it, and is rolled back
    await other.execute("BEGIN")
    await other.execute("UPDATE tables SET changed_at = 3 WHERE id = $1", teal.id)
    both = [asyncio.ensure_future(append(store, table, [DEAL])) for table in (heron, teal)]
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
            await store.check_quotas(Quotas(0, 0, 0), 1, Place(None, 5), 0.0)
    before = await rows(url, connections)
    with pytest.raises(TooManyTables):
        await store.check_quotas(Quotas(0, 0, 0), 1, Place(None, 5), 0.0)
    assert await rows(url, connections) == before


async def test_lost_connections_are_replaced(store: PostgresStore, url: str) -> None:
    table = await opened(store)
    await disconnect(url)
    assert await store.table(table.id) == table
    await disconnect(url)
    assert (await append(store, table, [DEAL])).version == 2


async def test_a_work_whose_connection_is_lost_runs_again(store: PostgresStore) -> None:
    tries = 0

    async def work(db: Transaction) -> int:
        nonlocal tries
        tries += 1
        changed = await db.execute("INSERT INTO left_guilds (guild_id, left_at) VALUES (?, 0)", (7,))
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
    closing = store.users.set_dm_closed(5, closed=True)
    after, _ = await asyncio.gather(append(store, table, [DEAL, MOVE]), closing)
    assert (after.version, losses) == (3, [])
    assert await rows(url, "SELECT id FROM users WHERE dm_closed = 1") == [(5,)]
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
    monkeypatch.setattr(postgres_store, "OUTCOME_PAUSES_S", (0.0, 0.0))
    with pytest.raises(StoreError, match="Look whether the change was saved before you repeat it"):
        await store.users.set_dm_closed(5, closed=True)


async def append_all(store: PostgresStore, table: Table, count: int, acknowledged: list[int]) -> None:
    """Append entries one after the other, and note the version of each that is acknowledged."""
    for _ in range(count):
        table = await append(store, table, [Entry(0, f"play {table.version}")], at=1.0)
        acknowledged.append(table.version)


async def test_a_killed_server_loses_and_doubles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_errors, "PAUSES_S", [0.05] * 2000)
    monkeypatch.setattr(postgres_store, "OUTCOME_PAUSES_S", [0.05] * 2000)
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
    writing = asyncio.ensure_future(append(store, table, [DEAL]))
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
        return (await append(store, table, [entry])).version
    except Conflict:
        return 0
