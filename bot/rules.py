"""The rules pages, by topic, in pieces that fit a phone's screen.

A page is ``docs/rules/<game>.md``: every ``##`` section is a topic, and its paragraphs and lists, parted by blank
lines, are the blocks that pages are made of. So the text that is read in a browser is the text that is read in Discord.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"
"""Beside the package: in a checkout, and where a wheel installs it."""

PAGE: Final = 900
"""How many characters a page has at most, unless a single block is longer."""


_SUIT: Final = re.compile("(?<=[♠♥♦♣])(?!\ufe0e)")
_AS_TEXT: Final = "\ufe0e"
"""Asks for a suit as text: as emoji, black ones can't be seen on a dark ground."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of the rules. ``title`` is its heading; ``pages`` are one or more, in Discord's markdown."""

    title: str
    pages: tuple[str, ...]


@cache
def topics(game: str) -> tuple[Topic, ...]:
    """The rules of a game, by its key, in the order of the page. Raises ``FileNotFoundError`` if it has none."""
    text = _SUIT.sub(_AS_TEXT, (FOLDER / f"{game}.md").read_text(encoding="utf-8"))
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    parted = (section.partition("\n") for section in sections)
    return tuple(Topic(title.strip(), _pages(body)) for title, _, body in parted)


def _pages(body: str) -> tuple[str, ...]:
    pages = [""]
    for block in body.strip().split("\n\n"):
        longer = f"{pages[-1]}\n\n{block}".strip()
        if len(longer) <= PAGE or not pages[-1]:
            pages[-1] = longer
        else:
            pages.append(block)
    return tuple(pages)
