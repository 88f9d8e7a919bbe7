"""The language of answers and of commands."""

import logging
from collections.abc import Callable
from typing import Any, Final

import discord
from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot import logs
from bot.errors import StoreError, Unreachable
from bot.texts import SOURCE, supported, translated, use, using
from bot.ui.posts.text import clip

log: Final = logging.getLogger(__name__)

_BY_EAR: Final = "by-ear"
"""The key of an interaction's ``extras``: whether private messages are for the ear (`bot.ui.posts.heard`)."""


async def use_language_of(interaction: discord.Interaction) -> None:
    """Translate to the user's language in the rest of this task: the one they chose, or their app's.

    From then on, `is_by_ear` tells whether they want hands as text.

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
    except StoreError as error:
        logs.failure(log, "the language of user %s can't be looked up", interaction.user.id, error=error)
    else:
        use(supported(known.language))
        interaction.extras[_BY_EAR] = known.hands == "text"


def is_by_ear(interaction: discord.Interaction) -> bool:
    """Whether the user wants hands as text, as far as `use_language_of` has found out."""
    return bool(interaction.extras.get(_BY_EAR))


def _reported(locale: discord.Locale | None) -> str | None:
    """Return a locale as it is stored: ``None`` stands for the source language."""
    language = supported(None if locale is None else str(locale))
    return None if language == SOURCE else language


_TRANSLATED: Final = frozenset(
    {
        Location.command_description,
        Location.group_description,
        Location.parameter_description,
        Location.choice_name,
    }
)
"""The names of commands and options are the same in every language, so that texts can mention them."""
_MAX_LENGTH: Final = 100


def in_each_language(words: Callable[[], str]) -> app_commands.locale_str:
    """Return a text of a command that isn't a constant; ``words`` returns it in the current language."""
    return app_commands.locale_str(words(), words=words)


class Translator(app_commands.Translator):
    """Translates commands when they are synced."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return the text in a language; ``None`` if it isn't translated to it."""
        language = supported(str(locale))
        if language == SOURCE or context.location not in _TRANSLATED:
            return None
        words: Callable[[], str] | None = string.extras.get("words")
        with using(language):
            text = words() if words else translated(string.message)
        return None if text == string.message else clip(text, _MAX_LENGTH)
