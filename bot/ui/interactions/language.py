"""The language of the answer to an interaction."""

import logging
from typing import Any, Final

import discord

from bot.errors import StoreError, Unreachable
from bot.texts import SOURCE, supported, use

log: Final = logging.getLogger(__name__)


async def use_language_of(interaction: discord.Interaction) -> None:
    """Translate to the user's language in the rest of this task: the one they chose, or their app's.

    The languages of the user's app and of the server are stored if they are new, as messages that aren't answers are
    in these languages, too. Raises `Unreachable`.
    """
    client: Any = interaction.client
    locale, guild_locale = _reported(interaction.locale), _reported(interaction.guild_locale)
    use(locale or SOURCE)
    try:
        known = await client.tables.languages.report(interaction.user.id, locale, interaction.guild_id, guild_locale)
    except Unreachable:  # so is what the user wants, and waiting for both would take twice as long
        raise
    except StoreError:
        log.warning("the language of user %s can't be looked up", interaction.user.id, exc_info=True)
    else:
        use(supported(known))


def _reported(locale: discord.Locale | None) -> str | None:
    """Return a locale as it is stored: ``None`` stands for the source language."""
    language = supported(None if locale is None else str(locale))
    return None if language == SOURCE else language
