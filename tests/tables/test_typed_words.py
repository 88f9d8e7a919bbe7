"""Times in words, in English and in German, and which of two days is meant."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.errors import InvalidOption
from bot.records.preference import UserSettings
from bot.tables.typed_times import read_away, read_when
from tests.spoken import into

GERMAN = into("de")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 27, 18, 30, tzinfo=BERLIN)
"""A Friday, two days before summer time begins."""
FRI, SAT, SUN, MON, NEXT_FRI = "2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-04-03"


def read(typed: str, now: datetime = NOW) -> tuple[str, ...]:
    """Return the moment that is taken, and the other one if there is a doubt, as the clocks in Berlin show them."""
    moment = read_when(typed, BERLIN, now.timestamp(), GERMAN)
    moments = [at for at in (moment.at, moment.other) if at is not None]
    return tuple(f"{datetime.fromtimestamp(at, BERLIN):%Y-%m-%d %H:%M}" for at in moments)


CLEAR = [
    # hours in words
    *[(typed, f"{FRI} 20:30") for typed in ("half past 8 pm", "tonight at half past eight", "heute Abend halb neun")],
    *[(typed, f"{FRI} 20:45") for typed in ("quarter to nine pm", "heute Abend Viertel vor 9", "fr dreiviertel neun")],
    *[(typed, f"{FRI} 20:15") for typed in ("quarter past 8 pm", "heute abend viertel nach 8")],
    *[(typed, f"{FRI} 20:10") for typed in ("ten past 8 pm", "heute Abend zehn nach acht")],
    ("heute Abend fünf vor neun", f"{FRI} 20:55"),
    ("halb 1 nachts", f"{SAT} 00:30"),
    ("eight pm", f"{FRI} 20:00"),
    ("heute abend um acht", f"{FRI} 20:00"),
    # parts of the day
    *[(typed, f"{FRI} 20:00") for typed in ("8 in the evening", "8 Uhr abends", "abends um 8", "um acht Uhr abends")],
    *[(typed, f"{FRI} 20:00") for typed in ("this evening at 8", "8 tonight", "20 Uhr abends", "heut abend 8")],
    *[(typed, f"{SAT} 08:00") for typed in ("8 in the morning", "8 uhr morgens", "morgen frueh um 8")],
    *[(typed, f"{SAT} 12:00") for typed in ("12 noon", "midday", "12 Uhr mittags", "morgen Mittag um 12")],
    *[(typed, f"{SUN} 20:00") for typed in ("Sonntagabend 20 Uhr", "sonntagabend um 8", "Sonntag Abend um 8")],
    ("Sonntagmorgen um 9", f"{SUN} 09:00"),
    ("Samstagnachmittag um 3", f"{SAT} 15:00"),
    ("Samstagnacht um 1", f"{SUN} 01:00"),
    ("1 Uhr nachts", f"{SAT} 01:00"),
    *[(typed, f"{SUN} 20:00") for typed in ("Sonntag 8 Uhr abends", "sunday at 8 in the evening")],
    ("0h", f"{SAT} 00:00"),
    # lengths
    *[(typed, f"{FRI} 19:00") for typed in ("in half an hour", "in einer halben Stunde", "half an hour")],
    *[(typed, f"{FRI} 18:45") for typed in ("in einer Viertelstunde", "in a quarter of an hour")],
    ("in einer Dreiviertelstunde", f"{FRI} 19:15"),
    *[(typed, f"{FRI} 20:00") for typed in ("in anderthalb Stunden", "in eineinhalb Stunden", "in an hour and a half")],
    *[(typed, f"{FRI} 21:00") for typed in ("in 2,5 Stunden", "in 2 1/2 hours", "in zweieinhalb Stunden")],
    *[(typed, f"{FRI} 20:30") for typed in ("in two hours", "in zwei Stunden", "2 hours from now")],
    *[(typed, "2026-04-10 19:30") for typed in ("in zwei Wochen", "in a fortnight")],
    *[(typed, f"{MON} 20:00") for typed in ("in 3 days at 20:00", "in drei Tagen um 20 Uhr", "8pm in three days")],
    *[(typed, f"{NEXT_FRI} 20:00") for typed in ("in a week at 8pm", "heute in einer Woche 20 Uhr")],
    # days
    *[(typed, f"{SAT} 20:00") for typed in ("tmrw 8pm", "tomorrow, Saturday, 8pm", "morgen Samstag 20 Uhr")],
    *[(typed, f"{SUN} 20:00") for typed in ("uebermorgen 20 Uhr", "kommenden Sonntag 20 Uhr", "coming sunday 8pm")],
    *[(typed, f"{FRI} 20:00") for typed in ("ab 20 Uhr", "gegen 20 Uhr", "20:00?", "20:00:00", "Fr 20:00h")],
    *[(typed, f"{NEXT_FRI} 20:00") for typed in ("friday next week 8pm", "nächste Woche Freitag 20 Uhr")],
    ("Freitag in einer Woche 20 Uhr", f"{NEXT_FRI} 20:00"),
    ("kommenden Freitag 20 Uhr", f"{NEXT_FRI} 20:00"),
    ("Sonntag nächste Woche 20 Uhr", "2026-04-05 20:00"),
    *[(typed, "2026-04-24 18:00") for typed in ("the 24th at 6pm", "am 24. um 18 Uhr", "18 Uhr am 24.")],
    ("31st 8pm", "2026-03-31 20:00"),
    # dates
    *[(typed, "2026-12-24 18:30") for typed in ("2026/12/24 18:30", "2026.12.24 18:30", "2026-12-24 18:30:00")],
    *[(typed, "2026-12-24 18:30") for typed in ("24/12 18:30", "12/24/2026 18:30", "24-12-2026 18:30", "12/24 6:30pm")],
    *[(typed, "2026-12-24 18:30") for typed in ("Do., 24.12.2026, 18:30 Uhr", "Thu 24 Dec 18:30", "24.12. Do 18:30")],
    *[(typed, "2026-12-24 18:30") for typed in ("24.12.2026,18:30", "Heiligabend 18:30", "christmas eve 6:30 pm")],
    *[(typed, "2026-12-24 19:30") for typed in ("2026-12-24 18:30Z", "2026-12-24 18:30 UTC", "20261224T183000Z")],
    *[(typed, "2026-12-24 18:30") for typed in ("2026-12-24 18:30 +01:00", "2026-12-24T17:30:00.000Z")],
    *[(typed, "2026-12-24 18:30") for typed in ("at <t:1798133400:F>", "um <t:1798133400:s>", " <t:1798133400:t> ")],
    ("Silvester 20 Uhr", "2026-12-31 20:00"),
    ("30. maerz 20 uhr", f"{MON} 20:00"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "expected"), CLEAR, ids=[typed for typed, _ in CLEAR])
def test_words_are_read_as_people_mean_them(typed: str, expected: str) -> None:
    assert read(typed) == (expected,)


@pytest.mark.parametrize(
    ("typed", "both"),
    [
        ("half past 8", (f"{SAT} 08:30", f"{FRI} 20:30")),
        ("halb acht", (f"{SAT} 07:30", f"{FRI} 19:30")),
        ("morgen um acht", (f"{SAT} 08:00", f"{SAT} 20:00")),
        ("8 am Montag", (f"{MON} 08:00", f"{MON} 20:00")),
        ("tomorrow 12am", (f"{SAT} 00:00", f"{SUN} 00:00")),
        ("mon 12 am", (f"{MON} 00:00", "2026-03-31 00:00")),
        ("20 h", (f"{FRI} 20:00", f"{SAT} 14:30")),
        ("sunday next week 8pm", ("2026-04-05 20:00", f"{SUN} 20:00")),
        ("Sonntag 1 Uhr nachts", (f"{MON} 01:00", f"{SUN} 01:00")),
    ],
)
def test_words_with_two_meanings_say_both(typed: str, both: tuple[str, str]) -> None:
    assert read(typed) == both


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("tonight at 1", ("2026-03-28 01:00", "2026-03-29 01:00")),
        ("friday night at 1", ("2026-03-28 01:00",)),
        ("nachts um 1", ("2026-03-28 01:00",)),
        ("samstag nacht um 1", ("2026-03-29 01:00",)),
        ("tonight 9pm", ("2026-03-28 21:00",)),
    ],
)
def test_after_midnight_the_night_is_still_that_of_the_day_before(typed: str, expected: tuple[str, ...]) -> None:
    assert read(typed, datetime(2026, 3, 28, 0, 30, tzinfo=BERLIN)) == expected


@pytest.mark.parametrize(
    "typed",
    [
        *("half 8", "viertel 9", "5/6 20:00", "13/13 20:00", "from 8 to 10pm", "8 to 10", "5 to 9", "fri 20:00-23:00"),
        *("in acht Tagen", "Freitag in acht Tagen 20 Uhr", "in 45", "20 30", "fri or sat 20:00", "every friday 8pm"),
        *("next week", "next weekend 8pm", "heute abend", "by 8pm", "20:00 CET", "quarter to 12 pm", "halb 25"),
        *("0001-01-01T00:00", "2026-12-24T18:30+99:99", "32nd 8pm", "24-12 18:30"),
    ],
)
def test_what_can_be_misread_is_not_guessed(typed: str) -> None:
    with pytest.raises(InvalidOption):
        read_when(typed, ZoneInfo("America/New_York"), NOW.timestamp(), GERMAN)


@pytest.mark.parametrize("typed", ["Fri 24.12. 18:30", "morgen Freitag 20 Uhr", "Friday, December 24 2026, 6pm"])
def test_a_date_with_another_day_of_the_week_is_refused(typed: str) -> None:
    with pytest.raises(InvalidOption, match="another day of the week"):
        read(typed)


@pytest.mark.parametrize("typed", ["last friday 8pm", "letzten Montag 20 Uhr", "vorgestern 20:00", "this morning at 8"])
def test_days_before_are_over(typed: str) -> None:
    with pytest.raises(InvalidOption, match="is over"):
        read(typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("in 3 days", "2026-03-30 19:30"),
        ("in zwei Wochen", "2026-04-10 19:30"),
        ("Sunday, 29 March", "2026-03-30 00:00"),
        ("the 31st", "2026-04-01 00:00"),
        ("friday next week", "2026-04-04 00:00"),
        ("kommenden Sonntag", "2026-03-30 00:00"),
    ],
)
def test_the_end_of_a_holiday_is_read_the_same_way(typed: str, expected: str) -> None:
    moment = read_away(typed, UserSettings(timezone="Europe/Berlin"), NOW.timestamp(), GERMAN)
    assert moment is not None
    assert f"{datetime.fromtimestamp(moment.at, BERLIN):%Y-%m-%d %H:%M}" == expected
