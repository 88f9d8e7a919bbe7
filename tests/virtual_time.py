"""An event loop whose clock jumps to the next timer instead of waiting for it.

Code takes no time on it, so tests can assert elapsed seconds on a busy machine.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """A selector that adds the timeout to ``now`` instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the events that are ready."""
        found = super().select(0)
        if not found:
            assert timeout is not None, "everything waits for something that never comes"
            self.now += timeout
        return found


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """The event loop. Its time starts at 0."""

    def __init__(self) -> None:
        self._clock = _Jumping()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._clock.now


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine to its end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)
