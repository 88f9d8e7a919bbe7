"""The rules of each game by topic, in pages that fit a phone's screen.

They come from ``docs/rules/<game>.md``, so they are the same in a browser and on Discord. Other languages have folders
there, ``docs/rules/<language>/<game>.md``, with the same topics. A page that a language lacks is in English.

Every ``##`` section is a topic. Its blocks, separated by blank lines, are joined into pages. A picture is a block
of its own, and stays on the page of the block below it. `tools.rules_pictures` draws the pictures.
"""

import re
import struct
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parents[2] / "docs" / "rules"
"""Beside the package, in a checkout as well as in an installed wheel."""

PAGE: Final = 20
"""Maximum length of a page in lines of a phone. Only a single paragraph or point of a list may be longer."""
_LINE: Final = 32
"""Characters in a line. Points of lists are indented."""
_INDENTED: Final = 31
_AROUND_POINT: Final = 0.3
_LINE_HEIGHT: Final = 22
_SHOWN_WIDTH: Final = 265
"""The width of pictures, and the height of a line, in pixels."""

GENERAL: Final = "general"
"""The key of the page about what all games have in common, in place of a game's key."""

ADVICE: Final = 1
"""The topic of a game's first advice."""

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


_CODES: Final = re.compile(r" ?\([A-Z]{1,2}-\d+(?:, [A-Z]{1,2}-\d+)*\)")
"""The codes of rulings after a sentence."""
_START: Final = re.compile(r"^((?:[-*] |\d+\. )?)")
MARK: Final = "👉"
"""Stands before what explains the ruling that was asked about."""

_POINT: Final = re.compile(r"(?:[-*]|\d+\.) ")
_STYLE: Final = re.compile(r"(?!^)[*`]|\ufe0e")
"""Markup that takes no room on the screen."""
IMAGE: Final = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
"""A picture in Markdown: its description, and its file as seen from the page."""


class Illustration(NamedTuple):
    """A picture of the rules: its file, and a description of what it shows."""

    file: Path
    alt: str


class Page(NamedTuple):
    """A page in Discord's markdown: the text ``above`` and ``below`` its picture, if it has one."""

    above: str
    picture: Illustration | None = None
    below: str = ""

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n\n".join(filter(None, (self.above, self.below)))


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of the rules: its heading, and one or more pages."""

    title: str
    pages: tuple[Page, ...]


@cache
def topics(game: str, language: str = "en") -> tuple[Topic, ...]:
    """Return the rules of the game with this key. Raise ``FileNotFoundError`` if there are none."""
    path = FOLDER / language / f"{game}.md"
    if not path.exists():
        path = FOLDER / f"{game}.md"
    text = _SUIT.sub(_AS_TEXT, path.read_text(encoding="utf-8"))
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    split = (section.partition("\n") for section in sections)
    return tuple(Topic(title.strip(), tuple(_pages(body, path.parent))) for title, _, body in split)


@cache
def first_advice(game: str, language: str = "en") -> tuple[str, ...]:
    """Return the lines of the first advice in a game's rules."""
    pages = topics(game, language)[ADVICE].pages
    return tuple(line.removeprefix("- ") for page in pages for line in page.text.splitlines() if line)


@cache
def page_about(ruling: str, language: str = "en") -> tuple[str, int, int] | None:
    """Return the first explanation of a ruling: the game, and the numbers of the topic and of its page."""
    game = _GAMES.get(ruling.partition("-")[0])
    if game is None:
        return None
    named = re.compile(rf"\b{ruling}\b")
    pages = ((topic, page) for topic, here in enumerate(topics(game, language)) for page in range(len(here.pages)))
    return next(((game, *at) for at in pages if named.search(topics(game, language)[at[0]].pages[at[1]].text)), None)


def place_of(ruling: str, language: str = "en") -> str | None:
    """Return where a ruling is explained, for a button that opens the page there: ``pond.7.0.PC-23``."""
    page = page_about(ruling, language)
    return None if page is None else ".".join(map(str, (*page, ruling)))


def as_read(text: str, ruling: str = "") -> str:
    """Return the text of a page without the codes of rulings, with a mark at the line that explains one of them."""
    lines = text.split("\n")
    if ruling:
        found = next((at for at, line in enumerate(lines) if re.search(rf"\b{ruling}\b", line)), None)
        if found is not None:
            lines[found] = _START.sub(rf"\1{MARK} ", lines[found])
    return _CODES.sub("", "\n".join(lines))


def _pages(body: str, folder: Path) -> Iterator[Page]:
    """Yield the pages of a section, as few as its blocks fit."""
    page = Page("")
    for block in _blocks(body, folder):
        longer = _joined(page, block)
        if longer is not None and (length(longer) <= PAGE or page == Page("")):
            page = longer
        else:
            yield page
            page = block
    yield page


def _blocks(body: str, folder: Path) -> Iterator[Page]:
    """Yield the smallest parts that stay on one page: blocks of text, with the picture above if there is one."""
    picture = None
    for block in body.strip().split("\n\n"):
        if image := IMAGE.fullmatch(block):
            file = folder / image[2]
            picture = Illustration(file, image[1].replace(_AS_TEXT, "")) if file.is_file() else None
            continue
        first, *others = _parts(block)
        yield Page("", picture, first) if picture else Page(first)
        yield from map(Page, others)
        picture = None


def _parts(block: str) -> Iterator[str]:
    """Yield the parts of a list that is longer than a page; other blocks as they are."""
    part = ""
    for line in block.splitlines():
        longer = f"{part}\n{line}".strip()
        if part and length(Page(longer)) > PAGE:
            yield part
            longer = line
        part = longer
    yield part


def _joined(page: Page, block: Page) -> Page | None:
    """Return a page with another block; ``None`` if both have pictures."""
    if block.picture is not None:
        return None if page.picture else Page(page.above, block.picture, block.below)
    if page.picture is not None:
        return page._replace(below=f"{page.below}\n\n{block.above}")
    return Page(f"{page.above}\n\n{block.above}".strip())


def length(page: Page) -> float:
    """Return about how many lines a page takes on a phone."""
    lines = sum(map(_lines, page.text.splitlines()))
    return lines + (_shown_height(page.picture.file) / _LINE_HEIGHT if page.picture else 0)


def _lines(paragraph: str) -> float:
    """Return the number of lines of a paragraph, or of a point of a list."""
    shown = _STYLE.sub("", paragraph)
    if mark := _POINT.match(paragraph):
        return len(textwrap.wrap(shown[mark.end() :], _INDENTED)) + _AROUND_POINT
    return len(textwrap.wrap(shown, _LINE))


@cache
def _shown_height(file: Path) -> float:
    """Return the height of a PNG in pixels, as shown on a phone."""
    with file.open("rb") as png:
        width, height = struct.unpack(">II", png.read(24)[16:])
    return float(height * _SHOWN_WIDTH / width)
