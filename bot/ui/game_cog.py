"""The slash commands that all games share; each game's cog inherits them. Those of `open` come from its rulebook.

The work of the commands is in `bot.ui.actions`. All options with autocomplete are strings, as numbers fail on phones.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, ClassVar, Concatenate, Final, ParamSpec

import discord
from discord import app_commands
from discord.ext import commands

from bot.computer import offered
from bot.errors import AmbiguousTable, NoSuchTable, PlayError
from bot.games.game import AnyGame, Move, Option, Value
from bot.records.table import Table
from bot.tables.defaults import Wanted
from bot.tables.finding import MAX_CHOICES
from bot.tables.tables import Sight, Tables
from bot.texts import gettext as _, language
from bot.texts.rules_pages import topics
from bot.ui.actions import leaving, lobby_actions, table_actions, undo_actions
from bot.ui.actions.info_pages import rules_named
from bot.ui.actions.lesson_actions import learn
from bot.ui.actions.opening import Wishes, open_table, saved_names
from bot.ui.actions.permissions import Visitor, lobbies_here, tables_here
from bot.ui.actions.press import Context, Handler
from bot.ui.autocomplete import Choice, choices, matching, open_tables
from bot.ui.interactions.language import in_each_language, is_by_ear
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.messages.lobby import clock_names, has_levels, level_names
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.heard import spoken
from bot.ui.posts.names import label_of
from bot.ui.posts.text import clip, title_of

Interaction = discord.Interaction
P = ParamSpec("P")


_ORDER: Final = (
    *("hand", "board", "move", "undo", "open"),
    *("join", "leave", "remove", "start", "resign", "learn", "rules"),
)
"""The shared commands, those that people type while they play first; the game's own come before them."""


def _place_in_list(command: app_commands.Command[Any, ..., Any] | app_commands.Group) -> int:
    return _ORDER.index(command.name) if command.name in _ORDER else -1


