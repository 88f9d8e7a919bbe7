"""The slash commands that all games share; each game's cog inherits them.

The work of the commands is in `bot.ui.actions`. All options with autocomplete are strings, as numbers fail on phones.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, Concatenate, Final, ParamSpec

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import AmbiguousTable, InvalidMove, NoSuchTable, PlayError
from bot.games.game import AnyGame, Move
from bot.tables import Sight, Table, Tables
from bot.texts import gettext as _
from bot.texts import language
from bot.texts.lists import either
from bot.texts.rules_pages import topics
from bot.ui.actions.info_pages import InfoPages
from bot.ui.actions.permissions import Visitor, lobbies_here, tables_here
from bot.ui.actions.removals import removable
from bot.ui.actions.table_actions import BOARD_AT, TableActions
from bot.ui.autocomplete import Choice, matching, open_tables
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.interactions.router import Handler, TableAction
from bot.ui.open_command import open_command
from bot.ui.posts.custom_id import Outdated, Press
from bot.ui.posts.face import Face
from bot.ui.posts.names import label_of, name_of, seats_named
from bot.ui.posts.post import Choice as MoveChoice
from bot.ui.posts.post import Choices, Post
from bot.ui.posts.text import plain

Interaction = discord.Interaction
P = ParamSpec("P")
_FOR_HANDS: Final = ("hand", "cut")
"""The commands that only games with hands have."""


class GameCog(commands.GroupCog):
    """The command group of a game. Subclasses set ``face`` and add their own commands."""

    face: ClassVar[Face[Any]]

    def __init__(self, tables: Tables, actions: TableActions, info_pages: InfoPages) -> None:
        super().__init__()
        self.tables = tables
        self.actions = actions
        self.info_pages = info_pages
        group = self.app_command
        assert isinstance(group, app_commands.Group)  # noqa: S101 - a GroupCog always has a group
        for command in group.walk_commands():
            if isinstance(command, app_commands.Command) and command.get_parameter("table"):
                command.autocomplete("table")(GameCog.autocomplete_tables)
        group.add_command(open_command(self.face, actions.lobby))
        for name in () if self.game.has_hands else _FOR_HANDS:
            group.remove_command(name)

    @property
    def group_name(self) -> str:
        """The name of the group as users type it after the slash."""
        return str(self.__cog_group_name__)

    @property
    def game(self) -> AnyGame:
        """The rulebook."""
        return self.face.game

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handlers of verbs that only this game has, by default none."""
        return {}

    # ---- the table that a command means

    async def table(self, interaction: Interaction, ref: str | None) -> Table:
        """Return the named table, otherwise the user's table in this channel, otherwise their only table."""
        return await self.tables.finder.choose(Visitor(interaction), self.game.key, interaction.channel_id, ref)

    async def sight(self, interaction: Interaction, ref: str | None) -> Sight:
        """Return the user's view of the table that a command means."""
        table = await self.table(interaction, ref)
        return await self.tables.look(table.id, interaction.user.id)

    async def sight_pressed(self, interaction: Interaction, press: Press) -> Sight:
        """Return the user's view of a press's table. Raises `Outdated` if it isn't of this game."""
        sight = await self.tables.look(press.table, interaction.user.id)
        if sight.table.game != self.game.key:
            raise Outdated
        return sight

    async def at_table(
        self,
        interaction: Interaction,
        ref: str | None,
        action: Callable[Concatenate[Interaction, int, P], Awaitable[Reply]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Answer with an action of the user at their table, or with a menu if they may mean several.

        ``action`` gets the interaction, the number of the table and the arguments.
        """

        async def work() -> Reply:
            try:
                table = await self.table(interaction, ref)
            except AmbiguousTable as several:
                return await self.actions.ask_which_table(several)
            await self.actions.present(interaction, table)
            return await action(interaction, table.id, *args, **kwargs)

        await answer(interaction, work())

    async def watching(self, interaction: Interaction, ref: str | None, action: TableAction, verb: str) -> None:
        """Answer with a page about a table, where the user needn't sit, or with a menu if they may mean several.

        The handler of ``verb`` shows the page about the table that is picked.
        """

        async def work() -> Reply:
            try:
                table = await self._watched(interaction, ref)
            except AmbiguousTable as several:
                return await self.actions.ask_which_table(several, verb)
            return await action(interaction, table.id)

        await answer(interaction, work())

    async def play(self, interaction: Interaction, text: str, ref: str | None) -> None:
        """Answer with the result of playing a move."""
        await self.at_table(interaction, ref, self.actions.play, text)

    async def play_at(self, interaction: Interaction, table_id: int, verb: str, who: str, ruling: str) -> Reply:
        """Play a move that names a player, such as ``liar 2``; if several match, ask which."""
        table = await self.tables.table(table_id)
        seats = seats_named(table, who)
        if not seats:
            raise InvalidMove("There's nobody called {who} at Table {name}.", ruling, who=plain(who), name=table.name)
        if len(seats) == 1:
            return await self.actions.play(interaction, table.id, f"{verb} {seats[0]}")
        names = [_("**{name}** (seat {n})", name=name_of(table, seat), n=seat + 1) for seat in seats]
        buttons = tuple(MoveChoice(f"{verb} {seat}", label_of(table, seat)) for seat in seats)
        question = _("Which player do you mean: {names}?", names=either(names))
        return Reply(Post((question,), (Choices("", buttons, as_buttons=True),)), "private", table.key, table.version)

    async def _lobby(self, interaction: Interaction, ref: str | None) -> Table:
        """Return the named table, otherwise the only lobby of this game in this channel."""
        if ref is not None:
            return await self.tables.finder.find(ref, Visitor(interaction))
        waiting = await lobbies_here(self.tables, interaction, self.game.key)
        if len(waiting) != 1:
            raise NoSuchTable(
                "Several tables here have a free seat. Choose one with `table:`."
                if waiting
                else "No table of {game} is waiting for players here. Open one.",
                game=self.game.title,
            )
        return waiting[0]

    async def _watched(self, interaction: Interaction, ref: str | None) -> Table:
        """Return the only table in this channel if none is named, otherwise the table like `table`."""
        if ref is None:
            here = await tables_here(self.tables, interaction, self.game.key)
            if len(here) == 1:
                return here[0]
        return await self.table(interaction, ref)

    async def legal(self, interaction: Interaction) -> tuple[Move, ...]:
        """Return the legal moves at the table of the command being typed; none if there is no such table."""
        sight = await self._sight_of_typed(interaction)
        return sight.observation.legal if sight else ()

    async def _sight_of_typed(self, interaction: Interaction) -> Sight | None:
        try:
            return await self.sight(interaction, getattr(interaction.namespace, "table", None))
        except PlayError:
            return None

    async def autocomplete_moves(
        self, interaction: Interaction, typed: str, value_of: Callable[[Move], str | None]
    ) -> list[Choice]:
        """Return legal moves as choices. ``value_of`` returns a move's notation, or ``None`` to leave it out."""
        sight = await self._sight_of_typed(interaction)
        if sight is None:
            return []
        seen = sight.observation
        named = [(self.face.name_move(sight.table, seen, move), value_of(move)) for move in seen.legal]
        return matching(typed, [(name, value) for name, value in named if value is not None])

    async def autocomplete_tables(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Return the open tables of this game that the user may mean, as choices."""
        return await open_tables(self.tables, interaction, typed, self.game.key)

    # ---- the commands of every group

    @app_commands.command(description="Join a table")
    @app_commands.describe(table="Number or name of the table", seat="Number of the seat")
    async def join(
        self, interaction: Interaction, table: str | None = None, seat: app_commands.Range[int, 1, 13] | None = None
    ) -> None:
        """Take a seat."""

        async def work() -> Reply:
            found = await self._lobby(interaction, table)
            return await self.actions.lobby.join(interaction, found.id, seat - 1 if seat else None)

        await answer(interaction, work())

    @app_commands.command(description="Leave a table before the start")
    @app_commands.describe(table="Number or name of the table")
    async def leave(self, interaction: Interaction, table: str | None = None) -> None:
        """Leave the seat."""
        await self.at_table(interaction, table, self.actions.lobby.leave)

    @app_commands.command(description="Remove a player from your table")
    @app_commands.describe(player="The player to remove", table="Number or name of the table")
    async def remove(self, interaction: Interaction, player: str, table: str | None = None) -> None:
        """Remove a player from the lobby or the game."""
        await self.at_table(interaction, table, self.actions.removals.remove, player)

    @remove.autocomplete("player")
    async def _autocomplete_player(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            table = await self.table(interaction, getattr(interaction.namespace, "table", None))
        except PlayError:
            return []
        seats = removable(interaction, table)
        return matching(typed, [(label_of(table, seat), str(seat + 1)) for seat in seats])

    @app_commands.command(description="Start the game")
    @app_commands.describe(table="Number or name of the table")
    async def start(self, interaction: Interaction, table: str | None = None) -> None:
        """Start the game."""
        await self.at_table(interaction, table, self.actions.lobby.start)

    @app_commands.command(description="Add your own text to the shuffle, before the start")
    @app_commands.describe(text="Any text, up to 100 characters", table="Number or name of the table")
    async def cut(
        self, interaction: Interaction, text: app_commands.Range[str, 1, 100], table: str | None = None
    ) -> None:
        """Cut the deck."""
        await self.at_table(interaction, table, self.actions.lobby.cut, text)

    @app_commands.command(description="Make any move")
    @app_commands.describe(move="The move; pick one from the list", table="Number or name of the table")
    async def move(self, interaction: Interaction, move: str, table: str | None = None) -> None:
        """Play any move."""
        await self.play(interaction, move, table)

    @move.autocomplete("move")
    async def _autocomplete_move(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.autocomplete_moves(interaction, typed, str)

    @app_commands.command(description="See your hand")
    @app_commands.describe(table="Number or name of the table")
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Show the hand."""
        await self.at_table(interaction, table, self.actions.hand)

    @app_commands.command(description="See the board")
    @app_commands.describe(table="Number or name of the table")
    async def board(self, interaction: Interaction, table: str | None = None) -> None:
        """Show the board."""
        await self.watching(interaction, table, self.actions.board, BOARD_AT)

    @app_commands.command(description="Resign from the game")
    @app_commands.describe(table="Number or name of the table")
    async def resign(self, interaction: Interaction, table: str | None = None) -> None:
        """Ask for confirmation to resign."""
        await self.at_table(interaction, table, self.actions.ask_to_resign)

    @app_commands.command(description="Undo your last move")
    @app_commands.describe(table="Number or name of the table")
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        """Undo the user's last move."""
        await self.at_table(interaction, table, self.actions.undos.undo)

    @app_commands.command(description="Read the rules")
    @app_commands.describe(topic="The topic to read about")
    async def rules(self, interaction: Interaction, topic: str | None = None) -> None:
        """Show the rules."""

        async def work() -> Reply:
            return Reply(await self.info_pages.rules_named(interaction.user.id, self.game.key, topic))

        await answer(interaction, work())

    @rules.autocomplete("topic")
    async def _autocomplete_topic(self, _interaction: Interaction, typed: str) -> list[Choice]:
        return matching(typed, [(topic.title, topic.title) for topic in topics(self.game.key, language())])
