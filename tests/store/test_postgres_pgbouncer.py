"""Tests of what is different behind PgBouncer. The store's other tests run behind it, too.

Its transaction mode works: each transaction may be on another connection of the server.
"""

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest

from bot.errors import StoreError
from bot.running.leases import LEASE_S, Leases
from bot.store.bot_processes import Holder
from bot.store.open_store import open_store
from bot.store.store import Store
from tests.databases import rows
from tests.pgbouncer import CONNECTIONS, PgBouncer, running_pgbouncer
from tests.postgres_server import PostgresServer
from tests.store.lilypads import DEAL, MOVE, append, opened
from tests.waiting import until

BACKENDS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_numbers = itertools.count(1)


@pytest.fixture
def name(postgres: PostgresServer) -> Iterator[str]:
    """The name of a new database."""
    name = f"pooled_{next(_numbers)}"
    postgres.sql(f"CREATE DATABASE {name}")
    yield name
    postgres.sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def stores(pgbouncer: PgBouncer, name: str) -> AsyncIterator[list[Store]]:
    """The stores of four processes."""
    stores = [await open_store(pgbouncer.url(name)) for _ in range(4)]
    yield stores
    for store in stores:
        await store.close()


async def test_many_connections_share_a_few_of_the_server(
    stores: list[Store], postgres: PostgresServer, name: str
) -> None:
    tables = [await opened(stores[0], f"Heron {number}") for number in range(16)]
    for _ in range(5):
        reads = asyncio.gather(*(store.log(tables[0].id) for store in stores * 8))
        tables = await asyncio.gather(*map(partial(append, entries=[MOVE]), stores * 4, tables))
        await reads
    assert [table.version for table in await stores[0].lists.all()] == [6] * 16
    ((used,),) = await rows(postgres.url(name), f"SELECT count(*) {BACKENDS}")
    assert 1 < used <= CONNECTIONS


async def test_lost_connections_of_the_server_are_replaced(
    stores: list[Store], postgres: PostgresServer, name: str
) -> None:
    table = await opened(stores[0])
    for store in stores:
        assert await rows(postgres.url(name), f"SELECT pg_terminate_backend(pid) {BACKENDS}")
        table = await append(store, table, [DEAL])
    written = await stores[0].log(table.id)
    assert written is not None
    assert (written.table.version, written.entries) == (5, (DEAL,) * 4)


async def test_a_lease_has_one_holder_and_the_next_one_takes_it(stores: list[Store]) -> None:
    processes = [
        Leases(store.leases, holder=Holder(f"process {number}", f"host {number}"), try_s=0.0)
        for number, store in enumerate(stores)
    ]
    taking = {asyncio.create_task(process.take({0, 1}, 2)): process for process in processes}
    for served in range(len(processes)):
        await until(lambda served=served: sum(task.done() for task in taking) > served)  # type: ignore[misc]  # its default
        (holder,) = [process for process in processes if process.held]
        assert holder.held == {0, 1}
        await holder.release()
    await asyncio.gather(*taking)


async def test_the_owner_finds_requests_with_its_next_tick(
    stores: list[Store], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    asked: list[int] = []
    owner = Leases(stores[0].leases, holder=Holder("owner"))
    owner.on_request = asked.append
    await owner.take({0}, 1)
    await owner.listen(print)  # it returns at once
    assert caplog.text.count("noticed once a second, not at once") == 1
    table = await opened(stores[1])
    await stores[1].leases.request_update(table.id, table.place.guild_id)
    await owner.tick()
    assert asked == [table.id]


async def test_shares_of_requests_never_exceed_the_limit(stores: list[Store]) -> None:
    granted = await asyncio.gather(
        *(store.bot_processes.renew(f"process {number}", "", 0, 46, LEASE_S) for number, store in enumerate(stores))
    )
    assert sum(each.slots for each in granted) <= 46
    assert min(each.fair for each in granted) == 46 // 4


async def test_statement_mode_is_refused(postgres: PostgresServer, name: str) -> None:
    with running_pgbouncer(postgres, "statement") as bouncer:
        sentence = r"is behind PgBouncer in statement mode, which has no transactions; set pool_mode to transaction\.$"
        with pytest.raises(StoreError, match=sentence):
            await open_store(bouncer.url(name))
