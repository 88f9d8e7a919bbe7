"""The rules of each game by topic, in pages that fit a phone's screen.

They come from ``docs/rules/<game>.md``, so they are the same in a browser and on Discord. Other languages have folders
there, ``docs/rules/<language>/<game>.md``, with the same topics. A page that a language lacks is in English.

Every ``##`` section is a topic. Its blocks, separated by blank lines, are joined into pages.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"
"""Beside the package, in a checkout as well as in an installed wheel."""

PAGE: Final = 900
"""Maximum length of a page in characters. Only a single block may be longer."""

GENERAL: Final = "general"
"""The key of the page about what all games have in common, in place of that of a game."""

_GAMES: Final = {
    "G": GENERAL,
    "PC": "pond",
    "P": "pond",
    "PD": "frogs",
    "F": "frogs",
    "PT": "pontis",
    "T": "pontis",
    "BK": "pot_black",
    "K": "pot_black",
}
"""The game of a ruling by its first letters."""
_SUIT: Final = re.compile("(?<=[♠♥♦♣])(?!\ufe0e)")
_AS_TEXT: Final = "\ufe0e"
"""Shows a suit as text. As emoji, black suits are invisible on a dark background."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of the rules: its heading, and one or more pages in Discord's markdown."""

    title: str
    pages: tuple[str, ...]


@cache
def topics(game: str, language: str = "en") -> tuple[Topic, ...]:
    """Return the rules of the game with this key. Raise ``FileNotFoundError`` if there are none."""
    path = FOLDER / language / f"{game}.md"
    text = (path if path.exists() else FOLDER / f"{game}.md").read_text(encoding="utf-8")
    text = _SUIT.sub(_AS_TEXT, text)
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    split = (section.partition("\n") for section in sections)
    return tuple(Topic(title.strip(), _pages(body)) for title, _, body in split)


@cache
def page_about(ruling: str, language: str = "en") -> tuple[str, int, int] | None:
    """Return where a ruling is explained first: the game, and the numbers of the topic and of its page."""
    game = _GAMES.get(ruling.partition("-")[0])
    if game is None:
        return None
    named = re.compile(rf"\b{ruling}\b")
    pages = ((topic, page) for topic, here in enumerate(topics(game, language)) for page in range(len(here.pages)))
    return next(((game, *at) for at in pages if named.search(topics(game, language)[at[0]].pages[at[1]])), None)


def _pages(body: str) -> tuple[str, ...]:
    pages = [""]
    for block in body.strip().split("\n\n"):
        longer = f"{pages[-1]}\n\n{block}".strip()
        if len(longer) <= PAGE or not pages[-1]:
            pages[-1] = longer
        else:
            pages.append(block)
    return tuple(pages)
