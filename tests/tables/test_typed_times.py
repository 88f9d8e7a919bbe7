"""Times as people type them, in the time zone of their server."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.errors import InvalidOption
from bot.records.preference import UserSettings
from bot.tables.typed_times import Moment, other_text, read_away, read_when
from tests.spoken import into

GERMAN = into("de")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 27, 18, 30, tzinfo=BERLIN)
"""A Friday, two days before summer time begins."""


def shown(at: float) -> str:
    """Return a moment as the clocks in Berlin show it."""
    return f"{datetime.fromtimestamp(at, BERLIN):%Y-%m-%d %H:%M}"


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
        ("2h", "2026-03-27 20:30"),
        ("in 2h30", "2026-03-27 21:00"),
        ("in 1 hour and 30 minutes", "2026-03-27 20:00"),
        ("in einer Stunde", "2026-03-27 19:30"),
        ("in 1 week", "2026-04-03 19:30"),
        ("20h", "2026-03-27 20:00"),
        ("20h30", "2026-03-27 20:30"),
        ("noon", "2026-03-28 12:00"),
        ("tomorrow noon", "2026-03-28 12:00"),
        ("midnight", "2026-03-28 00:00"),
        ("24:00", "2026-03-28 00:00"),
        ("24 Uhr", "2026-03-28 00:00"),
        ("sat 24:00", "2026-03-29 00:00"),
        ("Samstag Mitternacht", "2026-03-29 00:00"),
        ("next fri 20:00", "2026-04-03 20:00"),
        ("nächsten Montag um 20 Uhr", "2026-03-30 20:00"),
        ("8pm friday", "2026-03-27 20:00"),
        ("8 p.m. on Monday", "2026-03-30 20:00"),
        ("20:00 tomorrow", "2026-03-28 20:00"),
        ("2026-12-24T18:30", "2026-12-24 18:30"),
        ("2026-12-24T18:30Z", "2026-12-24 19:30"),
        ("2026-12-24T18:30:00+02:00", "2026-12-24 17:30"),
        ("24.12.26 18:30", "2026-12-24 18:30"),
        ("24.12.26, 18.30 Uhr", "2026-12-24 18:30"),
        ("dec 24 6pm", "2026-12-24 18:00"),
        ("6pm Dec 24", "2026-12-24 18:00"),
        ("24th of December 2026 at 18:30", "2026-12-24 18:30"),
        ("24. Dezember 18 Uhr", "2026-12-24 18:00"),
        ("18:30 24.12.", "2026-12-24 18:30"),
        ("1.5. 20:00", "2026-05-01 20:00"),
        ("am Freitag um 20 Uhr", "2026-03-27 20:00"),
        ("um 20 Uhr 15 am Montag", "2026-03-30 20:15"),
        ("um 12 am Montag", "2026-03-30 12:00"),
        ("12 am monday", "2026-03-30 00:00"),
        ("übermorgen 20 Uhr", "2026-03-29 20:00"),
        ("day after tomorrow 20:00", "2026-03-29 20:00"),
        ("heute Abend um 8", "2026-03-27 20:00"),
        ("tonight at 8", "2026-03-27 20:00"),
        ("tonight at 12", "2026-03-28 00:00"),
        ("tonight at 1am", "2026-03-28 01:00"),
        ("tomorrow morning at 8", "2026-03-28 08:00"),
        ("friday at 8", "2026-03-27 20:00"),
        ("today at 8", "2026-03-27 20:00"),
        ("<t:1798133400:F>", "2026-12-24 18:30"),
        ("<t:1798133400>", "2026-12-24 18:30"),
    ],
)
def test_a_time_is_read_in_the_zone_of_the_server(typed: str, expected: str) -> None:
    assert shown(read_when(typed, BERLIN, NOW.timestamp(), GERMAN).at) == expected


@pytest.mark.parametrize(
    "typed",
    [
        *("", "soon", "25:00", "13pm", "today 18:00", "2026-02-30 20:00", "2025-12-24 18:00", "friday", "99.99. 20:00"),
        *(
            "morning 8:00",
            "weekend 20:00",
            "mittags 12:00",
            "m 12:00",
            "12.10.",
            "24:30",
            "next 20:00",
            "20am",
            "h",
            "in",
        ),
        *(
            "0000-01-01 20:00",
            "9999-12-31 24:00",
            "2026-13-40T20:00",
            "31 june 20:00",
            "5/6 20:00",
            "<t:99999999999999>",
        ),
    ],
)
def test_what_is_no_time_to_come_is_refused(typed: str) -> None:
    with pytest.raises(InvalidOption):
        read_when(typed, BERLIN, NOW.timestamp(), GERMAN)


@pytest.mark.parametrize(
    ("typed", "over"),
    [
        ("2025-12-24 18:00", "2025-12-24 18:00"),
        ("24.12.25 18:00", "2025-12-24 18:00"),
        ("today 18:00", "2026-03-27 18:00"),
        ("yesterday 20:00", "2026-03-26 20:00"),
        ("2026-03-27T18:29", "2026-03-27 18:29"),
        ("<t:1774632600:R>", "2026-03-27 18:30"),
        ("in 0 hours", "2026-03-27 18:30"),
    ],
)
def test_a_time_that_is_over_is_refused_as_being_over(typed: str, over: str) -> None:
    with pytest.raises(InvalidOption, match="is over") as refusal:
        read_when(typed, BERLIN, NOW.timestamp(), GERMAN)
    at = datetime.strptime(over, "%Y-%m-%d %H:%M").replace(tzinfo=BERLIN).timestamp()
    assert f"<t:{at:.0f}:F>" in str(refusal.value)


@pytest.mark.parametrize("typed", ["soon", "friday", "2026-02-30 20:00"])
def test_what_is_unreadable_is_not_called_over(typed: str) -> None:
    with pytest.raises(InvalidOption, match="Write a time such as"):
        read_when(typed, BERLIN, NOW.timestamp(), GERMAN)


@pytest.mark.parametrize(
    ("typed", "both"),
    [
        ("monday at 8", ("2026-03-30 08:00", "2026-03-30 20:00")),
        ("mon 8:15", ("2026-03-30 08:15", "2026-03-30 20:15")),
        ("8", ("2026-03-28 08:00", "2026-03-27 20:00")),
        ("sat midnight", ("2026-03-29 00:00", "2026-03-28 00:00")),
        ("next monday 20:00", ("2026-03-30 20:00", "2026-04-06 20:00")),
        ("20h", ("2026-03-27 20:00", "2026-03-28 14:30")),
    ],
)
def test_the_other_time_that_may_be_meant_is_known(typed: str, both: tuple[str, str]) -> None:
    moment = read_when(typed, BERLIN, NOW.timestamp(), GERMAN)
    assert moment.other is not None
    assert (shown(moment.at), shown(moment.other)) == both


@pytest.mark.parametrize(
    "typed", ["20:00", "mon 08:00", "8pm", "mon 8am", "fri 18:00", "2h", "tonight at 8", "midnight"]
)
def test_a_clear_time_is_not_called_in_question(typed: str) -> None:
    assert read_when(typed, BERLIN, NOW.timestamp(), GERMAN).other is None


def test_clocks_that_are_put_forward_skip_to_the_hour_after() -> None:
    assert shown(read_when("sunday 02:30", BERLIN, NOW.timestamp(), GERMAN).at) == "2026-03-29 03:30"


def test_an_hour_that_there_is_twice_can_be_either() -> None:
    before = datetime(2026, 10, 24, 12, tzinfo=BERLIN).timestamp()
    moment = read_when("tomorrow 02:30", BERLIN, before, GERMAN)
    assert moment.other == moment.at + 3600
    assert other_text(moment, BERLIN) == ("02:30 CEST", "02:30 CET")
    assert read_when("02:30", BERLIN, moment.at + 60, GERMAN) == Moment(moment.at + 3600)


def test_a_day_after_the_clocks_change_has_its_own_hours() -> None:
    tomorrow = read_when("tomorrow 20:00", BERLIN, datetime(2026, 3, 28, 20, tzinfo=BERLIN).timestamp(), GERMAN)
    assert tomorrow.at == datetime(2026, 3, 28, 20, tzinfo=BERLIN).timestamp() + 23 * 3600


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("friday", "2026-03-28 00:00"),
        ("until monday", "2026-03-31 00:00"),
        ("bis Montag", "2026-03-31 00:00"),
        ("24.12.26", "2026-12-25 00:00"),
        ("dec 24", "2026-12-25 00:00"),
        ("12.10.", "2026-10-13 00:00"),
        ("next friday", "2026-04-04 00:00"),
        ("tomorrow", "2026-03-29 00:00"),
        ("mon 20:00", "2026-03-30 20:00"),
        ("am Montag um 20 Uhr", "2026-03-30 20:00"),
        ("2026-12-24T18:30", "2026-12-24 18:30"),
        ("<t:1798133400:F>", "2026-12-24 18:30"),
        ("2h", "2026-03-27 20:30"),
        ("5 days", "2026-04-01 19:30"),
    ],
)
def test_the_end_of_a_holiday_is_a_day_or_a_time(typed: str, expected: str) -> None:
    moment = read_away(typed, UserSettings(timezone="Europe/Berlin"), NOW.timestamp(), GERMAN)
    assert moment is not None
    assert shown(moment.at) == expected


@pytest.mark.parametrize(
    ("typed", "why"),
    [("2026-03-26", "is over"), ("yesterday", "is over"), ("in 10 min", "an hour away"), ("?", "Write")],
)
def test_the_end_of_a_holiday_is_refused_for_its_own_reason(typed: str, why: str) -> None:
    with pytest.raises(InvalidOption, match=why):
        read_away(typed, UserSettings(timezone="Europe/Berlin"), NOW.timestamp(), GERMAN)
