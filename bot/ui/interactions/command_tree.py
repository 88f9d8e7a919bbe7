"""The tree of slash commands: checks before a command runs, errors outside of it, and syncing with Discord."""

import asyncio
import itertools
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.errors import PlayError
from bot.ui.interactions.language import use_language_of
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer, may_autocomplete, offer_nothing
from bot.ui.interactions.validation import is_valid_command, replace_unstorable
from bot.ui.posts.discord_errors import TOO_LATE, is_outage

log: Final = logging.getLogger(__name__)

SYNC_RETRY_S: Final = (5, 30, 300, 3600)
"""Retry delays for syncing commands; the last one repeats."""


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
        """Refuse commands in a form that this version doesn't have, and apply the rate limit to autocomplete.

        For commands, the limit is applied when they are answered.
        """
        replace_unstorable(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            if not await may_autocomplete(interaction):
                return False
            await use_language_of(interaction)
        if is_valid_command(interaction):
            return True
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(OutdatedCommand()))
        else:
            await offer_nothing(interaction)
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer with the error, under a reference number unless it is a refusal."""
        if interaction.type is discord.InteractionType.application_command:
            await answer(interaction, _fail(error))
        else:
            log.error("autocomplete of interaction %s failed", interaction.id, exc_info=error)


async def keep_syncing(tree: app_commands.CommandTree[Any], tried: asyncio.Event) -> None:
    """Sync the commands, retrying until Discord takes them. ``tried`` is set after the first attempt.

    Discord may fail, or refuse after too many starts in a day. Until then the commands of the last start are valid.
    """
    for delay_s in itertools.chain(SYNC_RETRY_S, itertools.repeat(SYNC_RETRY_S[-1])):
        try:
            await tree.sync()
        except Exception:
            log.exception("Discord didn't take the commands; retrying in %s s", delay_s)
        else:
            return
        finally:
            tried.set()
        await asyncio.sleep(delay_s)
