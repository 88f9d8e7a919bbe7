"""What Discord tells of servers while nobody plays, and what boards have to do about it."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import discord

from bot.ui.messages.live import LiveMessages

_MAY_HAVE_MENDED: Final = (
    "on_guild_join",
    "on_guild_available",
    "on_guild_role_update",
    "on_guild_channel_update",
    "on_thread_join",  # a thread that was archived is told of as a new one
    "on_thread_update",
    "on_member_update",
)
"""After any of these a board that could not be posted may be welcome again."""


class DiscordEvents:
    """Listeners for what happens to messages, channels and servers."""

    def __init__(self, live: LiveMessages) -> None:
        self._live = live

    @property
    def listeners(self) -> Mapping[str, Callable[..., Coroutine[Any, Any, None]]]:
        """The listener of each of the client's events."""
        return {
            "on_message": self._live.on_message,
            "on_raw_message_delete": self._message_deleted,
            "on_raw_bulk_message_delete": self._messages_deleted,
            "on_guild_channel_delete": self._channel_deleted,
            "on_raw_thread_delete": self._thread_deleted,
            "on_guild_remove": self._guild_left,
            **dict.fromkeys(_MAY_HAVE_MENDED, self._changed),
        }

    async def _message_deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        await self._live.deleted([event.message_id])

    async def _messages_deleted(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        await self._live.deleted(event.message_ids)

    async def _channel_deleted(self, channel: discord.abc.GuildChannel) -> None:
        await self._live.channel_deleted(channel.id)

    async def _thread_deleted(self, event: discord.RawThreadDeleteEvent) -> None:
        await self._live.channel_deleted(event.thread_id)

    async def _guild_left(self, guild: discord.Guild) -> None:
        for place in (*guild.channels, *guild.threads):
            await self._live.access_lost(place.id)

    async def _changed(self, *states: Any) -> None:
        """The last argument is the present state: a server, or something on it."""
        now = states[-1]
        self._live.try_again((now if isinstance(now, discord.Guild) else now.guild).id)
