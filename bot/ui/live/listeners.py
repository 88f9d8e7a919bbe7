"""What live messages do when something happens on Discord."""

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

import discord

from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.workers import persist

_MAY_LIFT_REFUSALS: Final = (
    "on_guild_update",
    "on_guild_role_update",
    "on_guild_role_delete",
    "on_guild_channel_update",
    "on_thread_join",  # Discord reports an unarchived thread as a new one
    "on_thread_update",
    "on_member_update",
)
"""After any of these events, a board that Discord refused may be accepted."""


_Listener = Callable[..., Coroutine[Any, Any, None]]


def listeners(live: LiveMessages) -> Mapping[str, _Listener]:
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

    async def guild_joined(guild: discord.Guild) -> None:
        await live.try_again(guild.id)
        await live.joined(guild.id)

    async def changed(*states: Any) -> None:
        """The last argument is the present state: a server, or something on it."""
        now = states[-1]
        guild = now if isinstance(now, discord.Guild) else now.guild
        await live.try_again(guild.id, now.id if isinstance(now, discord.Thread) else None)

    following: dict[str, _Listener] = {
        "on_raw_message_edit": message_edited,
        "on_raw_message_delete": message_deleted,
        "on_raw_bulk_message_delete": messages_deleted,
        "on_guild_channel_delete": channel_deleted,
        "on_raw_thread_delete": thread_deleted,
        "on_guild_remove": guild_left,
        "on_guild_join": guild_joined,
        "on_guild_available": guild_joined,  # Discord may report a server that the bot is invited to as available
        **dict.fromkeys(_MAY_LIFT_REFUSALS, changed),
    }
    return {"on_message": live.on_message, **{event: _repeated(event, each) for event, each in following.items()}}


def _repeated(event: str, listener: _Listener) -> _Listener:
    """Return a listener that is called again after database errors: Discord reports nothing twice."""

    async def repeated(*given: Any) -> None:
        await persist(event, partial(listener, *given))

    return repeated