class GameCog(commands.GroupCog):
    """The command group of a game. Subclasses set ``face`` and add their own commands."""

    face: ClassVar[Face[Any]]

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.tables = tables
        group = self.app_command
        assert isinstance(group, app_commands.Group)  # noqa: S101 - a GroupCog always has a group
        for command in group.walk_commands():
            if isinstance(command, app_commands.Command) and command.get_parameter("table"):
                command.autocomplete("table")(GameCog.autocomplete_tables)
        others = group.commands
        for command in others:
            group.remove_command(command.name)
        for command in sorted((open_command(self.face), *others), key=_place_in_list):
            group.add_command(command)
        has = {"hand": self.game.has_hands, "learn": self.face.lesson is not None}
        for name in (name for name, is_there in has.items() if not is_there):
            group.remove_command(name)

    @property
    def group_name(self) -> str:
        """The name of the group as users type it after the slash."""
        return str(self.__cog_group_name__)

    @property
    def game(self) -> AnyGame:
        """The rulebook."""
        return self.face.game

    # ---- the table that a command means

    async def table(self, interaction: Interaction, ref: str | None) -> Table:
        """Return the named table, otherwise the user's table in this channel, otherwise their only table."""
        return await self.tables.finder.choose(Visitor(interaction), self.game.key, interaction.channel_id, ref)

    async def at_table(
        self,
        interaction: Interaction,
        ref: str | None,
        action: Callable[Concatenate[Context, P], Awaitable[Reply]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Answer with an action of the user at their table, or with a menu if they may mean several."""

        async def work() -> Reply:
            try:
                table = await self.table(interaction, ref)
            except AmbiguousTable as several:
                return await table_actions.ask_which_table(self.tables, several, "show")
            return await action(await Context(interaction).at(table), *args, **kwargs)

        await answer(interaction, work())

    async def watching(self, interaction: Interaction, ref: str | None, action: Handler, verb: str) -> None:
        """Answer with a page about a table, where the user needn't sit, or with a menu if they may mean several.

        The handler of ``verb`` shows the page about the table that is picked.
        """

        async def work() -> Reply:
            try:
                table = await self._watched(interaction, ref)
            except AmbiguousTable as several:
                return await table_actions.ask_which_table(self.tables, several, verb)
            return await action(Context(interaction, table=table))

        await answer(interaction, work())

    async def play(self, interaction: Interaction, text: str, ref: str | None) -> None:
        """Answer with the result of playing a move."""
        await self.at_table(interaction, ref, table_actions.play, text)

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
        """Return the user's view of the table of the command being typed; ``None`` if there is no such table."""
        try:
            table = await self.table(interaction, getattr(interaction.namespace, "table", None))
            return await self.tables.look(table.id, interaction.user.id)
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
        found = matching(typed, [(name, value) for name, value in named if value is not None])
        return choices((spoken(each.name), each.value) for each in found) if is_by_ear(interaction) else found

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
            return await lobby_actions.join(await Context(interaction).at(found), seat - 1 if seat else None)

        await answer(interaction, work())

    @app_commands.command(description="Leave a table, or let a computer play for you")
    @app_commands.describe(table="Number or name of the table")
    async def leave(self, interaction: Interaction, table: str | None = None) -> None:
        """Leave the seat before the start, or ask how to leave the game."""
        await self.at_table(interaction, table, lobby_actions.leave)

    @app_commands.command(description="Remove a player from your table")
    @app_commands.describe(player="The player to remove", table="Number or name of the table")
    async def remove(self, interaction: Interaction, player: str, table: str | None = None) -> None:
        """Remove a player from the lobby or the game."""
        await self.at_table(interaction, table, leaving.remove, player)

    @remove.autocomplete("player")
    async def _autocomplete_player(self, interaction: Interaction, typed: str) -> list[Choice]:
        try:
            table = await self.table(interaction, getattr(interaction.namespace, "table", None))
        except PlayError:
            return []
        seats = leaving.removable(interaction, table)
        return matching(typed, [(label_of(table, seat), str(seat + 1)) for seat in seats])

    @app_commands.command(description="Start the game")
    @app_commands.describe(table="Number or name of the table")
    async def start(self, interaction: Interaction, table: str | None = None) -> None:
        """Start the game."""
        await self.at_table(interaction, table, lobby_actions.start)

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
        await self.at_table(interaction, table, table_actions.hand)

    @app_commands.command(description="See the board")
    @app_commands.describe(table="Number or name of the table")
    async def board(self, interaction: Interaction, table: str | None = None) -> None:
        """Show the board."""
        await self.watching(interaction, table, table_actions.board, "board-at")

    @app_commands.command(description="Resign from the game")
    @app_commands.describe(table="Number or name of the table")
    async def resign(self, interaction: Interaction, table: str | None = None) -> None:
        """Ask for confirmation to resign."""
        await self.at_table(interaction, table, leaving.ask_to_resign)

    @app_commands.command(description="Undo your last move")
    @app_commands.describe(table="Number or name of the table")
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        """Undo the user's last move."""
        await self.at_table(interaction, table, undo_actions.undo)

    @app_commands.command(description="Learn the game in three minutes, by playing")
    async def learn(self, interaction: Interaction) -> None:
        """Show the lesson at the user's step."""
        await answer(interaction, learn(Context(interaction), self.game.key))

    @app_commands.command(description="Read the rules")
    @app_commands.describe(topic="The topic to read about")
    async def rules(self, interaction: Interaction, topic: str | None = None) -> None:
        """Show the rules."""

        async def work() -> Reply:
            return Reply(await rules_named(Context(interaction), self.game.key, topic))

        await answer(interaction, work())

    @rules.autocomplete("topic")
    async def _autocomplete_topic(self, _interaction: Interaction, typed: str) -> list[Choice]:
        return matching(typed, [(topic.title, topic.title) for topic in topics(self.game.key, language())])


# ---- the command to open a table


def open_command(face: Face[Any]) -> app_commands.Command[Any, ..., None]:
    """Return the command. Its slash options are those of the game, the computers, ``clock`` and a saved set."""
    game = face.game

    async def open_here(
        interaction: discord.Interaction,
        computers: int = 0,
        level: str | None = None,
        clock: str | None = None,
        options: str | None = None,
        **given: Value | None,
    ) -> None:
        chosen = {key: value for key, value in given.items() if value is not None}
        wishes = Wishes(game.key, Wanted(chosen, clock, level), computers, options)
        await answer(interaction, open_table(Context(interaction), wishes), public=True)

    async def saved_sets(interaction: discord.Interaction, typed: str) -> list[Choice]:
        return choices(await saved_names(Context(interaction), game.key, typed))

    _declare(open_here, face)
    description = in_each_language(lambda: _("Open a table of {game} here", game=title_of(game)))
    command: app_commands.Command[Any, ..., None]
    command = app_commands.Command(name="open", description=description, callback=open_here)
    command.autocomplete("options")(saved_sets)
    return command


def _declare(callback: Callable[..., Any], face: Face[Any]) -> None:
    """Give a function the parameters of the command, with their descriptions and choices."""
    signature = inspect.Signature(
        [_parameter(name, annotation) for name, annotation in _annotations(face.game).items()]
    )
    setattr(callback, "__signature__", signature)  # noqa: B010 - functions have the attribute, their type does not
    app_commands.describe(
        computers="How many computers play",
        clock="Time for a move. After that, others can move the game on",
        options="Saved options, yours or the server's",
        **{option.key: clip(option.help, 100) for option in face.game.options},
    )(callback)

    @cache
    def texts(_language: str) -> Mapping[str, OptionText]:
        return face.option_texts()

    app_commands.choices(
        clock=[app_commands.Choice[Any](name=name, value=key) for key, name in clock_names().items()],
        **{option.key: _choices(texts, option) for option in face.game.options},
    )(callback)
    if has_levels(face.game.key):
        app_commands.describe(level="How well computers play, also for absent players")(callback)
        names = level_names()
        app_commands.choices(
            level=[app_commands.Choice[Any](name=names[level], value=level) for level in offered(face.game.key)]
        )(callback)


def _choices(texts: Callable[[str], Mapping[str, OptionText]], option: Option) -> list[app_commands.Choice[Any]]:
    """Return the values of an option. ``texts`` returns those of all options in a language."""

    def in_words(value: Value) -> str:
        return texts(language())[option.key].values[value]

    return [
        app_commands.Choice(name=in_each_language(partial(in_words, value)), value=value)
        for value in option.choices[:MAX_CHOICES]
    ]


def _annotations(game: AnyGame) -> Mapping[str, Any]:
    return {
        "interaction": discord.Interaction,
        **{option.key: (int if option.is_number else str) | None for option in game.options},
        "computers": app_commands.Range[int, 0, _max_seats(game) - 1],
        **({"level": str | None} if has_levels(game.key) else {}),
        "clock": str | None,
        "options": str | None,
    }


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    default = {"interaction": inspect.Parameter.empty, "computers": 0}.get(name)
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation, default=default)


def _max_seats(game: AnyGame) -> int:
    players = next(
        (option.choices for option in game.options if option.key == "players"), (game.seats(game.settle({})),)
    )
    return max(int(choice) for choice in players)
