"""Settings of servers."""

import msgspec

from bot.store.records import Server
from bot.store.sqlite.connection import Connection
from bot.store.sqlite.group_commit import Writer


class SqliteServers:
    """`bot.store.Servers` in SQLite."""

    def __init__(self, reading: Connection, writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def settings(self, guild_id: int) -> Server:
        rows = await self._reading.rows(
            "SELECT channels, threads, role_id, clock FROM servers WHERE guild_id = ?", guild_id
        )
        if not rows:
            return Server(guild_id)
        ((channels, threads, role_id, clock),) = rows
        return Server(guild_id, tuple(msgspec.json.decode(channels)), bool(threads), role_id, clock)

    async def save(self, server: Server) -> None:
        await self._writer.execute(
            "INSERT OR REPLACE INTO servers (guild_id, channels, threads, role_id, clock) VALUES (?, ?, ?, ?, ?)",
            server.guild_id,
            msgspec.json.encode(server.channels).decode(),
            int(server.threads),
            server.role_id,
            server.clock,
        )
