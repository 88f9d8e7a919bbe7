"""Facts about messages that this process has noticed. They aren't stored: the next process asks Discord.

What came or went before a process has started isn't reported to it, so it looks that up.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final

import discord

from bot.records.live_message import LiveMessage
from bot.records.table import Table
from bot.tables.tables import Tables
from bot.ui.live.failures import channel_of
from bot.ui.live.pace import Budget, Priority
from bot.ui.messages.board import live_board
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE, Code, is_refusal
from bot.ui.posts.layout import shown_version
from bot.ui.posts.recent import Recent

log: Final = logging.getLogger(__name__)

_MESSAGES_KEPT: Final = 1024
LATE_S: Final = 60.0
"""How long after a failed request Discord may still carry the edit out, even after newer ones."""
LOOKS: Final = (1 / 12, 1 / 4, 1 / 2, 1)
"""Parts of this time after which the message is edited again, in case that has happened."""


class Look(Enum):
    """What a look at a board has found. A look that failed is to be repeated."""

    SAME = "same"
    CHANGED = "changed"
    FAILED = "failed"


class Sightings:
    """Messages that are gone, edits that may come late, and what others wrote."""

    def __init__(self, client: discord.Client, tables: Tables, budget: Budget, now: Callable[[], float]) -> None:
        self._client = client
        self._tables = tables
        self._budget = budget
        self._now = now
        self.tables_without_board = Recent[int, None]()
        """The tables whose board isn't posted yet, or is gone: hands lack the link to it."""
        self.tables_seen = Recent[int, None]()
        """The tables whose board this process has posted, or looked at."""
        self.strangers = Recent[tuple[int, int | None], None]()
        """Users who share no server with the bot, as Discord says, each with the server of the table, if known."""
        self._gone: deque[int] = deque(maxlen=_MESSAGES_KEPT)
        self._uneditable: deque[int] = deque(maxlen=_MESSAGES_KEPT)
        self._deleted_here: deque[int] = deque(maxlen=_MESSAGES_KEPT)
        self._late: dict[int, float] = {}
        """Until when a failed edit of a message may be carried out. Until then, it isn't certain what it shows."""
        self._echoes: dict[int, int] = {}
        """How many more edits of such a message Discord has reported than succeeded since."""
        self._foreign = Recent[int, int]()
        """The newest message in each channel that isn't the bot's. For other channels, discord.py knows it."""

    # ---- messages that can't be edited any more

    @property
    def lost(self) -> frozenset[int]:
        """The messages that were deleted, or can't be edited any more."""
        return frozenset((*self._gone, *self._uneditable))

    @property
    def gone(self) -> frozenset[int]:
        """The messages that were deleted."""
        return frozenset(self._gone)

    def note_gone(self, message_ids: Iterable[int]) -> None:
        """Remember that these messages don't exist any more."""
        self._gone.extend(message_ids)

    def is_gone(self, message_id: int) -> bool:
        """Whether the message is known not to exist any more."""
        return message_id in self._gone

    def note_uneditable(self, message_id: int) -> None:
        """Remember that Discord doesn't let the bot edit this message any more."""
        self._uneditable.append(message_id)

    def note_deletion(self, message_id: int) -> None:
        """Remember that the bot itself is about to delete this message."""
        self._deleted_here.append(message_id)

    def deleted_by_others(self, message_ids: Iterable[int]) -> list[int]:
        """Return the deleted messages that the bot hasn't deleted itself."""
        return [message_id for message_id in message_ids if message_id not in self._deleted_here]

    # ---- edits that may come late

    def note_late_edit(self, message_id: int) -> None:
        """Remember that an edit got no answer: Discord may still carry it out."""
        self._late[message_id] = self._now() + LATE_S
        self._echoes[message_id] = 0

    def note_edit(self, message_id: int, *, is_event: bool = False) -> None:
        """Count an edit that succeeded, or one that Discord reports."""
        if message_id in self._echoes:
            self._echoes[message_id] += 1 if is_event else -1

    def was_overwritten(self, message_id: int) -> bool:
        """Whether Discord has carried out a late edit since the last call."""
        is_overwritten = self._echoes.get(message_id, 0) > 0
        if is_overwritten:
            self._echoes[message_id] = 0
        return is_overwritten

    def is_certain(self, message_id: int) -> bool:
        """Whether no late edit can change any more what the message shows."""
        return not self._now() < self._late.get(message_id, 0.0) <= self._now() + LATE_S

    def look_at(self, message_ids: Iterable[int]) -> float | None:
        """Return when one of these messages has to be edited again; ``None`` if no late edit is to be expected."""
        now = self._now()
        self._late = {message_id: at for message_id, at in self._late.items() if now < at <= now + LATE_S}
        self._echoes = {message_id: count for message_id, count in self._echoes.items() if message_id in self._late}
        ends = [self._late[message_id] for message_id in message_ids if message_id in self._late]
        looks = (end - LATE_S * (1 - part) for end in ends for part in LOOKS)
        return min((at for at in looks if at > now), default=None)

    # ---- what others write

    def note_message(self, channel_id: int, message_id: int) -> None:
        """Remember the newest message of somebody else in the channel; 0 if there is none."""
        self._foreign[channel_id] = message_id

    def last_foreign_id(self, channel_id: int) -> int | None:
        """Return the newest message of somebody else in the channel, 0 if there is none, ``None`` if unknown."""
        return self._foreign.get(channel_id)

    # ---- what came or went before the start

    async def notice_chat(self, table: Table) -> None:
        """Find out who wrote last in a table's channel, if nobody has since the start."""
        channel_id = table.place.channel_id
        last_id = getattr(channel_of(self._client, table.place), "last_message_id", None)
        if last_id is None or self.last_foreign_id(channel_id) is not None:
            return
        is_ours = bool(await self._tables.messages.among([last_id]))
        if self.last_foreign_id(channel_id) is None:  # nobody wrote meanwhile
            self.note_message(channel_id, 0 if is_ours else last_id)

    async def look(self, table: Table, recorded: Sequence[LiveMessage], priority: Priority) -> Look:
        """Look at the board of an open table. If it has changed, its messages have to be brought up to date.

        If it was deleted, that is noted. If it shows moves that the database lacks, the database is an older copy, and
        the table's messages are marked.
        """
        board = live_board(recorded)
        if board is None or board.is_restored or not table.is_open:
            return Look.SAME
        shown: discord.Message | None
        place = self._client.get_partial_messageable(board.channel_id)
        try:
            async with self._budget.slot(board.channel_id, "other", priority):
                shown = await place.get_partial_message(board.sent_id).fetch()
        except discord.NotFound:
            shown = None
        except (*CONNECTION_ERRORS, *UNREADABLE) as error:
            log.info("table %s: its board can't be looked at: %s", table.id, error)
            if not is_refusal(error) or (isinstance(error, discord.HTTPException) and error.code == Code.NONE):
                return Look.FAILED  # a refusal without a code is a proxy's
            self.tables_seen[table.id] = None  # the next look would be refused, too, before each edit
            return Look.SAME
        is_changed = await self._note_change(board, shown)
        self.tables_seen[table.id] = None
        return Look.CHANGED if is_changed else Look.SAME

    async def _note_change(self, board: LiveMessage, shown: discord.Message | None) -> bool:
        """Note that a board is gone, or shows lost moves. Return whether it is or does."""
        live = live_board(await self._tables.messages.of(board.subject_id))
        if live is None or live.is_restored or live.sent_id != board.sent_id:  # it has just been replaced here
            return False
        if shown is None:
            self.note_gone([board.sent_id])
            self.tables_without_board[board.subject_id] = None
            return True
        table = await self._tables.table(board.subject_id)  # somebody may have moved since
        version = shown_version(shown, table.key)
        if version is not None and version <= table.version:
            return False
        log.warning("table %s: its board shows moves that the database lacks", table.id)
        await self._tables.messages.mark_restored(table.id)
        return True
