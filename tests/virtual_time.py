"""An event loop whose clock jumps to the next timer instead of waiting for it.

What runs on it takes no time of its own, so a test can assert on elapsed seconds however busy the machine is.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.SelectSelector):
    """Doesn't wait: adds the time it should have waited to ``now``."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready."""
        found = super().select(0)
        if not found:
            assert timeout is not None, "everything waits for something that never comes"
            self.now += timeout
        return found


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """The loop; its time begins with 0."""

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
