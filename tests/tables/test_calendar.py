"""What is due: in time, once, after restarts, errors, clocks that step, and a host that slept."""

import asyncio
import math
from collections.abc import AsyncIterator
from typing import Final

import pytest

from bot.calendar import LOOK_S
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY, HOUR, MINUTE
from bot.tables.tables import Tables
from tests.tables.hosted import Host, add_row
from tests.tables.people import ANN, BEN, Clock, make_tables, waiting
from tests.waiting import until

JUMPS_S: Final = (-5 * HOUR, -5 * MINUTE, 5 * MINUTE, 5 * HOUR)


class Alarm:
    """A kind of due thing that notes when it is called, and what it returns."""

    def __init__(self, clock: Clock, *again_s: float) -> None:
        self._clock = clock
        self._again_s = list(again_s)
        self.calls: list[tuple[int, float]] = []

    async def due(self, number: int, now: float) -> float | None:
        """Return the next time, if there is one."""
        self.calls.append((number, now))
        return self._clock() + self._again_s.pop(0) if self._again_s else None

    @property
    def times(self) -> list[float]:
        """The times of the calls."""
        return [at for _, at in self.calls]


@pytest.fixture
def tables(store: Store, clock: Clock) -> Tables:
    """Tables with a clock that only the test moves."""
    return make_tables(store, clock)


@pytest.fixture
async def host(store: Store, tables: Tables, clock: Clock) -> AsyncIterator[Host]:
    """A host."""
    host = Host(store, tables, clock)
    yield host
    await host.calendar.close()


# ---- in time, and once


async def test_a_row_is_done_at_its_time_and_again_when_it_says(store: Store, host: Host, clock: Clock) -> None:
    began, alarm = clock.at, Alarm(clock, 2 * HOUR)
    host.calendar.add("recap", alarm.due)
    await add_row(store, 5, began + HOUR)
    await host.calendar.resume()
    await host.runs(4 * HOUR)
    assert alarm.calls == [(5, began + HOUR), (5, began + 3 * HOUR)]
    assert await store.due.find("recap", 5) is None


async def test_what_became_due_while_the_bot_was_stopped_is_done_once(
    store: Store, tables: Tables, clock: Clock
) -> None:
    alarm = Alarm(clock)
    await add_row(store, 5, clock.at + HOUR)
    for _ in range(3):
        host = Host(store, tables, clock)
        host.calendar.add("recap", alarm.due)
        await host.calendar.resume()
        await host.wakes()
        await host.calendar.close()
        clock.at += DAY
    assert len(alarm.calls) == 1


async def test_what_a_crash_interrupted_is_done_again(store: Store, tables: Tables, clock: Clock) -> None:
    alarm, begun = Alarm(clock), asyncio.Event()

    async def hang(_number: int, _now: float) -> None:
        begun.set()
        await asyncio.Event().wait()

    await add_row(store, 5, clock.at)
    crashing = Host(store, tables, clock)
    crashing.calendar.add("recap", hang)
    await crashing.calendar.resume()
    crashing.calendar.soon("recap", 5)
    await begun.wait()
    await crashing.calendar.close()
    host = Host(store, tables, clock)
    host.calendar.add("recap", alarm.due)
    await host.calendar.resume()
    await host.wakes()
    assert len(alarm.calls) == 1
    await host.calendar.close()


async def test_a_change_while_a_row_is_done_lets_it_be_done_again(store: Store, host: Host, clock: Clock) -> None:
    alarm = Alarm(clock, HOUR)

    async def due(number: int, now: float) -> float | None:
        if not alarm.calls:
            await add_row(store, number, clock.at + 1)
            host.calendar.soon("recap", number)
        return await alarm.due(number, now)

    host.calendar.add("recap", due)
    await add_row(store, 5, clock.at)
    await host.calendar.resume()
    await host.wakes()
    await until(lambda: len(alarm.calls) == 2)


async def test_rows_of_some_kinds_are_looked_at_after_a_start(store: Store, host: Host, clock: Clock) -> None:
    alarms = {kind: Alarm(clock, DAY) for kind in ("night", "recap")}
    host.calendar.add("night", alarms["night"].due, at_start=True)
    host.calendar.add("recap", alarms["recap"].due)
    for kind in ("night", "recap"):
        await add_row(store, 5, clock.at + HOUR, kind)
    await host.calendar.resume()
    await until(lambda: alarms["night"].calls)
    await host.wakes()
    assert alarms["recap"].calls == []


