"""Deadlines while the database's server is away for longer than its connections are retried."""

import asyncio
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from bot.calendar import Calendar
from bot.errors import OutcomeUnknown
from bot.store.open_store import open_store
from bot.store.postgres import postgres_errors
from bot.tables.absence.deadlines import HOUR
from bot.tables.absence.timer import Deadlines
from bot.tables.tables import Tables
from tests.postgres_server import PostgresServer, running_server
from tests.silent_proxy import silent_proxy
from tests.tables.hosted import Reminders, nobody
from tests.tables.people import ANN, BEN, make_tables, waiting
from tests.waiting import until

if TYPE_CHECKING:
    from bot.records.table import Receipt


class Clock:
    """A clock that runs. The test puts it forward by ``offset_s``."""

    offset_s = 1_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.offset_s + asyncio.get_running_loop().time()


async def pass_while_running(tables: Tables, clock: Clock, time_s: float) -> None:
    """Put the clock forward. A heartbeat says that the bot ran all the time."""
    clock.offset_s += time_s
    await tables.waiting.beat(gap_s=2 * time_s)


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server of its own, which the test stops."""
    with running_server() as server:
        server.sql("CREATE DATABASE pond")
        yield server


async def test_deadlines_go_on_soon_after_an_outage_of_postgresql(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_errors, "PAUSES_S", (0.0,))
    async with await open_store(server.url("pond")) as store:
        clock, reminders = Clock(), Reminders()
        tables = make_tables(store, clock)
        ours: set[int] = set()
        calendar = Calendar(store.due, clock, beat=tables.waiting.beat, is_ours=lambda _: bool(ours))
        deadlines = Deadlines(tables, reminders, clock, stand_in=nobody, expect=calendar.expect)
        calendar.add("deadline", deadlines.due)
        table = await waiting(tables, ANN, BEN)
        await pass_while_running(tables, clock, 4 * HOUR)  # a reminder is due
        await calendar.resume()
        await pass_while_running(tables, clock, HOUR)  # a heartbeat of the calendar is due
        ours.add(table.id)
        await asyncio.to_thread(server.stop)
        calendar.soon("deadline", table.id)
        calendar.expect(clock())

        def reports() -> list[logging.LogRecord]:
            return [each for each in caplog.records if each.name in {"bot.calendar", "bot.ui.live.workers"}]

        await until(lambda: {each.name for each in reports()} == {"bot.calendar", "bot.ui.live.workers"})
        assert {report.levelname for report in reports()} == {"WARNING"}
        assert all("can't be reached" in report.getMessage() for report in reports())
        await asyncio.to_thread(server.start)
        await until(lambda: reminders.tables)
        assert reminders.tables == [table.id]
        await calendar.close()


async def test_a_move_whose_outcome_was_unknown_is_announced_when_it_is_known(server: PostgresServer) -> None:
    async with silent_proxy(server) as proxy, await open_store(proxy.url("pond")) as store:
        tables = make_tables(store)
        table = await waiting(tables, ANN, BEN)
        receipts: list[Receipt] = []
        tables.on_change(receipts.append)
        proxy.lost_commits, proxy.falls_silent_with_commits = 1, True
        with pytest.raises(OutcomeUnknown):
            await tables.play(table.id, ANN.id, "take 1")
        assert receipts == []
        proxy.is_silent = False
        await until(lambda: receipts)
        (receipt,) = receipts
        assert (receipt.before, receipt.table.version) == (table.version, table.version + 1)
        assert (await tables.table(table.id)).version == table.version + 1
