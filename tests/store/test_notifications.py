"""Tests of notifications between processes on PostgreSQL. Their ticks are an hour apart, so only those are noticed."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import asyncpg
import pytest

from bot.running.leases import Leases
from bot.running.ticker import Ticker
from bot.store.bot_processes import Holder
from bot.store.postgres import PostgresStore, notifications
from bot.store.store import Store
from tests.databases import rows
from tests.store.lilypads import opened
from tests.waiting import until

HOUR_S = 3600.0
LISTENING = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT 1' AND datname = current_database()"
"""The connections that listen. Nothing else runs this statement."""


@pytest.fixture
def store(postgres_store: PostgresStore) -> PostgresStore:
    """An open store in a new database."""
    return postgres_store


@asynccontextmanager
async def owner(url: str) -> AsyncIterator[list[object]]:
    """A process with the lease of all tables. The list has those, and the events, that it was asked to update."""
    asked: list[object] = []
    async with await PostgresStore.open(url) as store:
        leases = Leases(store.leases, holder=Holder("owner"), tick_s=HOUR_S)
        leases.on_request = asked.append
        leases.event_listeners.append(lambda name, _guild_id: asked.append(name))
        await leases.take({0}, 1)
        ticker = Ticker(leases.tick, tick_s=HOUR_S)
        ticker.start()
        listening = asyncio.create_task(leases.listen(ticker.hurry))
        await until(partial(rows, url, LISTENING))
        try:
            yield asked
        finally:
            listening.cancel()
            await asyncio.wait({listening})
            await ticker.close()


async def test_the_owner_of_a_table_learns_at_once_that_it_has_changed(store: PostgresStore, url: str) -> None:
    async with owner(url) as asked:
        for name in ("Heron", "Teal"):
            table = await opened(store, name)
            await store.leases.request_update(table.id, table.place.guild_id)
            await until(lambda table=table: asked[-1:] == [table.id])  # type: ignore[misc]  # its default
    assert len(asked) == 2


async def test_a_request_during_a_tick_is_served_by_another(store: PostgresStore, url: str) -> None:
    tables = [await opened(store, f"Heron {number}") for number in range(20)]
    async with owner(url) as asked:
        await asyncio.gather(*(store.leases.request_update(table.id, table.place.guild_id) for table in tables))
        await until(lambda: len(asked) == 20)
    assert set(asked) == {table.id for table in tables}


async def test_a_lost_connection_is_opened_again(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(notifications, "PAUSES_S", (0.0,))
    table = await opened(store)
    async with owner(url) as asked:
        ((lost,),) = await rows(url, LISTENING)
        await rows(url, f"SELECT pg_terminate_backend({lost})")
        await until(partial(rows, url, f"{LISTENING} AND pid <> {lost}"))
        await store.leases.request_update(table.id, table.place.guild_id)
        await until(lambda: asked)
    assert "the connection for notifications was lost" in caplog.text


async def test_a_request_while_nobody_listens_is_served_by_the_next_tick(store: PostgresStore) -> None:
    table, asked = await opened(store), list[int]()
    await store.leases.request_update(table.id, table.place.guild_id)
    leases = Leases(store.leases, holder=Holder("owner"))
    leases.on_request = asked.append
    await leases.take({0}, 1)
    await leases.tick()
    assert asked == [table.id]


async def test_behind_a_pooler_nobody_listens_and_the_log_says_so(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(asyncpg.Connection, "get_server_pid", lambda _: 0)  # a pooler invents one
    caplog.set_level(logging.INFO)
    async with await PostgresStore.open(url) as store:
        await store.leases.listen(print)
        await store.leases.request_update((await opened(store)).id, None)
    assert caplog.text.count("noticed once a second, not at once") == 1


async def test_a_database_without_notifications_is_not_waited_for(sqlite_store: Store) -> None:
    await sqlite_store.leases.listen(print)


async def test_the_owner_of_a_server_learns_at_once_that_an_event_has_changed(store: PostgresStore, url: str) -> None:
    async with owner(url) as asked:
        await store.leases.request_event("match 5", 0)
        await until(lambda: asked)
    assert asked == ["match 5"]
    assert await store.leases.event_requests() == ()
