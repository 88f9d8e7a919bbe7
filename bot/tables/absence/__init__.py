"""Absent players: how long a table waits for them, and what the others can do about it.

`deadlines`: what becomes due, and when. `votes`: who may apply a remedy. `remedies`: what that changes at the table.
`waiting` joins these with the database, `timer` acts when something becomes due.
"""

from bot.tables.absence.deadlines import CLOCKS, DAY, DEAD_S, Step, patience_s, settle_clock, steps
from bot.tables.absence.votes import (
    REMEDIES,
    Remedy,
    Standstill,
    Verdict,
    early_s,
    is_early,
    judge,
    tap_after_s,
    vote_after_s,
)

__all__ = [
    "CLOCKS",
    "DAY",
    "DEAD_S",
    "REMEDIES",
    "Remedy",
    "Standstill",
    "Step",
    "Verdict",
    "early_s",
    "is_early",
    "judge",
    "patience_s",
    "settle_clock",
    "steps",
    "tap_after_s",
    "vote_after_s",
]
