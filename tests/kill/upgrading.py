"""Upgrade a database, and kill the process at a given step.

A step is the beginning of each SQL statement. Long statements have a step every few SQLite instructions.
"""

import itertools
import os
import signal
import sys
from pathlib import Path
from typing import Final

from bot.store.sqlite.connection import connect
from bot.store.sqlite.sqlite_schema import migrations, prepare

_INSTRUCTIONS: Final = 500
NEVER: Final = -1


def upgrade(path: Path, dies_at: int) -> int:
    """Upgrade the file. Return the number of steps."""
    steps = itertools.count()
    taken = 0

    def step(_statement: str = "") -> None:
        nonlocal taken
        taken = next(steps)
        if taken == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    connection = connect(path)
    connection.set_trace_callback(step)
    connection.set_progress_handler(step, _INSTRUCTIONS)
    prepare(path, migrations(), connection)
    connection.close()
    return taken + 1


if __name__ == "__main__":
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    sys.stdout.write(f"{upgrade(Path(sys.argv[1]), int(sys.argv[2]))}\n")
