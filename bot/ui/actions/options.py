"""Choices about a lobby: its options and clock, starting with those who are here, and moving it into a thread."""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.errors import NotAllowed, Stale
from bot.tables import Person, Table, Tables
from bot.tables.guests import MOST_INVITED
from bot.texts import gettext as _
from bot.ui.actions.lobby import LobbyActions
from bot.ui.actions.saved_options import SavedOptions
from bot.ui.interactions.respond import Reply, sentence
from bot.ui.interactions.router import Handler, picked, picked_people
from bot.ui.interactions.validation import person_of
from bot.ui.messages.absence_notice import clock_names
from bot.ui.messages.live import LiveMessages
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Choice, Choices, Face, Faces, Post, UserMenu
from bot.ui.posts.text import table_title

CLOCK: Final = "clock"
"""The key of the clock among the options. No game has an option of this name."""


class OptionActions:
    """The buttons **Options**, **Start with the 3 here** and **Open in a thread**."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, lobby: LobbyActions) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self._lobby = lobby

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "options": self._show,
            "option": self._change,
            "invite": self._invite,
            "look": self._look,
            "start-here": self._start_here,
            **SavedOptions(self._tables, self._faces, self._live, self._reply).handlers,
            "thread": self._move_to_thread,
        }

    async def _show(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the options in words; in a lobby, the host gets menus to change them."""
        return self._reply(interaction, press, await self._tables.table(press.table))

    async def _change(self, interaction: discord.Interaction, press: Press) -> Reply:
        key, value = press.argument.split(".")[0], picked(interaction)
        await self._tables.claim(interaction.id)
        given, clock = ({}, value) if key == CLOCK else ({key: value}, None)
        receipt = await self._tables.set_options(press.table, interaction.user.id, given, clock)
        return self._reply(interaction, press, receipt.table)

    def _reply(self, interaction: discord.Interaction, press: Press, table: Table) -> Reply:
        return self._live.open_messages.page(interaction, press, self._page(interaction, table), table)

    def _page(self, interaction: discord.Interaction, table: Table) -> Post:
        face = self._faces[table.game]
        if table.status == "lobby" and interaction.user.id == table.host_id:
            return host_page(face, table)
        texts = face.option_texts()
        shown = [key for key in table.options if face.game.applies(key, table.options)]
        lines = [f"**{texts[key].label}** {texts[key].values[table.options[key]]}" for key in shown]
        clock = f"**{_('Clock')}** {clock_names()[table.clock]}"
        return Post((f"### {table_title(table, face.game)}", "\n".join([*lines, clock])))

    async def _invite(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        people = picked_people(interaction)
        receipt = await self._tables.guests.invite(press.table, interaction.user.id, people)
        return self._reply(interaction, press, receipt.table)

    async def _look(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        looking = self._tables.guests.look(press.table, interaction.user.id)
        done = _("Everyone here can see that you're looking for players.")
        return await self._lobby.change(interaction, press.table, looking, lambda _table: done)

    async def _start_here(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        if table.version != press.version:
            raise Stale("The lobby has changed. Look again.")
        if not table.is_full:
            await self._tables.set_options(table.id, interaction.user.id, {"players": len(table.sitters)})
        return await self._lobby.start(interaction, table.id)

    async def _move_to_thread(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Open the same lobby in a thread of its own, with everyone who is here, and close this one."""
        old, person = await self._tables.table(press.table), person_of(interaction)
        if old.status != "lobby" or person.id != old.host_id:
            raise NotAllowed("Only the host can move the table into a thread, before the start.")
        await self._tables.claim(interaction.id)
        place = await self._lobby.new_thread(interaction, old.game, person, old.place)
        levels = [sitter.level for sitter in old.sitters if sitter.is_computer]
        options = self._faces[old.game].game.chosen(old.options)
        opening = self._tables.open(
            old.game, options, person, place, len(levels), clock=old.clock, levels=levels or [old.level]
        )
        new = (await opening).table
        for sitter in old.sitters:
            if sitter.user_id not in {None, person.id}:
                await self._tables.sit(new.id, Person(sitter.user_id or 0, sitter.name))
        await self._tables.guests.invite(new.id, person.id, old.invited, are_called=False)
        await self._tables.close(old.id, person.id)
        self._live.refresh(new.id)
        return Reply(sentence(_("**Table {name}** is in <#{channel}> now.", name=new.name, channel=place.channel_id)))


def host_page(face: Face[Any], table: Table) -> Post:
    """Return the page where the host changes the options of a lobby."""
    text = f"### {table_title(table, face.game)}"
    shown = (key for key in table.options if face.game.applies(key, table.options))
    menus = tuple(_menu(face, table, key) for key in (*shown, CLOCK))
    remove = (Button("remove", _("Remove a player")),) if len(table.sitters) > 1 else ()
    return Post(
        (text,), menus, ((*remove, Button("saved", _("Saved options"), argument="page")),), people=_guest_menu(table)
    )


def _guest_menu(table: Table) -> UserMenu | None:
    """Return the menu of who can join. Nobody else can in direct messages."""
    if table.place.guild_id is None:
        return None
    return UserMenu(_("Invite (anyone can join)"), "invite", table.invited, MOST_INVITED)


def _menu(face: Face[Any], table: Table, key: str) -> Choices:
    if key == CLOCK:
        clocks = tuple(Choice(clock, name, is_picked=clock == table.clock) for clock, name in clock_names().items())
        return Choices(_("Clock"), clocks, verb="option", argument=key)
    text = face.option_texts()[key]
    values = tuple(
        Choice(str(value), words, is_picked=value == table.options[key]) for value, words in text.values.items()
    )
    return Choices(text.label, values, verb="option", argument=key)
