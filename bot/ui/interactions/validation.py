"""Validation of interactions before anything else reads them.

Discord checks what its apps send, but users can forge interactions.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands

from bot.tables import Person

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""NUL characters, which PostgreSQL doesn't store, and lone surrogates, which aren't valid in UTF-8."""
_TYPES: Final[Mapping[AppCommandOptionType, tuple[type, ...]]] = {
    AppCommandOptionType.string: (str,),
    AppCommandOptionType.integer: (int,),
    AppCommandOptionType.boolean: (bool,),
    AppCommandOptionType.channel: (app_commands.AppCommandChannel,),
    AppCommandOptionType.role: (discord.Role,),
}
"""The Python types of option values, for the option types that the bot's commands use. Threads are never valid."""


def replace_unstorable(interaction: discord.Interaction) -> None:
    """Replace characters in an interaction's data that can't be stored or sent."""
    setattr(interaction, "data", _storable(interaction.data))  # noqa: B010 - its type is a union of many


def is_valid_command(interaction: discord.Interaction) -> bool:
    """Whether a slash command exists, has its required options, and all options have the right type."""
    try:
        command, given = interaction.command, dict(iter(interaction.namespace))
        focused = _focused(interaction.data)
    except (LookupError, TypeError, ValueError, AttributeError):  # discord.py expects well-formed data
        return False
    if not isinstance(command, app_commands.Command):
        return False
    if focused is not None:  # autocomplete: options may be missing, and the focused one may hold anything
        return focused in given and all(
            each.display_name == focused or _has_type(each, given) for each in command.parameters
        )
    return all(
        _has_type(each, given) and (each.display_name in given or not each.required) for each in command.parameters
    )


def person_of(interaction: discord.Interaction) -> Person:
    """Return the user of an interaction with the name shown in that place."""
    return Person(interaction.user.id, _storable(interaction.user.display_name))


def _has_type(option: app_commands.Parameter, given: Mapping[str, Any]) -> bool:
    """Whether the option has a value of its type, or none."""
    name = option.display_name
    return name not in given or type(given[name]) in _TYPES[option.type]


def _storable(part: Any) -> Any:
    if isinstance(part, str):
        return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", part)
    if isinstance(part, list):
        return [_storable(inner) for inner in part]
    if isinstance(part, dict):
        return {key: _storable(inner) for key, inner in part.items()}
    return part


def _focused(part: Any) -> str | None:
    """Return the name of the option that the user is typing."""
    for option in part.get("options", ()):
        name = option["name"] if option.get("focused") else _focused(option)
        if name is not None:
            return str(name)
    return None
