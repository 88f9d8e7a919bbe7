"""Undoing a move: at once if the rules allow, otherwise after asking the players concerned."""

import asyncio
from collections.abc import Mapping
from typing import Final

import discord

from bot.errors import PlayError, Stale
from bot.tables import Kind, Tables
from bot.texts import gettext as _
from bot.texts import sentence_of
from bot.texts.lists import listed
from bot.ui.actions.private_hands import HandReplies
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.router import Handler
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.messages.open_messages import gone
from bot.ui.messages.questions import user_name
from bot.ui.posts.custom_id import Press, parse_number

_POSTED_WITHIN_S: Final = 1.5
"""Maximum time that the answer waits for the question to be posted, to report a failure."""


class UndoActions:
    """The buttons **Undo**, **Agree** and **Refuse**, and the command ``undo``."""

    def __init__(self, tables: Tables, live: LiveMessages, hands: HandReplies) -> None:
        self._tables = tables
        self._live = live
        self._hands = hands

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "undo": lambda interaction, press: self.undo(interaction, press.table, press.version),
            "ask-undo": lambda interaction, press: self.undo(interaction, press.table, press.version),
            "undo-yes": self._agree,
            "undo-no": self._refuse,
        }

    async def undo(self, interaction: discord.Interaction, table_id: int, seen: int | None = None) -> Reply:
        """Undo the user's last move, or ask the players concerned. ``seen`` is the version that the user saw."""
        await self._tables.claim(interaction.id)
        user = interaction.user.id
        self._live.ping_timing.active(table_id, user)
        with await self._live.answering(table_id, interaction, Kind.HAND) as answer:
            try:
                undoing = await self._tables.undos.undo(table_id, user, seen)
            except Stale as stale:
                return await self._hands.answer(interaction, table_id, answer, sentence_of(stale))
            if not undoing.waiting:
                return await self._hands.answer(interaction, table_id, answer, _("You took your move back."))
        answer.cancel()
        await asyncio.wait({self._live.refresh(table_id)}, timeout=_POSTED_WITHIN_S)
        if self._live.drawings.troubles.get(table_id):
            await self._tables.undos.drop_question(table_id, user)
            raise PlayError("I can't post in the table's channel, so I can't ask anyone.")
        names = listed([user_name(undoing.table, waiting) for waiting in undoing.waiting])
        said = sentence(_("Waiting for {names} to agree.", names=names))
        return self._hands.open_messages.reply(interaction, said, undoing.table, "question", gone)

    async def _agree(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        asker = parse_number(press.argument)
        try:
            undoing = await self._tables.undos.agree(press.table, interaction.user.id, asker, press.version)
        except Stale:
            return _settled()
        self._live.refresh(press.table)
        if interaction.user.id == asker:
            return Reply(sentence(_("You asked. The others have to agree.")))
        if undoing.waiting:
            return Reply(sentence(_("You agreed. Not everyone has answered yet.")))
        name = user_name(undoing.table, asker)
        return Reply(sentence(_("You agreed. {name} can move again.", name=name)))

    async def _refuse(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        asker, user = parse_number(press.argument), interaction.user.id
        try:
            await self._tables.undos.refuse(press.table, user, asker, press.version)
        except Stale:
            return _settled()
        self._live.refresh(press.table)
        if user == asker:
            return Reply(sentence(_("You stopped asking. Your move stays.")))
        return Reply(sentence(_("You said no. The move stays.")))


def _settled() -> Reply:
    return Reply(sentence(_("The game has moved on, so there's nothing to agree to.")))
