"""Actions before a game starts: open a table or rematch, take and leave seats, cut the deck, start."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.computer import nearest
from bot.errors import NotAllowed, NotSeated, WrongPhase
from bot.games.typed import clean
from bot.tables import Kind, Person, Place, Receipt, Table, Tables
from bot.texts import gettext as _
from bot.texts import supported, using
from bot.ui.actions.leavers import question, unseat, who_left
from bot.ui.actions.opening import channel_place, create_thread, wants_thread
from bot.ui.actions.permissions import Visitor, check_may_open
from bot.ui.actions.saved_options import find_set, label_of_set, visible_sets
from bot.ui.interactions.reply import Reply, sentence, text_form
from bot.ui.interactions.router import Handler, for_table, picked
from bot.ui.interactions.validation import person_of
from bot.ui.messages.levels import ADD, level_names
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.messages.lobby import ALL_SEATS, options_in_words
from bot.ui.posts.custom_id import Press
from bot.ui.posts.face import Faces
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import table_title, title_of

_POSTED_WITHIN_S: Final = 1.5
"""Maximum time that the answer waits for the board of a rematch, so that it can link to it."""


class LobbyActions:
    """The buttons of a lobby, and the commands that do the same."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "join": for_table(self.join),
            "leave": for_table(self.leave),
            "computer": self._add_computer,
            "level": self._level_picked,
            "start": for_table(self.start),
            "start-anyway": self._start_anyway,
            "unseat": self._unseat,
            "cut": self._cut_pressed,
            "again": for_table(self.rematch),
        }

    # ---- opening

    async def open(  # noqa: PLR0913 - a parameter for each option of the command
        self,
        interaction: discord.Interaction,
        game: str,
        options: Mapping[str, object],
        computers: int,
        clock: str | None,
        *,
        level: str | None = None,
        saved: str | None = None,
    ) -> Reply:
        """Open a table in this channel or in its own thread. The reply is the lobby, or a link to the thread.

        ``saved`` is the name of a saved set, for what the other parameters leave open.
        """
        await self._tables.claim(interaction.id)
        if saved is not None:
            found = await find_set(self._tables, interaction, game, saved)
            options, clock, level = {**found.options, **options}, clock or found.clock, level or found.level
        place, person = channel_place(interaction), person_of(interaction)
        server = await check_may_open(self._tables, interaction, place)
        in_thread = wants_thread(interaction, server)
        if in_thread:
            self._tables.settle(game, options, computers)  # invalid options must not leave an empty thread
            place = await self.new_thread(interaction, game, person, place)
        levels = [nearest(game, level or server.level)]
        receipt = await self._tables.open(
            game, options, person, place, computers, clock=clock or server.clock, levels=levels
        )
        table = receipt.table
        await self._arrive(table.id, person.id)
        if not in_thread:
            answer = await self._live.opening(table)
            snapshot = await self._tables.snapshot(table.id)
            return answer.reply(await self._live.drawings.board(snapshot), snapshot.table, "channel")
        self._live.refresh(table.id)
        with using(supported(await self._tables.languages.of_server(place.guild_id))):
            title, channel = table_title(table, self._faces[game].game), f"<#{place.channel_id}>"
            return Reply(sentence(_("**{table}** is open in {channel}.", table=title, channel=channel)), "channel")

    async def saved_names(self, interaction: discord.Interaction, game: str, typed: str) -> list[tuple[str, str]]:
        """Return the saved sets for a game that match what the user has typed: a description and the label of each."""
        face, wanted = self._faces[game], clean(typed).casefold()
        sets = [(each, label_of_set(each)) for each in await visible_sets(self._tables, interaction, game)]
        return [
            (f"{label} · {options_in_words(face, each.options, each.clock, each.level)}", label)
            for each, label in sets
            if wanted in clean(label).casefold()
        ]

    async def new_thread(self, interaction: discord.Interaction, game: str, person: Person, place: Place) -> Place:
        """Create a thread for a table of this person in this channel, unless they or the channel have too many."""
        await self._tables.check_quotas(person, place)
        with using(supported(await self._tables.languages.of_server(place.guild_id))):
            title, host = title_of(self._faces[game].game), short_name(person.name, 0)
            name = _("{game} · {name}'s table", game=title, name=host)
        return await create_thread(interaction, name)

    async def rematch(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Open the rematch, or take the user's seat there. Its lobby is a separate message.

        As the rematch is another table, users have to be able to see where it is. Only who opens it needs the right
        to open tables there.
        """
        place = (await self._tables.table(table_id)).place
        if not await Visitor(interaction).may_return_to(place):
            raise NotAllowed("Ask for a rematch where you played: in {channel}.", channel=f"<#{place.channel_id}>")
        await self._tables.claim(interaction.id)
        check = partial(self._check_rematch, interaction, place)
        table = (await self._tables.rematch(table_id, person_of(interaction), check)).table
        self._live.ping_timing.active(table.id, interaction.user.id)
        await self._live.posted(table, _POSTED_WITHIN_S)
        link = await self._live.board_link(table)
        return Reply(_rematch_post(table, interaction.user.id, link), "private", table.key, table.version)

    async def _check_rematch(self, interaction: discord.Interaction, place: Place) -> None:
        """Raise `NotAllowed` if the user may not open a table in this place, or only in a thread of its own."""
        server = await check_may_open(self._tables, interaction, place)
        guild = interaction.client.get_guild(place.guild_id or 0)
        if server.threads and guild and isinstance(guild.get_channel(place.channel_id), discord.TextChannel):
            raise NotAllowed("On this server, each table gets its own thread. Open a new table instead.")

    # ---- seats

    async def join(self, interaction: discord.Interaction, table_id: int, seat: int | None = None) -> Reply:
        """Take a seat (from 0), by default the first free one."""
        await self._tables.claim(interaction.id)
        await self._arrive(table_id, interaction.user.id)
        sitting = self._tables.sit(table_id, person_of(interaction), seat)
        return await self.change(
            interaction, table_id, sitting, lambda table: _("You've joined **Table {name}**.", name=table.name)
        )

    async def _arrive(self, table_id: int, user_id: int) -> None:
        """Note that a user is present, and try their direct messages again: they may be open by now."""
        self._live.ping_timing.active(table_id, user_id)
        await self._live.reopen(user_id)

    async def leave(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Leave the seat."""
        await self._tables.claim(interaction.id)
        leaving = self._tables.stand(table_id, interaction.user.id)
        return await self.change(
            interaction, table_id, leaving, lambda table: _("You've left **Table {name}**.", name=table.name)
        )

    async def _add_computer(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        fill = press.argument == ALL_SEATS
        adding = self._tables.computers.add(press.table, interaction.user.id, fill=fill)
        done = _("Computers have taken the free seats.") if fill else _("A computer has joined.")
        return await self.change(interaction, press.table, adding, lambda _table: done)

    async def _level_picked(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Add a computer of a level, or let all that are here play at that level."""
        await self._tables.claim(interaction.id)
        what, _dot, level = picked(interaction).partition(".")
        computers, user_id = self._tables.computers, interaction.user.id
        if what == ADD:
            changing, done = computers.add(press.table, user_id, level), _("A computer has joined.")
        else:
            changing = computers.set_level(press.table, user_id, level)
            done = _("All computers: {level}", level=level_names().get(level, level))
        return await self.change(interaction, press.table, changing, lambda _table: done)

    async def start(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Start the game, or ask what to do about players who have left the server."""
        await self._tables.claim(interaction.id)
        table, user_id = await self._tables.table(table_id), interaction.user.id
        if left := await who_left(interaction.client, table, user_id):
            return Reply(question(table, left, user_id), "private", table.key, table.version)
        return await self._start(interaction, table_id)

    async def _unseat(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Free the seats of players who have left; start with computers in their place if that was chosen."""
        await self._tables.claim(interaction.id)
        table, user_id = await self._tables.table(press.table), interaction.user.id
        left, for_computers = await who_left(interaction.client, table, user_id), press.argument == "computer"
        if left:
            question(table, left, user_id)  # raises if the user isn't the one to decide
            table = await unseat(self._tables, table, left, for_computers=for_computers)
        if for_computers:
            return await self._start(interaction, table.id)
        return Reply(sentence(_("Their seats at **Table {name}** are free.", name=table.name)), "here")

    async def _start_anyway(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        return await self._start(interaction, press.table)

    async def _start(self, interaction: discord.Interaction, table_id: int) -> Reply:
        self._live.ping_timing.active(table_id, interaction.user.id)
        starting = self._tables.start(table_id, interaction.user.id)
        reply = await self.change(
            interaction, table_id, starting, lambda table: _("**Table {name}** has started.", name=table.name)
        )
        return replace(reply, where="here") if reply.where == "private" else reply

    async def change(
        self, interaction: discord.Interaction, table_id: int, change: Awaitable[Receipt], done: Callable[[Table], str]
    ) -> Reply:
        """Make a change. Return the changed lobby in place of the pressed one, otherwise what ``done`` says."""
        with await self._live.answering(table_id, interaction, Kind.BOARD) as answer:
            table = (await change).table
            if answer.message is not None:
                snapshot = await self._tables.snapshot(table.id)
                return answer.reply(await self._live.drawings.board(snapshot), snapshot.table, "board")
        answer.cancel()
        return Reply(sentence(done(table)))

    # ---- cutting the deck

    async def cut(self, interaction: discord.Interaction, table_id: int, text: str) -> Reply:
        """Mix the player's text into the shuffles."""
        await self._tables.claim(interaction.id)
        cutting = self._tables.cut(table_id, interaction.user.id, text)
        done = _("Your cut is in. You'll see it with the seed at the end.")
        return await self.change(interaction, table_id, cutting, lambda _table: done)

    async def _cut_pressed(self, interaction: discord.Interaction, press: Press) -> Reply:
        if interaction.type is discord.InteractionType.modal_submit:
            return await self.cut(interaction, press.table, picked(interaction))
        table = await self._tables.table(press.table)
        if table.sitter(interaction.user.id) is None:
            raise NotSeated("Press **Join** first.")
        if table.status != "lobby":
            raise WrongPhase("The cards are dealt. You can only cut before the start.")
        return Reply(form=_cut_form(table))


def _rematch_post(table: Table, user_id: int, link: str) -> Post:
    """Return the answer to **Rematch**. If all others are computers, the game can start from there."""
    is_alone = all(sitter.is_computer for sitter in table.sitters if sitter.user_id != user_id)
    if is_alone and table.is_full:
        text = _("The rematch is **Table {name}**. {link}", name=table.name, link=link)
        return Post((text,), rows=((Button("start", _("Start"), "success"),),))
    if table.seats == 2:
        return sentence(_("The rematch is **Table {name}**. You swap seats. {link}", name=table.name, link=link))
    return sentence(
        _("The rematch is **Table {name}**. Everyone moves one seat on. {link}", name=table.name, link=link)
    )


def _cut_form(table: Table) -> discord.ui.Modal:
    return text_form(
        Press("cut", table.id, table.version, key=table.key),
        _("Cut the cards"),
        _("Your cut for Table {name}", name=table.name),
        _("Any text. It changes every shuffle at this table."),
        100,
    )
