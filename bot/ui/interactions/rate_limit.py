"""Per-user rate limiting for interactions.

People never reach these limits. Interactions above them are acknowledged, but not processed. They are a flood, which is
over after a pause.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MAX_CONCURRENT: Final = 8
"""Interactions of one user processed at a time."""
BURST: Final = 200
"""Capacity of a user's token bucket."""
REFILL_PER_S: Final = 100
"""Tokens added to the bucket per second."""
QUIET_S: Final = 1.0
"""A flood is over after this time without a rejection."""
_MAX_USERS: Final = 4096
"""Users remembered; more only while each of them has an interaction running."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float
    running: int = 0
    rejected_at: float = -math.inf


class RateLimiter:
    """A token bucket and a concurrency limit per user.

    ``clock`` returns seconds; tests pass their own. ``cost`` is the number of tokens that one time takes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, cost: float = 1) -> None:
        self._clock = clock
        self._cost = cost
        self._buckets: dict[int, _Bucket] = {}

    @property
    def user_count(self) -> int:
        """How many users are remembered."""
        return len(self._buckets)

    def acquire(self, user_id: int) -> bool:
        """Reserve a slot for one interaction.

        If this returns true, call `release` when it is done.
        """
        bucket = self._bucket(user_id)
        if bucket.running >= MAX_CONCURRENT or bucket.tokens < self._cost:
            return False
        bucket.tokens -= self._cost
        bucket.running += 1
        return True

    def release(self, user_id: int) -> None:
        """Free a slot taken by `acquire`."""
        self._buckets[user_id].running -= 1

    def should_notify(self, user_id: int) -> bool:
        """Whether this is the user's first rejection in a flood."""
        bucket, now = self._bucket(user_id), self._clock()
        is_first, bucket.rejected_at = now - bucket.rejected_at > QUIET_S, now
        return is_first

    def _bucket(self, user_id: int) -> _Bucket:
        now = self._clock()
        bucket = self._buckets.get(user_id)
        if bucket is None:
            if len(self._buckets) >= _MAX_USERS:
                self._forget_idle(now)
            bucket = self._buckets[user_id] = _Bucket(BURST, now)
        bucket.tokens = min(BURST, bucket.tokens + (now - bucket.at) * REFILL_PER_S)
        bucket.at = now
        return bucket

    def _forget_idle(self, now: float) -> None:
        """Forget users whose bucket is full again."""
        full_after_s = BURST / REFILL_PER_S
        self._buckets = {
            user: bucket for user, bucket in self._buckets.items() if bucket.running or now - bucket.at < full_after_s
        }
