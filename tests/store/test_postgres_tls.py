"""Tests of encrypted connections to PostgreSQL, with certificates that the tests make themselves."""

import logging
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.errors import StoreError
from bot.store.open_store import open_store
from bot.store.postgres import postgres_errors
from tests.postgres_server import PostgresServer, running_server
from tests.store.lilypads import opened

PASSWORD: Final = "croak-4711"  # noqa: S105 - only for this server
MISSING: Final = "TLS needs the program openssl to make certificates; on Debian: apt-get install openssl"


class Encrypted(NamedTuple):
    """A server that accepts only TLS. ``authority`` has signed its certificate, ``other`` hasn't."""

    server: PostgresServer
    port: int
    authority: Path
    other: Path

    def url(self, options: str, host: str = "localhost") -> str:
        """Return the address of the database with these options."""
        return f"postgresql://frog:{PASSWORD}@{host}:{self.port}/pond?{options}"


def unused_port() -> int:
    """Return a port that nobody uses now."""
    with socket.create_server(("localhost", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def make_certificate(folder: Path, name: str) -> Path:
    """Make a key and a certificate for localhost that is signed with it. Return the certificate."""
    certificate = folder / f"{name}.crt"
    made = ("-keyout", str(folder / f"{name}.key"), "-out", str(certificate))
    about = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *made, *about)
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
    return certificate


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encrypted]:
    """A server that accepts only TLS, with a password."""
    if shutil.which("openssl") is None:
        pytest.skip(MISSING)
    folder = tmp_path_factory.mktemp("certificates")
    authority, other = make_certificate(folder, "server"), make_certificate(folder, "other")
    port = unused_port()
    with running_server() as server:
        data = server.folder / "data"
        for name in ("server.crt", "server.key"):
            shutil.copy(folder / name, data / name)
            (data / name).chmod(0o600)
            if os.geteuid() == 0:
                shutil.chown(data / name, "nobody", "nogroup")
        (data / "pg_hba.conf").write_text("local all all trust\nhostssl all all all scram-sha-256\n", encoding="ascii")
        server.stop()
        server.set("listen_addresses=localhost", "ssl=on", f"port={port}")
        server.start()
        server.sql(f"CREATE USER frog PASSWORD '{PASSWORD}'")
        server.sql("CREATE DATABASE pond OWNER frog")
        yield Encrypted(server, port, authority, other)


async def test_moves_are_saved_over_tls(encrypted: Encrypted) -> None:
    for number, options in enumerate(("sslmode=require", f"sslmode=verify-full&sslrootcert={encrypted.authority}")):
        async with await open_store(encrypted.url(options)) as store:
            table = await opened(store, f"Heron {number}")
            assert await store.table(table.id) == table
            used = "SELECT count(*) > 0 AND bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
            assert encrypted.server.sql(f"{used} WHERE usename = 'frog'") == "t"


@pytest.mark.parametrize(("host", "is_right"), [("localhost", False), ("127.0.0.1", True)])
async def test_a_certificate_that_cannot_be_trusted_is_refused_without_the_password(
    encrypted: Encrypted,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    *,
    is_right: bool,
) -> None:
    monkeypatch.setattr(postgres_errors, "PAUSES_S", (0.0,))
    authority = encrypted.authority if is_right else encrypted.other  # for 127.0.0.1, the name is wrong
    url = encrypted.url(f"sslmode=verify-full&sslrootcert={authority}", host)
    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError, match="can't be reached by TLS: ") as caught:
        await open_store(url)
    assert PASSWORD not in caught.value.sentence + caplog.text


async def test_the_password_may_be_outside_of_the_address(
    encrypted: Encrypted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = encrypted.url("sslmode=require").replace(f":{PASSWORD}@", "@")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(StoreError, match="refuses the user or the password"):
        await open_store(address)
    kept = tmp_path / ".pgpass"
    kept.write_text(f"localhost:{encrypted.port}:pond:frog:{PASSWORD}\n")
    kept.chmod(0o600)
    async with await open_store(address) as store:
        assert await store.lists.open_numbers() is not None
    kept.unlink()
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    async with await open_store(address) as store:
        assert await store.lists.open_numbers() is not None


async def test_a_server_that_wants_tls_refuses_a_plain_connection(encrypted: Encrypted) -> None:
    with pytest.raises(StoreError, match="refuses the user or the password") as caught:
        await open_store(encrypted.url("sslmode=disable"))
    assert PASSWORD not in caught.value.sentence
