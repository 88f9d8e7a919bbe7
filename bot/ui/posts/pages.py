"""Long texts in pages: a private message shows one page, with buttons that turn to the next one.

The number of the page is in the `custom_id`, so a page is drawn anew from the table as it is when a button is pressed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.ui.interactions.respond import Reply
from bot.ui.posts.custom_id import Press, number
from bot.ui.posts.layout import MAX_TEXT
from bot.ui.posts.post import Button, Post

_PARAGRAPHS: Final = 16
"""A page has at most so many paragraphs: each takes two of the 40 components of a message."""
_COUNTER: Final = len(" (1000 of 1000)")

FORWARD: Final = ("Back", "Next")
NEWEST_FIRST: Final = ("Newer", "Older")

Labels = tuple[str, str]


def paged(heading: str, paragraphs: Iterable[str], verb: str, page: int = 0, labels: Labels = FORWARD) -> Post:
    """Return one page of a text, with buttons to the pages before and after it if there are any."""
    pages = split(paragraphs, MAX_TEXT - len(heading) - _COUNTER)
    page = min(page, len(pages) - 1)
    counter = f" ({page + 1} of {len(pages)})" if len(pages) > 1 else ""
    return Post((heading + counter, *pages[page]), rows=turning(verb, page, len(pages), labels))


def turning(verb: str, page: int, pages: int, labels: Labels = FORWARD) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons below a page; no row if there is one page only."""
    around = ((labels[0], page - 1), (labels[1], page + 1))
    row = tuple(Button(verb, label, argument=str(turned)) for label, turned in around if 0 <= turned < pages)
    return (row,) if row else ()


def page_of(press: Press) -> int:
    """Return the page that a button means: the first one, unless it turns pages. Raises `Outdated`."""
    return number(press.argument) if press.argument else 0


def page_reply(press: Press, heading: str, paragraphs: Iterable[str], labels: Labels = FORWARD) -> Reply:
    """Return the page that was asked for; if a page was turned, in its place."""
    post = paged(heading, paragraphs, press.verb, page_of(press), labels)
    return Reply(post, "here" if press.argument else "private", press.table, press.version)


def split(paragraphs: Iterable[str], room: int) -> Sequence[tuple[str, ...]]:
    """Return the paragraphs in pages of at most ``room`` characters. A page ends between paragraphs if it can, else
    between lines.
    """
    pages: list[tuple[str, ...]] = []
    page: list[str] = []
    left = room
    for piece in (piece for paragraph in paragraphs for piece in _pieces(paragraph, room)):
        if page and (len(piece) > left or len(page) == _PARAGRAPHS):
            pages.append(tuple(page))
            page, left = [], room
        page.append(piece)
        left -= len(piece)
    return [*pages, tuple(page)]


def _pieces(text: str, room: int) -> Iterator[str]:
    """Yield the text, in pieces of whole lines if it is longer than a page; a longer line is broken at a space."""
    while len(text) > room:
        end = next((at for mark in ("\n", " ") if (at := text.rfind(mark, 0, room + 1)) > 0), room)
        yield text[:end]
        text = text[end:].removeprefix("\n")
    if text:
        yield text
