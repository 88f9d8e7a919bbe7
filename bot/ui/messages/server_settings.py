"""The settings of a server that are in force: without those that name something deleted."""

import discord
from msgspec.structs import replace

from bot.tables import LEVELS, Server
from bot.tables.absence.deadlines import CLOCKS
from bot.texts import languages


def in_force(server: Server, guild: discord.Guild | None) -> Server:
    """Return the settings without deleted channels and roles, and without values that the program doesn't have.

    Nothing counts as deleted while Discord doesn't say what the server has.
    """
    if guild is not None and not guild.unavailable:
        server = replace(
            server,
            channels=tuple([each for each in server.channels if guild.get_channel_or_thread(each)]),
            role_id=_existing_role(guild, server.role_id),
            looking_role_id=_existing_role(guild, server.looking_role_id),
        )
    return replace(
        server,
        clock=server.clock if server.clock in CLOCKS else "none",
        level=server.level if server.level in LEVELS else "fair",
        language=server.language if server.language in languages() else None,
    )


def _existing_role(guild: discord.Guild, role_id: int | None) -> int | None:
    return role_id if role_id and guild.get_role(role_id) else None
