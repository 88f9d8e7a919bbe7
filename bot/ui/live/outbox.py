"""Messages that are sent once: recaps, digests, and why a game night can't begin."""

from collections.abc import Collection
from typing import Final

import discord
from discord.ui import LayoutView

from bot.ui.live.pace import Budget, Priority
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Draft, Files, Sender

_LATEST: Final = 100
"""Maximum number of messages searched for one that was sent."""


class Outbox:
    """Sends messages that aren't kept up to date, within the budget. Raises what discord.py raises.

    Discord posts only one message with a nonce within a few minutes. Later, `is_there` finds it by its ``mark``, as
    the next run needs after a crash.
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
    ) -> None:
        """Post a message. It pings these users, if it mentions them, and nobody else."""
        place = self._client.get_partial_messageable(channel_id)
        allowed = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user_id) for user_id in pings]
        )

        async def transport(view: LayoutView, files: Files) -> discord.Message:
            return await place.send(view=view, files=files, nonce=nonce, silent=is_silent, allowed_mentions=allowed)

        async with self._budget.slot(channel_id, "post", Priority.OTHER):
            await self._sender.send(Draft(post, mark=mark), transport, (channel_id,))

    async def tell(self, channel_id: int, post: Post, mark: int, pings: Collection[int]) -> None:
        """Post a message that pings these users, unless a run that has crashed has posted it."""
        if not await self.is_there(channel_id, mark):
            await self.send(channel_id, post, f"{mark}", mark=mark, pings=pings)

    async def send_direct(self, user_id: int, post: Post, nonce: str) -> None:
        """Post a direct message."""
        channel = await self._client.create_dm(discord.Object(user_id))
        await self.send(channel.id, post, nonce)

    async def is_there(self, channel_id: int, mark: int) -> bool:
        """Whether a message with this mark is among the latest of the channel."""
        place = self._client.get_partial_messageable(channel_id)
        async with self._budget.slot(channel_id, "other", Priority.OTHER):
            async for message in place.history(limit=_LATEST):
                if any(getattr(part, "id", None) == mark for part in message.components):
                    return True
        return False
