"""Doses of tests: `make check` runs the smallest, `make test` the middle one, `make all-tests` the full one.

The variable DOSE names the dose. Some numbers have variables of their own, such as KILLS: they go before the dose.
"""

import os
import random
from typing import Final, TypeVar

import pytest

T = TypeVar("T")

DOSE: Final = os.environ.get("DOSE") or "test"
assert DOSE in {"check", "test", "all"}, DOSE
IS_COMPLETE: Final = DOSE == "all"
IS_CHECK: Final = DOSE == "check"

SEED: Final = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))
"""What draws the moments at which something is killed. Tests print it, and `SEED=7 make kill-trials` repeats them."""

on_demand: Final = pytest.mark.skipif(not IS_COMPLETE, reason="run by `make all-tests`")
"""Marks a form of a game whose parts other forms cover."""
not_in_check: Final = pytest.mark.skipif(IS_CHECK, reason="run by `make test`")
"""Marks a slow test of which a small dose stays in `make check`, or what it looks for is rarely broken."""


def dose(*, test: T, full: T | None = None, check: T | None = None) -> T:
    """Return what belongs to the present dose. Doses without a value of their own have that of `make test`."""
    of_this = {"check": check, "test": test, "all": full}[DOSE]
    return test if of_this is None else of_this


def amount(variable: str, *, test: int, full: int | None = None, check: int | None = None) -> int:
    """Return the number in this variable, or else that of the dose."""
    given = os.environ.get(variable)
    return int(given) if given else dose(test=test, full=full, check=check)
