"""Messages that belong to no table, such as those of dailies, challenges and game nights."""

from collections.abc import Collection
from typing import Final

import discord
from discord.ui import LayoutView

from bot.ui.live.pace import Budget, Priority
from bot.ui.live.writer import NO_MENTIONS
from bot.ui.posts.discord_errors import POST_AGAIN
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Draft, Files, Sender

_LATEST: Final = 100
"""Maximum number of messages searched for one that belongs to no table."""


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

    async def show(  # noqa: PLR0913 - as for `send`
        self,
        channel_id: int,
        message_id: int | None,
        post: Post,
        *,
        mark: int,
        is_silent: bool = False,
        pings: Collection[int] = (),
        again: Collection[int] = POST_AGAIN,
    ) -> int:
        """Edit a message, or post it if it isn't there yet or if the edit is refused with ``again``; return its id.

        Without an id, the bot looks for it first, as a crash may have followed the post.
        """
        if message_id is None:
            message_id = await self.find(channel_id, mark)
        if message_id is not None:
            try:
                await self.edit(channel_id, message_id, post, mark=mark)
            except discord.HTTPException as error:
                if error.code not in again:
                    raise
            else:
                return message_id
        nonce = str(message_id or mark)  # Discord answers one that it knows with the message as it was then
        return await self.send(channel_id, post, nonce, mark=mark, is_silent=is_silent, pings=pings)

    async def find(self, channel_id: int, mark: int) -> int | None:
        """Return the id of the message with this mark, ``None`` if it isn't among the latest of the channel."""
        place = self._client.get_partial_messageable(channel_id)
        async with self._budget.slot(channel_id, "other", Priority.OTHER):
            async for message in place.history(limit=_LATEST):
                if any(getattr(part, "id", None) == mark for part in message.components):
                    return message.id
        return None

    async def edit(self, channel_id: int, message_id: int, post: Post, *, mark: int = 0) -> None:
        """Edit a message."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            return await message.edit(view=view, attachments=files, allowed_mentions=NO_MENTIONS)

        async with self._budget.slot(channel_id, "edit", Priority.OTHER):
            await self._sender.send(Draft(post, mark=mark), transport, (channel_id,), edits=message_id)
