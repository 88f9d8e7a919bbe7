"""Commands where the bot isn't: on servers that added its commands alone, and in conversations of others."""

from typing import TYPE_CHECKING, Any, Final

import discord

from bot.errors import NotAllowed

if TYPE_CHECKING:
    from collections.abc import Mapping

PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    send_messages_in_threads=True,
)
"""The permissions that the invitation link asks for."""
_EVERYWHERE: Final = frozenset({"privacy", "settings"})
"""The commands that need no table."""


def invitation(application_id: int) -> str:
    """Return the link with which a server's moderators invite the bot."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def absence(interaction: discord.Interaction) -> NotAllowed | None:
    """Return the refusal of a command where the bot isn't a member, with the link to invite it."""
    data: Mapping[str, Any] = interaction.data or {}
    if data.get("name") in _EVERYWHERE:
        return None
    link = invitation(interaction.application_id)
    if interaction.guild_id is None:
        if not (interaction.context.private_channel or isinstance(interaction.channel, discord.GroupChannel)):
            return None
        return NotAllowed("You can play on servers that I'm on, or in direct messages. Invite me: {link}", link=link)
    if interaction.client.get_guild(interaction.guild_id) is not None:
        return None
    return NotAllowed("I'm not on this server yet. Ask a moderator to invite me: {link}", link=link)
