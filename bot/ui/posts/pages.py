"""Pages of long texts, with buttons to turn them.

The page number is in the `custom_id`, so every page shows the table as it is when its button is pressed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from bot.texts import gettext as _
from bot.ui.posts.custom_id import Press, parse_number
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Button, Post

_MAX_PARAGRAPHS: Final = 16
"""Maximum paragraphs on a page: each takes two of the 40 components of a message."""
_COUNTER_LENGTH: Final = 40

Labels = Literal["forward", "newest"]
"""The order of the pages, which the labels of the buttons name."""
FORWARD: Final = "forward"
NEWEST_FIRST: Final = "newest"


def paged(heading: str, paragraphs: Iterable[str], verb: str, page: int = 0, labels: Labels = FORWARD) -> Post:
    """Return one page of a text, with buttons to the pages before and after it if there are any."""
    pages = split(paragraphs, MAX_TEXT - len(heading) - _COUNTER_LENGTH)
    page = min(page, len(pages) - 1)
    if len(pages) > 1:
        heading = _("{heading} ({page} of {pages})", heading=heading, page=page + 1, pages=len(pages))
    return Post((heading, *pages[page]), rows=page_buttons(verb, page, len(pages), labels))


def page_buttons(verb: str, page: int, pages: int, labels: Labels = FORWARD) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons below a page; no row if there is only one page."""
    before, after = (_("Newer"), _("Older")) if labels == NEWEST_FIRST else (_("Back"), _("Next"))
    around = ((before, page - 1), (after, page + 1))
    row = tuple(Button(verb, label, argument=str(other)) for label, other in around if 0 <= other < pages)
    return (row,) if row else ()


def page_of(press: Press) -> int:
    """Return the page that a press asks for, by default the first. Raises `Outdated`."""
    return parse_number(press.argument) if press.argument else 0


def split(paragraphs: Iterable[str], room: int) -> Sequence[tuple[str, ...]]:
    """Return the paragraphs in pages of at most ``room`` characters.

    A page ends between paragraphs if possible, otherwise between lines.
    """
    pages: list[tuple[str, ...]] = []
    page: list[str] = []
    left = room
    for piece in (piece for paragraph in paragraphs for piece in _pieces(paragraph, room)):
        if page and (len(piece) > left or len(page) == _MAX_PARAGRAPHS):
            pages.append(tuple(page))
            page, left = [], room
        page.append(piece)
        left -= len(piece)
    return [*pages, tuple(page)]


def _pieces(text: str, room: int) -> Iterator[str]:
    """Yield the text, split between lines if it is longer than a page, or at a space if a line is."""
    while len(text) > room:
        end = next((at for mark in ("\n", " ") if (at := text.rfind(mark, 0, room + 1)) > 0), room)
        yield text[:end]
        text = text[end:].removeprefix("\n")
    if text:
        yield text
