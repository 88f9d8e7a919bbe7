"""From a `Post` to a Discord message: Components V2, within Discord's limits (40 components, 4,000 characters).

Long texts become pages. The page number is in the `custom_id`, so every page shows the table as it is when its button
is pressed. So is the origin of a page, to which **Back** leads.
"""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

import discord
import msgspec
from discord import ui
from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.posts.custom_id import Press, custom_id, parse_number
from bot.ui.posts.emojis import NO_EMOJIS, EmojiSet
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import clip

log = logging.getLogger(__name__)

MAX_TEXT: Final = 4000
"""Maximum characters of all paragraphs of a message together."""
MAX_OPTIONS: Final = 25
"""Maximum options of a menu; more are split over several menus."""
MAX_BUTTONS_IN_ROW: Final = 5
_ACCENT_COLOUR: Final = 0x2E8B57
_LINK: Final = re.compile(rb"\(https://discord\.com/channels/[^)]*\)")

_USER: Final = discord.SelectDefaultValueType.user

Container = ui.Container[ui.LayoutView]
Row = ui.ActionRow[ui.LayoutView]
Way = TypeVar("Way", Button, Choices)


class Shown(NamedTuple):
    """A picture as a message shows it: the name of the attached file, and what it shows in words."""

    file: str
    alt: str


def layout(  # noqa: PLR0913 - what a message consists of
    post: Post,
    table: str | int = 0,
    version: int = 0,
    mark: int = 0,
    emojis: EmojiSet = NO_EMOJIS,
    *,
    picture: Shown | None = None,
) -> ui.LayoutView:
    """Return the message of a post. ``table``, its key, and its version are written into its buttons and menus.

    ``mark`` is the component id of the outermost component, by which a live message is recognised; 0 is none. Without
    its ``picture``, a post with a scene is shown in words.
    """
    version = max(version, post.version)
    if post.is_plain:
        emojis = NO_EMOJIS
    container = Container(accent_color=_ACCENT_COLOUR, id=mark or None)
    above, below = _paragraphs_of(post, is_shown=picture is not None)
    texts = emojis.in_texts((*above, *below), MAX_TEXT - len(above) - len(below))
    _add_texts(container, texts[: len(above)], as_one=bool(post.grid))
    if picture is not None:
        item = discord.MediaGalleryItem(f"attachment://{picture.file}", description=picture.alt)
        container.add_item(ui.MediaGallery(item))
    _add_texts(container, texts[len(above) :], as_one=bool(post.grid))
    for number, group in enumerate(post.choices):
        for row in _choice_rows(group, number, table, version, emojis):
            container.add_item(row)
    if post.people is not None:
        container.add_item(Row(_user_menu(post.people, table, version)))
    for buttons in (*post.grid, *post.rows):
        container.add_item(_button_row(buttons, table, version, emojis))
    if post.file is not None:
        container.add_item(ui.File(f"attachment://{post.file[0]}"))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    view.stop()  # so that discord.py doesn't store it: `bot.ui.actions.press` needs only the ``custom_id``
    return view


def shown_version(message: discord.Message, key: str) -> int | None:
    """Return the version of a table that a message of ours shows; ``None`` if it has no buttons of that table.

    ``key`` is `Table.key`. Older versions of the bot wrote only the number into their buttons.
    """
    parts = ui.LayoutView.from_message(message).walk_children()
    presses = [Press.parse(getattr(part, "custom_id", None) or "") for part in parts]
    keys = {key, key.partition("-")[0]}
    return max((press.version for press in presses if press and press.key in keys), default=None)


def digest(post: Post) -> str:
    """Return a short text that is equal for posts of equal content, whatever the version in their buttons.

    Links to messages don't count either: a new board is no reason to edit every hand.
    """
    scene = post.scene
    shown = (scene.above, scene.below, scene.key) if scene else ()
    content = msgspec.json.encode((replace(post, scene=None, version=0), *shown))
    return hashlib.sha256(_LINK.sub(b"", content)).hexdigest()[:16]


def _paragraphs_of(post: Post, *, is_shown: bool) -> tuple[Sequence[str], Sequence[str]]:
    """Return the paragraphs above and below the picture, if it ``is_shown``."""
    if post.scene is None:
        return (), post.paragraphs
    if not is_shown:
        return (), (*post.scene.in_words, *post.paragraphs)
    return post.scene.above, (*post.scene.below, *post.paragraphs)


