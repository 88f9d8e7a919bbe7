"""The tree of slash commands: what interactions may contain, checks before a command runs, and errors."""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands
from discord.http import Route

from bot.errors import NotAllowed, PlayError, Text, Unreachable, is_defect
from bot.records.table import Person
from bot.ui.interactions.language import Translator, use_language_of
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer, may_autocomplete, offer_nothing
from bot.ui.posts.discord_errors import TOO_LATE, is_outage, is_rate_limited

PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    send_messages_in_threads=True,
    create_private_threads=True,
)
"""The permissions that the invitation link asks for."""
_EVERYWHERE: Final = frozenset({"privacy", "settings"})
"""The commands that need no table."""
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""NUL characters, which PostgreSQL doesn't store, and lone surrogates, which aren't valid in UTF-8."""
_TYPES: Final[Mapping[AppCommandOptionType, tuple[type, ...]]] = {
    AppCommandOptionType.string: (str,),
    AppCommandOptionType.integer: (int,),
    AppCommandOptionType.boolean: (bool,),
    AppCommandOptionType.user: (discord.Member, discord.User),
    AppCommandOptionType.channel: (app_commands.AppCommandChannel, app_commands.AppCommandThread),
    AppCommandOptionType.role: (discord.Role,),
    AppCommandOptionType.attachment: (discord.Attachment,),
}
"""The Python types of option values, for the option types that the bot's commands use."""


def replace_unstorable(interaction: discord.Interaction) -> None:
    """Replace characters in an interaction's data that can't be stored or sent."""
    setattr(interaction, "data", _storable(interaction.data))  # noqa: B010 - its type is a union of many


def is_valid_command(interaction: discord.Interaction) -> bool:
    """Whether a slash command exists, has its required options, and all options have the right type."""
    try:
        command, given = interaction.command, dict(iter(interaction.namespace))
        completes = interaction.type is discord.InteractionType.autocomplete
        focused = _focused(interaction.data) if completes else None
    except (LookupError, TypeError, ValueError, AttributeError):  # discord.py expects well-formed data
        return False
    if not isinstance(command, app_commands.Command):
        return False
    if completes:
        return focused in _completed(command) and _has_texts(command, given)
    if not all(_has_type(each, given) for each in command.parameters):
        return False
    return all(each.display_name in given for each in command.parameters if each.required)


def _completed(command: app_commands.Command[Any, ..., Any]) -> set[str]:
    """Return the names of the options that have autocomplete."""
    return {each.display_name for each in command.parameters if each.autocomplete}


def _has_texts(command: app_commands.Command[Any, ..., Any], given: Mapping[str, Any]) -> bool:
    """Whether all texts among the options are texts, which is enough for autocomplete.

    The others may be half typed then, or ids without what they stand for: Discord neither validates nor resolves them.
    """
    return all(_has_type(each, given) for each in command.parameters if each.type is AppCommandOptionType.string)


def as_person(user: discord.abc.User) -> Person:
    """Return a user with the name shown in that place."""
    return Person(user.id, _storable(user.display_name))


def _has_type(option: app_commands.Parameter, given: Mapping[str, Any]) -> bool:
    """Whether the option has a value of its type, or none. An option for any channel may have a thread as well."""
    name, kinds = option.display_name, option.channel_types
    if name not in given:
        return True
    return type(given[name]) in _TYPES[option.type] and (not kinds or given[name].type in kinds)


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


def invitation(application_id: int) -> str:
    """Return the link with which a server's moderators invite the bot."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def absence(interaction: discord.Interaction) -> NotAllowed | None:
    """Return the refusal of a command or press where the bot isn't a member, with the link to invite it."""
    data: Mapping[str, Any] = interaction.data or {}
    if data.get("name") in _EVERYWHERE:
        return None
    if interaction.guild_id is None:
        is_here = not (interaction.context.private_channel or isinstance(interaction.channel, discord.GroupChannel))
        why = Text("You can play on servers that I'm on, or in direct messages. Invite me: {link}")
    else:
        is_here = interaction.client.get_guild(interaction.guild_id) is not None
        why = Text("I'm not on this server yet. Ask a moderator to invite me: {link}")
    return None if is_here else NotAllowed(why, link=invitation(interaction.application_id))


log: Final = logging.getLogger(__name__)

_ENTRY_POINT: Final = 4
"""The type of a command that opens an activity, which the developer portal adds."""
_REQUESTED: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations", "handler"),
    *("default_member_permissions", "contexts", "integration_types"),
)
"""What a request says about a command, of what Discord's answers do."""


def _as_request(command: Mapping[str, Any]) -> dict[str, Any]:
    return {key: command[key] for key in _REQUESTED if command.get(key) is not None}


def _is_defect(record: logging.LogRecord) -> bool:
    """Whether autocomplete failed because of a bug: the answer wasn't late or repeated, and the connection worked."""
    error = record.exc_info[1] if record.exc_info else None
    is_late = isinstance(error, discord.HTTPException) and error.code in TOO_LATE
    is_stores = error is not None and not is_defect(getattr(error, "original", error))
    return not (is_late or is_stores or is_outage(error) or is_rate_limited(error))


logging.getLogger(app_commands.tree.__name__).addFilter(_is_defect)


async def _fail(error: Exception) -> Reply:
    raise error


class CommandTree(app_commands.CommandTree[Any]):
    """Answers refusals and errors from outside a command like those inside."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Refuse commands where the bot isn't, or in a form that this version doesn't have; limit autocomplete.

        For commands, the limit is applied when they are answered.
        """
        replace_unstorable(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            if not await may_autocomplete(interaction):
                return False
            try:
                await use_language_of(interaction)
            except Unreachable:
                await offer_nothing(interaction)
                return False
        refusal: PlayError | None = absence(interaction)
        if refusal is None and not is_valid_command(interaction):
            refusal = PlayError("This command has changed with an update. Type it again in a minute.")
        if refusal is None:
            return True
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(refusal))
        else:
            await offer_nothing(interaction)
        return False

    async def sync(self, *, guild: discord.abc.Snowflake | None = None) -> list[app_commands.AppCommand]:
        """Sync the commands. Keep the entry point of an activity: Discord refuses lists without it (50240)."""
        http, application = self.client.http, self.client.application_id
        if guild is not None or application is None:
            return await super().sync(guild=guild)
        route = Route("GET", "/applications/{application_id}/commands", application_id=application)
        registered = await http.request(route, params={"with_localizations": "true"})
        kept = [_as_request(each) for each in registered if each.get("type") == _ENTRY_POINT]
        if not kept:
            return await super().sync()
        translator = self.translator or Translator()
        ours = [await each.get_translated_payload(self, translator) for each in self.get_commands()]
        data = await http.bulk_upsert_global_commands(application, payload=[*ours, *kept])
        return [app_commands.AppCommand(data=each, state=self._state) for each in data]

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer with the error, under a reference number unless it is a refusal."""
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(error))
        else:
            log.error("autocomplete of interaction %s failed", interaction.id, exc_info=error)
