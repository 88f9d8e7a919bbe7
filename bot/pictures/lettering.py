"""Text as masks: which characters the shipped fonts have, shortening, and names in any script.

Text is laid out without system libraries, so that it looks the same everywhere.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

FONTS: Final = Path(__file__).with_name("fonts")
_FILES: Final = ("MPLUSRounded1c-Bold.ttf", "MPLUSRounded1c-Bold-Kanji.woff2")
"""Latin, Greek, Cyrillic and Hebrew; kana and the most frequent kanji."""
_CUT: Final = "."
"""Ends a shortened text. An ellipsis takes the room of two letters."""
COMPUTER: Final = "\N{ROBOT FACE}"
_RIGHT_TO_LEFT: Final = {"R", "AL"}
_UNKNOWN: Final = 0xFFFF
"""A character that no font has."""


@cache
def _font(number: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / _FILES[number]), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _font_with(character: str) -> int | None:
    """Return the number of the font that has a character."""
    for number in range(len(_FILES)):
        font = _font(number, 24)
        shape, missing = font.getmask(character), font.getmask(chr(_UNKNOWN))
        if character.isspace() or shape.size != missing.size or bytes(shape) != bytes(missing):
            return number
    return None


def writable(name: str, seat: int) -> str:
    """Return a name as the fonts can show it: without emojis, from left to right, else its initials or its seat."""
    kept = [c for c in unicodedata.normalize("NFC", name) if not _is_drawn_as_nothing(c)]
    words = "".join(kept).split()
    if words and all(_font_with(c) is not None for word in words for c in word):
        return _left_to_right(" ".join(words))
    shown = [word for word in words if all(_font_with(c) is not None for c in word)]
    initials = [word[0] for word in words if _font_with(word[0]) is not None]
    if shown or initials:
        return _left_to_right(" ".join(shown) or "".join(initials))
    return f"#{seat + 1}"


def _is_drawn_as_nothing(character: str) -> bool:
    """Whether names do without it: emojis, what joins them, and control characters."""
    kind = unicodedata.category(character)
    return kind in {"So", "Sk", "Cf", "Cc", "Cn", "Co", "Cs", "Me"} or (kind == "Mn" and _font_with(character) is None)


def _left_to_right(text: str) -> str:
    """Return a text in the order in which it is seen: runs of right-to-left letters are reversed."""
    if not any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text):
        return text
    words = text.split(" ")
    turned = [word[::-1] if unicodedata.bidirectional(word[0]) in _RIGHT_TO_LEFT else word for word in words]
    return " ".join(reversed(turned) if unicodedata.bidirectional(text[0]) in _RIGHT_TO_LEFT else turned)


def _runs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that one font can show."""
    start = 0
    fonts = [_font_with(c) or 0 for c in text]
    for end in range(1, len(text) + 1):
        if end == len(text) or fonts[end] != fonts[start]:
            yield fonts[start], text[start:end]
            start = end


@lru_cache(maxsize=8192)
def width(text: str, size: int) -> int:
    """Return the width of a text."""
    return round(sum(_font(number, size).getlength(run) for number, run in _runs(text)))


@lru_cache(maxsize=4096)
def shortened(text: str, size: int, limit: int) -> str:
    """Return the text, shortened to a width."""
    if width(text, size) <= limit:
        return text
    ends_left = unicodedata.bidirectional(text[-1]) in _RIGHT_TO_LEFT
    for kept in range(len(text) - 1, 0, -1):
        short = _CUT + text[-kept:].lstrip(" .&") if ends_left else text[:kept].rstrip(" .&") + _CUT
        if width(short, size) <= limit:
            return short
    return _CUT


@lru_cache(maxsize=1024)
def joined(names: tuple[str, ...], size: int, limit: int) -> str:
    """Return the names of a side. Without room for all, the long ones are shortened to the same width."""
    room, rest = limit - width(" & ", size) * (len(names) - 1), len(names)
    short: dict[str, str] = {}
    for name in sorted(names, key=lambda name: width(name, size)):
        short[name] = shortened(name, size, room // rest)
        room, rest = room - width(short[name], size), rest - 1
    return " & ".join(short[name] for name in names)


@lru_cache(maxsize=1024)
def mask(text: str, size: int) -> Image.Image:
    """Return the ink of a text on each pixel of a line."""
    image = Image.new("L", (max(1, width(text, size) + 2), round(size * 1.3)))
    draw, x = ImageDraw.Draw(image), 0.0
    for number, run in _runs(text):
        font = _font(number, size)
        draw.text((x, size), run, 255, font, anchor="ls")
        x += font.getlength(run)
    return image