async def test_another_process_does_what_is_its_own(store: Store, tables: Tables, clock: Clock) -> None:
    alarm, asked = Alarm(clock), list[tuple[str, int]]()

    async def ask(event: str, guild_id: int) -> None:
        asked.append((event, guild_id))

    host = Host(store, tables, clock, is_ours=lambda guild_id: guild_id is None, ask=ask)
    host.calendar.add("recap", alarm.due)
    await store.database.writer.execute("INSERT INTO due (kind, id, guild_id, at) VALUES ('recap', 5, 6, 0)")
    await add_row(store, 7, 0.0)
    await host.calendar.resume()
    host.calendar.soon("recap", 5)
    await until(lambda: asked)
    assert asked == [("recap 5", 6)]
    host.calendar.asked("recap 7", 1)
    await until(lambda: alarm.calls)
    assert [number for number, _ in alarm.calls] == [7]
    await host.calendar.close()


async def test_an_error_is_logged_and_what_is_due_repeated(
    store: Store, host: Host, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    calls = []

    async def stumble(number: int, _now: float) -> None:
        calls.append(number)
        if len(calls) == 1:
            raise KeyError("nothing was expected to be missing")

    host.calendar.add("recap", stumble)
    await add_row(store, 5, clock.at)
    await host.calendar.resume()
    await host.wakes()
    assert calls == [5, 5]
    assert "what is due of recap 5 can't be brought up to date: KeyError" in caplog.text
    caplog.clear()  # the error was wanted


# ---- clocks


async def test_the_calendar_never_sleeps_longer_than_it_may(store: Store, host: Host, clock: Clock) -> None:
    await add_row(store, 5, clock.at + 100 * DAY)
    await host.calendar.resume()
    await host.wakes()
    assert host.sleeps_s <= LOOK_S


@pytest.mark.parametrize("jump_s", JUMPS_S)
async def test_no_time_counts_when_the_clock_steps(tables: Tables, host: Host, clock: Clock, jump_s: float) -> None:
    await host.calendar.resume()
    table = await waiting(tables, ANN, BEN, clock="day")
    await host.runs(HOUR)
    clock.at += jump_s
    await host.runs(HOUR)
    assert 0 <= (await tables.waiting.standstill(table)).waited_s <= 2 * HOUR
    assert host.reminders.tables == []
    await host.runs(6 * HOUR)
    assert host.reminders.tables == [table.id]


@pytest.mark.parametrize("jump_s", JUMPS_S)
async def test_a_row_is_done_by_the_clock_that_has_stepped(
    store: Store, host: Host, clock: Clock, jump_s: float
) -> None:
    alarm, at = Alarm(clock), clock.at + 12 * HOUR

    async def due(number: int, now: float) -> float | None:
        return at if now < at else await alarm.due(number, now)

    host.calendar.add("recap", due)
    await add_row(store, 5, at)
    await host.calendar.resume()
    await host.runs(HOUR)
    clock.at += jump_s
    await host.wakes()
    await host.runs(20 * HOUR)
    assert alarm.calls == [(5, at)]


async def test_rows_are_looked_at_again_when_the_clock_was_put_back(store: Store, host: Host, clock: Clock) -> None:
    alarm = Alarm(clock, HOUR, HOUR)
    host.calendar.add("recap", alarm.due)
    await add_row(store, 5, clock.at)
    await host.calendar.resume()
    await host.wakes()
    clock.at -= 100 * DAY
    await host.wakes()
    assert alarm.times[-1] == clock.at


async def test_rows_are_looked_at_again_when_the_clock_was_put_back_while_the_bot_was_stopped(
    store: Store, tables: Tables, clock: Clock
) -> None:
    alarm = Alarm(clock, HOUR, HOUR)
    await add_row(store, 5, clock.at)
    for _ in range(2):
        host = Host(store, tables, clock)
        host.calendar.add("recap", alarm.due)
        await host.calendar.resume()
        await host.wakes()
        await host.calendar.close()
        clock.at -= 100 * DAY
    assert len(alarm.calls) == 2


@pytest.mark.parametrize("asleep_s", [5 * MINUTE, 5 * HOUR, 20 * DAY])
async def test_sleep_of_the_host_does_not_count(tables: Tables, host: Host, asleep_s: float) -> None:
    await host.calendar.resume()
    table = await waiting(tables, ANN, BEN, clock="live")
    await host.runs(60)
    await host.sleeps(asleep_s)
    await host.runs(host.sleeps_s)
    assert (await tables.waiting.standstill(table)).waited_s <= 120
    assert (await tables.table(table.id)).status == "playing"


async def test_what_became_due_while_the_host_slept_is_done(store: Store, host: Host, clock: Clock) -> None:
    alarm = Alarm(clock)
    host.calendar.add("recap", alarm.due)
    await add_row(store, 5, clock.at + HOUR)
    await host.calendar.resume()
    await host.wakes()
    await host.sleeps(DAY)
    await host.runs(LOOK_S)
    assert len(alarm.calls) == 1


@pytest.mark.parametrize("is_orderly", [True, False])
async def test_downtime_does_not_count(
    store: Store, tables: Tables, host: Host, clock: Clock, *, is_orderly: bool
) -> None:
    await host.calendar.resume()
    table = await waiting(tables, ANN, BEN, clock="day")
    await host.runs(HOUR)
    if is_orderly:
        await host.calendar.close()
    clock.at += 20 * DAY
    again = Host(store, tables, clock)
    await again.calendar.resume()
    await again.wakes()
    assert HOUR - LOOK_S <= (await tables.waiting.standstill(table)).waited_s <= HOUR
    assert again.reminders.tables == []
    assert (await tables.table(table.id)).status == "playing"
    await again.calendar.close()


async def test_nothing_is_due_and_no_time_counts_while_the_bot_is_not_connected(
    store: Store, tables: Tables, clock: Clock
) -> None:
    is_here, alarm = True, Alarm(clock)
    host = Host(store, tables, clock, is_here=lambda: is_here)
    host.calendar.add("recap", alarm.due)
    await add_row(store, 5, clock.at + HOUR + 10 * MINUTE)
    await host.calendar.resume()
    table = await waiting(tables, ANN, BEN, clock="day")
    await host.runs(HOUR)
    is_here = False
    began_at = clock.at
    while clock.at < began_at + 20 * MINUTE:
        clock.at += host.sleeps_s
        await host.looks()
    assert alarm.calls == []
    is_here = True
    await host.wakes()
    assert len(alarm.calls) == 1
    assert (await tables.waiting.standstill(table)).waited_s <= HOUR
    assert host.reminders.tables == []
    await host.calendar.close()


async def test_nothing_is_done_by_date_while_the_clock_is_off(store: Store, tables: Tables, clock: Clock) -> None:
    is_off, by_date, other, looks = True, Alarm(clock), Alarm(clock), list[float]()

    async def look() -> None:
        looks.append(clock.at)

    host = Host(store, tables, clock, is_clock_off=lambda: is_off)
    host.calendar.add("recap", by_date.due, by_date=True)
    host.calendar.add("night", other.due)
    host.calendar.every("signs", HOUR, look, by_date=True)
    for kind in ("recap", "night"):
        await add_row(store, 5, clock.at, kind)
    await host.calendar.resume()
    host.calendar.soon("night", 5)
    await until(lambda: other.calls)
    host.goes_off()
    await until(lambda: host.sleeps_s > 1)
    assert (by_date.calls, looks) == ([], [])
    is_off = False
    await host.wakes()
    assert len(by_date.calls) == 1
    await until(lambda: looks)
    await host.calendar.close()


async def test_a_change_is_looked_at_with_a_clock_that_is_off_but_no_time_has_come(
    store: Store, tables: Tables, clock: Clock
) -> None:
    alarm = Alarm(clock, HOUR)
    host = Host(store, tables, clock, is_clock_off=lambda: True)
    host.calendar.add("recap", alarm.due, by_date=True)
    await add_row(store, 5, clock.at)
    await host.calendar.resume()
    host.calendar.soon("recap", 5)
    await until(lambda: alarm.calls)
    assert alarm.calls == [(5, -math.inf)]
    await host.calendar.close()


async def test_regular_looks_come_at_multiples_and_go_on_when_the_clock_steps(host: Host, clock: Clock) -> None:
    looks = []

    async def look() -> None:
        looks.append(clock.at)

    host.calendar.every("signs", 2 * HOUR, look)
    await host.calendar.resume()
    await host.wakes()
    await until(lambda: len(looks) == 1)
    await host.runs(5 * HOUR)
    await until(lambda: len(looks) >= 3)
    assert [at % (2 * HOUR) for at in looks[1:]] == [0.0] * (len(looks) - 1)
    for jump_s in JUMPS_S:
        clock.at += jump_s
        looks.clear()
        await host.runs(2 * HOUR)
        await until(lambda: looks)
