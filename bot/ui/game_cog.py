"""The slash commands that every game's group has, made from its rulebook; each game's cog inherits them.

What a command does is in `bot.ui.actions`; this is only how it is called. All options that players type are strings, as
numbers with autocomplete fail on phones.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import AmbiguousTable, InvalidMove, NoSuchTable, PlayError
from bot.games.game import AnyGame, Move, Value
from bot.tables import Sight, Table, Tables
from bot.ui.actions.info_pages import InfoPages
from bot.ui.actions.permissions import Visitor, lobbies_here, tables_here
from bot.ui.actions.table_actions import TableActions
from bot.ui.interactions.respond import Reply, answer
from bot.ui.interactions.router import Handler
from bot.ui.messages.absence_notice import CLOCK_NAMES
from bot.ui.posts.custom_id import Outdated, Press
from bot.ui.posts.post import Choice as MoveChoice
from bot.ui.posts.post import Choices, Face, Post
from bot.ui.posts.text import clip, label_of, name_of, plain, seats_named

Choice = app_commands.Choice[str]
Interaction = discord.Interaction

_MOST_CHOICES = 25


class GameCog(commands.GroupCog):
    """A game's group of commands. A subclass has a `Face`, and verbs of its own."""

    face: ClassVar[Face[Any]]

    def __init__(self, tables: Tables, actions: TableActions, info_pages: InfoPages) -> None:
        super().__init__()
        self.tables = tables
        self.actions = actions
        self.info_pages = info_pages
        group = self.app_command
        assert isinstance(group, app_commands.Group)  # noqa: S101 - a GroupCog has a group, says its documentation
        group.add_command(_open_command(self))

    @property
    def group_name(self) -> str:
        """The name of the group, as it is typed after the slash."""
        return str(self.__cog_group_name__)

    @property
    def game(self) -> AnyGame:
        """The rulebook."""
        return self.face.game

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What the presses do that only this game has; none, unless a game says otherwise."""
        return {}

    # ---- finding the table, and what is legal there

    async def table(self, interaction: Interaction, ref: str | None) -> Table:
        """The table that is meant: the one named, else the one here where the user sits, else his only one."""
        return await self.tables.finder.choose(Visitor(interaction), self.game.key, interaction.channel_id, ref)

    async def sight(self, interaction: Interaction, ref: str | None) -> Sight:
        """What the user sees of the table that is meant."""
        table = await self.table(interaction, ref)
        return await self.tables.look(table.id, interaction.user.id)

    async def sight_pressed(self, interaction: Interaction, press: Press) -> Sight:
        """What the user sees of the table of a press that only this game has. Raises `Outdated` for other games."""
        sight = await self.tables.look(press.table, interaction.user.id)
        if sight.table.game != self.game.key:
            raise Outdated
        return sight

    async def at_table(
        self, interaction: Interaction, ref: str | None, act: Callable[[Table], Awaitable[Reply]]
    ) -> None:
        """Answers with what is done at the table that is meant; with a list to choose from if several fit."""

        async def work() -> Reply:
            try:
                table = await self.table(interaction, ref)
            except AmbiguousTable as several:
                return await self.actions.which(several)
            await self.actions.present(interaction, table.id)
            return await act(table)

        await answer(interaction, work())

    async def watching(
        self, interaction: Interaction, ref: str | None, act: Callable[[Table], Awaitable[Reply]]
    ) -> None:
        """Answers with what anybody may see of the table that is meant, seated there or not."""

        async def work() -> Reply:
            return await act(await self._watched(interaction, ref))

        await answer(interaction, work())

    async def play(self, interaction: Interaction, text: str, ref: str | None) -> None:
        """Answers with the move played."""
        await self.at_table(interaction, ref, lambda table: self.actions.play(interaction, table.id, text))

    async def play_at(self, interaction: Interaction, table: Table, verb: str, who: str, ruling: str) -> Reply:
        """Play a move that names a player, such as ``liar 2``; if the name fits several players, ask which."""
        seats = seats_named(table, who)
        if not seats:
            raise InvalidMove(f"Nobody called {plain(who)} sits at Table {table.name}.", ruling)
        if len(seats) == 1:
            return await self.actions.play(interaction, table.id, f"{verb} {seats[0]}")
        names = [f"**{name_of(table, seat)}** (seat {seat + 1})" for seat in seats]
        buttons = tuple(MoveChoice(f"{verb} {seat}", label_of(table, seat)) for seat in seats)
        question = f"Which player do you mean: {', '.join(names[:-1])} or {names[-1]}?"
        return Reply(Post((question,), (Choices("", buttons, as_buttons=True),)), "private", table.id, table.version)

    async def _lobby(self, interaction: Interaction, ref: str | None) -> Table:
        """The table to join: the one named, else the only one of this game here that waits for players."""
        if ref is not None:
            return await self.tables.finder.find(ref, Visitor(interaction))
        waiting = await lobbies_here(self.tables, interaction, self.game.key)
        if len(waiting) != 1:
            raise NoSuchTable(
                "Several tables here have a free seat. Say which with the option `table`."
                if waiting
                else f"No table of {self.game.title} waits for players here; `open` makes one."
            )
        return waiting[0]

    async def _watched(self, interaction: Interaction, ref: str | None) -> Table:
        """The table to look at: like any other, but one doesn't have to sit there if it is the only one here."""
        here = await tables_here(self.tables, interaction, self.game.key)
        if ref is None and len(here) == 1:
            return here[0]
        return await self.table(interaction, ref)

    async def legal(self, interaction: Interaction) -> tuple[Sight, tuple[Move, ...]] | None:
        """What the user may play at the table that the command is being typed for; ``None`` if there is none."""
        try:
            sight = await self.sight(interaction, getattr(interaction.namespace, "table", None))
        except PlayError:
            return None
        return sight, sight.observation.legal

    @staticmethod
    def matching(typed: str, offered: Sequence[tuple[str, str]]) -> list[Choice]:
        """The (name, value) pairs that fit what was typed, as many as Discord takes."""
        wanted = typed.casefold().strip()
        return [
            app_commands.Choice(name=clip(name, 100), value=value)
            for name, value in offered
            if wanted in name.casefold() or wanted in value.casefold()
        ][:_MOST_CHOICES]

    async def moves_to_type(
        self, interaction: Interaction, typed: str, value_of: Callable[[Move], str | None]
    ) -> list[Choice]:
        """Legal moves as choices; ``value_of`` gives what is written for a move, ``None`` for moves left out."""
        found = await self.legal(interaction)
        if found is None:
            return []
        sight, moves = found
        named = [(self.face.name_move(sight.table, sight.observation, m), value_of(m)) for m in moves]
        return self.matching(typed, [(name, value) for name, value in named if value is not None])

    async def tables_to_type(self, interaction: Interaction, typed: str) -> list[Choice]:
        """The open tables of this game that the user may mean."""
        mine = await self.tables.finder.tables_of(interaction.user.id, self.game.key)
        here = await tables_here(self.tables, interaction, self.game.key)
        every = {table.id: table for table in (*mine, *here)}
        return self.matching(typed, [(f"{t.name} (number {t.id}, {t.status})", str(t.id)) for t in every.values()])

    # ---- the commands of every group

    @app_commands.command(description="Take a seat at a table that has not started")
    @app_commands.describe(table="Number or name of the table", seat="Which seat, counted from 1")
    async def join(
        self, interaction: Interaction, table: str | None = None, seat: app_commands.Range[int, 1, 13] | None = None
    ) -> None:
        """Takes a seat."""

        async def work() -> Reply:
            found = await self._lobby(interaction, table)
            return await self.actions.lobby.join(interaction, found.id, seat - 1 if seat else None)

        await answer(interaction, work())

    @app_commands.command(description="Give your seat up, before the start")
    @app_commands.describe(table="Number or name of the table")
    async def leave(self, interaction: Interaction, table: str | None = None) -> None:
        """Gives the seat up."""
        await self.at_table(interaction, table, lambda found: self.actions.lobby.leave(interaction, found.id))

    @app_commands.command(description="Remove somebody from a lobby that you host; they can't join it again")
    @app_commands.describe(player="Who has to go", table="Number or name of the table")
    async def remove(self, interaction: Interaction, player: str, table: str | None = None) -> None:
        """Removes somebody from the lobby."""
        await self.at_table(interaction, table, lambda found: self.actions.lobby.remove(interaction, found, player))

    @remove.autocomplete("player")
    async def _player_to_remove(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            table = await self.table(interaction, getattr(interaction.namespace, "table", None))
        except PlayError:
            return []
        seats = self.actions.lobby.removable(table, interaction.user.id)
        return self.matching(typed, [(label_of(table, seat), str(seat)) for seat in seats])

    @app_commands.command(description="Deal the first cards")
    @app_commands.describe(table="Number or name of the table")
    async def start(self, interaction: Interaction, table: str | None = None) -> None:
        """Starts the game."""
        await self.at_table(interaction, table, lambda found: self.actions.lobby.start(interaction, found.id))

    @app_commands.command(description="Mix a text of your own into every shuffle, before the start")
    @app_commands.describe(text="Any text of up to 100 characters", table="Number or name of the table")
    async def cut(
        self, interaction: Interaction, text: app_commands.Range[str, 1, 100], table: str | None = None
    ) -> None:
        """Cuts the deck."""
        await self.at_table(interaction, table, lambda found: self.actions.lobby.cut(interaction, found.id, text))

    @app_commands.command(description="Any move in notation; legal ones are offered as you type")
    @app_commands.describe(
        move="The move in notation; what is legal is offered as you type", table="Number or name of the table"
    )
    async def move(self, interaction: Interaction, move: str, table: str | None = None) -> None:
        """Plays any move."""
        await self.play(interaction, move, table)

    @move.autocomplete("move")
    async def _move_to_type(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.moves_to_type(interaction, typed, str)

    @app_commands.command(description="Your hand, shown to you alone")
    @app_commands.describe(table="Number or name of the table")
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Shows the hand."""
        await self.at_table(interaction, table, lambda found: self.actions.hand(interaction, found.id))

    @app_commands.command(description="The board, shown to you alone")
    @app_commands.describe(table="Number or name of the table")
    async def board(self, interaction: Interaction, table: str | None = None) -> None:
        """Shows the board."""
        await self.watching(interaction, table, lambda found: self.actions.board(found.id))

    @app_commands.command(description="Give up: asks first, and says what becomes of the game or of your seat")
    @app_commands.describe(table="Number or name of the table")
    async def resign(self, interaction: Interaction, table: str | None = None) -> None:
        """Asks whether to resign."""
        await self.at_table(interaction, table, lambda found: self.actions.ask_to_resign(interaction, found.id))

    @app_commands.command(description="Take your last move back; asks the others if it showed something")
    @app_commands.describe(table="Number or name of the table")
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        """Takes the last move back."""
        await self.at_table(interaction, table, lambda found: self.actions.undos.undo(interaction, found.id))

    @app_commands.command(description="The rules, by topic")
    @app_commands.describe(topic="What you want to read about")
    async def rules(self, interaction: Interaction, topic: str | None = None) -> None:
        """Shows the rules."""

        async def work() -> Reply:
            return Reply(self.info_pages.rules_named(self.game.key, topic))

        await answer(interaction, work())

    @rules.autocomplete("topic")
    async def _topic_to_type(self, _interaction: Interaction, typed: str) -> list[Choice]:
        return self.matching(typed, self.info_pages.topics_to_type(self.game.key))

    @join.autocomplete("table")
    @leave.autocomplete("table")
    @remove.autocomplete("table")
    @start.autocomplete("table")
    @cut.autocomplete("table")
    @move.autocomplete("table")
    @hand.autocomplete("table")
    @board.autocomplete("table")
    @resign.autocomplete("table")
    @undo.autocomplete("table")
    async def _table_to_type(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self.tables_to_type(interaction, typed)


def _open_command(cog: GameCog) -> app_commands.Command[Any, ..., None]:
    """``open``, whose slash options are the game's own options and ``computers``."""
    options = cog.game.options

    async def open_table(
        interaction: Interaction, computers: int = 0, clock: str | None = None, **given: Value | None
    ) -> None:
        chosen = {key: value for key, value in given.items() if value is not None}
        await answer(
            interaction, cog.actions.lobby.open(interaction, cog.game.key, chosen, computers, clock), public=True
        )

    parameters = {
        "interaction": Interaction,
        **{option.key: (int if option.is_number else str) | None for option in options},
        "computers": app_commands.Range[int, 0, _most_seats(cog.game) - 1],
        "clock": str | None,
    }
    signature = inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                annotation=annotation,
                default={"interaction": inspect.Parameter.empty, "computers": 0}.get(name),
            )
            for name, annotation in parameters.items()
        ]
    )
    setattr(open_table, "__signature__", signature)  # noqa: B010 - functions have the attribute, their type does not
    app_commands.describe(
        computers="How many seats computers take",
        clock="How long a move may take; then others may move the table on, or a computer plays",
        **{option.key: clip(option.help, 100) for option in options},
    )(open_table)
    app_commands.choices(
        clock=[app_commands.Choice[Value](name=name, value=key) for key, name in CLOCK_NAMES.items()],
        **{o.key: [app_commands.Choice(name=str(v), value=v) for v in o.choices[:_MOST_CHOICES]] for o in options},
    )(open_table)
    return app_commands.Command(
        name="open", description=f"Open a table of {cog.game.title} in this channel", callback=open_table
    )


def _most_seats(game: AnyGame) -> int:
    players = next(
        (option.choices for option in game.options if option.key == "players"), (game.seats(game.settle({})),)
    )
    return max(int(choice) for choice in players)
