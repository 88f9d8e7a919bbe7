"""Text as masks: which characters the shipped fonts have, shortening, and names in any script.

Text is laid out without system libraries, so that it looks the same everywhere.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

FONTS: Final = Path(__file__).with_name("fonts")
_FILES: Final = (
    *("MPLUSRounded1c-Bold.ttf", "MPLUSRounded1c-Bold-Kanji.woff2"),
    *("Jua-Hangul.woff2", "NotoSansArabic-Bold.woff2", "NotoSansSC-Bold-Hanzi.woff2"),
)
"""Latin, Greek, Cyrillic and Hebrew; kana and the most frequent kanji; Hangul's 2,350 usual syllables; Arabic with the
forms that letters take next to others; the other Chinese characters of GB 2312 and of the first level of Big5.
"""
_ARABIC: Final = 3
_ARABIC_SCALE: Final = 0.86
_RAISED: Final = 7 / 48
"""Arabic reaches further above and below the line than other scripts. To fit into name plates, it is a little smaller
and raised by this share of the size.
"""
_USUAL: Final = 48
"""The size of most texts. A font takes up to 2 MB of memory for each size in use."""
_CUT: Final = "."
"""Ends a shortened text. An ellipsis takes the room of two letters."""
_NAME: Final = "\N{FIRST STRONG ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"
"""Enclose a name with letters that are read from right to left: its order is independent of the text around it."""
_ENCLOSED: Final = re.compile(f"{_NAME}(.*?){_END}")
_RIGHT_TO_LEFT: Final = {"R", "AL"}
_STRONG: Final = {"L", *_RIGHT_TO_LEFT}
_NUMBERS: Final = {"EN", "AN"}
_MIRRORED: Final = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_UNKNOWN: Final = 0xFFFF
"""A character that no font has."""
_LAM_ALEF: Final = 0xFEF5
"""From here on, characters stand for two letters. Other such characters aren't needed to read a word."""
_FORM: Final = {
    (False, False): "isolated",
    (False, True): "initial",
    (True, True): "medial",
    (True, False): "final",
}
"""The form of a letter, by whether it is joined to the one before it and to the one after it."""
_TATWEEL: Final = "\N{ARABIC TATWEEL}"
"""Only lengthens a word."""


