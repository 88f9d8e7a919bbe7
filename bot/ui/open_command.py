"""The command ``open`` of each game's group, made from the options of its rulebook."""

import inspect
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands

from bot.errors import Text
from bot.games.game import AnyGame, Value
from bot.ui.actions.lobby import LobbyActions
from bot.ui.interactions.respond import answer
from bot.ui.messages.absence_notice import clock_names
from bot.ui.posts.text import clip

MAX_CHOICES = 25
_DESCRIPTION: Final = Text("Open a table of {game} here")


def open_command(game: AnyGame, lobby: LobbyActions) -> app_commands.Command[Any, ..., None]:
    """Return the command. Its slash options are those of the game, ``computers``, ``clock`` and a saved set."""

    async def open_table(
        interaction: discord.Interaction,
        computers: int = 0,
        clock: str | None = None,
        options: str | None = None,
        **given: Value | None,
    ) -> None:
        chosen = {key: value for key, value in given.items() if value is not None}
        opening = lobby.open(interaction, game.key, chosen, computers, clock, saved=options)
        await answer(interaction, opening, public=True)

    async def saved_sets(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        names = await lobby.saved_names(interaction, game.key, typed)
        return [app_commands.Choice(name=clip(label, 100), value=name) for label, name in names[:MAX_CHOICES]]

    signature = inspect.Signature([_parameter(name, annotation) for name, annotation in _annotations(game).items()])
    setattr(open_table, "__signature__", signature)  # noqa: B010 - functions have the attribute, their type does not
    app_commands.describe(
        computers="Seats for computers",
        clock="Time for a move. After that, others can move the game on",
        options="Options saved by you or for this server",
        **{option.key: clip(option.help, 100) for option in game.options},
    )(open_table)
    app_commands.choices(
        clock=[app_commands.Choice[Value](name=name, value=key) for key, name in clock_names().items()],
        **{o.key: [app_commands.Choice(name=str(v), value=v) for v in o.choices[:MAX_CHOICES]] for o in game.options},
    )(open_table)
    description = app_commands.locale_str(_DESCRIPTION.format(game=game.title), template=_DESCRIPTION, game=game.title)
    command: app_commands.Command[Any, ..., None]
    command = app_commands.Command(name="open", description=description, callback=open_table)
    command.autocomplete("options")(saved_sets)
    return command


def _annotations(game: AnyGame) -> Mapping[str, Any]:
    return {
        "interaction": discord.Interaction,
        **{option.key: (int if option.is_number else str) | None for option in game.options},
        "computers": app_commands.Range[int, 0, _max_seats(game) - 1],
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
