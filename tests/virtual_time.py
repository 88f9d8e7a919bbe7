"""An event loop whose clock jumps to the next timer instead of waiting for it.

Code takes no time on it, so a test can assert elapsed seconds however busy the machine is.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from tests.inline_sqlite import inline_sqlite

T = TypeVar("T")

_THREADS_S = 60.0
"""Maximum real time for which all tasks may wait for threads."""


class _JumpingSelector(selectors.SelectSelector):
    """Advances ``now`` by the timeout instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready file objects."""
        found = super().select(0)
        if found:
            return found
        if timeout is not None:
            self.now += timeout
            return found
        found = super().select(_THREADS_S)  # a thread, such as that of a database, may still work
        assert found, "all tasks wait for events that can't happen"
        return found


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time, which starts at 0."""

    def __init__(self) -> None:
        self._clock = _JumpingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._clock.now


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine in virtual time and return its result.

    SQLite has no threads meanwhile: time would jump while they work.
    """
    with inline_sqlite(), asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)
