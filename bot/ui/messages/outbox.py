"""Messages that belong to no table."""

from collections.abc import Collection
from typing import Final

import discord
from discord.ui import LayoutView

from bot.ui.messages.pace import Budget, Priority
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Draft, Files, Sender

_NO_MENTIONS: Final = discord.AllowedMentions.none()
_HISTORY: Final = 100
"""How many of a channel's latest messages are searched for one."""


class Outbox:
    """Sends messages that belong to no table, within the budget. Raises what discord.py raises.

    Discord posts only one message with a nonce within a few minutes. Later, `find` finds it by its ``mark``, as the
    next run needs after a crash.
    """

    def __init__(self, client: discord.Client, budget: Budget, sender: Sender) -> None:
        self._client = client
        self._budget = budget
        self._sender = sender

    async def send(  # noqa: PLR0913 - the last ones have defaults
        self,
        channel_id: int,
        post: Post,
        nonce: str,
        *,
        mark: int = 0,
        is_silent: bool = False,
        pings: Collection[int] = (),
    ) -> int:
        """Post a message, and return its id. It pings these users, if it mentions them, and nobody else."""
        place = self._client.get_partial_messageable(channel_id)
        allowed = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user_id) for user_id in pings]
        )

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            return await place.send(view=view, files=files, nonce=nonce, silent=is_silent, allowed_mentions=allowed)

        async with self._budget.slot(channel_id, "post", Priority.OTHER):
            return (await self._sender.send(Draft(post, mark=mark), transport, (channel_id,))).message_id

    async def send_direct(self, user_id: int, post: Post, nonce: str) -> int:
        """Post a direct message, and return its id."""
        channel = await self._client.create_dm(discord.Object(user_id))
        return await self.send(channel.id, post, nonce)

    async def find(self, channel_id: int, mark: int) -> int | None:
        """Return the id of the message with this mark, ``None`` if it isn't among the latest of the channel."""
        place = self._client.get_partial_messageable(channel_id)
        async with self._budget.slot(channel_id, "other", Priority.OTHER):
            async for message in place.history(limit=_HISTORY):
                if any(getattr(part, "id", None) == mark for part in message.components):
                    return message.id
        return None

    async def edit(self, channel_id: int, message_id: int, post: Post, *, mark: int = 0) -> None:
        """Edit a message."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            return await message.edit(view=view, attachments=files, allowed_mentions=_NO_MENTIONS)

        async with self._budget.slot(channel_id, "edit", Priority.OTHER):
            await self._sender.send(Draft(post, mark=mark), transport, (channel_id,), edits=message_id)
