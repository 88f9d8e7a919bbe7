"""A dictionary that doesn't grow without end, for what a process notices or keeps about users, tables and messages."""

from typing import Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 20_000


class Recent(dict[K, V]):
    """A dictionary of what was set last: beyond a maximum, it drops what was set before all the others."""

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        """Set a value, as the last one."""
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]
