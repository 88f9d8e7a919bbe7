"""The tree of slash commands: checks before a command runs, and errors outside of it."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.http import Route

from bot.errors import PlayError, Unreachable
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.presence import absence
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer, may_autocomplete, offer_nothing
from bot.ui.interactions.translator import Translator
from bot.ui.interactions.validation import is_valid_command, replace_unstorable
from bot.ui.posts.discord_errors import TOO_LATE, is_outage

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
    return not (is_late or is_outage(error))


logging.getLogger(app_commands.tree.__name__).addFilter(_is_defect)


class OutdatedCommand(PlayError):
    """A command that this version of the bot doesn't have, or has in another form."""

    def __init__(self) -> None:
        super().__init__("This command has changed with an update. Type it again in a minute.")


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
        refusal = absence(interaction) or (None if is_valid_command(interaction) else OutdatedCommand())
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
