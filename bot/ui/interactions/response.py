"""The response to one interaction: what it shows, or a deferral that it follows, within Discord's three seconds."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord

from bot.ui.interactions.reply import (
    Reply,
    defer,
    is_beside,
    is_in_place,
    is_press,
    is_waiting,
    keep_token,
    must_be_acknowledged,
    retried,
    send,
)
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE, Code, is_outage, is_refusal
from bot.ui.posts.layout import keys_in, keys_shown
from bot.ui.posts.sender import Files, Sent, attached_to
from bot.ui.posts.tokens import Answered

T = TypeVar("T")

RESPOND_WITHIN_S: Final = 3.0
"""How long Discord accepts the initial response."""
TRY_TIMEOUT_S: Final = 1.2
"""Timeout of one try to send the initial response. discord.py itself would retry too late."""
FOLLOW_UP_TIMEOUT_S: Final = 20.0
"""Timeout for sending the reply to a deferred interaction."""
NO_MENTIONS: Final = discord.AllowedMentions.none()
"""For edits. Discord parses mentions by its own defaults in an edit that doesn't say which are allowed."""


class Response:
    """The response to an interaction: the reply itself, or a deferral that the reply follows."""

    def __init__(self, interaction: discord.Interaction, *, public: bool) -> None:
        self._interaction = interaction
        self._is_public = public
        self._created_at = asyncio.get_running_loop().time()
        self._deferral: asyncio.Task[None] | None = None
        self._answering = asyncio.Lock()
        """Held while a live message is the initial response."""
        self._is_replying = False
        """Whether the reply is being sent, or was: then ``@original`` may be another message than the live one."""
        self.has_shown = False
        """Whether a live message has been shown with it."""

    @property
    def is_press(self) -> bool:
        """Whether it answers a press."""
        return is_press(self._interaction)

    @property
    def pressed_id(self) -> int:
        """The id of the pressed message; 0 for a command."""
        return self._interaction.message.id if self._interaction.message else 0

    @property
    def is_deferred(self) -> bool:
        """Whether something has been sent, or is about to be."""
        return self._deferral is not None or self.has_shown or self._interaction.response.is_done()

    @property
    def is_announced(self) -> bool:
        """Whether the user sees that a reply is to follow. A deferred press shows nothing."""
        return is_waiting(self._interaction) or (self.is_deferred and not is_press(self._interaction))

    def defer(self) -> None:
        """Start deferring, unless the interaction is answered already, or about to be."""
        if not (self.is_deferred or self._answering.locked()):
            self._deferral = asyncio.ensure_future(self._initial(self._defer))

    async def acknowledge(self) -> None:
        """Defer, and wait until Discord has taken that."""
        self.defer()
        if self._deferral is not None:
            await self._has_deferred(self._deferral)

    @property
    def is_open(self) -> bool:
        """Whether no message has been shown with it so far, and no other reply."""
        return not (self.has_shown or self._answering.locked() or self._is_elsewhere)

    @property
    def _is_elsewhere(self) -> bool:
        return self._is_replying or is_beside(self._interaction)

    async def show(self, view: discord.ui.LayoutView, files: Files) -> discord.Message | int | None:
        """Show the pressed message as it is now, or the first message after a command (a `Transport`).

        Discord may drop a new file from an update of the pressed message, so that is acknowledged, and then edited.
        """
        if self._is_elsewhere:
            raise Answered
        is_upload = any(isinstance(file, discord.File) for file in files)
        if self.is_deferred or (self.is_press and is_upload):
            await self.acknowledge()
            edit = self._interaction.edit_original_response
            sent: discord.Message | int | None = await edit(view=view, attachments=files, allowed_mentions=NO_MENTIONS)
        else:
            sent = await self._answer(view, files)
        self.has_shown = True
        return sent

    async def _answer(self, view: discord.ui.LayoutView, files: Files) -> discord.Message | int | None:
        async with self._answering:
            try:
                sent = await self._initial(lambda: self._show(view, files))
            except discord.HTTPException as error:
                if error.code != Code.ALREADY_ACKNOWLEDGED:
                    raise
                return await self._find_shown(view, error)
            keep_token(self._interaction)
            return sent

    async def _find_shown(self, view: discord.ui.LayoutView, error: Exception) -> discord.InteractionMessage | None:
        """Return the answer to a repeated request. Raises `Answered` if it is another bot's with the same token."""
        found = await self._check_answered(error)
        if found is not None and (shown := keys_shown(found)) and not shown & keys_in(view):
            raise Answered
        return found

    async def _show(self, view: discord.ui.LayoutView, files: Files) -> discord.Message | int | None:
        if self._interaction.message is not None:
            await self._interaction.response.edit_message(view=view, attachments=files, allowed_mentions=NO_MENTIONS)
            return self._interaction.message.id
        callback = await self._interaction.response.send_message(view=view, files=files)
        return callback.resource if isinstance(callback.resource, discord.Message) else callback.message_id

    async def _defer(self) -> None:
        with contextlib.suppress(discord.InteractionResponded):  # it was announced in the meantime
            await defer(self._interaction, public=self._is_public)

    async def send(self, reply: Reply) -> Sent | None:
        """Send the reply and return the message that shows it. It follows a live message that answers just now."""
        self._is_replying = True
        async with self._answering:
            pass
        if self.has_shown and not self.is_press:
            return None  # the board of a new table stays
        if not self.is_deferred and await must_be_acknowledged(self._interaction, reply):
            self.defer()
        if not self.is_deferred:
            try:
                sent = await self._initial(lambda: send(self._interaction, reply))
            except discord.HTTPException as error:
                if error.code != Code.ALREADY_ACKNOWLEDGED:
                    raise
                answer = await self._check_answered(error)
                if not is_waiting(self._interaction):  # it shows the reply
                    return Sent(answer.id, attached_to(answer)) if answer else None
            else:
                keep_token(self._interaction)
                return sent
        if self._deferral is not None:
            await self._has_deferred(self._deferral)
        return await self._follow_up(reply)

    async def _has_deferred(self, deferral: asyncio.Task[None]) -> None:
        """Wait for the deferral. If it failed, Discord may have carried it out all the same, and the reply must follow.

        discord.py repeats a deferral by itself, so the refusal of a second one (40060) says nothing about the first.
        """
        try:
            await deferral
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            is_repeated = isinstance(error, discord.HTTPException) and error.code == Code.ALREADY_ACKNOWLEDGED
            if not (is_repeated or is_outage(error) or isinstance(error, UNREADABLE)):
                raise
            await self._check_answered(error)
        else:
            keep_token(self._interaction)

    async def _check_answered(self, error: Exception) -> discord.InteractionMessage | None:
        """Return the answer that Discord has in spite of an error, ``None`` if it doesn't say; else raise the error."""
        try:
            return await self._interaction.original_response()
        except (*CONNECTION_ERRORS, *UNREADABLE) as refusal:
            if is_refusal(refusal):
                raise error from refusal
            return None

    async def _follow_up(self, reply: Reply) -> Sent | None:
        """Send the reply after a deferral, again if that fails, except a new public message: it might be doubled."""
        async with asyncio.timeout(FOLLOW_UP_TIMEOUT_S):
            replaces = is_in_place(self._interaction, reply) or is_beside(self._interaction)
            if is_press(self._interaction) and not replaces and reply.where == "channel":
                return await send(self._interaction, reply, is_deferred=True)
            until = asyncio.get_running_loop().time() + FOLLOW_UP_TIMEOUT_S
            return await retried(
                lambda: send(self._interaction, reply, is_deferred=True), until, FOLLOW_UP_TIMEOUT_S / 3
            )

    async def _initial(self, request: Callable[[], Awaitable[T]]) -> T:
        """Send the initial response, retrying until the deadline, and dispatch ``first_answer``.

        Retrying doesn't respond twice: if only Discord's receipt was lost, Discord refuses the second try (40060).
        """
        result = await retried(request, self._created_at + RESPOND_WITHIN_S, TRY_TIMEOUT_S)
        waited_s = asyncio.get_running_loop().time() - self._created_at
        self._interaction.client.dispatch("first_answer", waited_s)
        return result
