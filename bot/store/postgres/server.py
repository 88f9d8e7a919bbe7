"""A PostgreSQL server: how connections to it are opened, and whether it can be used."""

import logging
from typing import Final, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from bot.errors import StoreError, escaped
from bot.store.postgres.address import address_of
from bot.store.postgres.errors import DRIVER_ERRORS, store_error

log: Final = logging.getLogger(__name__)

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

VERSIONS: Final = range(14, 19)
"""Supported major versions."""
_STATEMENT_TIMEOUT_S: Final = 4.0
"""A connection that answers no statement within this time is given up. Exports and migrations have no limit."""
_CLOSE_TIMEOUT_S: Final = 2.0
_CACHED_STATEMENTS: Final = 500
"""More than the program has: each is prepared once per connection."""

_NO_TRANSACTIONS: Final = "statement pooling"
"""Part of PgBouncer's message, which comes with the code of a lost connection."""
_PROBE: Final = "SELECT pg_backend_pid(), current_schema() IS NOT NULL"


class Server:
    """Opens connections to the database of a URL. Call `check` with the first one.

    A *pooler* such as PgBouncer may give each transaction to another session of the server. Then prepared statements
    aren't kept, and every statement has to be in a transaction. Nothing else here needs a session: locks and settings
    end with their transaction.
    """

    def __init__(self, url: str) -> None:
        self.name = display_name(url)
        self._address = address_of(url, self.name)
        self.is_pooled = True  # until `check` knows

    async def check(self, connection: Connection) -> None:
        """Find out whether the server can be used, and whether there is a pooler. Raises `StoreError`."""
        version = connection.get_server_version()
        if version.major not in VERSIONS:
            raise StoreError(
                f"The database {self.name} is on PostgreSQL {version.major}; "
                f"Lilypad needs a version from {VERSIONS[0]} to {VERSIONS[-1]}."
            )
        process, has_schema = await self._probe(connection)
        if not has_schema:
            raise StoreError(f"The database {self.name} has no schema to use; check its search_path.")
        self.is_pooled = process != connection.get_server_pid()
        if self.is_pooled:
            log.info("the database %s is behind a connection pooler; statements aren't kept prepared", self.name)

    async def _probe(self, connection: Connection) -> tuple[int, bool]:
        """Return the process of the server, and whether there is a schema."""
        try:
            async with connection.transaction():
                ((process, has_schema),) = await connection.fetch(_PROBE)
        except asyncpg.PostgresError as error:
            if _NO_TRANSACTIONS not in str(error):
                raise
            raise StoreError(
                f"The database {self.name} is behind PgBouncer in statement mode, which has no transactions; "
                "set pool_mode to transaction."
            ) from error
        return process, has_schema

    async def connect(self, *, for_long: bool = False) -> Connection:
        """Open a connection; ``for_long`` allows long statements. Raises `StoreError`."""
        try:
            return await asyncpg.connect(
                self._address.url,
                timeout=self._address.timeout_s,
                command_timeout=None if for_long else _STATEMENT_TIMEOUT_S,
                statement_cache_size=0 if self.is_pooled else _CACHED_STATEMENTS,
                max_cached_statement_lifetime=0,
                server_settings={"application_name": "lilypad", **self._address.settings},
            )
        except (ValueError, *DRIVER_ERRORS) as error:
            # An error about the address may quote a part of it, where a password may be.
            raise store_error(self.name, error) from None if isinstance(error, ValueError) else error


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
