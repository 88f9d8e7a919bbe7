"""Runs works on connections from a pool, or on one of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Final

from bot.errors import StoreError
from bot.store.database import Session
from bot.store.postgres.errors import is_lost, is_silent
from bot.store.postgres.retry import retried
from bot.store.postgres.server import Connection, Server, hang_up
from bot.store.postgres.transaction import PostgresTransaction
from bot.store.transaction import T, Work

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


class PostgresSession(Session):
    """Runs works on connections that ``lend`` gives. Lost connections are replaced, as far as ``pauses_s`` allow.

    If ``in_transactions`` is set, each work is in one.
    """

    def __init__(
        self,
        server: Server,
        lend: Callable[[], AbstractAsyncContextManager[Connection]],
        pauses_s: tuple[float, ...] | None = None,
        *,
        in_transactions: bool,
    ) -> None:
        self._server = server
        self._lend = lend
        self._pauses_s = pauses_s
        self._in_transactions = in_transactions

    async def run(self, work: Work[T]) -> T:
        return await retried(self._server.name, partial(self._run, work), self._pauses_s)

    async def in_snapshot(self, work: Work[T]) -> T:
        return await retried(self._server.name, partial(self._run_in_snapshot, work), self._pauses_s)

    async def _run(self, work: Work[T]) -> T:
        async with self._lend() as connection:
            if not self._in_transactions:
                return await work(PostgresTransaction(connection))
            async with connection.transaction():
                return await work(PostgresTransaction(connection))

    async def _run_in_snapshot(self, work: Work[T]) -> T:
        async with self._lend() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            return await work(PostgresTransaction(connection))
