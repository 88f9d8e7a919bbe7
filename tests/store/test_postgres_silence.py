"""Tests of connections that vanish without a word: what is behind them neither answers nor closes them."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import pytest

from bot.errors import OutcomeUnknown, Unreachable
from bot.records.table import Table
from bot.running.leases import Leases
from bot.store.bot_processes import Holder
from bot.store.postgres import PostgresStore, notifications
from bot.store.store import Store
from tests.databases import rows
from tests.postgres_server import PostgresServer
from tests.silent_proxy import SilentProxy, silent_proxy
from tests.store.lilypads import DEAL, MOVE, append, opened
from tests.waiting import until

LIMIT_S: Final = 15.0
"""Far more than the 4.5 s that a player waits, for busy machines, and far less than it takes without the limits."""


@pytest.fixture
async def proxy(postgres: PostgresServer) -> AsyncIterator[SilentProxy]:
    """A proxy in front of the tests' server."""
    async with silent_proxy(postgres) as proxy:
        yield proxy


@pytest.fixture
async def store(proxy: SilentProxy, url: str) -> AsyncIterator[PostgresStore]:
    """An open store behind the proxy, in the new database of ``url``."""
    async with await PostgresStore.open(proxy.url(url.split("/")[3].partition("?")[0])) as store:
        yield store
        proxy.is_silent = False


@contextmanager
def within_the_limit() -> Iterator[None]:
    """Check that what is done here doesn't keep players waiting."""
    before = time.monotonic()
    yield
    assert time.monotonic() - before < LIMIT_S


async def open_readers(store: Store, table: Table) -> None:
    """Let the store open all its connections."""
    await asyncio.gather(*(store.table(table.id) for _ in range(8)))


async def failures_of(*works: Awaitable[Any]) -> set[type]:
    """Return the types of the works' results."""
    return {type(result) for result in await asyncio.gather(*works, return_exceptions=True)}


async def test_connections_that_a_firewall_has_dropped_are_replaced(store: PostgresStore, proxy: SilentProxy) -> None:
    table = await opened(store)
    await open_readers(store, table)
    proxy.drop()
    with within_the_limit():
        found, written = await asyncio.gather(store.table(table.id), append(store, table, [DEAL]))
        assert found in (table, written)  # the read and the write are under way together
        assert written.version == 2
        assert await store.table(table.id) == written


async def test_a_frozen_server_keeps_nobody_waiting(store: PostgresStore, proxy: SilentProxy) -> None:
    table = await opened(store)
    await open_readers(store, table)
    proxy.is_silent = True
    with within_the_limit():
        reading = [store.table(table.id) for _ in range(40)]
        writing = [store.leases.release(str(number)) for number in range(3)]
        releases = asyncio.ensure_future(failures_of(*writing))
        await asyncio.sleep(0)
        assert await failures_of(*reading, append(store, table, [DEAL])) == {Unreachable}
        assert await releases == {Unreachable}
    proxy.is_silent = False
    assert (await append(store, table, [DEAL])).version == 2


async def test_a_commit_whose_answer_is_lost_is_found(store: PostgresStore, proxy: SilentProxy, url: str) -> None:
    table = await opened(store)
    proxy.lost_commits = 1
    with within_the_limit():
        assert (await append(store, table, [DEAL, MOVE])).version == 3
    assert await rows(url, "SELECT ply FROM entries ORDER BY ply") == [(0,), (1,)]


async def test_a_commit_that_never_arrives_is_repeated(store: PostgresStore, proxy: SilentProxy, url: str) -> None:
    table = await opened(store)
    proxy.swallowed_commits = 1
    with within_the_limit():
        assert (await append(store, table, [DEAL, MOVE])).version == 3
    assert await rows(url, "SELECT ply FROM entries ORDER BY ply") == [(0,), (1,)]


@pytest.mark.parametrize("is_committed", [False, True])
async def test_the_outcome_of_a_commit_is_known_after_the_silence(
    store: PostgresStore, proxy: SilentProxy, *, is_committed: bool
) -> None:
    table = await opened(store)
    proxy.lost_commits, proxy.swallowed_commits = is_committed, not is_committed
    proxy.falls_silent_with_commits = True
    with within_the_limit(), pytest.raises(OutcomeUnknown):
        await append(store, table, [DEAL])
    proxy.is_silent = False
    after = await store.settled(table.id)
    assert after is not None
    assert after.version == 1 + is_committed


async def test_a_silent_connection_for_notifications_is_opened_again(
    store: PostgresStore, proxy: SilentProxy, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "PAUSES_S", (0.0,))
    table, heard = await opened(store), list[int]()
    leases = Leases(store.leases, holder=Holder("owner"))
    await leases.take({0}, 1)
    listening = asyncio.create_task(leases.listen(lambda: heard.append(table.id)))
    there = "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT 1' AND datname = current_database()"
    await until(partial(rows, url, there))
    ((lost,),) = await rows(url, there)
    proxy.drop()
    with within_the_limit():
        await until(partial(rows, url, f"{there} AND pid <> {lost}"))
        async with await PostgresStore.open(url) as other:
            await other.leases.request_update(table.id, table.place.guild_id)
        await until(lambda: heard)
    listening.cancel()
    await asyncio.wait({listening})


async def test_leases_are_renewed_after_their_connection_is_dropped(store: PostgresStore, proxy: SilentProxy) -> None:
    leases = Leases(store.leases, holder=Holder("owner"))
    await leases.take({0}, 1)
    proxy.drop()
    with within_the_limit():
        await leases.tick()
    assert leases.held == {0}
