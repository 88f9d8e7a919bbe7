"""Reading a few rows by their key, at once and on the event loop's own thread.

A move asks for a dozen such rows. Each is found in some ten microseconds, out of pages that are in memory: the way to
another thread and back costs ten times as much. In WAL mode a reader waits for no writer.
"""

import sqlite3
from pathlib import Path

from bot.store.wire import T, Wire, Work, connect


class Glance:
    """A connection for reading by key; whatever may take longer belongs on a `Wire`."""

    def __init__(self, path: Path, wire: Wire) -> None:
        """``wire`` does what can't be done at once: it waits where the file is locked, and words each fault."""
        self._connection = connect(path, timeout_s=0.0)
        self._connection.execute("PRAGMA query_only = ON")
        self._wire = wire

    async def run(self, work: Work[T]) -> T:
        """The result of ``work``, called with the bare connection; faults as `StoreError`."""
        try:
            return work(self._connection)
        except sqlite3.Error:
            return await self._wire.run(work)

    def close(self) -> None:
        """Lets go of the file."""
        self._connection.close()
