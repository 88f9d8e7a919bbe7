"""Replies that show a player's hand."""

from collections.abc import Awaitable, Callable
from typing import Final

import discord
from msgspec.structs import replace

from bot.tables import Kind, LiveMessage, Stage, Table, Tables, slot_of
from bot.ui.interactions.respond import Reply, Where, is_on_page
from bot.ui.messages.hand import account, note
from bot.ui.messages.links import board_link
from bot.ui.messages.live import Answer, LiveMessages
from bot.ui.messages.open_messages import gone
from bot.ui.posts.post import Faces, Post

COMPUTERS_WITHIN_S: Final = 1.0
"""Maximum wait of a reply for computers to move; it is edited later if they take longer."""

Settle = Callable[[int, float], Awaitable[None]]
"""Waits until no computer is to move at a table, with a timeout in seconds: `bot.turns.Turns.settle`."""


class HandReplies:
    """Replies with hands to players who ask for them, or who press something in one."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, settle: Settle) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self._drawings = live.drawings
        self._settle = settle
        self.open = live.open_messages

    async def post(self, table: Table, user_id: int) -> Post:
        """Return the hand for a player who asked for it. A game without hands has a note, as its board is in sight."""
        recorded = await self._tables.messages.of(table.id)
        if not await self._has_note(table, user_id):
            return (await self._drawings.hand(table, user_id, recorded, asked=True))[0]
        sight = await self._tables.sight(table, user_id)
        return note(self._faces[table.game], sight, board_link(table, recorded))

    async def _has_note(self, table: Table, user_id: int) -> bool:
        """Whether private answers about the table are notes: players who want no board of buttons get it in words."""
        is_on = table.status in {"playing", "over"} and self._tables.has_rulebook(table)
        has_seat = table.sitter(user_id) is not None
        if not (is_on and has_seat) or self._faces[table.game].game.has_hands:
            return False
        return not await self._tables.users.prefers_menus(user_id)

    async def settled(self, table: Table) -> Table:
        """Return the table once its computers have moved, if they do so soon."""
        if not any(sitter.is_computer for sitter in table.sitters):
            return table
        await self._settle(table.id, COMPUTERS_WITHIN_S)
        return await self._tables.table(table.id)

    async def reply(self, interaction: discord.Interaction, table: Table) -> Reply:
        """Return the hand as a new private message, which is kept up to date."""
        table, user_id = await self.settled(table), interaction.user.id
        if await self._has_note(table, user_id):
            return self.beside_board(interaction, table, await self.post(table, user_id))
        return await self.open.reply(interaction, table, self._drawn_for(user_id))

    def _drawn_for(self, user_id: int) -> Callable[[Table], Awaitable[Post]]:
        return lambda table: self.post(table, user_id)

    async def answer(
        self,
        interaction: discord.Interaction,
        table: Table,
        notice: str = "",
        *,
        asked: bool = False,
        held: Answer | None = None,
    ) -> Reply:
        """Return the current hand in place of the pressed message, with a notice below it.

        The hand of a finished deal becomes the account of that deal; the next deal has its own message. ``held`` is the
        result of `LiveMessages.answering` if it was called before.
        """
        held = held or await self._live.answering(table.id, interaction, Kind.HAND)
        try:
            return await self._answer(interaction, await self.settled(table), held, notice, asked=asked)
        except BaseException:
            held.cancel()
            raise

    async def _answer(
        self, interaction: discord.Interaction, table: Table, held: Answer, notice: str, *, asked: bool
    ) -> Reply:
        user_id, pressed = interaction.user.id, pressed_dm(interaction)
        recorded = await self._tables.messages.of(table.id)
        if any(each.kind is Kind.BOARD and each.message_id == pressed for each in recorded):
            return await self.reply(interaction, table)  # the board of a table in direct messages
        if not pressed and await self._has_note(table, user_id):
            return await self._note(interaction, table, held, notice)
        drawn, deal = await self._drawings.hand(table, user_id, recorded, asked=asked)
        is_past = _is_past(recorded, user_id, pressed, deal)
        if is_past:
            drawn = account(self._faces[table.game], await self._tables.sight(table, None))
        content = _with_notice(drawn, notice)
        if held.message is not None and not is_past:
            return held.reply(content, table, drawn=drawn)

        async def shown(_channel_id: int, message_id: int) -> None:
            held.cancel()
            if message_id != pressed:
                self.open.follow(interaction, message_id, table, self._drawn_for(user_id))

        return Reply(content, "here", table.id, table.version, shown=shown, lost=held.cancel)

    async def _note(self, interaction: discord.Interaction, table: Table, held: Answer, notice: str) -> Reply:
        content = _with_notice(await self.post(table, interaction.user.id), notice)
        return self.beside_board(interaction, table, content, held)

    def beside_board(
        self, interaction: discord.Interaction, table: Table, content: Post, held: Answer | None = None
    ) -> Reply:
        """Return a private message about the board in sight: it replaces the one before, and goes with the next move.

        If the player pressed a private message, it is replaced in place.
        """

        async def shown(_channel_id: int, message_id: int) -> None:
            if held is not None:
                held.cancel()
            self.open.follow(interaction, message_id, table, gone, "turn")

        where: Where = "here" if is_on_page(interaction) else "private"
        lost = None if held is None else held.cancel
        return Reply(content, where, table.id, table.version, shown=shown, lost=lost)

    async def is_own_board(self, interaction: discord.Interaction, table_id: int) -> bool:
        """Whether the user pressed their own board in direct messages. There, previews take its place."""
        pressed = pressed_dm(interaction)
        recorded = await self._tables.messages.of(table_id) if pressed else ()
        return bool(pressed) and not any(each.kind is Kind.BOARD and each.message_id == pressed for each in recorded)


def pressed_dm(interaction: discord.Interaction) -> int:
    """Return the id of the pressed direct message, 0 if none was pressed."""
    message = interaction.message
    if message is None or interaction.guild_id is not None or message.flags.ephemeral:
        return 0
    return message.id


def _with_notice(content: Post, notice: str) -> Post:
    return replace(content, paragraphs=(*content.paragraphs, f"-# {notice}")) if notice else content


def _is_past(recorded: tuple[LiveMessage, ...], user_id: int, pressed: int, deal: int | None) -> bool:
    """Whether the pressed message is the hand of a finished deal."""
    slot = slot_of(Kind.HAND, user_id)
    live = next((each for each in recorded if each.slot == slot and each.stage is Stage.LIVE), None)
    if live is None or not pressed:
        return False
    if live.message_id == pressed:
        return deal is not None and live.deal != deal
    return pressed < (live.message_id or 0)
