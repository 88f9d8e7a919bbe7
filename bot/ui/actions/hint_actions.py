"""Hints for players: the strong computer's move for their seat, and why."""

import asyncio
from collections.abc import Mapping
from typing import Final

import discord

from bot.computer.thoughts import Thought
from bot.errors import AmbiguousTable, NoSuchTable, NotAllowed, Stale, Text, WrongPhase
from bot.tables import MAX_CHOICES, OpenSeat, Sight, Table, Tables
from bot.tables.hint_rights import check_allowed
from bot.tables.seating import seated
from bot.texts import gettext as _
from bot.ui.actions.hint_thoughts import Explain, HintThoughts
from bot.ui.actions.permissions import Visitor
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.router import Handler, for_table
from bot.ui.interactions.send import show_waiting
from bot.ui.messages.hint_texts import hint
from bot.ui.messages.open_messages import OpenMessages, gone
from bot.ui.posts.face import Faces, waiting_line

_AT_ONCE_S: Final = 0.3
"""A thought that takes longer is announced."""
_CHECK_S: Final = 1.0
"""Time between looks at the table during a thought."""
_MOVED_ON: Final = Text("The game has moved on. Ask again.")
_ASKED_AGAIN: Final = Text("You've asked for another hint since.")


class HintActions:
    """The command ``/hint``, and the button in **More**."""

    def __init__(self, tables: Tables, faces: Faces, open_messages: OpenMessages, explain: Explain) -> None:
        self._tables = tables
        self._faces = faces
        self._open = open_messages
        self._thoughts = HintThoughts(explain)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {"hint": for_table(self.hint)}

    async def table_meant(self, interaction: discord.Interaction, ref: str | None) -> Table:
        """Return the named table, otherwise the one that waits for the user, otherwise one where they play.

        Among these, tables in this channel come first. Raises `NoSuchTable` or `AmbiguousTable`.
        """
        if ref is not None:
            return await self._tables.finder.find(ref, Visitor(interaction))
        playing: list[OpenSeat] = []
        for channel_id in (interaction.channel_id, None):
            seats = await self._tables.lists.seats(interaction.user.id, None, channel_id, MAX_CHOICES)
            found = [seat for seat in seats if seat.table.status == "playing"]
            playing += found
            waiting = [seat.table for seat in found if seat.is_waiting]
            if len(waiting) > 1:
                raise AmbiguousTable(
                    "Several tables are waiting for you. Which one?", tuple(table.id for table in waiting)
                )
            if waiting:
                return waiting[0]
        if not playing:
            raise NoSuchTable("You're not in a game right now. Open or join one.")
        return playing[0].table

    async def hint(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Return a hint for the user, whose turn it has to be."""
        user_id = interaction.user.id
        table = await self._tables.table(table_id)
        seated(table, user_id)
        if table.status != "playing":
            raise WrongPhase("There's nothing to play at Table {name} now.", name=table.name)
        check_allowed(table, user_id)
        sight = await self._tables.sight(table, user_id)
        waiting = waiting_line(self._faces[table.game], sight)
        if waiting is not None:
            raise NotAllowed("{waiting}", waiting=waiting)
        thought = await self._thought(interaction, sight)
        try:
            await self._tables.hints.note(table_id, user_id, sight.table.version)
        except Stale:
            raise Stale(_MOVED_ON) from None
        post = hint(self._faces[table.game], sight, thought)
        return self._open.reply(interaction, post, sight.table, "hint", gone)

    async def _thought(self, interaction: discord.Interaction, sight: Sight) -> Thought:
        """Return the thought about the seat's move. The seed is made of public values only.

        Raises `Stale` as soon as the table has moved on, or the user has asked for another hint.
        """
        table, observation = sight.table, sight.observation
        seed = f"hint {table.id} {table.version} {observation.seat}"
        known = self._thoughts.known(seed)
        if known is not None:
            return known
        with self._thoughts.asked(interaction.user.id, table.game, observation, seed) as thinking:
            done, _pending = await asyncio.wait({thinking}, timeout=_AT_ONCE_S)
            if not done:
                await show_waiting(interaction, _("Thinking…"))
            while not done:
                done, _pending = await asyncio.wait({thinking}, timeout=_CHECK_S)
                if not done and (await self._tables.table(table.id)).version != table.version:
                    raise Stale(_MOVED_ON)
            if thinking.cancelled():
                raise Stale(_ASKED_AGAIN)
            return thinking.result()
