"""Checks what a user sends before anything else reads it: Discord keeps its own rules, a forger keeps none."""

import re
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands

from bot.tables import Person

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_TYPES: Final[Mapping[AppCommandOptionType, tuple[type, ...]]] = {
    AppCommandOptionType.string: (str,),
    AppCommandOptionType.integer: (int,),
    AppCommandOptionType.boolean: (bool,),
    AppCommandOptionType.channel: (app_commands.AppCommandChannel,),
    AppCommandOptionType.role: (discord.Role,),
}
"""What discord.py makes of the options of each type that commands of this bot have; of threads none takes any."""


def clean(interaction: discord.Interaction) -> None:
    """Replace lone surrogates in what the user sent: such text can neither be stored nor sent."""
    setattr(interaction, "data", _cleaned(interaction.data))  # noqa: B010 - its type is a union of many


def fits(interaction: discord.Interaction) -> bool:
    """Whether a slash command is one of the bot's, has all that it requires, and each option is of its type."""
    try:
        command, given = interaction.command, dict(iter(interaction.namespace))
        typed = _focused(interaction.data)
    except (LookupError, TypeError, ValueError, AttributeError):  # discord.py relies on the form of Discord's data
        return False
    if not isinstance(command, app_commands.Command):
        return False
    if typed is not None:  # then options may be missing, and this one may hold anything
        return typed in given and all(_has_type(each, given, typed) for each in command.parameters)
    return all(
        _has_type(each, given) and (each.display_name in given or not each.required) for each in command.parameters
    )


def person_of(interaction: discord.Interaction) -> Person:
    """Return the user of an interaction, under the name shown there."""
    return Person(interaction.user.id, _cleaned(interaction.user.display_name))


def _has_type(option: app_commands.Parameter, given: Mapping[str, Any], but: str | None = None) -> bool:
    """Whether the option has a value of its type, or none, or is the one with this name."""
    name = option.display_name
    return name == but or name not in given or type(given[name]) in _TYPES[option.type]


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
