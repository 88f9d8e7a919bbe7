"""The place of a new table: the channel of the interaction, or a new thread in it."""

import logging
from typing import Final

import discord

from bot.errors import PlayError, Text
from bot.tables import Place, Server
from bot.texts import translated
from bot.texts.lists import listed
from bot.ui.messages.failures import missing_to_post
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, TOO_MANY_THREADS, is_refusal
from bot.ui.posts.text import clip

log = logging.getLogger(__name__)

ARCHIVE_AFTER_MIN: Final = 7 * 24 * 60
"""Discord archives the thread after this time without messages; the next board unarchives it."""
_MAX_THREAD_NAME: Final = 100


def channel_place(interaction: discord.Interaction) -> Place:
    """Return the channel as a place. Raises `PlayError` if the bot can't post there."""
    channel = interaction.channel
    if channel is None or interaction.channel_id is None:
        raise PlayError("Open a table in a channel.")
    if interaction.guild_id is None:
        return Place(None, interaction.channel_id)
    if missing := missing_to_post(interaction.app_permissions, in_thread=isinstance(channel, discord.Thread)):
        raise PlayError(
            "I can't post here: I need {permissions} in this channel. "
            "Ask a moderator to allow that, or open the table elsewhere.",
            permissions=listed([translated(name) for name in missing]),
        )
    return Place(interaction.guild_id, interaction.channel_id)


def wants_thread(interaction: discord.Interaction, server: Server) -> bool:
    """Whether a table opened here gets its own thread: not if this is a thread already."""
    return server.threads and isinstance(interaction.channel, discord.TextChannel)


async def create_thread(interaction: discord.Interaction, name: str) -> Place:
    """Create a public thread in this channel. Raises `PlayError` if that fails."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise PlayError("Threads only work in text channels.")
    may = interaction.app_permissions
    needed = {
        Text("Create Public Threads"): may.create_public_threads,
        Text("Send Messages in Threads"): may.send_messages_in_threads,
    }
    missing = [permission for permission, is_granted in needed.items() if not is_granted]
    if missing:
        raise PlayError(
            "I can't create a thread for this table: I need {permissions} in this channel. "
            "Ask a moderator to allow that, or to turn threads off with `/server`.",
            permissions=listed([translated(name) for name in missing]),
        )
    try:
        thread = await channel.create_thread(
            name=clip(name, _MAX_THREAD_NAME),
            type=thread_type(channel),
            auto_archive_duration=ARCHIVE_AFTER_MIN,
        )
    except CONNECTION_ERRORS as error:
        log.warning("no thread could be created in channel %s: %s", channel.id, error)
        if getattr(error, "code", 0) in TOO_MANY_THREADS:
            raise PlayError(
                "This server has too many open threads. Ask a moderator to close some, or to turn threads off with "
                "`/server`."
            ) from None
        if is_refusal(error):
            raise PlayError(
                "Discord doesn't let me create a thread here. Ask a moderator to check, or to turn threads off with "
                "`/server`."
            ) from None
        raise PlayError("Discord couldn't create a thread just now. Try again.") from None
    return Place(interaction.guild_id, thread.id)


def thread_type(channel: discord.TextChannel) -> discord.ChannelType:
    """Return the type of public threads in this channel; announcement channels have their own.

    https://discord.com/developers/docs/resources/channel#channel-object-channel-types
    """
    return discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
