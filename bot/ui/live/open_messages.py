"""Private messages that are open on players' screens: hands, pages about a table, and refusals.

A newer message replaces the older one, and hands are updated when the table changes, as long as the interaction's
token is valid. This is in memory only: after a restart, older messages stay as they are. Their buttons go on working.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import discord
from discord.ui import LayoutView

from bot.records.live_message import Snapshot
from bot.records.table import Table
from bot.tables.tables import Tables
from bot.texts import language, using
from bot.ui.interactions.language import is_by_ear
from bot.ui.interactions.reply import Draw, Opens, Purpose, Reply, gone
from bot.ui.live.drawings import computers_next
from bot.ui.live.workers import Release, Workers
from bot.ui.posts.discord_errors import is_refusal
from bot.ui.posts.heard import heard
from bot.ui.posts.post import Post
from bot.ui.posts.sender import Attached, Draft, Files, Sender, Sent
from bot.ui.posts.tokens import VALID_S, without_data

log = logging.getLogger(__name__)

MAX_OPEN: Final = 5000
"""Maximum open messages of all tables; above it the oldest is dropped."""
_TIMEOUT_S: Final = 10.0
_NEW_MESSAGES: Final = frozenset(
    {discord.InteractionResponseType.channel_message, discord.InteractionResponseType.deferred_channel_message}
)
"""The responses to an interaction that are new messages."""


@dataclass(slots=True)
class _OpenMessage:
    """A private message. Without ``draw`` it isn't updated.

    ``version`` is the version of the table it shows, 0 if unknown. ``scope_id`` is the table it is about, or the
    channel of a refusal. ``is_original``: whether it is the response to ``interaction``, not one that followed. That
    has an address of its own: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
    """

    scope_id: int
    guild_id: int | None
    owner_id: int
    purpose: Purpose
    message_id: int
    interaction: discord.Interaction
    is_original: bool
    until: float
    draw: Draw | None = None
    version: int = 0
    language: str = ""
    is_by_ear: bool = False
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

    def answered(self, interaction: discord.Interaction, reply: Reply, sent: Sent) -> None:
        """Keep the private message of an answer up to date, and delete those that it replaces.

        The next answer in a channel deletes the last refusal there.
        """
        scope_id, owner_id = interaction.channel_id or 0, interaction.user.id
        for opened in [*self._of(scope_id, owner_id, "refusal")]:
            if opened.message_id == sent.message_id:
                self._drop(sent.message_id)  # it shows something else now
            elif opened.message_id < interaction.id:
                self._retire(opened)
        if reply.is_refusal:
            self._add(interaction, sent.message_id, "refusal", scope_id, interaction.guild_id)
        if isinstance(reply.shows, Opens):
            self._follow(interaction, reply.shows, sent)
        elif (replaced := self._open.get(sent.message_id)) is not None and replaced.owner_id == owner_id:
            replaced.draw = None  # it shows something else now

    def _follow(self, interaction: discord.Interaction, opens: Opens, sent: Sent) -> None:
        """Keep a private message that shows the table at its version up to date."""
        table = opens.table
        if (old := self._open.get(sent.message_id)) is not None and old.owner_id != interaction.user.id:
            return  # only a forged press reaches another user's private message
        opened = self._add(interaction, sent.message_id, opens.purpose, table.id, table.place.guild_id)
        opened.draw, opened.version = opens.draw, table.version
        opened.language, opened.picture, opened.is_by_ear = language(), sent.picture, is_by_ear(interaction)
        if not self._tables.is_latest(table):  # it may have changed in the meantime
            self._workers.request(sent.message_id)

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
        is_pressed = interaction.message is not None and interaction.message.id == message_id
        is_original = is_pressed or interaction.response.type in _NEW_MESSAGES
        kept = without_data(interaction)
        opened = _OpenMessage(scope_id, guild_id, owner_id, purpose, message_id, kept, is_original, until)
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

    def hold(self, user_id: int, message_id: int) -> Release:
        """Keep a message from being edited that its user has pressed, as the answer may replace it."""
        opened = self._open.get(message_id)
        if opened is not None and opened.owner_id != user_id:
            return lambda: None
        return self._workers.hold(message_id)

    def redraw(self, table_id: int, *, again: bool = False, of: int | None = None) -> None:
        """Update the open hands of a table soon; with ``again``, even if the table is at the version that they show.

        With ``of``, only those of this user.
        """
        for message_id, opened in self._by_scope.get(table_id, {}).items():
            if of not in {None, opened.owner_id}:
                continue
            if again and opened.draw is not gone:
                opened.version = 0
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
        is_waiting = opened.version == table.version or await computers_next(self._tables, table)
        if is_waiting or opened.draw is None:  # it may show something else by now
            return
        with using(opened.language):
            post = await self._drawn(opened, opened.draw, snapshot)
        if self._workers.was_held(message_id):
            return  # an answer takes its place
        if post is None:
            await self._delete(opened)
        else:
            await self._edit(opened, post, table)

    @staticmethod
    async def _drawn(opened: _OpenMessage, draw: Draw, snapshot: Snapshot) -> Post | None:
        """Return the message as its user gets it."""
        post = await draw(snapshot)
        return heard(post) if post is not None and opened.is_by_ear else post

    async def _delete(self, opened: _OpenMessage) -> None:
        responded = opened.interaction
        is_there = await reaches(
            responded.delete_original_response()
            if opened.is_original
            else responded.followup.delete_message(opened.message_id)
        )
        if not is_there:
            log.info("a replaced private message is gone already")
        if self._open.get(opened.message_id) is opened:
            self._drop(opened.message_id)

    async def _edit(self, opened: _OpenMessage, post: Post, table: Table) -> None:
        async def transport(view: LayoutView, files: Files) -> discord.Message:
            if opened.is_original:
                return await opened.interaction.edit_original_response(view=view, attachments=files)
            return await opened.interaction.followup.edit_message(opened.message_id, view=view, attachments=files)

        async def send() -> None:
            draft, places = Draft(post, table.key, table.version), (opened.message_id, opened.owner_id)
            sent = await self._sender.send(draft, transport, places, edits=opened.message_id, kept=opened.picture)
            opened.picture, opened.version = sent.picture, table.version

        if not await reaches(send()) and self._open.get(opened.message_id) is opened:
            log.info("an open hand of table %s is gone", table.id)  # usually the user dismissed it
            self._drop(opened.message_id)


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
