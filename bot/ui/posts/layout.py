"""From a `Post` to a Discord message: Components V2, within Discord's limits (40 components, 4,000 characters)."""

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import discord
import msgspec
from discord import ui
from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.posts.custom_id import Press, custom_id
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
_RULING: Final = re.compile(r"\b([A-Z]{1,2})-(\d\d)\b")
"""A ruling, such as ``PD-10``. It is shown with a hyphen at which no line ends."""
_LINK: Final = re.compile(rb"\(https://discord\.com/channels/[^)]*\)")

_USER: Final = discord.SelectDefaultValueType.user

Container = ui.Container[ui.LayoutView]
Row = ui.ActionRow[ui.LayoutView]


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
    """Return the message of a post. ``table``, its key, and ``version`` are written into its buttons and menus.

    ``mark`` is the component id of the outermost component, by which a live message is recognised; 0 is none. Without
    its ``picture``, a post with a scene is shown in words.
    """
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
    view.stop()  # so that discord.py doesn't store it: `bot.ui.interactions.router` needs only the ``custom_id``
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
    content = msgspec.json.encode((replace(post, scene=None), *shown))
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
        container.add_item(ui.TextDisplay(_RULING.sub("\\1\N{NON-BREAKING HYPHEN}\\2", paragraph)))


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
        custom_id=custom_id(menu.verb, table, version, "people"),
        placeholder=clip(menu.prompt, 150),
        min_values=0,
        max_values=MAX_OPTIONS,
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