def _add_texts(container: Container, paragraphs: Sequence[str], *, as_one: bool) -> None:
    """Add paragraphs. Above a grid, they become one text, since components are scarce."""
    if as_one:
        paragraphs = ["\n".join(filter(None, paragraphs))]
    for number, paragraph in enumerate(_fitting(paragraphs)):
        if number:
            container.add_item(ui.Separator(visible=False))
        container.add_item(ui.TextDisplay(paragraph))


def _fitting(paragraphs: Sequence[str]) -> Iterator[str]:
    """Yield the paragraphs. Long texts are paged before, so only a bug makes this cut anything."""
    left = MAX_TEXT
    if (length := sum(map(len, paragraphs))) > left:
        log.error("cut a message of %s characters: %s…", length, paragraphs[0][:40])
    for paragraph in paragraphs:
        if paragraph and left > 1:
            text = clip(paragraph, left)
            left -= len(text)
            yield text


def _choice_rows(group: Choices, number: int, table: str | int, version: int, emojis: EmojiSet) -> Iterator[Row]:
    if group.as_buttons:
        buttons = [Button(choice.verb or "play", choice.label, group.style, choice.move) for choice in group.choices]
        for start in range(0, len(buttons), MAX_BUTTONS_IN_ROW):
            yield _button_row(buttons[start : start + MAX_BUTTONS_IN_ROW], table, version, emojis)
        return
    pages = [group.choices[start : start + MAX_OPTIONS] for start in range(0, len(group.choices), MAX_OPTIONS)]
    for page, choices in enumerate(pages, 1):
        prompt = group.prompt
        if len(pages) > 1:
            prompt = _("{prompt} ({page} of {pages})", prompt=prompt, page=page, pages=len(pages))
        yield Row(
            ui.Select(
                custom_id=custom_id(group.verb, table, version, f"{group.argument}.{number}.{page}", group.origin),
                placeholder=clip(prompt, 150),
                options=[_option(choice, emojis) for choice in choices],
            )
        )


def _user_menu(menu: UserMenu, table: str | int, version: int) -> ui.UserSelect[ui.LayoutView]:
    return ui.UserSelect(
        custom_id=custom_id(menu.verb, table, version, menu.argument),
        placeholder=clip(menu.prompt, 150),
        min_values=0,
        max_values=menu.most,
        default_values=[discord.SelectDefaultValue(id=user, type=_USER) for user in menu.picked],
    )


def _option(choice: Choice, emojis: EmojiSet) -> discord.SelectOption:
    return discord.SelectOption(
        label=clip(choice.label, 100),
        value=choice.move,
        description=clip(choice.hint, 100) or None,
        default=choice.is_picked,
        emoji=emojis.find(choice.emoji),
    )


def _button_row(buttons: Iterable[Button], table: str | int, version: int, emojis: EmojiSet) -> Row:
    return Row(*[_button(button, table, version, emojis) for button in buttons])


def _button(button: Button, table: str | int, version: int, emojis: EmojiSet) -> ui.Button[ui.LayoutView]:
    emoji = emojis.find(button.emoji)
    return ui.Button(
        label=None if emoji and button.replaces_label else clip(button.label, 80),
        style=discord.ButtonStyle[button.style],
        disabled=button.disabled,
        custom_id=custom_id(button.verb, table, version, button.argument, button.origin),
        emoji=emoji,
    )


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


def _opened_from(origin: str, way: Way) -> Way:
    return replace(way, origin=way.origin or origin)


def with_way_back(post: Post, press: Press) -> Post:
    """Return the page that a press opens with **Back** to the page it was opened from, if there is one.

    A page that has a button there, to the hand, or back to the page between, needs no other.
    """
    if not press.origin or press.verb == press.origin:
        return post
    rows = tuple(tuple(_opened_from(press.origin, button) for button in row) for row in post.rows)
    choices = tuple(_opened_from(press.origin, each) for each in post.choices)
    if not any(button.verb in {press.origin, "hand"} or button.label == _("Back") for row in rows for button in row):
        rows = _with_button(rows, Button(press.origin, _("Back"), origin=press.origin))
    return replace(post, choices=choices, rows=rows)


def _with_button(rows: tuple[tuple[Button, ...], ...], button: Button) -> tuple[tuple[Button, ...], ...]:
    """Return the rows with another button at the end, in the last row if that has room."""
    has_room = bool(rows) and len(rows[-1]) < MAX_BUTTONS_IN_ROW
    return (*rows[:-1], (*rows[-1], button)) if has_room else (*rows, (button,))


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
