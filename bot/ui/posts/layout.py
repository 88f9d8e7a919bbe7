"""From a `Post` to a Discord message: Components V2, within Discord's limits (40 components, 4,000 characters).

Long texts become pages. The page number is in the `custom_id`, so every page shows the table as it is when its button
is pressed. So is the origin of a page, to which **Back** leads.
"""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple, TypeVar

import discord
import msgspec
from discord import ui
from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.posts.custom_id import MORE, PARENTS, Press, custom_id, parse_number
from bot.ui.posts.emojis import NO_EMOJIS, EmojiSet
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import clip, lines_of, rows_of

log = logging.getLogger(__name__)

MAX_TEXT: Final = 4000
"""Maximum characters of all paragraphs of a message together."""
MAX_OPTIONS: Final = 25
"""Maximum options of a menu; more are split over several menus."""
MAX_BUTTONS_IN_ROW: Final = 5
MAX_OPTION: Final = 100
"""Maximum characters of the label of an option, and of its description."""
MAX_BUTTON: Final = 80
MAX_PROMPT: Final = 150
"""Maximum characters of a button's label, and of the prompt of a menu."""
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
    every = (*above, *below, *(section.text for section in post.sections))
    texts = emojis.in_texts(every, MAX_TEXT - len(every))
    shown, own = texts[: len(every) - len(post.sections)], texts[len(every) - len(post.sections) :]
    _add_texts(container, shown[: len(above)], as_one=bool(post.grid))
    if picture is not None:
        item = discord.MediaGalleryItem(f"attachment://{picture.file}", description=picture.alt)
        container.add_item(ui.MediaGallery(item))
    _add_texts(container, shown[len(above) :], as_one=bool(post.grid))
    for text, section in zip(own, post.sections, strict=True):
        container.add_item(ui.TextDisplay(text))
        container.add_item(_button_row(section.row, table, version, emojis))
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
    keys = {key, key.partition("-")[0]}
    return max(
        (press.version for press in _presses(ui.LayoutView.from_message(message)) if press.key in keys), default=None
    )


def keys_shown(message: discord.Message) -> set[str]:
    """Return the keys of the tables that a message of ours has buttons of, without those of older versions."""
    return keys_in(ui.LayoutView.from_message(message))


def keys_in(view: ui.LayoutView) -> set[str]:
    """Return the same of components that are to be shown."""
    return {press.key for press in _presses(view) if press.key.count("-") == 2}


def _presses(view: ui.LayoutView) -> Iterator[Press]:
    for part in view.walk_children():
        if (press := Press.parse(getattr(part, "custom_id", None) or "")) is not None:
            yield press


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
                placeholder=clip(prompt, MAX_PROMPT),
                options=[_option(choice, emojis) for choice in choices],
            )
        )


def _user_menu(menu: UserMenu, table: str | int, version: int) -> ui.UserSelect[ui.LayoutView]:
    return ui.UserSelect(
        custom_id=custom_id(menu.verb, table, version, menu.argument),
        placeholder=clip(menu.prompt, MAX_PROMPT),
        min_values=0,
        max_values=menu.most,
        default_values=[discord.SelectDefaultValue(id=user, type=_USER) for user in menu.picked],
    )


def _option(choice: Choice, emojis: EmojiSet) -> discord.SelectOption:
    return discord.SelectOption(
        label=clip(choice.label, MAX_OPTION),
        value=choice.move,
        description=clip(choice.hint, MAX_OPTION) or None,
        default=choice.is_picked,
        emoji=emojis.find(choice.emoji),
    )


def _button_row(buttons: Iterable[Button], table: str | int, version: int, emojis: EmojiSet) -> Row:
    return Row(*[_button(button, table, version, emojis) for button in buttons])


def _button(button: Button, table: str | int, version: int, emojis: EmojiSet) -> ui.Button[ui.LayoutView]:
    emoji = emojis.find(button.emoji)
    return ui.Button(
        label=None if emoji and button.replaces_label else clip(button.label, MAX_BUTTON),
        style=discord.ButtonStyle[button.style],
        disabled=button.disabled,
        custom_id=custom_id(button.verb, table, version, button.argument, button.origin),
        emoji=emoji,
    )


