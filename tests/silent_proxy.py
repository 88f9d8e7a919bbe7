"""A proxy in front of the tests' PostgreSQL server that stops forwarding, as a firewall or a frozen server does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from tests.postgres_server import PostgresServer

_COMMIT: Final = b"COMMIT\0"


class SilentProxy:
    """Forwards between a port of this machine and a server, until told otherwise. It never closes a connection."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._silenced: set[object] = set()
        self._links: set[asyncio.Task[None]] = set()
        self.port = 0
        self.is_silent = False
        """Whether nothing is forwarded, on new connections either."""
        self.lost_commits = 0
        """How many of the next commits go to the server, and silence their connection."""
        self.swallowed_commits = 0
        """How many of the next commits silence their connection without going to the server."""
        self.falls_silent_with_commits = False
        """Whether such a commit also sets ``is_silent``."""

    def url(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://lilypad@127.0.0.1:{self.port}/{database}?sslmode=disable"

    def drop(self) -> None:
        """Forward nothing more on the connections that are open now."""
        self._silenced |= self._links

    async def link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward between a client and the server."""
        link = asyncio.current_task()
        assert link is not None
        self._links.add(link)
        socket = self._server.folder / f".s.PGSQL.{self._server.port}"
        there, to_server = await asyncio.open_unix_connection(socket)
        try:
            await asyncio.gather(self._forward(reader, to_server, link), self._forward(there, writer, link))
        finally:
            to_server.close()
            writer.close()

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, link: object) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if _COMMIT in data and self.swallowed_commits:
                    self.swallowed_commits -= 1
                    self._silence(link)
                elif not (self.is_silent or link in self._silenced):
                    target.write(data)
                    if _COMMIT in data and self.lost_commits:
                        self.lost_commits -= 1
                        self._silence(link)
        if not (self.is_silent or link in self._silenced):  # the other end learns nothing
            target.close()

    def _silence(self, link: object) -> None:
        self._silenced.add(link)
        self.is_silent |= self.falls_silent_with_commits

    async def close(self) -> None:
        """End all connections."""
        for link in self._links:
            link.cancel()
        if self._links:
            await asyncio.wait(self._links)


@asynccontextmanager
async def silent_proxy(server: PostgresServer) -> AsyncIterator[SilentProxy]:
    """Start a proxy, and stop it at the end."""
    proxy = SilentProxy(server)
    listener = await asyncio.start_server(proxy.link, "127.0.0.1", 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listener.close()
        await proxy.close()
