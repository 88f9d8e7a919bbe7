"""Holidays: clocks stop on the turns of players who are away, for a limited number of days."""

import pytest

from bot.errors import InvalidOption, NotAllowed
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.store.store import Store
from bot.tables.absence.deadlines import DAY, HOUR
from bot.tables.ping_settings import wants_ping
from bot.tables.tables import Tables
from bot.tables.typed_times import Moment, read_away
from tests.spoken import into
from tests.tables.people import ANN, BEN, Clock, make_tables, started, waiting

NOON = 1_700_000_000.0 - 1_700_000_000.0 % DAY + DAY / 2
"""Noon of 2023-11-14, by UTC."""


async def waited_s(tables: Tables, table: Table) -> float:
    """Return how long the table has waited, as its clock counts."""
    return (await tables.waiting.standstill(table)).waited_s


async def due_at(tables: Tables, table: Table) -> float:
    """Return when the table's next step is due."""
    due = await tables.waiting.next_due(table)
    assert due is not None
    return due.at


async def test_a_clock_stops_during_a_holiday_of_the_player_to_move(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table, began = await waiting(tables, ANN, BEN, clock="day"), clock.at
    clock.at += HOUR
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 5 * DAY)
    clock.at += 4 * DAY
    assert await waited_s(tables, table) == HOUR
    assert await due_at(tables, table) == began + 5 * DAY + 6 * HOUR
    standstill = await tables.waiting.standstill(table)
    assert standstill.due_at() == began + 6 * DAY
    clock.at += DAY + HOUR
    assert await waited_s(tables, table) == 2 * HOUR
    assert (await tables.waiting.standstill(table)).due_at() == began + 6 * DAY


async def test_a_holiday_can_end_early_and_begin_again(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table, began = await waiting(tables, ANN, BEN, clock="three-days"), clock.at
    for _ in range(2):
        await tables.holidays.begin(ANN.id, clock.at, clock.at + 5 * DAY)
        clock.at += DAY
        await tables.holidays.end(ANN.id, clock.at)
        clock.at += HOUR
    assert await waited_s(tables, table) == 2 * HOUR
    assert await due_at(tables, table) == began + 2 * DAY + 12 * HOUR


async def test_a_holiday_of_somebody_else_stops_nothing(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN, clock="day")
    await tables.holidays.begin(BEN.id, clock.at, clock.at + 5 * DAY)
    clock.at += DAY
    assert (await tables.waiting.standstill(table)).is_due()


async def test_neither_a_clock_of_seconds_stops_nor_time_that_is_over(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    live, slow = await waiting(tables, ANN, BEN, clock="live"), await waiting(tables, ANN, BEN, clock="day")
    clock.at += DAY
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 5 * DAY)
    clock.at += HOUR
    assert await waited_s(tables, live) == DAY + HOUR
    assert (await tables.waiting.standstill(slow)).is_due()
    assert await due_at(tables, slow) > clock.at + DAY  # but reminders wait


async def test_downtime_during_a_holiday_counts_once(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table = await waiting(tables, ANN, BEN, clock="day")
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 5 * DAY)
    clock.at += 4 * DAY
    await tables.waiting.beat()  # it was down all the time
    clock.at += 2 * DAY
    await tables.waiting.beat()  # and again, from within the holiday until after it
    clock.at += HOUR
    assert await waited_s(tables, table) == HOUR


async def test_a_table_is_not_closed_during_a_holiday(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.waiting.beat()
    table = await started(tables, ANN, BEN)
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 20 * DAY)
    clock.at += 20 * DAY
    assert await waited_s(tables, table) == 0


async def test_holidays_are_limited_to_so_many_days_in_three_months(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    with pytest.raises(NotAllowed, match="21 days in 90"):
        await tables.holidays.begin(ANN.id, clock.at, clock.at + 22 * DAY)
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 10 * DAY)
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 20 * DAY)  # changed, not added
    clock.at += 25 * DAY
    with pytest.raises(NotAllowed, match="1 left"):
        await tables.holidays.begin(ANN.id, clock.at, clock.at + 2 * DAY)
    clock.at += 90 * DAY
    await tables.holidays.begin(ANN.id, clock.at, clock.at + 20 * DAY)


async def test_a_player_on_holiday_gets_no_ping(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.holidays.begin(ANN.id, clock.at, clock.at + DAY)
    settings = await tables.users.settings(ANN.id)
    assert not wants_ping(settings, clock.at)
    assert wants_ping(settings, clock.at + DAY)
    assert await tables.waiting.all_quiet_until([ANN.id]) == clock.at + DAY


async def test_holidays_are_exported_and_deleted(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    await tables.holidays.begin(ANN.id, clock.at, clock.at + DAY)
    kept = await tables.personal_data.kept(ANN.id)
    assert kept["holidays"] == [{"began": clock.at, "ended": clock.at + DAY}]
    await tables.privacy.forget(ANN.id, None)
    assert not any((await tables.personal_data.kept(ANN.id)).values())


@pytest.mark.parametrize(
    ("typed", "days"),
    [("2023-11-14", 0.5), ("15.11.", 1.5), ("16.11.2023", 2.5), ("3 days", 3), ("1w", 7), ("1.1.", 48.5)],
)
def test_the_end_is_a_date_or_a_number_of_days(typed: str, days: float) -> None:
    assert read_away(typed, UserSettings(timezone="UTC"), NOON, into("de")) == Moment(NOON + days * DAY)


@pytest.mark.parametrize("typed", ["soon", "2023-02-30", "1.1.2023", "99.99.", "0 days", ""])
def test_other_ends_are_refused(typed: str) -> None:
    with pytest.raises(InvalidOption):
        read_away(typed, UserSettings(timezone="UTC"), NOON, into("de"))


def test_off_ends_a_holiday() -> None:
    assert read_away("off", UserSettings(), NOON, into("de")) is None
