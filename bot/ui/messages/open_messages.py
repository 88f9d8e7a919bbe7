"""Private messages that are open on players' screens: hands, pages about a table, and refusals.

A newer message replaces the older one, and hands are updated when the table changes, as long as the interaction's
token is valid. This is in memory only: after a restart, older messages stay as they are. Their buttons go on working.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import discord

from bot.tables import Snapshot, Table, Tables
from bot.texts import language, using
from bot.ui.interactions.reply import Reply, Sent, Where
from bot.ui.interactions.send import is_on_page
from bot.ui.messages.drawings import computers_next
from bot.ui.messages.workers import Hold, Workers
from bot.ui.posts.custom_id import Press
from bot.ui.posts.discord_errors import is_refusal
from bot.ui.posts.emojis import EmojiSet
from bot.ui.posts.layout import Shown, layout
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Attached, Files, Sender

log = logging.getLogger(__name__)

VALID_S: Final = 14 * 60.0
"""Time for which an open message is updated or deleted; Discord accepts that for 15 minutes."""
MAX_OPEN: Final = 5000
"""Maximum open messages of all tables; above it the oldest is dropped."""
_TIMEOUT_S: Final = 10.0

Purpose = Literal["hand", "turn", "page", "hint", "question", "refusal"]
"""The hand, only the moves, a page about the table, a hint, an open question to others, or an error.

