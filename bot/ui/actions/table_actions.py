"""What a person can do at a table, whichever way he does it: button, menu, form or slash command.

Each method is the work of one interaction and ends in a `Reply`; refusals are raised. A seat is always that of
``interaction.user``.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

import discord

from bot.errors import AmbiguousTable, LilypadError, NotSeated, PlayError, Stale, WrongPhase
from bot.tables import Place, Receipt, Server, Table, Tables
from bot.ui.actions.hands import HandAnswers
from bot.ui.actions.opening import may_open, own_thread, wants_thread
from bot.ui.actions.permissions import Visitor
from bot.ui.actions.removal import Removal
from bot.ui.actions.undo import Undos
from bot.ui.interactions.input import person_of
from bot.ui.interactions.respond import Reply, sentence
from bot.ui.interactions.router import Handler, picked
from bot.ui.messages.live import LiveMessages
from bot.ui.posts.custom_id import Press, number
from bot.ui.posts.post import Button, Choice, Choices, Faces, Post
from bot.ui.posts.text import listed, name_of, short_label

_TO_POST: Final = ("view_channel", "send_messages")
_TO_POST_IN_A_THREAD: Final = ("view_channel", "send_messages_in_threads")


class TableActions:
    """The actions of people at tables, for cogs and presses alike."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, hands: HandAnswers) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self._hands = hands
        self.removal = Removal(tables)
        self.undos = Undos(tables, live, hands.answer)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What each verb of a `Press` does."""
        return {
            "join": lambda interaction, press: self.join(interaction, press.table),
            "leave": lambda interaction, press: self.leave(interaction, press.table),
            "computer": lambda interaction, press: self.add_computer(interaction, press.table),
            "start": lambda interaction, press: self.start(interaction, press.table),
            "cut": self._cut,
            "hand": lambda interaction, press: self.hand_here(interaction, press.table),
            "turn": lambda interaction, press: self.turn(interaction, press.table),
            "play": lambda interaction, press: self.play(interaction, press.table, press.argument, press.version),
            "pick": lambda interaction, press: self.play(interaction, press.table, picked(interaction), press.version),
            "show": self._show,
            "resign": lambda interaction, press: self.ask_to_resign(interaction, press.table),
            "resigned": lambda interaction, press: self._resign(interaction, press.table),
            **self.removal.handlers,
            **self.undos.handlers,
        }

    async def enter(self, interaction: discord.Interaction, table_id: int) -> None:
        """Note that the user acts at this table. Raises `NoSuchTable` if they may not see it."""
        await self._tables.finder.by_number(table_id, Visitor(interaction))
        await self.present(interaction, table_id)

    async def present(self, interaction: discord.Interaction, table_id: int) -> None:
        """Whoever does anything at a table is there: what others did about his absence ends."""
        self._live.pressed(table_id, interaction.user.id)
        if await self._tables.waiting.come_back(table_id, person_of(interaction)):
            self._live.refresh(table_id)

    # ---- the lobby

    async def open(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Mapping[str, object],
        computers: int,
        clock: str | None,
    ) -> Reply:
        """Opens a table in this channel, or in a thread of its own; the reply is its lobby, or leads there."""
        await self._tables.claim(interaction.id)
        place, person, title = _place(interaction), person_of(interaction), self._faces[game].game.title
        server = Server(0) if place.guild_id is None else await self._tables.servers.settings(place.guild_id)
        may_open(interaction, server)
        in_thread = wants_thread(interaction, server)
        if in_thread:
            self._tables.settle(game, options, computers)  # what can't be opened leaves no empty thread
            await self._tables.check_quotas(person, place)
            place = await own_thread(
                interaction, f"{self._faces[game].game.title} · {short_label(person.name, 0)}'s table"
            )
        receipt = await self._tables.open(game, options, person, place, computers, clock=clock or server.clock)
        table = receipt.table
        await self._welcome(table.id, person.id)
        if in_thread:
            self._live.refresh(table.id)
            line = f"**Table {table.name}** ({title}) is open in <#{place.channel_id}>: press **Join** there."
            return Reply(sentence(line), "channel")
        answer = await self._live.opening(table)
        return answer.reply(await self._live.drawings.board(table), table, "channel")

    async def join(self, interaction: discord.Interaction, table_id: int, seat: int | None = None) -> Reply:
        """Takes a seat, the first free one unless ``seat`` says which (from 0)."""
        await self._tables.claim(interaction.id)
        await self._welcome(table_id, interaction.user.id)
        receipt = await self._tables.sit(table_id, person_of(interaction), seat)
        return await self._lobby(interaction, receipt, f"You sit at **Table {receipt.table.name}**.")

    async def _welcome(self, table_id: int, user_id: int) -> None:
        """Whoever sits down is there, and may have opened his direct messages since they were tried last."""
        self._live.presence.active(table_id, user_id)
        await self._tables.users.set_dm_closed(user_id, closed=False)

    async def leave(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Gives the seat up again, before the start."""
        await self._tables.claim(interaction.id)
        receipt = await self._tables.stand(table_id, interaction.user.id)
        return await self._lobby(interaction, receipt, f"You left **Table {receipt.table.name}**.")

    async def add_computer(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Lets a computer take a seat."""
        await self._tables.claim(interaction.id)
        receipt = await self._tables.add_computer(table_id, interaction.user.id)
        return await self._lobby(interaction, receipt, "A computer sat down.")

    async def start(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Deals the first cards."""
        await self._tables.claim(interaction.id)
        self._live.presence.active(table_id, interaction.user.id)
        receipt = await self._tables.start(table_id, interaction.user.id)
        return await self._lobby(interaction, receipt, f"**Table {receipt.table.name}** has started.")

    async def cut(self, interaction: discord.Interaction, table_id: int, text: str) -> Reply:
        """Mixes a text of the player's own into the shuffles."""
        await self._tables.claim(interaction.id)
        receipt = await self._tables.cut(table_id, interaction.user.id, text)
        return await self._lobby(interaction, receipt, "Your cut is in; it will be shown with the seed at the end.")

    async def _cut(self, interaction: discord.Interaction, press: Press) -> Reply:
        if interaction.type is discord.InteractionType.modal_submit:
            return await self.cut(interaction, press.table, picked(interaction))
        table = await self._tables.table(press.table)
        if table.sitter(interaction.user.id) is None:
            raise NotSeated(f"You don't sit at Table {table.name}; press Join first.")
        if table.status != "lobby":
            raise WrongPhase("The cards are dealt; cutting was possible until the start.")
        return Reply(form=_cut_form(table))

    async def _lobby(self, interaction: discord.Interaction, receipt: Receipt, done: str) -> Reply:
        """In place of the lobby if that was pressed, else a private sentence; the lobby is redrawn either way."""
        table, message = receipt.table, interaction.message
        answer = await self._live.answering(table.id, message.id) if message else None
        if answer is None:
            return Reply(sentence(done))
        return answer.reply(await self._live.drawings.board(table), table, "board")

    # ---- play

    async def hand(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """The private hand."""
        table = await self._seated(interaction, table_id)
        return await self._hands.reply(interaction, table)

    async def which(self, several: AmbiguousTable) -> Reply:
        """A list of tables to choose from; choosing shows the hand there."""
        tables = [await self._tables.table(number) for number in several.tables]
        menu = Choices("Which table?", tuple(Choice(str(t.id), t.name, t.status) for t in tables), verb="show")
        return Reply(Post((several.sentence,), (menu,)))

    async def _show(self, interaction: discord.Interaction, _: Press) -> Reply:
        table_id = number(picked(interaction))
        await self.enter(interaction, table_id)
        return await self.hand(interaction, table_id)

    async def board(self, table_id: int) -> Reply:
        """The public board, for the asker alone."""
        table = await self._hands.settled(await self._tables.table(table_id))
        return Reply(await self._live.drawings.board(table), "private", table.id, table.version)

    async def turn(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Only what can be played now; a sentence if it is somebody else's turn."""
        table = await self._seated(interaction, table_id)
        if table.status != "playing":
            raise WrongPhase(f"Nothing can be played at Table {table.name} now.")
        draw = partial(self._turn, interaction.user.id)
        return await self._hands.open.reply(interaction, await self._hands.settled(table), draw, "turn")

    async def _turn(self, user_id: int, table: Table) -> Post:
        if table.status != "playing" or table.sitter(user_id) is None:
            return await self._hands.post(table, user_id)
        sight = await self._tables.sight(table, user_id)
        choices = self._faces[table.game].choices(sight.table, sight.observation)
        if not choices:
            owing = [name_of(table, seat) for seat in sorted(s for s in sight.observation.to_act if s is not None)]
            return sentence(f"It is the turn of {listed(owing)}.")
        return Post((f"Table {table.name}: your turn.",), choices)

    async def play(self, interaction: discord.Interaction, table_id: int, text: str, seen: int | None = None) -> Reply:
        """Plays a move in notation; ``seen`` is the version the player saw. A stale press gets the present hand."""
        user = interaction.user.id
        if seen is None:  # else the version tells who was first
            await self._tables.claim(interaction.id)
        held = await self._hands.hold(interaction, table_id)
        try:
            table = (await self._tables.play(table_id, user, text, seen)).table
            self._live.presence.active(table_id, user)
            notice = ""
        except Stale as stale:
            table = await self._tables.table(table_id)
            notice = stale.sentence
        except LilypadError:
            held.cancel()
            raise
        return await self._hands.answer(interaction, table, notice, held=held)

    async def ask_to_resign(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Asks for a confirmation, saying what resigning means at this table."""
        table = await self._seated(interaction, table_id)
        if table.status != "playing":
            raise WrongPhase(f"Table {table.name} isn't being played.")
        sides = set(self._faces[table.game].game.sides(table.options))
        meaning = (
            "Your side loses at once, whatever the scores (G-10)."
            if len(sides) == 2
            else "A computer plays your seat on; you can't take it back (G-10)."
        )
        row = (Button("resigned", "Resign", "danger"), Button("hand", "Play on"))
        return Reply(Post((f"Resign at **Table {table.name}**? {meaning}",), rows=(row,)), "private", table.id)

    async def _resign(self, interaction: discord.Interaction, table_id: int) -> Reply:
        await self._tables.claim(interaction.id)
        receipt = await self._tables.resign(table_id, interaction.user.id)
        return Reply(sentence(f"You resigned at **Table {receipt.table.name}**."), "here")

    async def hand_here(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """The private hand in place of the pressed message, if that is private too, else as a new message."""
        table = await self._seated(interaction, table_id)
        return await self._hands.answer(interaction, table, asked=True)

    async def _seated(self, interaction: discord.Interaction, table_id: int) -> Table:
        table = await self._tables.table(table_id)
        if table.sitter(interaction.user.id) is None:
            raise NotSeated(f"You don't sit at Table {table.name}, so nothing there is yours to show or to play.")
        return table


def _place(interaction: discord.Interaction) -> Place:
    """Where the board will live. Raises `PlayError` where the bot couldn't keep it up to date."""
    channel = interaction.channel
    if channel is None or interaction.channel_id is None:
        raise PlayError("A table needs a channel; please open it in one.")
    if interaction.guild_id is None:
        return Place(None, interaction.channel_id)
    needed = _TO_POST_IN_A_THREAD if isinstance(channel, discord.Thread) else _TO_POST
    missing = [name.replace("_", " ").title() for name in needed if not getattr(interaction.app_permissions, name)]
    if missing:
        raise PlayError(
            f"The bot may not post here: it lacks {listed(missing)} in this channel. "
            "Ask a moderator to grant that, or open the table elsewhere."
        )
    return Place(interaction.guild_id, interaction.channel_id)


def _cut_form(table: Table) -> discord.ui.Modal:
    form = discord.ui.Modal(title="Cut the deck", custom_id=Press("cut", table.id, table.version).custom_id)
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        custom_id="text", max_length=100, placeholder="Any text: it changes every shuffle of this table"
    )
    form.add_item(discord.ui.Label(text=f"Your cut for Table {table.name}"[:45], component=field))
    return form
