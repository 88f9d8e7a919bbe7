"""Remembers what Discord has refused, and when it may be tried again, whatever happens at the tables meanwhile.

It is in memory only: after a restart, everything is tried once.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, NamedTuple

PAUSES_S: Final = (10.0, 60.0, 300.0, 600.0)
"""Pauses after the first refusal and the next ones; the last one repeats."""
SHARED_PAUSES_S: Final = (60.0, 300.0, 600.0, 1800.0)
"""The same for what everybody waits for, such as all new direct messages."""
TRY_S: Final = 20.0
"""Maximum time for which everybody waits for the result of one try."""
_MAX_KEPT: Final = 10_000


class _Pause(NamedTuple):
    """A pause until this time by the event loop's clock, after so many refusals, or during another try."""

    refusals: int = 0
    until: float = 0.0
    is_try: bool = False


class Refusals:
    """What has been refused, by any key."""

    def __init__(self) -> None:
        self._noted: OrderedDict[Hashable, _Pause] = OrderedDict()

    def wait_s(self, what: Hashable) -> float:
        """Return for how long this mustn't be tried; 0 if it may."""
        return max(0.0, self._noted[what].until - _now()) if what in self._noted else 0.0

    def share_s(self, what: Hashable) -> float:
        """Return for how long this mustn't be tried; after 0, everybody else waits for the result of the caller."""
        wait_s = self.wait_s(what)
        if what in self._noted and not wait_s:
            self._noted[what] = _Pause(self._noted[what].refusals, _now() + TRY_S, is_try=True)
        return wait_s

    def note(self, what: Hashable, *, is_shared: bool = False) -> None:
        """Remember that this has been refused. Requests that were under way together count once."""
        before = self._noted.get(what, _Pause())
        if before.until > _now() and not before.is_try:
            return
        pauses = SHARED_PAUSES_S if is_shared else PAUSES_S
        self._noted[what] = _Pause(before.refusals + 1, _now() + pauses[min(before.refusals, len(pauses) - 1)])
        self._noted.move_to_end(what)
        if len(self._noted) > _MAX_KEPT:
            self._noted.popitem(last=False)

    def lift(self, what: Hashable) -> None:
        """Forget that this was refused."""
        self._noted.pop(what, None)

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """All that has been refused and not been tried with success since."""
        return tuple(self._noted)


def _now() -> float:
    return asyncio.get_running_loop().time()
