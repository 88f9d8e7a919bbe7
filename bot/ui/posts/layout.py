"""From a `Post` to a Discord message: Components V2, within Discord's limits (40 components, 4,000 characters).

The components are written as Discord's documentation has them (https://discord.com/developers/docs/components/reference)
rather than put together from discord.py's items: a move draws three messages, and an object for every button and menu
option with all that it could do costs ten times as much as what is sent of it.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final

import discord
import msgspec
from discord import ui

from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import clip

log = logging.getLogger(__name__)

MOST_TEXT: Final = 4000
MOST_OPTIONS: Final = 25
ROW: Final = 5
_ACCENT: Final = 0x2E8B57
_ROW: Final = discord.ComponentType.action_row.value
_BUTTON: Final = discord.ComponentType.button.value
_SELECT: Final = discord.ComponentType.string_select.value
_TEXT: Final = discord.ComponentType.text_display.value
_FILE: Final = discord.ComponentType.file.value
_SEPARATOR: Final = discord.ComponentType.separator.value
_CONTAINER: Final = discord.ComponentType.container.value
_STYLES: Final = {
    "primary": discord.ButtonStyle.primary.value,
    "secondary": discord.ButtonStyle.secondary.value,
    "success": discord.ButtonStyle.success.value,
    "danger": discord.ButtonStyle.danger.value,
}

Component = dict[str, Any]


class Layout(ui.LayoutView):
    """A message's components, to be sent.

    It is stopped, so that discord.py stores nothing: `bot.ui.interactions.router` needs only the ``custom_id``.
    """

    def __init__(self, written: list[Component]) -> None:
        super().__init__(timeout=None)
        self._components = written
        self.stop()

    def to_components(self) -> list[Component]:
        """As they are sent."""
        return self._components

    def has_components_v2(self) -> bool:
        """Every message of the bot is made of these."""
        return True


def layout(post: Post, table: int = 0, version: int = 0, mark: int = 0) -> Layout:
    """Return the message of a post. ``table`` and ``version`` are written into its buttons and menus.

    ``mark`` is the component id of the outermost component, by which a live message is recognised; 0 is none.
    """
    parts: list[Component] = []
    for paragraph in _fitting(post.paragraphs):
        if parts:
            parts.append({"type": _SEPARATOR, "divider": False})
        parts.append({"type": _TEXT, "content": paragraph})
    rows = (*_choice_rows(post.choices, table, version), *_button_rows(post.rows, table, version))
    parts += [{"type": _ROW, "components": row} for row in rows]
    if post.file is not None:
        parts.append({"type": _FILE, "file": {"url": f"attachment://{post.file[0]}"}})
    container: Component = {"type": _CONTAINER, "accent_color": _ACCENT, "components": parts}
    if mark:
        container["id"] = mark
    return Layout([container])


def digest(post: Post) -> str:
    """A short text that is equal for posts of equal content, whatever the version in their buttons."""
    return hashlib.sha256(msgspec.json.encode(post)).hexdigest()[:16]


def _fitting(paragraphs: tuple[str, ...]) -> Iterator[str]:
    """Yield the paragraphs. Long texts come in pages, so nothing is ever cut here but by a defect."""
    left = MOST_TEXT
    if (length := sum(map(len, paragraphs))) > left:
        log.error("a message of %s characters was cut: %s…", length, paragraphs[0][:40])
    for paragraph in paragraphs:
        if paragraph and left > 1:
            text = clip(paragraph, left)
            left -= len(text)
            yield text


def _choice_rows(groups: tuple[Choices, ...], table: int, version: int) -> Iterator[list[Component]]:
    for number, group in enumerate(groups):
        if group.as_buttons:
            buttons = [Button("play", choice.label, group.style, choice.move) for choice in group.choices]
            yield from _button_rows([buttons[i : i + ROW] for i in range(0, len(buttons), ROW)], table, version)
            continue
        pages = [group.choices[i : i + MOST_OPTIONS] for i in range(0, len(group.choices), MOST_OPTIONS)]
        for page, choices in enumerate(pages, 1):
            of_pages = f" ({page} of {len(pages)})" if len(pages) > 1 else ""
            yield [
                {
                    "type": _SELECT,
                    "custom_id": Press(group.verb, table, version, f"{group.argument}.{number}.{page}").custom_id,
                    "placeholder": clip(group.prompt + of_pages, 150),
                    "options": [_option(choice) for choice in choices],
                }
            ]


def _option(choice: Choice) -> Component:
    option: Component = {"label": clip(choice.label, 100), "value": choice.move}
    if choice.hint:
        option["description"] = clip(choice.hint, 100)
    if choice.is_picked:
        option["default"] = True
    return option


def _button_rows(rows: Sequence[Sequence[Button]], table: int, version: int) -> Iterator[list[Component]]:
    for buttons in rows:
        yield [
            {
                "type": _BUTTON,
                "label": clip(button.label, 80),
                "style": _STYLES[button.style],
                "disabled": button.disabled,
                "custom_id": Press(button.verb, table, version, button.argument).custom_id,
            }
            for button in buttons
        ]
