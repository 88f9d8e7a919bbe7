"""A PostgreSQL database with a connection to write, and a few to read."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import Final

from bot.store.database import Database, Session
from bot.store.group_commit import Writer
from bot.store.postgres.errors import DRIVER_ERRORS, store_error
from bot.store.postgres.group_commit import Committer
from bot.store.postgres.notifications import listen, notify
from bot.store.postgres.server import Connection, Server, hang_up
from bot.store.postgres.session import Pool, PostgresSession
from bot.store.transaction import Transaction

_LOCK_TIMEOUT_S: Final = 5
_NUMBERED: Final = ("tables", "messages", "option_sets")
"""The tables whose rows the database numbers."""


class PostgresDatabase(Database):
    """An open PostgreSQL database."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pool = Pool(server)
        self._committer = Committer(server)
        self.reading = PostgresSession(server, self._pool.connection, in_transactions=server.is_pooled)
        self.writer = Writer(self._committer.commit)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        connection = await self._server.connect(for_long=True)
        try:
            yield self._session_on(connection, in_transactions=self._server.is_pooled)
        finally:
            await hang_up(connection)

    @asynccontextmanager
    async def exclusive(self, tables: Collection[str]) -> AsyncIterator[Session]:
        connection = await self._server.connect(for_long=True)
        try:
            async with connection.transaction(isolation="repeatable_read"):
                await connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT_S}s'")
                await connection.execute(f"LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE")
                yield self._session_on(connection)
        except DRIVER_ERRORS as error:
            raise store_error(self._server.name, error) from error
        finally:
            await hang_up(connection)

    async def notify(self, about: int) -> None:
        await notify(about, self._pool)

    async def listen(self, heard: Callable[[int], object]) -> None:
        await listen(self._server, heard)

    async def count_on(self, db: Transaction) -> None:
        for table in _NUMBERED:
            ((last,),) = await db.rows(f"SELECT max(id) FROM {table}")  # noqa: S608 - a constant name
            if last is not None:
                await db.rows("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", (table, last))

    def _session_on(self, connection: Connection, *, in_transactions: bool = False) -> Session:
        """Return a session on this connection, which isn't replaced."""
        return PostgresSession(self._server, partial(nullcontext, connection), (), in_transactions=in_transactions)

    async def scrub(self) -> bool:
        """Do nothing: PostgreSQL reuses the space of deleted rows by itself."""
        return True

    async def close(self) -> None:
        await self.writer.finish()
        await self._pool.close()
        await self._committer.close()
