"""Events of servers that boards have to follow, such as deleted channels."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import discord

from bot.ui.messages.live_messages import LiveMessages

_MAY_LIFT_REFUSALS: Final = (
    "on_guild_join",
    "on_guild_available",
    "on_guild_update",
    "on_guild_role_update",
    "on_guild_role_delete",
    "on_guild_channel_update",
    "on_thread_join",  # Discord reports an unarchived thread as a new one
    "on_thread_update",
    "on_member_update",
)
"""After any of these events, a board that Discord refused may be accepted."""


def listeners(live: LiveMessages) -> Mapping[str, Callable[..., Coroutine[Any, Any, None]]]:
    """Return a listener for each of the client's events that concern messages, channels and servers."""

    async def message_deleted(event: discord.RawMessageDeleteEvent) -> None:
        await live.deleted([event.message_id])

    async def message_edited(event: discord.RawMessageUpdateEvent) -> None:
        await live.edited(event.message_id)

    async def messages_deleted(event: discord.RawBulkMessageDeleteEvent) -> None:
        await live.deleted(event.message_ids)

    async def channel_deleted(channel: discord.abc.GuildChannel) -> None:
        await live.channel_deleted(channel.id)

    async def thread_deleted(event: discord.RawThreadDeleteEvent) -> None:
        await live.channel_deleted(event.thread_id)

    async def guild_left(guild: discord.Guild) -> None:
        for place in (*guild.channels, *guild.threads):
            await live.access_lost(place.id)

    async def changed(*states: Any) -> None:
        """The last argument is the present state: a server, or something on it."""
        now = states[-1]
        guild = now if isinstance(now, discord.Guild) else now.guild
        await live.try_again(guild.id, now.id if isinstance(now, discord.Thread) else None)

    return {
        "on_message": live.on_message,
        "on_raw_message_edit": message_edited,
        "on_raw_message_delete": message_deleted,
        "on_raw_bulk_message_delete": messages_deleted,
        "on_guild_channel_delete": channel_deleted,
        "on_raw_thread_delete": thread_deleted,
        "on_guild_remove": guild_left,
        **dict.fromkeys(_MAY_LIFT_REFUSALS, changed),
    }
