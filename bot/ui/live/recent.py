"""A dictionary with a maximum size, for facts about tables and channels that this process notices."""

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
