"""Times as people type them, in the time zone of their server."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.errors import InvalidOption
from bot.tables.typed_times import read_when

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 27, 18, 30, tzinfo=BERLIN)
"""A Friday, two days before summer time begins."""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("20:00", "2026-03-27 20:00"),
        ("20", "2026-03-27 20:00"),
        ("8pm", "2026-03-27 20:00"),
        ("8:15 PM", "2026-03-27 20:15"),
        ("12 am", "2026-03-28 00:00"),
        ("18:00", "2026-03-28 18:00"),
        ("20 Uhr", "2026-03-27 20:00"),
        ("tomorrow 20:00", "2026-03-28 20:00"),
        ("morgen um 20 Uhr", "2026-03-28 20:00"),
        ("tonight at 9pm", "2026-03-27 21:00"),
        ("sunday 20:00", "2026-03-29 20:00"),
        ("So, 20.00", "2026-03-29 20:00"),
        ("fri 18:00", "2026-04-03 18:00"),
        ("Fr 20:00", "2026-03-27 20:00"),
        ("2026-12-24 18:30", "2026-12-24 18:30"),
        ("24.12. 18:30", "2026-12-24 18:30"),
        ("24. 12. 18:30", "2026-12-24 18:30"),
        ("24. 12. 2026, 18 Uhr", "2026-12-24 18:00"),
        ("Sonntag 20:00", "2026-03-29 20:00"),
        ("Sonnabend 20:00", "2026-03-28 20:00"),
        ("Sa., 20:00", "2026-03-28 20:00"),
        ("mondays 8 p.m.", "2026-03-30 20:00"),
        ("1.1. 20:00", "2027-01-01 20:00"),
        ("in 2 hours", "2026-03-27 20:30"),
        ("in 90 min", "2026-03-27 20:00"),
        ("in 1 Tag", "2026-03-28 18:30"),
    ],
)
def test_a_time_is_read_in_the_zone_of_the_server(typed: str, expected: str) -> None:
    read = datetime.fromtimestamp(read_when(typed, BERLIN, NOW.timestamp()), BERLIN)
    assert f"{read:%Y-%m-%d %H:%M}" == expected


@pytest.mark.parametrize(
    "typed",
    [
        *("", "soon", "25:00", "13pm", "today 18:00", "2026-02-30 20:00", "2025-12-24 18:00", "friday", "99.99. 20:00"),
        *("morning 8:00", "weekend 20:00", "mittags 12:00", "m 12:00"),
    ],
)
def test_what_is_no_time_to_come_is_refused(typed: str) -> None:
    with pytest.raises(InvalidOption):
        read_when(typed, BERLIN, NOW.timestamp())
