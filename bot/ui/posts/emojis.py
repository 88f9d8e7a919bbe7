"""The application's emojis as messages show them, and messages without them if Discord refuses one.

`bot.emojis` creates them and fills the set.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

import discord

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_INVALID_FORM_BODY: Final = 50035
_ABOUT_EMOJI: Final = re.compile(r"\bemoji(\.\w+)*: ")
"""In a refusal, the place of an emoji: ``In components.0.components.1.emoji.id: …``."""


class EmojiSet:
    """The application's emojis by name, such as ``king_of_diamonds``.

    It is empty until all of them exist, so that messages never mix pictures and text.
    """

    def __init__(self) -> None:
        self._emojis: Mapping[str, discord.PartialEmoji] = {}
        self.rejected: Final = asyncio.Event()
        """Set when Discord has refused one of them, until they are checked."""

    def fill(self, emojis: Mapping[str, discord.PartialEmoji]) -> None:
        """Use these from now on."""
        self._emojis = emojis

    def find(self, name: str) -> discord.PartialEmoji | None:
        """Return the emoji of this name, or ``None`` while the set is empty."""
        return self._emojis.get(name)

    def reject(self) -> None:
        """Use none until they have been checked."""
        self._emojis = {}
        self.rejected.set()


NO_EMOJIS: Final = EmojiSet()


async def sent_with(emojis: EmojiSet, send: Callable[[EmojiSet], Awaitable[T]]) -> T:
    """Send a message with these emojis. If Discord refuses one of them, send it at once without any."""
    try:
        return await send(emojis)
    except discord.HTTPException as error:
        if not is_about_emoji(error):
            raise
        log.warning("Discord refused an emoji; using none until they are checked: %s", error)
        emojis.reject()
        return await send(NO_EMOJIS)


def is_about_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord refused a message because of an emoji, which may have been deleted."""
    return error.code == _INVALID_FORM_BODY and _ABOUT_EMOJI.search(error.text) is not None
