"""Checks what a user sends before anything else reads it: Discord keeps its own rules, a forger keeps none."""

import re
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_TYPES: Final[Mapping[AppCommandOptionType, type]] = {
    AppCommandOptionType.string: str,
    AppCommandOptionType.integer: int,
    AppCommandOptionType.boolean: bool,
}


def clean(interaction: discord.Interaction) -> None:
    """Replace lone surrogates in what the user sent: such text can neither be stored nor sent."""
    setattr(interaction, "data", _cleaned(interaction.data))  # noqa: B010 - its type is a union of many


def fits(interaction: discord.Interaction) -> bool:
    """Whether each option of a slash command has the type that the command declares.

    What is being typed for autocomplete is always text.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return True
    given = dict(iter(interaction.namespace))
    focused = _focused(interaction.data)
    return all(
        type(given[option.display_name]) is _TYPES[option.type]
        for option in command.parameters
        if option.display_name in given and option.display_name != focused and option.type in _TYPES
    )


def _cleaned(part: Any) -> Any:
    if isinstance(part, str):
        return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", part)
    if isinstance(part, list):
        return [_cleaned(inner) for inner in part]
    if isinstance(part, dict):
        return {key: _cleaned(inner) for key, inner in part.items()}
    return part


def _focused(part: Any) -> str | None:
    """The name of the option that is being typed."""
    for option in part.get("options", ()):
        name = option["name"] if option.get("focused") else _focused(option)
        if name is not None:
            return str(name)
    return None
