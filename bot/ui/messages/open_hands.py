"""Private answers that show a hand. They follow the table through their interaction's token while that is valid.

They are in memory only: after a restart, a hand opened before it stays as it was and its buttons show the present one.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

import discord

from bot.tables import Table, Tables
from bot.ui.interactions.respond import Reply
from bot.ui.messages.drawings import computers_next
from bot.ui.messages.workers import Workers
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post

log = logging.getLogger(__name__)

VALID_S: Final = 14 * 60.0
"""How long an answer is followed; Discord takes edits for 15 minutes."""
MOST: Final = 5000
"""Answers followed at a time, over all tables; the oldest is let go first."""
HELD_S: Final = 5.0
"""An answer that has not come after this time is lost."""
_EDIT_S: Final = 10.0
_GONE: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})
_RETIRED: Final = Post(("-# A newer message below shows this now.",))

Kind = Literal["hand", "turn"]
"""All that a player holds, or what they can play. Of each the newest of a player at a table is followed."""
Draw = Callable[[Table], Awaitable[Post]]
"""Draws the answer from the table as it is now."""


@dataclass(slots=True)
class _OpenHand:
    """An answer. ``version`` is the one of the table that it shows, 0 if that isn't certain."""

    table_id: int
    whose: tuple[int, Kind]
    message_id: int
    webhook: discord.Webhook
    draw: Draw
    version: int
    until: float
    is_retired: bool = False
    hold: asyncio.TimerHandle | None = None
    """Ends the time in which the message is left alone."""


class OpenHands:
    """The private answers to be kept up to date. Call `redraw` with the number of each table that changes."""

    def __init__(self, tables: Tables, now: Callable[[], float]) -> None:
        self._tables = tables
        self._now = now
        self._workers: Workers[int] = Workers("the open hands", self._draw)
        self._open: dict[int, _OpenHand] = {}
        """By message, the oldest first."""
        self._at_table: dict[int, dict[int, _OpenHand]] = {}
        self._is_closed = False

    async def reply(self, interaction: discord.Interaction, table: Table, draw: Draw, kind: Kind = "hand") -> Reply:
        """Draw an answer and follow it once it is shown."""

        async def shown(_channel_id: int, message_id: int) -> None:
            self.follow(interaction, message_id, table, draw, kind)

        return Reply(await draw(table), "private", table.id, table.version, shown=shown)

    def follow(
        self, interaction: discord.Interaction, message_id: int, table: Table, draw: Draw, kind: Kind = "hand"
    ) -> None:
        """Keep a private message up to date that shows the table at this version. An older one points to it."""
        if (old := self._open.get(message_id)) is not None and old.whose[0] != interaction.user.id:
            return  # only a forged press reaches somebody else's private message
        self._let_go(message_id)
        opened = _OpenHand(
            table_id=table.id,
            whose=(interaction.user.id, kind),
            message_id=message_id,
            webhook=interaction.followup,
            draw=draw,
            version=table.version,
            until=self._now() + VALID_S,
        )
        self._open[message_id] = opened
        others = self._at_table.setdefault(table.id, {})
        for other in others.values():
            if other.whose == opened.whose:
                other.is_retired, other.version = True, 0
        others[message_id] = opened
        while len(self._open) > MOST:
            self._let_go(next(iter(self._open)))
        self.redraw(table.id)  # it may have changed while the answer was on its way

    def hold(self, interaction: discord.Interaction) -> None:
        """Leave the pressed message alone, as the answer is about to change it. `follow` or `release` ends that."""
        if (opened := self._pressed(interaction)) is not None and opened.hold is None:
            opened.hold = asyncio.get_running_loop().call_later(HELD_S, self.release, interaction)

    def release(self, interaction: discord.Interaction) -> None:
        """Keep the pressed message up to date again."""
        if (opened := self._pressed(interaction)) is not None and opened.hold is not None:
            opened.hold.cancel()
            opened.hold = None
            self.redraw(opened.table_id)

    def _pressed(self, interaction: discord.Interaction) -> _OpenHand | None:
        opened = self._open.get(interaction.message.id) if interaction.message else None
        return opened if opened is not None and opened.whose[0] == interaction.user.id else None

    def redraw(self, table_id: int) -> None:
        """Bring the answers that show the table up to date, soon."""
        if table_id in self._at_table and not self._is_closed:
            self._workers.request(table_id)

    async def close(self) -> None:
        """Stop following."""
        self._is_closed = True
        await self._workers.close()

    def _let_go(self, message_id: int) -> None:
        if (old := self._open.pop(message_id, None)) is None:
            return
        if old.hold is not None:
            old.hold.cancel()
        del self._at_table[old.table_id][message_id]
        if not self._at_table[old.table_id]:
            del self._at_table[old.table_id]

    async def _draw(self, table_id: int) -> None:
        table = await self._tables.table(table_id)
        if await computers_next(self._tables, table):
            return
        behind = []
        for opened in tuple(self._at_table.get(table_id, {}).values()):
            if opened.until < self._now():
                self._let_go(opened.message_id)
            elif opened.version != table.version and opened.hold is None:
                behind.append(self._edit(opened, table))
        done = await asyncio.gather(*behind, return_exceptions=True)
        if faults := [fault for fault in done if isinstance(fault, Exception)]:
            raise ExceptionGroup("some open hands could not be shown", faults)

    async def _edit(self, opened: _OpenHand, table: Table) -> None:
        is_last = opened.is_retired  # it may be retired while this edit is on its way
        post = _RETIRED if is_last else await opened.draw(table)
        try:
            async with asyncio.timeout(_EDIT_S):
                await opened.webhook.edit_message(opened.message_id, view=layout(post, table.id, table.version))
        except discord.HTTPException as refusal:
            if refusal.status not in _GONE:
                raise
            log.info("an open hand of table %s is gone: %s", table.id, refusal)  # most often its reader dismissed it
            is_last = True
        latest = self._open.get(opened.message_id)
        if latest is not opened:
            if latest is not None:  # the answer to a press on it may be hidden by this edit now
                latest.version = 0
                self.redraw(table.id)
        elif is_last:
            self._let_go(opened.message_id)
        elif not opened.is_retired:
            opened.version = table.version
