"""Who may open a table where, by what the moderators of a server have set; and the thread that a table may have."""

import logging
from typing import Final

import aiohttp
import discord

from bot.errors import NotAllowed, PlayError
from bot.tables import Place, Server
from bot.ui.posts.text import clip, listed

log = logging.getLogger(__name__)

ARCHIVED_AFTER_MIN: Final = 7 * 24 * 60
"""A thread in which nobody says anything for so long is put away by Discord; the next board takes it out again."""
_LONGEST_THREAD_NAME: Final = 100


def may_open(interaction: discord.Interaction, server: Server) -> None:
    """Raises `NotAllowed` where no tables are opened, and for who isn't among those who open them."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    if server.channels and here.isdisjoint(server.channels):
        places = listed([f"<#{number}>" for number in server.channels])
        raise NotAllowed(f"Tables are opened elsewhere on this server: in {places}.")
    if server.role_id is None or interaction.permissions.manage_guild:
        return
    guild, user = interaction.guild, interaction.user
    role_is_there = guild is None or guild.get_role(server.role_id) is not None
    if role_is_there and not (isinstance(user, discord.Member) and user.get_role(server.role_id)):
        raise NotAllowed(f"On this server members with the role <@&{server.role_id}> open tables; you can join one.")


def wants_thread(interaction: discord.Interaction, server: Server) -> bool:
    """Whether a table opened here gets a thread of its own; not where that would be a thread in a thread."""
    return server.threads and isinstance(interaction.channel, discord.TextChannel)


async def own_thread(interaction: discord.Interaction, name: str) -> Place:
    """A new public thread below this channel. Raises `PlayError` where the bot may not make one."""
    channel = interaction.channel
    may = interaction.app_permissions
    needed = {
        "Create Public Threads": may.create_public_threads,
        "Send Messages in Threads": may.send_messages_in_threads,
    }
    missing = [permission for permission, is_there in needed.items() if not is_there]
    if missing or not isinstance(channel, discord.TextChannel):
        raise PlayError(
            f"Tables get threads of their own on this server, but the bot lacks {listed(missing)} in this channel. "
            "Ask a moderator to grant that, or to turn threads off with `/server`."
        )
    try:
        thread = await channel.create_thread(
            name=clip(name, _LONGEST_THREAD_NAME),
            type=discord.ChannelType.public_thread,
            auto_archive_duration=ARCHIVED_AFTER_MIN,
        )
    except (discord.HTTPException, aiohttp.ClientError, OSError) as fault:
        log.warning("no thread could be made in channel %s: %s", channel.id, fault)
        raise PlayError("Discord did not make a thread for the table just now; please open it once more.") from None
    return Place(interaction.guild_id, thread.id)
