"""A PostgreSQL database with a connection to write, and a few to read."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from functools import partial

from bot.store.database import Database, Session
from bot.store.group_commit import Writer
from bot.store.postgres.group_commit import Committer
from bot.store.postgres.server import Server
from bot.store.postgres.session import Pool, PostgresSession


class PostgresDatabase(Database):
    """An open PostgreSQL database."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pool = Pool(server)
        self._committer = Committer(server)
        self.reading = PostgresSession(server, self._pool.connection)
        self.writer = Writer(self._committer.commit)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        connection = await self._server.connect(for_long=True)
        try:
            yield PostgresSession(self._server, partial(nullcontext, connection), ())
        finally:
            connection.terminate()

    async def scrub(self) -> bool:
        """Do nothing: PostgreSQL reuses the space of deleted rows by itself."""
        return True

    async def close(self) -> None:
        await self.writer.finish()
        await self._pool.close()
        await self._committer.close()
