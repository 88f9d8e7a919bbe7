"""Settings of servers."""

from msgspec.structs import asdict

from bot.store.preferences import Server
from bot.store.repository import Repository, records, to_json


class Servers(Repository):
    """Settings of servers."""

    async def settings(self, guild_id: int) -> Server:
        """Return the settings of the server, or the defaults."""
        rows = await self._reading.rows(
            "SELECT channels, threads, role_id, clock, language, looking_role_id, level FROM servers"
            " WHERE guild_id = ?",
            guild_id,
        )
        found = records(
            Server, ((guild_id, channels, bool(threads), *others) for channels, threads, *others in rows), "channels"
        )
        return next(found, Server(guild_id))

    async def save(self, server: Server) -> None:
        """Store the settings of a server."""
        await self._writer.execute(
            "INSERT INTO servers (guild_id, channels, threads, role_id, clock, language, looking_role_id, level)"
            " VALUES (:guild_id, :channels, :threads, :role_id, :clock, :language, :looking_role_id, :level)"
            " ON CONFLICT (guild_id) DO UPDATE SET channels = excluded.channels, threads = excluded.threads,"
            " role_id = excluded.role_id, clock = excluded.clock, language = excluded.language,"
            " looking_role_id = excluded.looking_role_id, level = excluded.level",
            asdict(server) | {"channels": to_json(server.channels)},
        )
