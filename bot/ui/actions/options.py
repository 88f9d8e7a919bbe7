"""Choices about a lobby: its options and clock, starting with those who are here, and moving it into a thread."""

from collections.abc import Awaitable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import discord

from bot.errors import NotAllowed, Stale
from bot.games.game import Value
from bot.tables import Kind, Receipt, Snapshot, Table, Tables
from bot.tables.lobbies import MOVES_LOBBY
from bot.tables.seating import need_lobby_host
from bot.texts import gettext as _
from bot.ui.actions.lobby_actions import LobbyActions
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.saved_options import SavedOptions
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.router import Handler, picked, picked_people
from bot.ui.interactions.validation import person_of
from bot.ui.messages.absence_notice import clock_names
from bot.ui.messages.hint_texts import hint_names
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.posts.custom_id import Press
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import table_title

CLOCK: Final = "clock"
HINTS: Final = "hints"
"""The keys of the clock and of hints among the options. No game has options of these names."""
_MANY_MENUS: Final = 7
"""With more menus than that, a phone has no room for a heading."""


class _Shown(NamedTuple):
    """Something that a host chooses for a table: its label, all values in words, and the chosen one."""

    key: str
    label: str
    values: Mapping[Any, str]
    value: Value


def _shown(face: Face[Any], table: Table) -> Iterator[_Shown]:
    """Yield the options that matter, the clock, and whether there are hints."""
    texts = face.option_texts()
    for key, value in table.options.items():
        if face.game.applies(key, table.options):
            yield _Shown(key, texts[key].label, texts[key].in_menu(), value)
    clocks = {key: name if key == "none" else _("Clock: {time}", time=name) for key, name in clock_names().items()}
    yield _Shown(CLOCK, _("Clock"), clocks, table.clock)
    yield _Shown(HINTS, _("Hints"), hint_names(), table.hints)


class OptionActions:
    """The buttons **Options**, **Start with the 3 here** and **Open in a thread**."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, lobby: LobbyActions) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self._lobby = lobby
        self._saved = SavedOptions(tables, faces, live, self._reply)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "options": self._show,
            "option": self._change,
            "invite": self._invite,
            "look": self._look,
            "start-here": self._start_here,
            **self._saved.handlers,
            "thread": self._move_to_thread,
        }

    async def _show(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the options in words; in a lobby, the host gets menus to change them until the start."""
        return self._reply(interaction, press, await self._tables.table(press.table))

    async def _change(self, interaction: discord.Interaction, press: Press) -> Reply:
        key, value = press.menu_argument, picked(interaction)
        await self._tables.claim(interaction.id)
        user_id = interaction.user.id
        if key == HINTS:
            changing = self._tables.hints.allow(press.table, user_id, value)
        elif key == CLOCK:
            changing = self._tables.set_options(press.table, user_id, {}, value)
        else:
            changing = self._tables.set_options(press.table, user_id, {key: value})
        return await self._changed(interaction, press, changing)

    async def _changed(self, interaction: discord.Interaction, press: Press, changing: Awaitable[Receipt]) -> Reply:
        """Make a change. Nothing else edits the pressed page meanwhile."""
        with await self._live.answering(press.table, interaction, Kind.BOARD) as answer:
            return answer.guard(self._reply(interaction, press, (await changing).table))

    def _reply(self, interaction: discord.Interaction, press: Press, table: Table) -> Reply:
        draw = partial(self._redrawn, interaction.user.id) if table.status == "lobby" else None
        return self._live.open_messages.page(interaction, press, self._page(interaction.user.id, table), table, draw)

    async def _redrawn(self, user_id: int, snapshot: Snapshot) -> Post | None:
        """Return the page of a lobby that has changed. The host's menus go with the lobby."""
        table = snapshot.table
        return self._page(user_id, table) if table.status == "lobby" or user_id != table.host_id else None

    def _page(self, user_id: int, table: Table) -> Post:
        face = self._faces[table.game]
        if table.status == "lobby" and user_id == table.host_id:
            return host_page(face, table)
        lines = (f"- {each.values[each.value]}" for each in _shown(face, table))
        return Post((f"### {table_title(table, face.game)}", "\n".join(lines)))

    async def _invite(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        people = picked_people(interaction)
        inviting = self._tables.guests.invite(press.table, interaction.user.id, people)
        return await self._changed(interaction, press, inviting)

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
        need_lobby_host(old, person.id, MOVES_LOBBY)
        if (interaction.guild_id, interaction.channel_id) != (old.place.guild_id, old.place.channel_id):
            channel = f"<#{old.place.channel_id}>"
            raise NotAllowed("Open the thread where the table is: in {channel}.", channel=channel)
        await check_may_open(self._tables, interaction, old.place)
        await self._tables.claim(interaction.id)
        place = await self._lobby.new_thread(interaction, old.game, person, old.place)
        new = (await self._tables.move(old.id, person.id, place)).table
        self._live.refresh(new.id)
        return Reply(sentence(_("**Table {name}** is in <#{channel}> now.", name=new.name, channel=place.channel_id)))


def host_page(face: Face[Any], table: Table) -> Post:
    """Return the page where the host changes the options of a lobby."""
    title = table_title(table, face.game)
    menus = tuple(_menu(each) for each in _shown(face, table))
    remove = (Button("remove", _("Remove a player")),) if len(table.sitters) > 1 else ()
    row = (*remove, Button("saved", _("Saved options")))
    heading = () if len(menus) > _MANY_MENUS else (f"### {title}",)
    return Post(heading, menus, (row,), people=_guest_menu(table))


def _guest_menu(table: Table) -> UserMenu | None:
    """Return the menu for inviting people, which direct messages lack."""
    if table.place.guild_id is None:
        return None
    prompt = _("Invite (nobody else can join)") if table.invited_only else _("Invite (anyone can join)")
    return UserMenu(prompt, "invite", table.invited)


def _menu(shown: _Shown) -> Choices:
    values = (Choice(str(value), words, is_picked=value == shown.value) for value, words in shown.values.items())
    return Choices(shown.label, tuple(values), verb="option", argument=shown.key)
