"""Open hands: private replies that follow the table while their interaction's token is valid.

They are in memory only. After a restart they are no longer updated, but their buttons show the current hand.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

import discord

from bot.tables import Table, Tables
from bot.texts import language, using
from bot.ui.interactions.respond import Reply
from bot.ui.messages.drawings import computers_next
from bot.ui.messages.hand import outdated
from bot.ui.messages.workers import Hold, Workers
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post

log = logging.getLogger(__name__)

VALID_S: Final = 14 * 60.0
"""How long an open hand is updated; Discord accepts edits for 15 minutes."""
MAX_OPEN: Final = 5000
"""Maximum open hands of all tables; above it the oldest is dropped."""
_EDIT_TIMEOUT_S: Final = 10.0
_GONE: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})

Kind = Literal["hand", "turn"]
"""The whole hand, or only the moves. Of each kind, a player's newest message at a table is updated."""
Draw = Callable[[Table], Awaitable[Post]]
"""Draws the message from the current table."""


@dataclass(slots=True)
class _OpenHand:
    """A private message. ``version`` is that of the table it shows, 0 if unknown."""

    table_id: int
    whose: tuple[int, Kind]
    message_id: int
    webhook: discord.Webhook
    draw: Draw
    version: int
    until: float
    language: str
    is_retired: bool = False


class OpenHands:
    """Keeps open hands up to date. Call `redraw` when a table changes."""

    def __init__(self, tables: Tables, now: Callable[[], float]) -> None:
        self._tables = tables
        self._now = now
        self._workers: Workers[int] = Workers("an open hand", self._show)
        self._open: dict[int, _OpenHand] = {}
        """By message id, the oldest first."""
        self._at_table: dict[int, dict[int, _OpenHand]] = {}

    async def reply(self, interaction: discord.Interaction, table: Table, draw: Draw, kind: Kind = "hand") -> Reply:
        """Return a private reply, and update it once it is shown."""

        async def shown(_channel_id: int, message_id: int) -> None:
            self.follow(interaction, message_id, table, draw, kind)

        return Reply(await draw(table), "private", table.id, table.version, shown=shown)

    def follow(
        self, interaction: discord.Interaction, message_id: int, table: Table, draw: Draw, kind: Kind = "hand"
    ) -> None:
        """Keep a private message up to date that shows the table at this version. It replaces older ones."""
        if (old := self._open.get(message_id)) is not None and old.whose[0] != interaction.user.id:
            return  # only a forged press reaches another user's private message
        self._drop(message_id)
        opened = _OpenHand(
            table_id=table.id,
            whose=(interaction.user.id, kind),
            message_id=message_id,
            webhook=interaction.followup,
            draw=draw,
            version=table.version,
            until=self._now() + VALID_S,
            language=language(),
        )
        self._add(opened)
        self._workers.request(message_id)  # the table may have changed in the meantime

    def _add(self, opened: _OpenHand) -> None:
        """Add a hand, and retire the player's older ones of the same kind."""
        others = self._at_table.setdefault(opened.table_id, {})
        for other in others.values():
            if other.whose == opened.whose:
                other.is_retired, other.version = True, 0
                self._workers.request(other.message_id)
        others[opened.message_id] = self._open[opened.message_id] = opened
        while len(self._open) > MAX_OPEN:
            self._drop(next(iter(self._open)))

    def hold(self, interaction: discord.Interaction) -> Hold | None:
        """Keep the pressed message from being edited, as the reply is about to replace it."""
        opened = self._open.get(interaction.message.id) if interaction.message else None
        is_theirs = opened is not None and opened.whose[0] == interaction.user.id
        return self._workers.hold(opened.message_id) if opened is not None and is_theirs else None

    def redraw(self, table_id: int) -> None:
        """Update the open hands of a table soon."""
        for message_id in self._at_table.get(table_id, ()):
            self._workers.request(message_id)

    def redraw_all(self) -> None:
        """Bring all answers up to date, soon."""
        for message_id in self._open:
            self._workers.request(message_id)

    async def close(self) -> None:
        """Stop updating."""
        await self._workers.close()

    def _drop(self, message_id: int) -> None:
        if (old := self._open.pop(message_id, None)) is None:
            return
        del self._at_table[old.table_id][message_id]
        if not self._at_table[old.table_id]:
            del self._at_table[old.table_id]

    async def _show(self, message_id: int) -> None:
        opened = self._open.get(message_id)
        if opened is None:
            return
        if opened.until < self._now():
            self._drop(message_id)
            return
        table = await self._tables.table(opened.table_id)
        if opened.version != table.version and not await computers_next(self._tables, table):
            await self._edit(opened, table)

    async def _edit(self, opened: _OpenHand, table: Table) -> None:
        is_last = opened.is_retired  # it may be retired during the edit
        with using(opened.language):
            post = outdated() if is_last else await opened.draw(table)
        try:
            async with asyncio.timeout(_EDIT_TIMEOUT_S):
                await opened.webhook.edit_message(opened.message_id, view=layout(post, table.id, table.version))
        except discord.HTTPException as refusal:
            if refusal.status not in _GONE:
                raise
            log.info("an open hand of table %s is gone: %s", table.id, refusal)  # usually the user dismissed it
            is_last = True
        latest = self._open.get(opened.message_id)
        if latest is not opened:
            if latest is not None:  # this edit may have overwritten the reply to a press
                latest.version = 0
                self._workers.request(latest.message_id)
        elif is_last:
            self._drop(opened.message_id)
        elif not opened.is_retired:
            opened.version = table.version
