"""Tests of tables whose host's clock is put forward or back."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from bot.store.store import Store
from bot.tables import Receipt
from bot.tables.absence.deadlines import DAY, HOUR, LOBBY_LIFE_S
from bot.tables.absence.timer import BEAT_S, DeadlineTimer
from tests.databases import Database
from tests.tables.people import ANN, BEN, HERE, Clock, make_tables, waiting
from tests.tables.test_outages import Reminders, nobody
from tests.waiting import until


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


async def test_the_timer_goes_on_when_the_clock_is_put_back(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, set_timers = asyncio.get_running_loop(), list[tuple[float, Callable[[], object]]]()
    call_later = loop.call_later

    def noted(delay_s: float, callback: Callable[..., object], *args: object) -> asyncio.TimerHandle:
        if not args:  # the deadline timer's
            set_timers.append((delay_s, callback))
        return call_later(delay_s, callback, *args)

    tables, reminders = make_tables(store, clock), Reminders()
    table = await waiting(tables, ANN, BEN)
    timer = DeadlineTimer(tables, reminders, clock, stand_in=nobody)
    monkeypatch.setattr(loop, "call_later", noted)
    await timer.resume()
    clock.at -= 5 * DAY
    timer.changed(Receipt(table, table.version))  # as after a move
    for pause_s in (0, *[BEAT_S] * 8):  # it notices the step; four hours later, a reminder is due
        clock.at += pause_s
        delay_s, wake = set_timers[-1]
        assert delay_s <= BEAT_S
        count = len(set_timers)
        wake()
        await until(partial(lambda before: len(set_timers) > before, count))
    assert reminders.tables == [table.id]
    await timer.close()


async def test_the_timer_forgets_tables_that_were_deleted(
    store: Store, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    tables, reminders = make_tables(store, clock), Reminders()
    table = await waiting(tables, ANN, BEN)
    deleted = replace(table, id=table.id + 1, changed_at=table.changed_at - 1)
    await tables.waiting.beat()
    clock.at += 4 * HOUR
    await tables.waiting.beat(gap_s=5 * HOUR)  # the bot ran all the time
    timer = DeadlineTimer(tables, reminders, clock, stand_in=nobody)
    await timer.resume()
    timer.changed(Receipt(deleted, deleted.version))
    await until(lambda: reminders.tables)
    await timer.close()
    assert caplog.text == ""


async def test_a_lease_from_the_future_has_ended(database: Database) -> None:
    async with await database.open() as store:
        await store.leases.acquire([0], "dead", HOUR)  # as if the clock had been put back since
        assert await store.leases.free([0], "alive") == {0}
        assert await store.leases.acquire([0], "alive", 10) == {0}
        assert await store.leases.free([0], "another") == frozenset()


async def test_a_share_from_the_future_does_not_count(database: Database) -> None:
    async with await database.open() as store:
        await store.bot_processes.renew("dead", "", 0, 50, HOUR)
        assert (await store.bot_processes.renew("alive", "", 0, 50, 10)).fair == 50
