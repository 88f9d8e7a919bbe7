"""Percentiles of measured times, in the same form in all benchmarks."""

from collections.abc import Sequence
from statistics import quantiles


def percentile_ms(values_s: Sequence[float], percent: int) -> float:
    """Return a percentile of seconds, in milliseconds."""
    return 1000 * quantiles(values_s, n=100, method="inclusive")[percent - 1]


def percentiles(values_s: Sequence[float]) -> str:
    """Return the median and the 99th percentile in milliseconds."""
    return f"p50 {percentile_ms(values_s, 50):5.2f} ms, p99 {percentile_ms(values_s, 99):6.2f} ms"
