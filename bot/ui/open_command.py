"""The command ``open`` of each game's group, made from the options of its rulebook."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.computer import offered
from bot.games.game import AnyGame, Option, Value
from bot.tables import MAX_CHOICES
from bot.texts import gettext as _
from bot.ui.actions.lobby_actions import LobbyActions
from bot.ui.autocomplete import Choice, choices
from bot.ui.interactions.respond import answer
from bot.ui.interactions.translator import in_each_language
from bot.ui.messages.absence_notice import clock_names
from bot.ui.messages.levels import has_levels, level_names
from bot.ui.posts.face import Face
from bot.ui.posts.text import clip, title_of


def open_command(face: Face[Any], lobby: LobbyActions) -> app_commands.Command[Any, ..., None]:
    """Return the command. Its slash options are those of the game, the computers, ``clock`` and a saved set."""
    game = face.game

    async def open_table(
        interaction: discord.Interaction,
        computers: int = 0,
        level: str | None = None,
        clock: str | None = None,
        options: str | None = None,
        **given: Value | None,
    ) -> None:
        chosen = {key: value for key, value in given.items() if value is not None}
        opening = lobby.open(interaction, game.key, chosen, computers, clock, level=level, saved=options)
        await answer(interaction, opening, public=True)

    async def saved_sets(interaction: discord.Interaction, typed: str) -> list[Choice]:
        return choices(await lobby.saved_names(interaction, game.key, typed))

    _declare(open_table, face)
    description = in_each_language(lambda: _("Open a table of {game} here", game=title_of(game)))
    command: app_commands.Command[Any, ..., None]
    command = app_commands.Command(name="open", description=description, callback=open_table)
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
    app_commands.choices(
        clock=[app_commands.Choice[Any](name=name, value=key) for key, name in clock_names().items()],
        **{option.key: _choices(face, option) for option in face.game.options},
    )(callback)
    if has_levels(face.game.key):
        app_commands.describe(level="How well computers play, also for absent players")(callback)
        names = level_names()
        app_commands.choices(
            level=[app_commands.Choice[Any](name=names[level], value=level) for level in offered(face.game.key)]
        )(callback)


def _choices(face: Face[Any], option: Option) -> list[app_commands.Choice[Any]]:
    def in_words(value: Value) -> str:
        return face.option_texts()[option.key].values[value]

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
