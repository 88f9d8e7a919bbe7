"""Addresses of PostgreSQL databases as hosters and other programs write them, and connections that stop answering."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from bot.errors import StoreError
from bot.settings import parse_database
from bot.store.postgres import PostgresStore
from bot.store.postgres.postgres_server import address_of
from tests.postgres_server import PostgresServer
from tests.store.lilypads import opened

HOSTERS = {
    "neon": "sslmode=require&channel_binding=require",
    "heroku": "sslmode=require&connect_timeout=10&application_name=lilypad-1",
    "supabase": "pgbouncer=true&connection_limit=1",
    "prisma": "schema=games&pool_timeout=20&statement_cache_size=0",
    "libpq": "keepalives=1&keepalives_idle=30&keepalives_interval=10&keepalives_count=3&tcp_user_timeout=5000",
    "options": "options=-c%20statement_timeout%3D5000&client_encoding=utf8&gssencmode=disable",
}


@pytest.mark.parametrize("hoster", HOSTERS)
async def test_a_database_opens_with_the_parameters_of_hosters(hoster: str, url: str) -> None:
    query = HOSTERS[hoster].replace("sslmode=require", "sslmode=prefer")  # the tests' server has no certificate
    schema = dict(parse_qsl(query)).get("schema")
    plain = url.replace("postgresql://", "postgresql+asyncpg://")
    if schema:
        query = query.replace(schema, "public")
    async with await PostgresStore.open(f"{plain}{'&' if urlsplit(url).query else '?'}{query}") as store:
        table = await opened(store)
        assert await store.table(table.id) == table


def test_parameters_are_used_or_ignored_with_a_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    query = "sslmode=require&channel_binding=secret&schema=games&connect_timeout=7&application_name=frog&keepalives=1"
    found = address_of(f"postgres+psycopg2://ann:pass%2Fword@db.example/pond?{query}", "pond on db.example")
    assert found.url == "postgres://ann:pass%2Fword@db.example/pond?sslmode=require"
    assert found.settings == {"search_path": "games", "application_name": "frog"}
    assert found.timeout_s == 7
    assert [record.args[1] for record in caplog.records if isinstance(record.args, tuple)] == [
        "channel_binding",
        "keepalives",
    ]
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("query", "advice"),
    [
        ("sslmod=secret", "Lilypad doesn't know it"),
        ("client_encoding=latin1", "UTF-8"),
        ("gssencmode=require", "sslmode=verify-full"),
    ],
)
def test_parameters_that_change_the_connection_are_refused_with_advice(query: str, advice: str) -> None:
    with pytest.raises(StoreError, match=advice) as caught:
        address_of(f"postgresql://ann:secret@db.example/pond?{query}", "pond on db.example")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+asyncpg", "postgresql+psycopg"])
def test_addresses_of_other_programs_are_settings(scheme: str) -> None:
    assert parse_database(f"{scheme}://db.example/pond") == f"{scheme}://db.example/pond"
    with pytest.raises(ValueError, match="jdbc"):
        parse_database("jdbc:postgresql://db.example/pond")


@pytest.mark.parametrize(
    ("url", "urls"),
    [
        ("postgresql://ann@db.example/pond", ["postgresql://ann@db.example/pond"]),
        ("postgresql:///pond?host=/run&port=5", ["postgresql:///pond?host=%2Frun&port=5"]),
        (
            "postgresql://ann:a%40b@one,[::1]:5433/pond",
            [f"postgresql://ann:a%40b@{host}/pond?target_session_attrs=primary" for host in ("one", "[::1]:5433")],
        ),
        (
            "postgresql:///pond?host=one,two&port=5,6&target_session_attrs=any",
            [f"postgresql:///pond?target_session_attrs=any&host={there}" for there in ("one&port=5", "two&port=6")],
        ),
    ],
)
def test_several_hosts_are_tried_one_by_one(url: str, urls: list[str]) -> None:
    found = address_of(url, "pond").urls
    assert [dict(parse_qsl(urlsplit(each).query)) for each in found] == [
        dict(parse_qsl(urlsplit(each).query)) for each in urls
    ]
    assert [urlsplit(each)[:3] for each in found] == [urlsplit(each)[:3] for each in urls]


async def test_the_first_host_that_answers_is_used(url: str, postgres: PostgresServer, tmp_path: Path) -> None:
    hosts = f"host={tmp_path},{postgres.folder}&port={postgres.port}"
    async with await PostgresStore.open(f"postgresql://lilypad@{urlsplit(url).path}?{hosts}") as store:
        table = await opened(store)
        assert await store.table(table.id) == table


@pytest.mark.parametrize("parameter", ["pgbouncer=true", "statement_cache_size=0"])
async def test_an_address_can_say_that_there_is_a_pooler(
    url: str, parameter: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with await PostgresStore.open(f"{url}&{parameter}") as store:
        assert (await opened(store)).id
    assert "statements aren't kept prepared" in caplog.text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("sslrootcert=/no/such.crt", "The database pond on h can't be used: the file of sslrootcert can't be read."),
        ("target_session_attrs=standby", "The address of the database pond on h has 'target_session_attrs': the bot"),
        ("x%27secret=1", "The address of the database pond on h has an unknown parameter: Lilypad doesn't know it."),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_before_connecting(query: str, sentence: str) -> None:
    with pytest.raises(StoreError) as caught:
        address_of(f"postgresql://ann:secret@h/pond?{query}", "pond on h")
    assert caught.value.sentence.startswith(sentence)
    assert "secret" not in caught.value.sentence


def test_the_authorities_of_the_system_can_be_trusted() -> None:
    found = address_of("postgresql://h/pond?sslmode=verify-full&sslrootcert=system", "pond on h")
    assert (found.url, found.trusts_system) == ("postgresql://h/pond?sslmode=verify-full", True)


# ---- connections that stop answering


class Forwarder:
    """Forwards connections to a server until it is told to drop what they send, as a network does that lost them."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.accepted = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection. It stays open, but silent, after `drop_all`."""
        self.accepted += 1
        far_reader, far_writer = await asyncio.open_unix_connection(self._socket)
        self._writers += [writer, far_writer]
        for pair in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._forward(*pair))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(2**16):
            target.write(data)

    def drop_all(self) -> None:
        """Forward nothing more on the present connections."""
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """Close all connections."""
        self.drop_all()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@asynccontextmanager
async def forwarded(url: str) -> AsyncIterator[tuple[Forwarder, str]]:
    """Give a forwarder to the database, and the address of the database behind it."""
    parts = dict(parse_qsl(urlsplit(url).query))
    forwarder = Forwarder(f"{parts['host']}/.s.PGSQL.{parts.get('port', 5432)}")
    server = await asyncio.start_server(forwarder.accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    name, user = urlsplit(url).path, parts.get("user") or urlsplit(url).username or "lilypad"
    try:
        yield forwarder, f"postgresql://{user}@127.0.0.1:{port}{name}?sslmode=disable"
    finally:
        server.close()
        await forwarder.close()


async def test_connections_that_vanished_silently_are_replaced(url: str) -> None:
    async with forwarded(url) as (forwarder, address), await PostgresStore.open(address) as store:
        table = await opened(store)
        await asyncio.gather(*(store.table(table.id) for _ in range(8)))
        before = forwarder.accepted
        forwarder.drop_all()
        async with asyncio.timeout(20):  # one timeout of a statement, with much to spare
            assert await store.table(table.id) == table
            await store.leases.release("1")
        assert forwarder.accepted > before