_MAX_PARAGRAPHS: Final = 16
"""Maximum paragraphs on a page: each takes two of the 40 components of a message."""
_COUNTER_LENGTH: Final = 40


def paged(  # noqa: PLR0913 - two have defaults
    heading: str,
    paragraphs: Iterable[str],
    verb: str,
    page: int = 0,
    *,
    is_newest_first: bool = False,
    lines: float = inf,
) -> Post:
    """Return one page of a text, with buttons to the pages before and after it if there are any."""
    pages = split_for(heading, paragraphs, lines)
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
    return replace(way, origin=way.origin or (way.verb if way.verb == MORE else origin))


def with_way_back(post: Post, press: Press) -> Post:
    """Return the page that a press opens with **Back** to the page it was opened from, if there is one.

    A page that has a button there, to **More**, to the hand, or back to the page between, needs no other.
    """
    origin = PARENTS.get(press.verb, "") if press.verb == press.origin else press.origin
    if not origin:
        return post
    rows = tuple(tuple(_opened_from(origin, button) for button in row) for row in post.rows)
    choices = tuple(_opened_from(origin, each) for each in post.choices)
    ways = {origin, MORE, "hand"}
    if not any(button.verb in ways or button.label == _("Back") for row in rows for button in row):
        rows = _with_button(rows, Button(origin, _("Back"), origin=origin))
    return replace(post, choices=choices, rows=rows)


def _with_button(rows: tuple[tuple[Button, ...], ...], button: Button) -> tuple[tuple[Button, ...], ...]:
    """Return the rows with another button at the end of the last one where it takes no row of a phone, or has room."""

    def wraps(row: tuple[Button, ...]) -> bool:
        labels = [each.label for each in row]
        return rows_of([*labels, button.label]) > rows_of(labels)

    free = [at for at, row in enumerate(rows) if len(row) < MAX_BUTTONS_IN_ROW]
    at = next((at for at in reversed(free) if not wraps(rows[at])), None)
    if at is None:
        at = len(rows) - 1 if len(rows) - 1 in free else len(rows)
    return (*rows[:at], (*(rows[at] if at < len(rows) else ()), button), *rows[at + 1 :])


def page_of(press: Press) -> int:
    """Return the page that a press asks for, by default the first. Raises `Outdated`."""
    return parse_number(press.argument) if press.argument else 0


def split_for(heading: str, paragraphs: Iterable[str], lines: float = inf) -> Sequence[tuple[str, ...]]:
    """Return the paragraphs in pages that have room for this heading and the number of the page.

    ``lines`` is the height of a page on a phone with its heading, as `lines_of` has it.
    """
    numbered = page_heading(heading, 98, 99)
    return split(paragraphs, MAX_TEXT - len(heading) - _COUNTER_LENGTH, lines - lines_of((numbered,)))


def split(paragraphs: Iterable[str], room: int, lines: float = inf) -> Sequence[tuple[str, ...]]:
    """Return the paragraphs in pages of at most ``room`` characters, and at most so many lines on a phone.

    A page ends between paragraphs, unless more than half of it would stay empty, or between lines.
    """
    pages: list[tuple[str, ...]] = []
    page: list[str] = []
    for paragraph in filter(None, paragraphs):
        continued: list[str] = []
        fits = _is_page([*page, paragraph], room, lines) or lines_of(page) * 2 > min(lines, MAX_TEXT)
        for part in [paragraph] if fits and _is_page([paragraph], room, lines) else _parts(paragraph, room):
            longer = [*page[:-1], f"{page[-1]}\n{part}"] if continued and page else [*page, part]
            if page and not _is_page(longer, room, lines):
                pages.append(tuple(page))
                longer = [part]
            page = continued = longer
    return [*pages, tuple(page)]


def _is_page(paragraphs: Sequence[str], room: int, lines: float) -> bool:
    is_short = len(paragraphs) <= _MAX_PARAGRAPHS and sum(map(len, paragraphs)) <= room
    return is_short and lines_of(paragraphs) <= lines


def _parts(text: str, room: int) -> Iterator[str]:
    """Yield the lines of a text. One that is too long is split at spaces."""
    for line in text.split("\n"):
        rest = line
        while len(rest) > room:
            end = max(rest.rfind(" ", 0, room + 1), 0) or room
            yield rest[:end]
            rest = rest[end:]
        yield rest
