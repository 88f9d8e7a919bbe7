"""What a process that has just started looks up on Discord: what came or went before isn't reported to it."""

import logging
from collections.abc import Sequence
from typing import Final

import discord

from bot.tables import LiveMessage, Table, Tables
from bot.ui.live.failures import channel_of
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.sightings import Sightings
from bot.ui.messages.board import live_board
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from bot.ui.posts.layout import shown_version

log: Final = logging.getLogger(__name__)


class FirstLooks:
    """Looks at channels and boards, and notes in `Sightings` what it sees."""

    def __init__(self, client: discord.Client, tables: Tables, sightings: Sightings, budget: Budget) -> None:
        self._client = client
        self._tables = tables
        self._messages = tables.messages
        self._sightings = sightings
        self._budget = budget

    async def notice_chat(self, table: Table) -> None:
        """Find out who wrote last in a table's channel, if nobody has since the start."""
        channel_id = table.place.channel_id
        last_id = getattr(channel_of(self._client, table), "last_message_id", None)
        if last_id is None or self._sightings.last_foreign_id(channel_id) is not None:
            return
        is_ours = bool(await self._messages.tables_of([last_id]))
        if self._sightings.last_foreign_id(channel_id) is None:  # nobody wrote meanwhile
            self._sightings.note_message(channel_id, 0 if is_ours else last_id)

    async def finds_change(self, table: Table, recorded: Sequence[LiveMessage], *, only_once: bool = False) -> bool:
        """Look at the board of an open table. Return whether its messages have to be brought up to date.

        If it was deleted, that is noted. If it shows moves that the database lacks, the database is an older copy, and
        the table's messages are marked. With ``only_once``, a board that this process knows isn't looked at again.
        """
        board = live_board(recorded)
        if board is None or board.is_restored or not table.is_open:
            return False
        if only_once and table.id in self._sightings.tables_seen:
            return False
        shown: discord.Message | None
        place = self._client.get_partial_messageable(board.channel_id)
        priority = Priority.BOARD if only_once else Priority.OTHER
        try:
            async with self._budget.slot(board.channel_id, "other", priority):
                shown = await place.get_partial_message(board.sent_id).fetch()
        except discord.NotFound:
            shown = None
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            log.info("table %s: its board can't be looked at: %s", table.id, error)
            return False
        is_changed = await self._note_change(board, shown)
        self._sightings.tables_seen.add(table.id)
        return is_changed

    async def _note_change(self, board: LiveMessage, shown: discord.Message | None) -> bool:
        """Note that a board is gone, or shows lost moves. Return whether it is or does."""
        live = live_board(await self._messages.of(board.table_id))
        if live is None or live.is_restored or live.sent_id != board.sent_id:  # it has just been replaced here
            return False
        if shown is None:
            self._sightings.note_gone([board.sent_id])
            self._sightings.tables_without_board.add(board.table_id)
            return True
        table = await self._tables.table(board.table_id)  # somebody may have moved since
        version = shown_version(shown, table.key)
        if version is not None and version <= table.version:
            return False
        log.warning("table %s: its board shows moves that the database lacks", table.id)
        await self._messages.mark_restored(table.id)
        return True
