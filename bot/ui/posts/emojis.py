"""The application's emojis as messages show them, and messages without them if Discord refuses one.

`bot.emojis` creates them and fills the set.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

import discord

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_INVALID_FORM_BODY: Final = 50035
_ABOUT_EMOJI: Final = re.compile(r"\bemoji(\.\w+)*: ")
"""In a refusal, the place of an emoji: ``In components.0.components.1.emoji.id: …``."""

_AS_TEXT: Final = "\ufe0e"
"""A variation selector: shows the character before it as text."""
SIGNS: Final[Mapping[str, str]] = {
    f"{sign}{_AS_TEXT}": name
    for sign, name in {
        "♠": "spades",
        "♥": "hearts",
        "♦": "diamonds",
        "♣": "clubs",
        "▮": "card_back",
        "○": "light_egg",
        "●": "dark_egg",
        "△": "light_tadpole",
        "▲": "dark_tadpole",
        "☆": "light_frog",
        "★": "dark_frog",
    }.items()
}
"""The emojis that replace signs in texts. Without a variation selector, signs stay as they are, as in names."""
_ANY_SIGN: Final = re.compile(f"(?P<after>(?<=\\w))?(?P<sign>{'|'.join(SIGNS)})")
_WORD_JOINER: Final = "\u2060"
"""Keeps the rank and the suit of a card on one line."""


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

    def in_texts(self, texts: Sequence[str], longest: int) -> Sequence[str]:
        """Return the texts with emojis for `SIGNS`, or as they are if they would be too long together."""
        if not self._emojis:
            return texts
        shown = [_ANY_SIGN.sub(self._shown, text) for text in texts]
        return shown if sum(map(len, shown)) <= longest else texts

    def _shown(self, sign: re.Match[str]) -> str:
        joiner = "" if sign["after"] is None else _WORD_JOINER
        return f"{joiner}{self._emojis.get(SIGNS[sign['sign']], sign['sign'])}"

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
