"""So that one user's flood of presses slows nobody else: how much of one user's work is done at a time, and how fast.

Nobody who plays by hand comes near these bounds. Who is over them is answered all the same, but nothing is looked up or
changed for it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

AT_ONCE: Final = 8
"""So many interactions of one user are worked on at the same time."""
BURST: Final = 200
"""So many may come at once ..."""
A_SECOND: Final = 100
"""... and so many a second for good."""
_MOST_USERS: Final = 4096
"""More are remembered only while each of them is in the middle of something."""


@dataclass(slots=True)
class _Lane:
    left: float
    at: float
    running: int = 0
    is_told: bool = False


class Flood:
    """Counts what each user has running and how much he may still begin. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lanes: dict[int, _Lane] = {}

    def enters(self, user_id: int) -> bool:
        """Whether one more interaction of the user may be worked on; if so, call `leaves` when that is done."""
        lane = self._lane(user_id)
        if lane.running >= AT_ONCE or lane.left < 1:
            return False
        lane.left -= 1
        lane.running += 1
        lane.is_told = False
        return True

    def leaves(self, user_id: int) -> None:
        """One interaction of the user is done."""
        self._lanes[user_id].running -= 1

    def is_to_be_told(self, user_id: int) -> bool:
        """Whether the user, who may not enter, has not been told so since he entered last."""
        lane = self._lane(user_id)
        was_told, lane.is_told = lane.is_told, True
        return not was_told

    def _lane(self, user_id: int) -> _Lane:
        now = self._clock()
        lane = self._lanes.get(user_id)
        if lane is None:
            if len(self._lanes) >= _MOST_USERS:
                self._forget_idle(now)
            lane = self._lanes[user_id] = _Lane(BURST, now)
        lane.left = min(BURST, lane.left + (now - lane.at) * A_SECOND)
        lane.at = now
        return lane

    def _forget_idle(self, now: float) -> None:
        """Forgets whoever would start with a full measure anyway."""
        full_s = BURST / A_SECOND
        self._lanes = {user: lane for user, lane in self._lanes.items() if lane.running or now - lane.at < full_s}
