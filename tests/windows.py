"""Counting within windows of time."""

from collections.abc import Sequence


def most_within(seconds: float, times: Sequence[float]) -> int:
    """Return the maximum number of these times, which are in order, within any span of that many seconds."""
    first, most = 0, 0
    for last, at in enumerate(times):
        while times[first] <= at - seconds:
            first += 1
        most = max(most, last - first + 1)
    return most
