"""Tests of ping settings."""

import pytest

from bot.errors import InvalidOption
from bot.store.store import Store
from bot.tables import UserSettings
from bot.tables.ping_settings import offset_text, quiet_until, read_offset, read_quiet, wants_ping

HOUR = 3600.0
DAY = 20_000 * 24 * HOUR
"""Midnight, UTC."""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("22:00-08:00", (1320, 480)),
        ("22-8", (1320, 480)),
        ("0:30 to 7", (30, 420)),
        ("23–24", (1380, 0)),
        ("Off", None),
    ],
)
def test_quiet_hours_are_parsed_as_people_type_them(typed: str, meant: tuple[int, int] | None) -> None:
    assert read_quiet(typed) == meant


@pytest.mark.parametrize("typed", ["", "22", "8-8", "0-24", "25-3", "22:60-8", "night"])
def test_invalid_quiet_hours_are_refused(typed: str) -> None:
    with pytest.raises(InvalidOption, match="22:00-08:00"):
        read_quiet(typed)


@pytest.mark.parametrize(
    ("typed", "minutes", "shown"),
    [("+2", 120, "UTC+02:00"), ("-03:30", -210, "UTC-03:30"), ("UTC+5:45", 345, "UTC+05:45"), ("0", 0, "UTC+00:00")],
)
def test_time_zones_are_parsed_as_people_type_them(typed: str, minutes: int, shown: str) -> None:
    assert read_offset(typed) == minutes
    assert offset_text(minutes) == shown


@pytest.mark.parametrize("typed", ["Berlin", "+15", "-13", "2:75", ""])
def test_invalid_time_zones_are_refused(typed: str) -> None:
    with pytest.raises(InvalidOption, match="hours from UTC"):
        read_offset(typed)


def test_quiet_hours_cross_midnight_in_the_users_time_zone() -> None:
    habits = UserSettings(quiet=(22 * 60, 8 * 60), utc_offset=120)
    assert quiet_until(habits, DAY + 19.5 * HOUR) is None
    assert quiet_until(habits, DAY + 20 * HOUR) == DAY + 30 * HOUR
    assert quiet_until(habits, DAY + 5 * HOUR) == DAY + 6 * HOUR
    assert quiet_until(habits, DAY + 6 * HOUR) is None


def test_users_without_pings_are_never_pinged() -> None:
    assert wants_ping(UserSettings(), DAY)
    assert not wants_ping(UserSettings(pings=False), DAY)
    assert not wants_ping(UserSettings(quiet=(0, 60)), DAY)


async def test_settings_are_stored_beside_what_else_is_known(store: Store) -> None:
    assert await store.users.settings(7) == UserSettings()
    await store.users.set_dm_closed(7, closed=True)
    assert await store.users.settings(7) == UserSettings()
    habits = UserSettings(
        pings=False, quiet=(1320, 480), utc_offset=-210, prefers_menus=True, hands="text", language="de"
    )
    await store.users.set_settings(7, habits)
    assert await store.users.settings(7) == habits
