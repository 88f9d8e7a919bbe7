"""Streaks of dailies follow from the days that were played."""

from datetime import date, timedelta

import pytest

from bot.records.event import at_risk, run_to

DAY = date(2026, 11, 26)
RUNS = {
    # the days that were played, the last of them today: "x" is one that was, and "." one that wasn't
    "x": (1, 0),
    "xx": (2, 0),
    "x.x": (2, 1),
    "x..x": (1, 0),
    "xxx.xx": (5, 1),
    "xx.xxxx.x": (5, 1),
    "xx.xxxxxx.x": (9, 2),
    "x.x.x": (2, 1),
    "..x.xxxxxx.xxxxxx.x": (14, 3),
    "xxx.": (0, 0),
}


@pytest.mark.parametrize("played", RUNS)
def test_a_streak_forgives_one_missed_day_in_seven(played: str) -> None:
    days = {DAY - timedelta(days=ago) for ago, each in enumerate(reversed(played)) if each == "x"}
    run = run_to(DAY, days)
    assert (run.days, len(run.rests)) == RUNS[played]


RISKS = {
    # up to yesterday
    "x": 0,
    "xx": 0,  # today may be a day of rest
    "x.x": 2,
    "xx.xxx": 5,
    "xx.xxxxxx": 0,
    "xx.": 2,
    "xx..": 0,
}


@pytest.mark.parametrize("played", RISKS)
def test_a_streak_is_at_risk_when_its_day_of_rest_was_taken(played: str) -> None:
    days = frozenset(DAY - timedelta(days=ago) for ago, each in enumerate(reversed(played), 1) if each == "x")
    assert at_risk(DAY, days) == RISKS[played]
    assert at_risk(DAY, days | {DAY}) == 0
