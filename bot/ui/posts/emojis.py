"""The application's emojis as messages show them, and messages without them if Discord refuses one.

`bot.running.application_emojis` creates them and fills the set.
"""

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import discord

from bot.ui.posts.discord_errors import Code
from bot.ui.posts.text import held_together

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_ABOUT_EMOJI: Final = re.compile(r"\bemoji(\.\w+)*: ")
"""The place of an emoji in a refusal: ``In components.0.components.1.emoji.id: …``."""

_AS_TEXT: Final = "\ufe0e"
"""A variation selector: shows the character before it as text."""
_WORD: Final = re.compile(r"[\w♠♥♦♣]")
"""What isn't markup."""
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
_RANKS: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "knight", "queen", "king"),
)
_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
_BACK: Final = 0x1F0A0
"""The back of a playing card. Behind it, Unicode has the cards, 16 a suit."""
MARKS: Final[Mapping[str, str]] = {
    f"{sign}{_AS_TEXT}": name
    for sign, name in {
        **{
            chr(_BACK + 16 * suit + rank): f"{name}_of_{of}"
            for suit, of in enumerate(_SUITS)
            for rank, name in enumerate(_RANKS, 1)
            if name != "knight"
        },
        "\N{PLAYING CARD BLACK JOKER}": "joker",
        chr(_BACK): "card_back",
        "☠": "poison",
        "✦": "profit",
        "⛁": "chip",
    }.items()
}
"""The emojis that are shown next to their words. Without emojis, their signs and the spaces after them are left out."""
MARK_OF: Final[Mapping[str, str]] = {name: mark for mark, name in MARKS.items()}
"""The sign in texts for each of these emojis."""
_SHOWN: Final = {**SIGNS, **MARKS}
_CODE: Final = r"\\`|`[^`\n]+`"
"""Code in backticks, where Discord shows an emoji's id, and escaped backticks, which don't begin code."""
_CARD: Final = re.compile(r"[♠♥♦♣](?<=[0-9AJQK].)(?![\ufe0e\ufe0f])")
"""The suit of a card in prose, which has no selector: Discord would show it as an emoji of its own."""
_ANY_SIGN: Final = re.compile(f"{_CODE}|(.{_AS_TEXT})([ \n]?)")
"""A sign and the space after it."""
_ANY_MARKS: Final = re.compile(f"(?:[{''.join(mark[0] for mark in MARKS)}]{_AS_TEXT})+[ \n]?")
_SUIT_SIGNS: Final = tuple(sign for sign, name in SIGNS.items() if name in _SUITS)


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
        """Return the texts with emojis for `SIGNS` and `MARKS`, or in words if they would be too long together."""
        texts = [held_together(_CARD.sub(rf"\g<0>{_AS_TEXT}", text)) for text in texts]
        for has_marks in (True, False) if self._emojis else ():
            shown = [_ANY_SIGN.sub(partial(self._shown, has_marks=has_marks), text) for text in texts]
            if sum(map(len, shown)) <= longest:
                return shown
        return [_ANY_MARKS.sub("", text) for text in texts]

    def _shown(self, sign: re.Match[str], *, has_marks: bool) -> str:
        """Return the emoji of a sign. Browsers break lines beside any picture, and would part a sign from its word.

        So only at the start of a line, suits aren't left as signs and marks aren't left out. A sign that a no-break
        space joins to the word before stays as it is.
        """
        text, space = sign.groups()
        if text in MARKS and not (has_marks and _is_at_start(sign)):
            return ""
        name = _SHOWN.get(text)
        is_held = sign.string.endswith("\N{NO-BREAK SPACE}", 0, sign.start())
        if name is None or is_held or (text in _SUIT_SIGNS and not _is_at_start(sign)):
            return sign.group()
        return f"{self._emojis.get(name, '')}{space}"

    def reject(self) -> None:
        """Use none until they have been checked."""
        self._emojis = {}
        self.rejected.set()


def _is_at_start(sign: re.Match[str]) -> bool:
    """Whether nothing but markup is before the sign on its line."""
    text, at = sign.string, sign.start()
    return not _WORD.search(text, text.rfind("\n", 0, at) + 1, at)


NO_EMOJIS: Final = EmojiSet()


def is_about_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord refused a message because of an emoji, which may have been deleted."""
    return error.code == Code.INVALID_FORM_BODY and _ABOUT_EMOJI.search(error.text) is not None
