"""Replies that show a player's hand."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.tables import Kind, LiveMessage, Snapshot, Table, Tables, slot_of
from bot.ui.interactions.reply import Reply, Where
from bot.ui.interactions.send import is_on_page
from bot.ui.messages.hand import deal_summary, note
from bot.ui.messages.links import board_link
from bot.ui.messages.live_messages import Answer, LiveMessages
from bot.ui.messages.open_messages import gone
from bot.ui.messages.plan import in_slot
from bot.ui.posts.face import Faces
from bot.ui.posts.post import Post

COMPUTERS_WITHIN_S: Final = 1.0
"""Maximum wait of a reply for computers to move; it is edited later if they take longer."""

Settle = Callable[[int, float], Awaitable[None]]
"""Waits until no computer is to move at a table, with a timeout in seconds: `bot.thinking.turns.Turns.settle`."""


class HandReplies:
    """Replies with hands to players who ask for them, or who press something in one."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, settle: Settle) -> None:
        self._tables = tables
        self._faces = faces
        self._drawings = live.drawings
        self._settle = settle
        self.open_messages = live.open_messages

    async def post(self, user_id: int, snapshot: Snapshot) -> Post:
        """Return the hand for a player who asked for it. A game without hands has a note, as its board is in sight."""
        if not self._has_note(snapshot, user_id):
            return (await self._drawings.hand(snapshot, user_id, asked=True)).post
        sight = await self._tables.sight(snapshot.table, user_id)
        return note(self._faces[sight.table.game], sight, board_link(sight.table, snapshot.messages))

    def _has_note(self, snapshot: Snapshot, user_id: int) -> bool:
        """Whether private answers about the table are notes: players who want no board of buttons get it in words."""
        table = snapshot.table
        is_on = table.status in {"playing", "over"} and self._tables.has_rulebook(table)
        has_seat = table.sitter(user_id) is not None
        if not (is_on and has_seat) or self._faces[table.game].game.has_hands:
            return False
        return not snapshot.reader(user_id).settings.prefers_menus

    async def settled(self, table_id: int) -> Snapshot:
        """Return the table once its computers have moved, if they do so soon."""
        await self._settle(table_id, COMPUTERS_WITHIN_S)
        return await self._tables.snapshot(table_id)

    async def reply(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Return the hand as a new private message, which is kept up to date."""
        snapshot, user_id = await self.settled(table_id), interaction.user.id
        content = await self.post(user_id, snapshot)
        if self._has_note(snapshot, user_id):
            return self.beside_board(interaction, snapshot.table, content)
        return self.open_messages.reply(interaction, content, snapshot.table, "hand", partial(self.post, user_id))

    async def answer(
        self,
        interaction: discord.Interaction,
        table_id: int,
        answer: Answer,
        notice: str = "",
        *,
        asked: bool = False,
    ) -> Reply:
        """Return the current hand in place of the pressed message, with a notice below it.

        The hand of a finished deal becomes the summary of that deal; the next deal has its own message. ``answer`` is
        the result of `LiveMessages.answering`.
        """
        snapshot = await self.settled(table_id)
        user_id, pressed, table = interaction.user.id, pressed_dm(interaction), snapshot.table
        if pressed is not None and _is_board(pressed, snapshot.messages):
            return await self.reply(interaction, table.id)  # the board of a table in direct messages
        if pressed is None and self._has_note(snapshot, user_id):
            content = _with_notice(await self.post(user_id, snapshot), notice)
            return answer.guard(self.beside_board(interaction, table, content))
        drawn, deal, _ = await self._drawings.hand(snapshot, user_id, asked=asked)
        is_past = _is_past(snapshot.messages, user_id, pressed, deal)
        if is_past:
            drawn = deal_summary(self._faces[table.game], await self._tables.sight(table, None))
        content = _with_notice(drawn, notice)
        if answer.message is not None and not is_past:
            return answer.reply(content, table, drawn=drawn)
        if pressed is not None:
            return answer.guard(Reply(content, "here", table.key, table.version))
        draw = partial(self.post, user_id)
        return answer.guard(self.open_messages.reply(interaction, content, table, "hand", draw, where="here"))

    def beside_board(self, interaction: discord.Interaction, table: Table, content: Post) -> Reply:
        """Return a private message about the board in sight: it replaces the one before, and goes with the next move.

        If the player pressed a private message, it is replaced in place.
        """
        where: Where = "here" if is_on_page(interaction) else "private"
        return self.open_messages.reply(interaction, content, table, "turn", gone, where=where)

    async def is_own_board(self, interaction: discord.Interaction, table_id: int) -> bool:
        """Whether the user pressed their own board in direct messages. There, previews take its place."""
        pressed = pressed_dm(interaction)
        return pressed is not None and not _is_board(pressed, await self._tables.messages.of(table_id))


def pressed_dm(interaction: discord.Interaction) -> int | None:
    """Return the id of the pressed direct message, if one was pressed."""
    message = interaction.message
    if message is None or interaction.guild_id is not None or message.flags.ephemeral:
        return None
    return message.id


def _is_board(message_id: int, recorded: tuple[LiveMessage, ...]) -> bool:
    return any(each.kind is Kind.BOARD and each.message_id == message_id for each in recorded)


def _with_notice(content: Post, notice: str) -> Post:
    return replace(content, paragraphs=(*content.paragraphs, f"-# {notice}")) if notice else content


def _is_past(recorded: tuple[LiveMessage, ...], user_id: int, pressed: int | None, deal: int | None) -> bool:
    """Whether the pressed message is the hand of a finished deal."""
    live = in_slot(recorded, slot_of(Kind.HAND, user_id))
    if live is None or pressed is None:
        return False
    if live.message_id == pressed:
        return deal is not None and live.deal != deal
    return pressed < live.sent_id
