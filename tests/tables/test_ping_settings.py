"""Tests of ping settings."""

import os
import shutil
import subprocess
import sys
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.errors import InvalidOption
from bot.records.preference import UserSettings
from bot.store.store import Store
from bot.tables.ping_settings import quiet_until, read_quiet, wants_ping
from bot.tables.time_zones import COMMON, matching_zones, with_zone, zone_text
from tests.spoken import into

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
        ("22.30 — 8.", (1350, 480)),
        ("２２：００\u00a0–\u200b０８：００", (1320, 480)),
        ("“22:00−8:00”", (1320, 480)),
        ("22h-8h", (1320, 480)),
        ("Off.", None),
        ("Off", None),
    ],
)
def test_quiet_hours_are_parsed_as_people_type_them(typed: str, meant: tuple[int, int] | None) -> None:
    assert read_quiet(typed, into("de")) == meant


@pytest.mark.parametrize("typed", ["", "22", "8-8", "0-24", "25-3", "22:60-8", "night"])
def test_invalid_quiet_hours_are_refused(typed: str) -> None:
    with pytest.raises(InvalidOption, match="22:00-08:00"):
        read_quiet(typed, into("de"))


@pytest.mark.parametrize(
    ("typed", "minutes", "shown"),
    [("+2", 120, "UTC+02:00"), ("-03:30", -210, "UTC-03:30"), ("UTC+5:45", 345, "UTC+05:45"), ("0", 0, "UTC+00:00")],
)
def test_time_zones_are_parsed_as_people_type_them(typed: str, minutes: int, shown: str) -> None:
    settings = with_zone(UserSettings(timezone="Europe/Berlin"), typed)
    assert settings == UserSettings(utc_offset=minutes)
    assert zone_text(settings, DAY) == shown


@pytest.mark.parametrize("typed", ["Atlantis", "+15", "-13", "2:75", "", "../etc/passwd", "Europe/", ".", "Factory"])
def test_invalid_time_zones_are_refused(typed: str) -> None:
    with pytest.raises(InvalidOption, match=r"from the list, such as Europe/Berlin, or write it as \+2"):
        with_zone(UserSettings(), typed)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin ", "Europe/Berlin"),
        ("EUROPE BERLIN", "Europe/Berlin"),
        ("“Berlin”.", "Europe/Berlin"),
        ("Ｂｅｒｌｉｎ\u200b, Germany", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("Zürich", "Europe/Zurich"),
        ("Asia/Calcutta", "Asia/Calcutta"),
        ("CET", "Europe/Berlin"),
        ("est", "America/New_York"),
        ("PDT", "America/Los_Angeles"),
        ("MESZ", "Europe/Berlin"),
        ("utc", "UTC"),
        ("Etc/GMT+5", "Etc/GMT+5"),
    ],
)
def test_time_zones_are_known_by_name_city_and_abbreviation(typed: str, zone: str) -> None:
    assert with_zone(UserSettings(), typed).timezone == zone


def test_every_offered_zone_can_be_read_and_shown() -> None:
    zones = matching_zones("a", DAY)
    assert len(zones) > 300
    for zone in (*zones, *COMMON):
        settings = with_zone(UserSettings(), zone)
        assert settings.timezone == zone
        assert zone_text(settings, DAY).startswith(f"{zone} (UTC")
    assert matching_zones("berl", DAY) == ["Europe/Berlin"]
    assert matching_zones("cest", DAY)[0] == "Europe/Berlin"
    assert matching_zones(" ", DAY) == list(COMMON)
    assert len(COMMON) == 24
    assert matching_zones("+1", DAY)[0] == "UTC+01:00"
    assert {"Europe/London", "Europe/Berlin"} <= {*matching_zones("1", DAY)}


def at(text: str) -> float:
    """Return seconds since 1970 of a time with its offset from UTC."""
    return datetime.fromisoformat(text).timestamp()


@pytest.mark.parametrize(
    ("quiet", "now", "ends"),
    [
        ("22:00-08:00", "2026-10-24T23:00+02:00", "2026-10-25T08:00+01:00"),  # the last night of summer time
        ("22:00-08:00", "2026-10-25T23:00+01:00", "2026-10-26T08:00+01:00"),
        ("22:00-08:00", "2026-10-24T21:59+02:00", None),
        ("22:00-08:00", "2026-10-25T21:30+01:00", None),  # it would be 22:30 in summer time
        ("22:00-08:00", "2026-03-28T23:00+01:00", "2026-03-29T08:00+02:00"),
        ("22:00-08:00", "2026-03-29T07:30+02:00", "2026-03-29T08:00+02:00"),
        ("22:00-02:30", "2026-03-29T01:30+01:00", "2026-03-29T02:30+01:00"),  # 02:30 is skipped
        ("02:30-08:00", "2026-03-29T03:00+02:00", "2026-03-29T08:00+02:00"),  # it begins with the change
        ("22:00-02:30", "2026-10-25T02:15+02:00", "2026-10-25T02:30+02:00"),  # 02:30 comes twice
        ("22:00-02:30", "2026-10-25T02:15+01:00", "2026-10-25T02:30+01:00"),
    ],
)
def test_quiet_hours_follow_the_change_of_the_clocks(quiet: str, now: str, ends: str | None) -> None:
    settings = with_zone(UserSettings(quiet=read_quiet(quiet, into("de"))), "Europe/Berlin")
    assert quiet_until(settings, at(now)) == (ends and at(ends))


def test_an_unknown_zone_in_the_database_falls_back_to_the_hours_from_utc() -> None:
    settings = UserSettings(quiet=(22 * 60, 8 * 60), utc_offset=120, timezone="Atlantis/Capital")
    assert quiet_until(settings, DAY + 20 * HOUR) == DAY + 30 * HOUR


@pytest.mark.parametrize("system", ["", "outdated"])
def test_zones_come_from_the_package_whatever_the_system_has(tmp_path: Path, system: str) -> None:
    outdated = tmp_path / "Europe/Berlin"
    outdated.parent.mkdir()
    shutil.copyfile(str(files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo")), outdated)
    script = "from bot.tables.time_zones import *; print(zone_text(with_zone(UserSettings(), 'Berlin'), 0))"
    environment = os.environ | {"PYTHONTZPATH": str(tmp_path) if system else ""}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    assert ran.stdout == "Europe/Berlin (UTC+01:00)\n"


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
    in_berlin = replace(habits, timezone="Europe/Berlin")
    await store.users.set_settings(7, in_berlin)
    assert await store.users.settings(7) == in_berlin


async def test_only_users_with_hours_from_utc_or_quiet_hours_are_asked_for_their_zone_and_once(store: Store) -> None:
    everyone = [
        UserSettings(utc_offset=60),
        UserSettings(quiet=(0, 60)),
        UserSettings(language="de"),
        UserSettings(quiet=(0, 60), timezone="Europe/Berlin"),
    ]
    for number, settings in enumerate(everyone, 1):
        await store.users.set_settings(number, settings)
    for asked in ([True, True, False, False, False], [False] * 5):
        assert [await store.users.claim_zone_question(number) for number in range(1, 6)] == asked
