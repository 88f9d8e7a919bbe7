"""Pages of long texts, with buttons to turn them.

The page number is in the `custom_id`, so every page shows the table as it is when its button is pressed. So is the
origin of a page, to which **Back** leads.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.posts.custom_id import Press, parse_number
from bot.ui.posts.layout import MAX_BUTTONS_IN_ROW, MAX_TEXT
from bot.ui.posts.post import Button, Post

_MAX_PARAGRAPHS: Final = 16
"""Maximum paragraphs on a page: each takes two of the 40 components of a message."""
_COUNTER_LENGTH: Final = 40


def paged(heading: str, paragraphs: Iterable[str], verb: str, page: int = 0, *, is_newest_first: bool = False) -> Post:
    """Return one page of a text, with buttons to the pages before and after it if there are any."""
    pages = split_for(heading, paragraphs)
    page = min(page, len(pages) - 1)
    rows = page_buttons(verb, page, len(pages), is_newest_first=is_newest_first)
    return Post((page_heading(heading, page, len(pages)), *pages[page]), rows=rows)


def page_heading(heading: str, page: int, pages: int) -> str:
    """Return the heading of a page, with its number if it isn't the only one."""
    if pages == 1:
        return heading
    return _("{heading} ({page} of {pages})", heading=heading, page=page + 1, pages=pages)


def page_buttons(verb: str, page: int, pages: int, *, is_newest_first: bool = False) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons below a page; no row if there is only one page."""
    before, after = (_("Newer"), _("Older")) if is_newest_first else (_("Previous"), _("Next"))
    around = ((before, page - 1), (after, page + 1))
    row = tuple(Button(verb, label, argument=str(other)) for label, other in around if 0 <= other < pages)
    return (row,) if row else ()


def with_way_back(post: Post, press: Press) -> Post:
    """Return the page that a press opens with **Back** to the page it was opened from, if there is one.

    A page that has a button there, or to the hand, needs no other.
    """
    if not press.origin or press.verb == press.origin:
        return post
    rows = tuple(tuple(replace(button, origin=button.origin or press.origin) for button in row) for row in post.rows)
    choices = tuple(replace(each, origin=each.origin or press.origin) for each in post.choices)
    if not any(button.verb in {press.origin, "hand"} for row in rows for button in row):
        back = Button(press.origin, _("Back"), origin=press.origin)
        has_room = bool(rows) and len(rows[-1]) < MAX_BUTTONS_IN_ROW
        rows = (*rows[:-1], (*rows[-1], back)) if has_room else (*rows, (back,))
    return replace(post, choices=choices, rows=rows)


def page_of(press: Press) -> int:
    """Return the page that a press asks for, by default the first. Raises `Outdated`."""
    return parse_number(press.argument) if press.argument else 0


def split_for(heading: str, paragraphs: Iterable[str]) -> Sequence[tuple[str, ...]]:
    """Return the paragraphs in pages that have room for this heading and the number of the page."""
    return split(paragraphs, MAX_TEXT - len(heading) - _COUNTER_LENGTH)


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
