"""A PgBouncer for tests, in front of the tests' PostgreSQL server, on a Unix socket in a folder of its own.

It runs as the user `nobody` if the tests are run by root, which PgBouncer refuses.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.postgres_server import DEADLINE_S, PostgresServer, unprivileged

MISSING: Final = "PgBouncer isn't installed; on Debian: apt-get install pgbouncer"
CONNECTIONS: Final = 4
"""Connections to a database. Stores have more in all, so their transactions move between those of the server."""


class PgBouncer:
    """A running PgBouncer. ``url`` is the address of a database behind it."""

    def __init__(self, server: PostgresServer) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=server.folder))
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        self._port = 6432

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://lilypad@/{database}?host={self.folder}&port={self._port}"

    def answers(self) -> bool:
        """Whether it accepts connections."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.folder / f".s.PGSQL.{self._port}")) == 0

    def settings(self, server: PostgresServer, pool_mode: str) -> str:
        """Return the text of its file of settings."""
        return f"""
[databases]
* = host={server.folder} port={server.port} user=lilypad
[pgbouncer]
listen_addr =
listen_port = {self._port}
unix_socket_dir = {self.folder}
auth_type = any
pool_mode = {pool_mode}
default_pool_size = {CONNECTIONS}
max_client_conn = 200
"""


@contextmanager
def running_pgbouncer(server: PostgresServer, pool_mode: str = "transaction") -> Iterator[PgBouncer]:
    """Start a PgBouncer, and stop it at the end. Skips the test if it isn't installed."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip(MISSING)
    bouncer = PgBouncer(server)
    file = bouncer.folder / "settings.ini"
    file.write_text(bouncer.settings(server, pool_mode), encoding="ascii")
    file.chmod(0o644)
    with (bouncer.folder / "log").open("wb") as log:
        command = unprivileged(Path(program), file, ends_with_us=True)
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=bouncer.folder)  # noqa: S603 - our own command
    try:
        until = time.monotonic() + DEADLINE_S
        while not bouncer.answers():
            assert process.poll() is None, Path(log.name).read_text()
            assert time.monotonic() < until, "PgBouncer doesn't start"
            time.sleep(0.02)
        yield bouncer
    finally:
        process.terminate()
        process.wait(DEADLINE_S)
