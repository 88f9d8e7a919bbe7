"""Leaves out steps and faults of an evening that fails, as long as it fails in the same way."""

import re
from collections.abc import Callable, Collection
from typing import Final

from msgspec.structs import replace

from tests.evenings.evening import Outcome

_MOST_RUNS: Final = 60


def shrunk(outcome: Outcome, left_out: Collection[str], run: Callable[[Collection[str]], Outcome]) -> Outcome:
    """Return the shortest evening found that fails as this one does."""
    wanted, best, out, runs = kind(outcome), outcome, frozenset(left_out), 0
    size = max(1, len(outcome.keys) // 2)
    while size and runs < _MOST_RUNS:
        keys = [key for key in best.keys if key not in out]
        for first in reversed(range(0, len(keys), size)):
            some = out | frozenset(keys[first : first + size])
            tried, runs = run(some), runs + 1
            if kind(tried) == wanted:
                best, out = tried, some
            if runs >= _MOST_RUNS:
                break
        size //= 2
    return replace(best, left_out=out)


def kind(outcome: Outcome) -> str:
    """Return what an evening failed with, without what differs from run to run."""
    first = outcome.failures[0].strip().splitlines() if outcome.failures else [""]
    return re.sub(r"[0-9a-f-]{4,}|\d+", "…", f"{first[0]} {first[-1]}")
