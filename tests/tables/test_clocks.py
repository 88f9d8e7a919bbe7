"""Tests of tables whose host's clock is put forward or back."""

import pytest

from bot.store.bot_processes import Holder
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY, HOUR, LOBBY_LIFE_S
from tests.databases import Database
from tests.tables.hosted import Host, add_row
from tests.tables.people import ANN, BEN, HERE, Clock, make_tables, waiting


async def test_a_wait_goes_on_when_the_clock_is_put_back(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN, clock="live")
    clock.at -= 5 * HOUR
    due = await tables.waiting.next_due(table)
    assert due is not None
    assert due.at == clock.at + 90
    clock.at += 90
    assert (await tables.waiting.standstill(table)).waited_s == 90


async def test_a_wait_that_began_again_goes_on_when_the_clock_is_put_back(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN)
    clock.at += 4 * HOUR
    assert await store.waits.claim_step(table, clock.at, 1)
    clock.at -= 5 * DAY
    due = await tables.waiting.next_due(table)
    assert due is not None
    assert due.at == clock.at + DAY


@pytest.mark.parametrize("minutes", [-10, 10])
async def test_the_clock_of_another_process_does_not_matter(store: Store, clock: Clock, minutes: int) -> None:
    tables, other = make_tables(store, clock), make_tables(store, lambda: clock() + 60 * minutes)
    tables.serve(lambda: (frozenset({0}), 2))
    other.serve(lambda: (frozenset({1}), 2))
    await tables.waiting.beat()
    clock.at += HOUR
    await tables.waiting.beat()  # it was down for that time
    table = await waiting(tables, ANN, BEN, clock="live")
    lobby = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 0)).table
    before = await store.database.reading.rows("SELECT * FROM outages")
    clock.at += 30
    await other.waiting.beat()
    assert (await tables.waiting.standstill(table)).waited_s == 30
    assert await tables.table(lobby.id) == lobby
    assert await store.database.reading.rows("SELECT * FROM outages") == before


async def test_no_time_counts_when_the_clock_is_put_forward(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat(again_within_s=HOUR)
    table = await waiting(tables, ANN, BEN, clock="live")
    clock.at += 100 * DAY
    assert (await tables.waiting.standstill(table)).waited_s == 0


async def test_a_lobby_from_the_future_closes_in_time(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    lobby = (await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE, 0)).table
    clock.at -= 100 * DAY
    await tables.waiting.beat()
    assert await tables.lobbies.close_idle(LOBBY_LIFE_S) == ()
    clock.at += LOBBY_LIFE_S + 1
    assert [receipt.table.id for receipt in await tables.lobbies.close_idle(LOBBY_LIFE_S)] == [lobby.id]


async def test_the_next_step_is_taken_after_the_clock_was_put_back(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    host = Host(store, tables, clock)
    table = await waiting(tables, ANN, BEN)
    await host.calendar.resume()
    await host.wakes()
    clock.at -= 5 * DAY
    host.changed(table)  # as after a move
    await host.runs(4 * HOUR)
    assert host.reminders.tables == [table.id]
    await host.calendar.close()


async def test_the_calendar_forgets_tables_that_were_deleted(
    store: Store, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    tables = make_tables(store, clock)
    host = Host(store, tables, clock)
    table = await waiting(tables, ANN, BEN)
    await add_row(store, table.id + 1, clock.at, "deadline")
    await host.calendar.resume()
    await host.runs(4 * HOUR)
    assert host.reminders.tables == [table.id]
    assert await store.due.find("deadline", table.id + 1) is None
    assert caplog.text == ""
    await host.calendar.close()


async def test_a_lease_from_the_future_has_ended(database: Database) -> None:
    async with await database.open() as store:
        await store.leases.acquire([0], Holder("dead"), HOUR)  # as if the clock had been put back since
        assert await store.leases.acquire([0], Holder("alive"), 10)
        assert not await store.leases.acquire([0], Holder("another"), 10)


async def test_a_share_from_the_future_does_not_count(database: Database) -> None:
    async with await database.open() as store:
        await store.bot_processes.renew("dead", "", 0, 50, HOUR)
        assert (await store.bot_processes.renew("alive", "", 0, 50, 10)).fair == 50
