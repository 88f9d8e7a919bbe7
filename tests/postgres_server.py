"""A PostgreSQL server for tests, on a Unix socket in a temporary directory.

It is Debian's package `postgresql`, or what POSTGRES_PROGRAMS names: a folder with `initdb` and `postgres`. It runs as
the user `nobody` if the tests are run by root, which PostgreSQL refuses.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

MISSING: Final = "PostgreSQL isn't installed; on Debian: apt-get install postgresql"
DEADLINE_S: Final = 120
_UNSAFE: Final = (
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off", "wal_level=minimal", "max_wal_senders=0"),
)
"""Tests don't cut the power."""
_SMALL: Final = ("shared_buffers=64MB", "max_connections=80", "listen_addresses=", "autovacuum=off")


def programs() -> Path | None:
    """Return the folder of the server's programs: the one that is asked for, or that of the newest installed server."""
    if wanted := os.environ.get("POSTGRES_PROGRAMS"):
        return Path(wanted).absolute()
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def unprivileged(*command: object, ends_with_us: bool = False) -> list[str]:
    """Return the command for an ordinary user, if this is root. ``ends_with_us`` ends it if the tests are killed."""
    options = ["--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    if ends_with_us and shutil.which("setpriv"):
        options.append("--pdeathsig=INT")
    return [*(["setpriv", *options] if options else ()), *map(str, command)]


class PostgresServer:
    """A running server. ``url`` is the address of a database on it."""

    def __init__(self, programs: Path, folder: Path, settings: tuple[str, ...]) -> None:
        self.programs = programs
        self.folder = folder
        self.port = 5432
        self._settings: list[str] = []
        self.set(*settings)
        self._process: subprocess.Popen[bytes] | None = None

    def set(self, *settings: str) -> None:
        """Change settings of the server from its next start on."""
        self._settings += [part for setting in settings for part in ("-c", setting)]
        self.port = next((int(each[5:]) for each in settings if each.startswith("port=")), self.port)

    def create(self) -> None:
        """Create the server's files."""
        options = ("--username=lilypad", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.run("initdb", "--pgdata", self.folder / "data", *options)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = unprivileged(
            self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder, ends_with_us=True
        )
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*command, *self._settings], stdout=log, stderr=log, cwd=self.folder)  # noqa: S603 - our own command
        until = time.monotonic() + DEADLINE_S
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server doesn't start"
            time.sleep(0.02)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server; by default it disconnects everybody and shuts down."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(DEADLINE_S)
            self._process = None

    def kill(self) -> None:
        """Kill all processes of the server. None of them can finish anything."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGSTOP)  # it would replace those that end
        number = self._process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        self.stop(signal.SIGKILL)
        until = time.monotonic() + DEADLINE_S
        while any(Path("/proc", child).exists() for child in children):  # the next server needs their shared memory
            assert time.monotonic() < until, "the server's processes don't end"
            time.sleep(0.02)

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://lilypad@/{database}?host={self.folder}&port={self.port}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run a statement as the superuser, and return what psql prints."""
        plain = ("--no-psqlrc", "--quiet", "--tuples-only", "--no-align")
        return self.run("psql", *plain, *self.where(database), "--command", statement)

    def where(self, database: str) -> tuple[object, ...]:
        """Return the options with which PostgreSQL's programs find a database."""
        return ("--host", self.folder, "--port", self.port, "--username", "lilypad", database)

    def _answers(self) -> bool:
        try:
            self.run("pg_isready", "--quiet", "--host", self.folder, "--port", self.port)
        except AssertionError:
            return False
        return True

    def run(self, program: str, *arguments: object) -> str:
        """Run one of PostgreSQL's programs, and return what it prints."""
        where = self.programs if (self.programs / program).exists() else Path()  # some servers come without clients
        command = unprivileged(where / program, *arguments)
        ended = subprocess.run(command, check=False, capture_output=True, cwd=self.folder)  # noqa: S603 - our own command
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout.decode().strip()


@contextmanager
def shared_server(place: Path) -> Iterator[PostgresServer]:
    """Use the server that this file names. The first process that needs it starts it, and stops it after all others.

    Each has the file locked as long as it uses the server, and alone while it starts or stops it.
    """
    import fcntl  # Windows, where PostgreSQL isn't tested, has none

    with place.open("a+", encoding="utf-8") as file:
        while True:  # waiting for sole use could take until all others have ended
            fcntl.flock(file, fcntl.LOCK_SH)
            file.seek(0)
            if folder := file.read():
                found = programs()
                assert found is not None
                yield PostgresServer(found, Path(folder), ())
                return
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.seek(0)
                if not file.read():
                    break
            time.sleep(0.02)
        with running_server() as server:
            file.write(str(server.folder))
            file.flush()
            fcntl.flock(file, fcntl.LOCK_SH)
            yield server
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(0)


@contextmanager
def running_server(*settings: str, is_durable: bool = False) -> Iterator[PostgresServer]:
    """Start a server, and stop it at the end. Skips the test if PostgreSQL isn't installed."""
    found = programs()
    if found is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="lilypad-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    server = PostgresServer(found, folder, (*_SMALL, *(() if is_durable else _UNSAFE), *settings))
    try:
        server.create()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
