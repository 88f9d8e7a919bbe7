"""The translation of commands: their descriptions, and the names of choices."""

from collections.abc import Callable
from typing import Final

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.texts import SOURCE, supported, translated, using
from bot.ui.posts.text import clip

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