@cache
def _font(number: int, size: int) -> ImageFont.FreeTypeFont:
    if number == _ARABIC:
        size = round(size * _ARABIC_SCALE)
    return ImageFont.truetype(str(FONTS / _FILES[number]), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _font_with(character: str) -> int | None:
    """Return the number of the font that has a character."""
    for number in range(len(_FILES)):
        font = _font(number, _USUAL)
        shape, missing = font.getmask(character), font.getmask(chr(_UNKNOWN))
        if character.isspace() or shape.size != missing.size or bytes(shape) != bytes(missing):
            return number
    return None


_ON_BLACK: Final = {
    first + nth: letter for first in (0x1F150, 0x1F170) for nth, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}


def writable(name: str, seat: int) -> str:
    """Return a name as the fonts can show it: in plain letters, without emojis; its seat if no letter can be shown.

    The ellipsis of our fonts is at half height, so a shortened name ends as `shortened` ends it.
    """
    kept = [c for c in _plain(name.replace("…", _CUT)) if not _is_drawn_as_nothing(c)]
    text = " ".join(filter(None, map(_drawable, "".join(kept).split()))) or f"#{seat + 1}"
    return f"{_NAME}{text}{_END}" if any(map(_is_right_to_left, text)) else text


def _plain(name: str) -> str:
    """Return a name in the usual letters (NFKC), but for those that stand for several and have a font, such as ĳ.

    White letters on black circles and squares, which NFKC leaves, are usual ones, too.
    """
    plain = ((c, unicodedata.normalize("NFKC", c)) for c in unicodedata.normalize("NFC", name.translate(_ON_BLACK)))
    return unicodedata.normalize("NFC", "".join(c if len(k) > 1 and _has_fonts(c) else k for c, k in plain))


def _drawable(word: str) -> str:
    """Return what the fonts can show of a word; nothing if no letter is left."""
    if _has_fonts(word):
        return word
    shown = "".join(c for c in word if _has_fonts(c))
    return shown if any(map(str.isalnum, shown)) and _has_fonts(shown) else ""


def _has_fonts(word: str) -> bool:
    return all(_font_with(c) is not None for c in _shaped(word))


def _is_drawn_as_nothing(character: str) -> bool:
    """Whether names do without it: emojis, what joins them, and control characters."""
    kind = unicodedata.category(character)
    return kind in {"So", "Sk", "Cf", "Cc", "Cn", "Co", "Cs", "Me"} or (kind == "Mn" and _font_with(character) is None)


@cache
def _arabic_forms() -> Mapping[tuple[str, str], str]:
    """Return the character of each form, such as ``initial``, of an Arabic letter, or of lam with alef."""
    forms = {}
    for code in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or ("",)
        if len(letters) == 1 or code >= _LAM_ALEF:
            forms[kind.strip("<>"), "".join(chr(int(letter, 16)) for letter in letters)] = chr(code)
    return forms


def _shaped(word: str) -> str:
    """Return a word with the forms that Arabic letters take next to others. Other letters stay the same."""
    if not any(unicodedata.bidirectional(c) == "AL" for c in word):
        return word
    forms, word = _arabic_forms(), word.replace(_TATWEEL, "")
    shown, at, is_joined = "", 0, False
    while at < len(word):
        letters = word[at : at + 2] if ("isolated", word[at : at + 2]) in forms else word[at]
        at += len(letters)
        joins_next = ("initial", letters) in forms and ("final", word[at : at + 1]) in forms
        form = forms.get((_FORM[is_joined, joins_next], letters), letters)
        shown += form if _font_with(form) is not None else letters
        is_joined = joins_next
    return shown


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in _RIGHT_TO_LEFT


@lru_cache(maxsize=8192)
def visual_order(text: str) -> str:
    """Return a text in visual order, from left to right, with joined Arabic letters."""
    return _ENCLOSED.sub(lambda name: _name_in_visual_order(name[1]), text)


def _name_in_visual_order(name: str) -> str:
    """Return a name in visual order, by the main rules of Unicode's bidirectional algorithm."""
    name = " ".join(map(_shaped, name.split(" ")))
    letters = _reversed(_reversed([*zip(_levels(name), name, strict=True)], 2), 1)
    return "".join(c.translate(_MIRRORED) if level == 1 else c for level, c in letters)


def _reversed(letters: Sequence[tuple[int, str]], lowest: int) -> list[tuple[int, str]]:
    """Return letters with their levels. Runs of at least the lowest level are reversed."""
    runs = [(is_turned, [*run]) for is_turned, run in groupby(letters, lambda each: each[0] >= lowest)]
    return [each for is_turned, run in runs for each in (reversed(run) if is_turned else run)]


def _levels(name: str) -> Iterator[int]:
    """Yield 1 for what is read from right to left, 2 for what is read from left to right within it, otherwise 0."""
    kinds = [unicodedata.bidirectional(c) for c in name]
    main = next((kind != "L" for kind in kinds if kind in _STRONG), False)
    for kind, is_right_to_left in zip(kinds, _directions(kinds, main=main), strict=True):
        yield 2 * (main or is_right_to_left) if kind in _NUMBERS or not is_right_to_left else 1


def _directions(kinds: Sequence[str], *, main: bool) -> Iterator[bool]:
    """Yield for each character whether it belongs to what is read from right to left.

    Numbers belong to the letters before them, and other characters to both neighbours if these agree.
    """
    before = [*accumulate(kinds, lambda last, kind: kind != "L" if kind in _STRONG else last, initial=main)][1:]
    known = [last if kind in _STRONG | _NUMBERS else None for kind, last in zip(kinds, before, strict=True)]
    behind = [*accumulate(reversed(known), lambda last, each: last if each is None else each, initial=main)][::-1]
    for direction, left, right in zip(known, before, behind, strict=False):
        yield direction if direction is not None else left if left == right else main


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
    return round(sum(_font(number, size).getlength(run) for number, run in _runs(visual_order(text))))


@lru_cache(maxsize=4096)
def shortened(text: str, size: int, limit: int) -> str:
    """Return the text, shortened to a width. Its beginning stays, in reading order."""
    if width(text, size) <= limit:
        return text
    for kept in range(len(text) - 1, 0, -1):
        short = text[:kept].rstrip(f" .&{_NAME}") + _CUT
        if short.rfind(_NAME) > short.rfind(_END):
            short += _END
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
    for number, run in _runs(visual_order(text)):
        font = _font(number, size)
        y = size - round(size * _RAISED) if number == _ARABIC else size
        draw.text((x, y), run, 255, font, anchor="ls")
        x += font.getlength(run)
    return image
