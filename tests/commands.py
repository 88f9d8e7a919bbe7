"""Run the command line in processes, with a database for it."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Final, TypeVar

from bot.records.table import Person, Place
from bot.store.open_store import open_store
from bot.tables.tables import Tables

ROOT: Final = Path(__file__).parents[1]
HOST: Final = Person(1, "Ann")
DEADLINE_S: Final = 120
"""Long enough for a busy machine."""

Address = TypeVar("Address", bound=Path | str)


def python(
    *arguments: str, stdout: int | IO[bytes] = subprocess.PIPE, before: Sequence[str] = (), **environment: str
) -> subprocess.Popen[bytes]:
    """Start Python with this project on its path, in a new process group. ``before`` is a command that executes it."""
    return started(*before, sys.executable, *arguments, stdout=stdout, **environment)


def read_only(*folders: Path) -> tuple[str, ...]:
    """Return a command that makes these folders read-only for the command behind it, whoever runs it."""
    quoted = [shlex.quote(str(folder)) for folder in folders]
    mounts = "".join(f"mount --bind {each} {each} && mount -o remount,ro,bind {each} && " for each in quoted)
    return "unshare", "--map-root-user", "--mount", "sh", "-c", f'{mounts}exec "$@"', "sh"


@cache
def can_mount() -> bool:
    """Whether `read_only` works here. It needs Linux's namespaces."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*read_only(Path(folder)), "touch", f"{folder}/file"]
        try:
            tried = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - constants
        except FileNotFoundError:
            return False
    return "Read-only" in tried.stderr


def started(*command: str, stdout: int | IO[bytes] = subprocess.PIPE, **environment: str) -> subprocess.Popen[bytes]:
    """Start a process, as `python` does."""
    return subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        start_new_session=True,
    )


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """Wait for the end and return the exit status, standard output and standard error."""
    try:
        printed, told = process.communicate(timeout=DEADLINE_S)
    except BaseException:
        kill(process)
        raise
    return process.returncode, (printed or b"").decode(), told.decode()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children, if it is still running."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


_LOCK: Final = """
import sys, threading
from pathlib import Path
from bot.store.sqlite.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print("locked", flush=True)
threading.Event().wait()
"""


@contextmanager
def locked_elsewhere(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process hold the lock of a database, as a bot does. It is killed at the end."""
    process = python("-c", _LOCK, str(path))
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield process
    finally:
        kill(process)
        ended(process)


async def make_database(address: Address) -> Address:
    """Write a database with a table that is being played, one that is over, and a lobby."""
    async with await open_store(address) as store:
        tables = Tables(store)
        for _ in range(3):
            table = (await tables.lobbies.open("pond", {}, HOST, Place(10, 20))).table
            if table.id < 3:
                await tables.computers.add(table.id, HOST.id)
                await tables.lobbies.start(table.id, HOST.id)
        await tables.resign(2, HOST.id)
    return address
