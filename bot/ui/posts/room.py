"""Estimates of the room that texts take on the screen of a phone."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

_MARKUP = re.compile(r"\*\*|\\|^(-#|#+) ", re.MULTILINE)
"""Markup that takes no room on the screen."""
_SIGN = re.compile(".\ufe0e")
"""A sign for which there may be an emoji, which is as wide as three characters."""
ROOM = 23.0
"""Lines that fit on a phone's screen along with the author's name, a row of buttons and a ping."""
ROW = 2.2
"""The height of a row of buttons or a menu, in lines."""
_LINE_LENGTH = 32
"""Characters on a line of a phone."""
GAP = 0.7
"""The gap between paragraphs, in lines. Above a grid, they are one text without gaps."""
_CACHED_PARAGRAPHS = 2048  # the board and hands of a table share most of them


def lines_of(paragraphs: Iterable[str], gap: float = GAP) -> float:
    """Return about how many lines of a phone's screen the paragraphs take, with a gap between them."""
    return sum(gap + _lines_of(paragraph) for paragraph in paragraphs if paragraph)


@lru_cache(maxsize=_CACHED_PARAGRAPHS)
def _lines_of(paragraph: str) -> int:
    text = _SIGN.sub("mmm", _MARKUP.sub("", paragraph))
    return sum(max(1, ceil(len(line) / _LINE_LENGTH)) for line in text.split("\n"))


def without_remarks(paragraphs: Sequence[str], room: float) -> tuple[str, ...]:
    """Return the paragraphs, with as many lines of those below the first as fit ``room`` lines of the screen."""
    first, remarks = tuple(paragraphs[:1]), "\n".join(paragraphs[1:]).split("\n")
    while remarks and lines_of((*first, "\n".join(remarks))) > room:
        remarks.pop(0)
    return tuple(filter(None, (*first, "\n".join(remarks))))