A user has one of each for a table, and one refusal in a channel.
"""
Draw = Callable[[Snapshot], Awaitable[Post | None]]
"""Draws the message from the current table; ``None`` deletes it."""


async def gone(_snapshot: Snapshot) -> None:
    """Delete a message that is about a single version of its table (a `Draw`)."""


@dataclass(slots=True)
class _OpenMessage:
    """A private message. Without ``draw`` it isn't updated.

    ``version`` is the version of the table it shows, 0 if unknown. ``scope_id`` is the table it is about, or the
    channel of a refusal.
    """

    scope_id: int
    guild_id: int | None
    owner_id: int
    purpose: Purpose
    message_id: int
    webhook: discord.Webhook
    until: float
    draw: Draw | None = None
    version: int = 0
    language: str = ""
    picture: Attached | None = None
    is_retired: bool = False


class OpenMessages:
    """Updates open hands, and deletes messages that newer ones replace. Call `redraw` when a table changes."""

    def __init__(self, tables: Tables, now: Callable[[], float], sender: Sender) -> None:
        self._tables = tables
        self._now = now
        self._sender = sender
        self._workers: Workers[int] = Workers("an open message", self._show)
        self._open: dict[int, _OpenMessage] = {}
        """By message id, the oldest first."""
        self._by_scope: dict[int, dict[int, _OpenMessage]] = {}

    def reply(  # noqa: PLR0913 - what a reply consists of
        self,
        interaction: discord.Interaction,
        post: Post,
        table: Table,
        purpose: Purpose,
        draw: Draw | None = None,
        *,
        where: Where = "private",
    ) -> Reply:
        """Return a private reply about a table, which replaces the user's last one with this purpose.

        With ``draw``, it is updated when the table changes.
        """
        shown = partial(self._follow, interaction, table, purpose, draw)
        return Reply(post, where, table.key, table.version, shown=shown)

    def page(
        self, interaction: discord.Interaction, press: Press, post: Post, table: Table, draw: Draw | None = None
    ) -> Reply:
        """Return a private page about a table, which replaces the user's open one.

        With ``draw``, it is updated when the table changes.

        If a page was turned, it is shown in place of the page before, otherwise as a new message. The router puts pages
        with an origin in place.
        """
        is_turned = bool(press.argument) and not press.origin and is_on_page(interaction)
        return self.reply(interaction, post, table, "page", draw, where="here" if is_turned else "private")

    async def _follow(
        self, interaction: discord.Interaction, table: Table, purpose: Purpose, draw: Draw | None, sent: Sent
    ) -> None:
        """Keep a private message that shows the table at this version up to date, and delete the one it replaces."""
        if (old := self._open.get(sent.message_id)) is not None and old.owner_id != interaction.user.id:
            return  # only a forged press reaches another user's private message
        opened = self._add(interaction, sent.message_id, purpose, table.id, table.place.guild_id)
        opened.draw, opened.version = draw, table.version
        opened.language, opened.picture = language(), sent.picture
        self._workers.request(sent.message_id)  # the table may have changed in the meantime

    async def on_answer(self, interaction: discord.Interaction, message_id: int, is_refusal: bool) -> None:  # noqa: FBT001 - an event
        """Delete the refusal that the user saw in this channel before. A new one stays until their next answer."""
        scope_id, owner_id = interaction.channel_id or 0, interaction.user.id
        for opened in [*self._of(scope_id, owner_id, "refusal")]:
            if opened.message_id == message_id:
                self._drop(message_id)  # it shows something else now
            elif opened.message_id < interaction.id:
                self._retire(opened)
        if is_refusal:
            self._add(interaction, message_id, "refusal", scope_id, interaction.guild_id)

    def _add(
        self,
        interaction: discord.Interaction,
        message_id: int,
        purpose: Purpose,
        scope_id: int,
        guild_id: int | None,
    ) -> _OpenMessage:
        """Add a message, and have the user's older ones with the same purpose deleted."""
        self._drop(message_id)
        owner_id, until = interaction.user.id, self._now() + VALID_S
        opened = _OpenMessage(scope_id, guild_id, owner_id, purpose, message_id, interaction.followup, until)
        for other in self._of(scope_id, owner_id, purpose):
            self._retire(other)
        self._by_scope.setdefault(scope_id, {})[message_id] = self._open[message_id] = opened
        while len(self._open) > MAX_OPEN:
            self._drop(next(iter(self._open)))
        return opened

    def _of(self, scope_id: int, owner_id: int, purpose: Purpose) -> Iterator[_OpenMessage]:
        for opened in self._by_scope.get(scope_id, {}).values():
            if (opened.owner_id, opened.purpose) == (owner_id, purpose):
                yield opened

    def _retire(self, opened: _OpenMessage) -> None:
        opened.is_retired = True
        self._workers.request(opened.message_id)

    def hold(self, interaction: discord.Interaction) -> Hold | None:
        """Keep the pressed message from being edited, as the reply is about to replace it."""
        opened = self._open.get(interaction.message.id) if interaction.message else None
        if opened is None or opened.owner_id != interaction.user.id:
            return None
        return self._workers.hold(opened.message_id)

    def redraw(self, table_id: int) -> None:
        """Update the open hands of a table soon."""
        for message_id in self._by_scope.get(table_id, ()):
            self._workers.request(message_id)

    def translate(self, user_id: int, to: str) -> None:
        """Update the user's open hands soon, as they have chosen another language."""
        for opened in self._open.values():
            if opened.owner_id == user_id and opened.draw is not None and opened.language != to:
                opened.language, opened.version = to, 0
                self._workers.request(opened.message_id)

    def versions(self, concerns: Callable[[int | None], bool]) -> Mapping[int, int]:
        """Return the oldest version that is shown of each table on servers that this concerns."""
        shown: dict[int, int] = {}
        for opened in self._open.values():
            if opened.draw is not None and not opened.is_retired and concerns(opened.guild_id):
                shown[opened.scope_id] = min(opened.version, shown.get(opened.scope_id, opened.version))
        return shown

    async def close(self) -> None:
        """Stop updating."""
        await self._workers.close()

    def _drop(self, message_id: int) -> None:
        if (old := self._open.pop(message_id, None)) is None:
            return
        del self._by_scope[old.scope_id][message_id]
        if not self._by_scope[old.scope_id]:
            del self._by_scope[old.scope_id]

    async def _show(self, message_id: int) -> None:
        opened = self._open.get(message_id)
        if opened is None:
            return
        if not 0 <= opened.until - self._now() <= VALID_S:
            self._drop(message_id)
            return
        if opened.is_retired:
            await self._delete(opened)
            return
        if opened.draw is None:
            return
        snapshot = await self._tables.snapshot(opened.scope_id)
        table = snapshot.table
        if opened.version == table.version or await computers_next(self._tables, table):
            return
        with using(opened.language):
            post = await opened.draw(snapshot)
        if post is None:
            await self._delete(opened)
        else:
            await self._edit(opened, post, table)

    async def _delete(self, opened: _OpenMessage) -> None:
        if not await reaches(opened.webhook.delete_message(opened.message_id)):
            log.info("a replaced private message is gone already")
        if self._open.get(opened.message_id) is opened:
            self._drop(opened.message_id)

    async def _edit(self, opened: _OpenMessage, post: Post, table: Table) -> None:
        async def request(emojis: EmojiSet, picture: Shown | None, files: Files) -> discord.Message:
            view = layout(post, table.key, table.version, emojis=emojis, picture=picture)
            return await opened.webhook.edit_message(opened.message_id, view=view, attachments=files)

        async def send() -> None:
            places = (opened.message_id, opened.owner_id)
            _, opened.picture = await self._sender.send(post, request, places, opened.picture)

        is_there = await reaches(send())
        latest = self._open.get(opened.message_id)
        if latest is not opened:
            if latest is not None:  # this edit may have overwritten the reply to a press
                latest.version = 0
                self._workers.request(latest.message_id)
        elif not is_there:
            log.info("an open hand of table %s is gone", table.id)  # usually the user dismissed it
            self._drop(opened.message_id)
        else:
            opened.version = table.version


async def reaches(request: Awaitable[object]) -> bool:
    """Await a request about a private message. Return whether the message is still there, and takes changes."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            await request
    except discord.HTTPException as refusal:
        if not is_refusal(refusal):
            raise
        return False
    return True
