"""Sends a reply in place of the pressed message or as a new message, and retries requests until a deadline."""

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import discord
from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.posts.discord_errors import (
    CONNECTION_ERRORS,
    UNREADABLE,
    Code,
    is_outage,
    is_rate_limited,
    retry_after_header_s,
)
from bot.ui.posts.layout import layout
from bot.ui.posts.pictures import drawn
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Files, Sender, Sent

log = logging.getLogger(__name__)

T = TypeVar("T")

_FIRST_PAUSE_S: Final = 0.1
"""The pause before the second try; each further one is twice as long."""
_WAITING: Final = "waiting"
"""The key of an interaction's ``extras``: whether `show_waiting` has answered it."""


def is_press(interaction: discord.Interaction) -> bool:
    """Whether the user pressed something in a message."""
    return interaction.message is not None


def is_on_page(interaction: discord.Interaction) -> bool:
    """Whether the user pressed an ephemeral message, which pages replace. They don't replace direct messages."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _is_private(interaction: discord.Interaction) -> bool:
    """Whether only the user sees the pressed message: it is an ephemeral one or a direct message."""
    is_direct = is_press(interaction) and isinstance(interaction.channel, discord.DMChannel)
    return is_direct or is_on_page(interaction)


async def defer(interaction: discord.Interaction, *, public: bool) -> None:
    """Acknowledge the interaction. After a command, the reply is seen by the whole channel if ``public``."""
    if is_press(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(thinking=True, ephemeral=not public)


async def show_waiting(interaction: discord.Interaction, text: str, *, beside: bool = False) -> None:
    """Show at once that the reply takes a while; the reply replaces it.

    A press has it on a private page, or with ``beside`` as a message of its own, in which Discord says so.
    """
    if interaction.response.is_done() or (is_press(interaction) and not (beside or is_on_page(interaction))):
        return
    interaction.extras[_WAITING] = "beside" if is_press(interaction) and beside else "here"
    try:
        if is_beside(interaction):
            await interaction.response.defer(thinking=True, ephemeral=True)
        elif is_press(interaction):
            await interaction.response.edit_message(view=layout(sentence(text)), attachments=[])
        else:
            await defer(interaction, public=False)
    except (*CONNECTION_ERRORS, discord.InteractionResponded) as error:
        log.info("interaction %s got no sign that it waits: %s", interaction.id, error)


def is_waiting(interaction: discord.Interaction) -> bool:
    """Whether `show_waiting` has announced the reply."""
    return _WAITING in interaction.extras


def is_beside(interaction: discord.Interaction) -> bool:
    """Whether `show_waiting` has announced the reply to a press in a message of its own."""
    return interaction.extras.get(_WAITING) == "beside"


def is_in_place(interaction: discord.Interaction, reply: Reply) -> bool:
    """Whether the reply takes the place of the pressed message."""
    return is_press(interaction) and (reply.where == "board" or (reply.where == "here" and _is_private(interaction)))


async def replaces_picture(interaction: discord.Interaction, reply: Reply) -> bool:
    """Whether the reply uploads a picture in place of the pressed message.

    Discord may drop a file from the initial response to a press, so that is deferred, and the message edited. The file
    that the message had when it was pressed isn't kept: another answer may have replaced it since.
    """
    if not is_in_place(interaction, reply) or not _sender(interaction).may_upload(_places(interaction, reply)):
        return False
    return await drawn(reply.post) is not None


def _sender(interaction: discord.Interaction) -> Sender:
    client: Any = interaction.client  # the bot's own, which isn't known here
    sender: Sender = client.sender
    return sender


def _places(interaction: discord.Interaction, reply: Reply) -> Sequence[int]:
    """Return the places where a refusal of the reply's picture matters: the pressed message, the user's replies."""
    message = interaction.message
    if message is not None and is_in_place(interaction, reply):
        return (message.id, interaction.channel_id or 0, interaction.user.id)
    return (interaction.user.id,)


async def send(interaction: discord.Interaction, reply: Reply, *, is_deferred: bool = False) -> Sent | None:
    """Send the reply, as the initial response or after a deferral, and return the message that shows it."""
    if reply.form is not None:
        await _send_form(interaction, reply.form, is_deferred=is_deferred)
        return None
    try:
        return await _send_post(interaction, reply, is_deferred=is_deferred)
    except discord.NotFound as error:
        if error.code != Code.UNKNOWN_MESSAGE or reply.where != "here" or not is_on_page(interaction):
            raise
        # another answer has replaced the pressed message in the meantime
        return await _send_post(interaction, replace(reply, where="private"), is_deferred=is_deferred)


async def follow_up(interaction: discord.Interaction, post: Post) -> None:
    """Send another private message after the answer. Its buttons belong to no table."""
    await interaction.followup.send(view=layout(post), ephemeral=True)


async def _send_post(interaction: discord.Interaction, reply: Reply, *, is_deferred: bool) -> Sent | None:
    replaced = interaction.message if is_in_place(interaction, reply) else None
    is_private = reply.where != "channel"

    async def transport(view: discord.ui.LayoutView, pictures: Files) -> discord.Message | int | None:
        files = [*_files(reply.post), *pictures]
        if is_deferred:
            if not is_press(interaction) or replaced is not None or is_beside(interaction):
                return await interaction.edit_original_response(view=view, attachments=files)
            return await interaction.followup.send(view=view, files=files, ephemeral=is_private, wait=True)
        if replaced is not None:
            await interaction.response.edit_message(view=view, attachments=files)
            return replaced.id
        callback = await interaction.response.send_message(view=view, files=files, ephemeral=is_private)
        return callback.resource if isinstance(callback.resource, discord.Message) else callback.message_id

    edits = 0 if replaced is None else replaced.id
    sent = await _sender(interaction).send(reply.draft, transport, _places(interaction, reply), edits=edits)
    return sent if sent.message_id and interaction.channel_id else None


def _files(post: Post) -> list[discord.File]:
    return [discord.File(io.BytesIO(post.file[1].encode()), post.file[0])] if post.file else []


async def _send_form(interaction: discord.Interaction, form: discord.ui.Modal, *, is_deferred: bool) -> None:
    if is_deferred:
        view = layout(sentence(_("That took too long. Press again.")))
        await interaction.followup.send(view=view, ephemeral=True)
        return
    form.stop()
    await interaction.response.send_modal(form)


async def retried(request: Callable[[], Awaitable[T]], until: float, try_s: float) -> T:
    """Await a request, and retry it if the connection or Discord fails.

    ``until`` is the deadline on the event loop's clock, ``try_s`` the timeout of one try. Raises the last error at the
    deadline, and at once an error that retrying can't fix.
    """
    loop = asyncio.get_running_loop()
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            async with asyncio.timeout(try_s):
                return await request()
        except Exception as error:
            wanted_s = _pause_after(error)
            if wanted_s is None or loop.time() > until - max(pause_s, wanted_s):
                raise
            log.info("retrying a request after %r", error)
            await asyncio.sleep(max(pause_s, wanted_s))
            pause_s *= 2


def _pause_after(error: Exception) -> float | None:
    """Return the minimum pause before the next try in seconds, or ``None`` if retrying is useless."""
    if is_rate_limited(error):
        return retry_after_header_s(error) or 0.0
    return 0.0 if is_outage(error) or isinstance(error, UNREADABLE) else None
