"""A PostgreSQL server: its address, how connections to it are opened and shared, and whether it can be used."""

import asyncio
import logging
import os
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

import asyncpg

from bot.errors import StoreError, escaped
from bot.store.postgres.postgres_errors import DRIVER_ERRORS, is_lost, is_silent, store_error

log: Final = logging.getLogger(__name__)

CONNECT_TIMEOUT_S: Final = 3.0
"""The default time limit of connecting. A person still waits that long for an answer."""

_DRIVER: Final = re.compile(r"^(postgres(?:ql)?)\+\w+(?=://)")
_OURS: Final = frozenset(
    {"host", "port", "dbname", "database", "user", "password", "passfile", "service", "krbsrvname", "gsslib"}
    | {"sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"}
    | {"ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs"}
)
"""Parameters that the driver knows."""
_OF_THE_SERVER: Final = frozenset(
    {"application_name", "options", "search_path", "statement_timeout", "lock_timeout", "timezone", "work_mem"}
    | {"idle_in_transaction_session_timeout", "idle_session_timeout", "tcp_keepalives_idle"}
)
"""Parameters of the session, which the server gets."""
_IGNORED: Final[dict[str, str]] = {
    "channel_binding": "the driver can't bind channels; sslmode=verify-full protects the connection, too",
    **dict.fromkeys(
        ("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        "a connection that doesn't answer is noticed after a few seconds anyway",
    ),
    **dict.fromkeys(("pgbouncer", "statement_cache_size", "prepared_statements"), "a pooler is detected"),
    **dict.fromkeys(
        ("connection_limit", "pool_timeout", "pool_size", "max_connections", "socket_timeout", "command_timeout"),
        "the bot has a few connections",
    ),
    **dict.fromkeys(("fallback_application_name", "sslcompression", "sslsni", "load_balance_hosts"), "not needed"),
}
"""Parameters without effect here, and why."""
_POOLED: Final = {("pgbouncer", "true"), ("statement_cache_size", "0"), ("prepared_statements", "false")}
"""Parameters that say that no statement may be kept prepared."""
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile")
_SCHEMA: Final = ("schema", "currentSchema")
"""The names that other programs have for ``search_path``."""
_WRITABLE: Final = ("any", "primary", "read-write")
_UTF8: Final = frozenset({"utf8", "utf-8", "unicode", "auto"})


class Address(NamedTuple):
    """An address as the driver takes it, the settings of its sessions, and the timeout of connections.

    ``is_pooled`` tells whether it says that it is a pooler's, ``trusts_system`` whether certificates are checked
    against the authorities that the system trusts.
    """

    url: str
    settings: dict[str, str]
    timeout_s: float
    is_pooled: bool = False
    trusts_system: bool = False

    @property
    def urls(self) -> tuple[str, ...]:
        """The address with each of its hosts: the driver's timeout is for all hosts, and the first may be silent."""
        parts = urlsplit(self.url)
        user, at, hosts = parts.netloc.rpartition("@")
        query = dict(parse_qsl(parts.query))
        names, ports = query.get("host", "").split(","), query.get("port", "").split(",")
        if hosts:
            each = [(parts._replace(netloc=f"{user}{at}{host}"), query) for host in hosts.split(",")]
        else:
            ports *= len(names) if len(ports) == 1 else 1
            places = zip(names, ports, strict=False)
            each = [(parts, {**query, "host": host, "port": port}) for host, port in places]
        if len(each) > 1:  # the bot writes
            each = [(there, {"target_session_attrs": "primary", **given}) for there, given in each]
        filled = [(there, {key: value for key, value in given.items() if value}) for there, given in each]
        return tuple(urlunsplit(there._replace(query=urlencode(given))) for there, given in filled)


def address_of(url: str, name: str) -> Address:
    """Return the address in a URL, and log which parameters are ignored.

    Raises `StoreError` for one that would change what the connection is, and that can't be used. No text quotes values:
    a password may be anywhere. ``name`` is that of the database for people.
    """
    parts = urlsplit(_DRIVER.sub(r"\1", url))
    kept: list[tuple[str, str]] = []
    settings: dict[str, str] = {}
    timeout_s = CONNECT_TIMEOUT_S
    given = parse_qsl(parts.query, keep_blank_values=True)
    trusts_system = ("sslrootcert", "system") in given
    for key, value in given:
        if (key, value) == ("sslrootcert", "system"):
            continue
        if key in _OURS:
            _check_usable(key, value, name)
            kept.append((key, value))
        elif key.lower() in _OF_THE_SERVER:
            settings[key] = value
        elif key in _SCHEMA:
            settings["search_path"] = value
        elif key == "connect_timeout":
            timeout_s = float(value) if value.isdecimal() and int(value) else timeout_s
        elif key in _IGNORED:
            log.info("the address of the database %s has %s, which is ignored: %s", name, key, _IGNORED[key])
        else:
            _check_optional(key, value, name)
    url = urlunsplit(parts._replace(query=urlencode(kept)))
    return Address(url, settings, timeout_s, not _POOLED.isdisjoint(given), trusts_system)


def _check_usable(key: str, value: str, name: str) -> None:
    """Raise `StoreError` for a file that can't be read, and for a server that can't be written to."""
    if key in _FILES and value and not os.access(value, os.R_OK):
        raise StoreError(f"The database {name} can't be used: the file of {key} can't be read.")
    if key == "target_session_attrs" and value not in _WRITABLE:
        raise StoreError(f"The address of the database {name} has {key!r}: the bot writes, so use 'primary'.")


def _check_optional(key: str, value: str, name: str) -> None:
    """Raise `StoreError` for a parameter that can't be used, unless it asks for what happens anyway."""
    if key == "client_encoding" and value.lower() in _UTF8:
        return
    if key == "gssencmode" and value != "require":
        return
    advice = {
        "client_encoding": "Lilypad needs UTF-8",
        "gssencmode": "the driver can't encrypt with GSSAPI; use sslmode=verify-full",
    }.get(key, "Lilypad doesn't know it")
    shown = repr(key) if re.fullmatch(r"[A-Za-z_]{2,40}", key) else "an unknown parameter"
    raise StoreError(f"The address of the database {name} has {shown}: {advice}. Leave it out.")


Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

VERSIONS: Final = range(14, 19)
"""Supported major versions."""
_CONNECT_TIMEOUT_S: Final = 2.0
_STATEMENT_TIMEOUT_S: Final = 2.5
"""Both together are how long players wait for a server that doesn't answer. Exports and migrations have no limit."""
_CLOSE_TIMEOUT_S: Final = 1.0
_CACHED_STATEMENTS: Final = 500
"""More than the program has: each is prepared once per connection."""

_KEEPALIVE: Final = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 4000}
"""Options of TCP: the system ends a connection whose other end is silent for 4 to 5 s, also while it isn't used."""
_SERVER_LIMITS: Final = {
    "statement_timeout": "5s",
    "idle_in_transaction_session_timeout": "3s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings with which the server ends what a lost connection has left, so that its locks keep nobody waiting."""

_NO_TRANSACTIONS: Final = "statement pooling"
"""Part of PgBouncer's message, which comes with the code of a lost connection."""
_PROBE: Final = "SELECT pg_backend_pid(), current_schema() IS NOT NULL, current_setting('server_encoding')"
_ENCODING: Final = "UTF8"


class Server:
    """Opens connections to the database of a URL. Call `check` with the first one.

    A *pooler* such as PgBouncer may give each transaction to another session of the server. Then prepared statements
    aren't kept, and every statement has to be in a transaction. Nothing else here needs a session: locks and settings
    end with their transaction.
    """

    def __init__(self, url: str) -> None:
        self.name = display_name(url)
        self._address = address_of(url, self.name)
        self._urls = list(self._address.urls)
        self.is_pooled = True  # until `check` knows
        self.may_come_back = True
        """Whether the program waits for a server that is away."""

    async def check(self, connection: Connection) -> None:
        """Find out whether the server can be used, and whether there is a pooler. Raises `StoreError`."""
        version = connection.get_server_version()
        if version.major not in VERSIONS:
            raise StoreError(
                f"The database {self.name} is on PostgreSQL {version.major}; "
                f"Lilypad needs a version from {VERSIONS[0]} to {VERSIONS[-1]}."
            )
        process, has_schema, encoding = await self._probe(connection)
        if not has_schema:
            raise StoreError(f"The database {self.name} has no schema to use; check its search_path.")
        if encoding != _ENCODING:
            raise StoreError(
                f"The database {self.name} is in {encoding}, which can't store all names; create one in {_ENCODING}: "
                f"createdb --encoding={_ENCODING} --template=template0."
            )
        self.is_pooled = self._address.is_pooled or process != connection.get_server_pid()
        if self.is_pooled:
            log.info("the database %s is behind a connection pooler; statements aren't kept prepared", self.name)

    async def _probe(self, connection: Connection) -> tuple[int, bool, str]:
        """Return the process of the server, whether there is a schema, and how texts are encoded."""
        try:
            async with connection.transaction():
                ((process, has_schema, encoding),) = await connection.fetch(_PROBE)
        except asyncpg.PostgresError as error:
            if _NO_TRANSACTIONS not in str(error):
                raise
            raise StoreError(
                f"The database {self.name} is behind PgBouncer in statement mode, which has no transactions; "
                "set pool_mode to transaction."
            ) from error
        return process, has_schema, encoding

    async def connect(self, *, for_long: bool = False) -> Connection:
        """Open a connection; ``for_long`` allows long statements. Raises `StoreError`.

        The hosts of the address are tried in turn. The one that answered last comes first.
        """
        for url in tuple(self._urls):
            try:
                connection = await self._connect(url, for_long=for_long)
            except (ValueError, *DRIVER_ERRORS) as error:
                failure = store_error(self.name, error)
                # An error about the address may quote a part of it, where a password may be.
                failure.__cause__ = None if isinstance(error, ValueError) else error
            else:
                self._urls.remove(url)
                self._urls.insert(0, url)
                return connection
        raise failure

    async def _connect(self, url: str, *, for_long: bool) -> Connection:
        limits = {} if for_long or self.is_pooled else _SERVER_LIMITS  # poolers refuse settings that they don't know
        timeout_s = self._address.timeout_s
        connection: Connection = await asyncpg.connect(
            url,
            timeout=timeout_s if for_long else min(timeout_s, _CONNECT_TIMEOUT_S),
            command_timeout=None if for_long else _STATEMENT_TIMEOUT_S,
            statement_cache_size=0 if self.is_pooled else _CACHED_STATEMENTS,
            max_cached_statement_lifetime=0,
            server_settings={"application_name": "lilypad", **limits, **self._address.settings},
            **({"ssl": True} if self._address.trusts_system else {}),
        )
        _keep_alive(connection)
        return connection


def _keep_alive(connection: Connection) -> None:
    """Let the system notice when the other end of a connection is silent."""
    stream: Any = connection._transport.get_extra_info("socket")  # noqa: SLF001 - asyncpg has no way to set options
    if stream.family in {socket.AF_INET, socket.AF_INET6}:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if number := getattr(socket, name, None):  # macOS and Windows lack some
                stream.setsockopt(socket.IPPROTO_TCP, number, value)


async def hang_up(connection: Connection) -> None:
    """Close a connection, also one that is lost or in a transaction."""
    try:
        await connection.close(timeout=_CLOSE_TIMEOUT_S)
    except DRIVER_ERRORS:
        connection.terminate()


def display_name(url: str) -> str:
    """Return the database and its server for people, without user and password."""
    parts = urlsplit(url)
    where = parts.netloc.rpartition("@")[2] or parse_qs(parts.query).get("host", ["localhost"])[0]
    return escaped(f"{unquote(parts.path.strip('/')) or 'of its user'} on {where}")


_READERS: Final = 4
"""Maximum number of connections that read at the same time."""


class Pool:
    """Connections that are opened when they are needed, and kept."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._slots = asyncio.Semaphore(_READERS)
        self._idle: list[Connection] = []
        self._is_closed = False
        self._silences = 0
        """How often the server hasn't answered in time."""

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Lend a connection. One that is lost, or in use after a cancellation, isn't lent again.

        Raises `TimeoutError` if the server didn't answer those that came before: waiting as long again helps nobody.
        """
        silences = self._silences
        async with self._slots:
            if self._is_closed:
                raise StoreError(f"The database {self._server.name} is closed.")
            if silences != self._silences:
                raise TimeoutError
            connection = self._idle.pop() if self._idle else await self._connect()
            try:
                yield connection
            except Exception as error:
                self._silences += is_silent(error)
                if is_lost(error):
                    self._drop_idle()
                self._take_back(connection, is_usable=not is_lost(error))
                raise
            except BaseException:
                connection.terminate()
                raise
            self._take_back(connection)

    async def _connect(self) -> Connection:
        try:
            return await self._server.connect()
        except StoreError as error:
            self._silences += is_silent(error)
            raise

    def _drop_idle(self) -> None:
        """Close the others as well: what has ended one connection has probably ended all, and they don't know yet."""
        while self._idle:
            self._idle.pop().terminate()

    def _take_back(self, connection: Connection, *, is_usable: bool = True) -> None:
        if self._is_closed or not is_usable or connection.is_closed() or connection.is_in_transaction():
            connection.terminate()
        else:
            self._idle.append(connection)

    async def close(self) -> None:
        """Close all connections."""
        self._is_closed = True
        while self._idle:
            await hang_up(self._idle.pop())
