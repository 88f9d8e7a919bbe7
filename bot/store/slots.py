"""How the processes of a bot share Discord's limit of requests. Pure.

The limit is a number of slots. The database stores how many slots each process has; together they never have more than
the limit. So a process first stops using slots, then returns them, and only then can another process get them.
"""

from collections.abc import Collection
from typing import NamedTuple


class Grant(NamedTuple):
    """What the database answers to a process: the slots that it has now, and its fair part of all."""

    slots: int = 0
    fair: int = 0

    @property
    def usable(self) -> int:
        """The number of slots that the process may use. It has to return the rest."""
        return min(self.slots, self.fair)

    def kept(self, in_use: int) -> int:
        """Return how many of its slots the process may still need before it learns of its next grant."""
        return max(self.usable, min(in_use, self.slots))


def grant(limit: int, others: Collection[int], kept: int) -> Grant:
    """Return the grant of a process that keeps this many of its slots, given the slots of all ``others``."""
    fair = max(limit // (len(others) + 1), 1)
    free = max(limit - sum(others), 0)
    return Grant(max(kept, min(fair, free)), fair)
