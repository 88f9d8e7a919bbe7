"""The lock that makes a bot the only one on an SQLite file. It ends with its process, however that ends.

The operating system keeps it, on a file beside the database. The file stays: deleting it would let two processes lock
two files of one name.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Final

from bot.errors import AlreadyRunning, StoreError

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike `flock`, it isn't shared with forked processes


_HELD: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
"""Errors if another process has the lock."""
_OWNER_ONLY: Final = 0o600


class FileLock:
    """The lock of a database. Raises `AlreadyRunning` if another process has it, and other `StoreError`."""

    def __init__(self, database: Path) -> None:
        path = f"{os.path.realpath(database)}.lock"
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY)  # processes started here don't get it
        except OSError as error:
            raise StoreError(f"The file {path} can't be opened: {error.strerror}.") from None
        try:
            _lock(self._descriptor)
        except OSError as error:
            self.release()
            if error.errno in _HELD:
                raise AlreadyRunning(f"A bot is running on the database {database.name}; stop it first.") from None
            raise StoreError(
                f"Files in {Path(path).parent} can't be locked ({error.strerror}); put the database on a local disk."
            ) from None

    def release(self) -> None:
        """Let another process have the lock."""
        os.close(self._descriptor)
