"""From a `Post` to a Discord message: Components V2, within Discord's limits (40 components, 4,000 characters).

Views are handed over stopped, so that discord.py stores none of them: presses come in through `bot.ui.presses`, which
needs nothing but the ``custom_id``, and a process that has run for months holds no more than one that has just started.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

import discord
import msgspec
from discord import ui

from bot.ui.custom_id import Press
from bot.ui.post import Button, Choices, Post
from bot.ui.text import clip

MOST_TEXT: Final = 4000
MOST_OPTIONS: Final = 25
ROW: Final = 5
_ACCENT: Final = discord.Colour(0x2E8B57)
_STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

Row = ui.ActionRow[ui.LayoutView]


def layout(post: Post, table: int = 0, version: int = 0) -> ui.LayoutView:
    """The message of a post; ``table`` and ``version`` are written into its buttons and menus."""
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=_ACCENT)
    for number, paragraph in enumerate(_fitting(post.paragraphs)):
        if number:
            container.add_item(ui.Separator(visible=False))
        container.add_item(ui.TextDisplay(paragraph))
    for row in (*_choice_rows(post.choices, table, version), *_button_rows(post.rows, table, version)):
        container.add_item(row)
    if post.file is not None:
        container.add_item(ui.File(f"attachment://{post.file[0]}"))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    view.stop()
    return view


def digest(post: Post) -> str:
    """A short text that is equal for posts of equal content, whatever the version in their buttons."""
    return hashlib.sha256(msgspec.json.encode(post)).hexdigest()[:16]


def _fitting(paragraphs: tuple[str, ...]) -> Iterator[str]:
    left = MOST_TEXT
    for paragraph in paragraphs:
        if paragraph and left > 1:
            text = clip(paragraph, left)
            left -= len(text)
            yield text


def _choice_rows(groups: tuple[Choices, ...], table: int, version: int) -> Iterator[Row]:
    for number, group in enumerate(groups):
        pages = [group.choices[i : i + MOST_OPTIONS] for i in range(0, len(group.choices), MOST_OPTIONS)]
        if group.as_buttons:
            yield from _move_buttons(group, table, version)
            continue
        for page, choices in enumerate(pages, 1):
            of_pages = f" ({page} of {len(pages)})" if len(pages) > 1 else ""
            menu: ui.Select[ui.LayoutView] = ui.Select(
                custom_id=Press(group.verb, table, version, f"{group.argument}.{number}.{page}").custom_id,
                placeholder=clip(group.prompt + of_pages, 150),
                options=[
                    discord.SelectOption(
                        label=clip(choice.label, 100), value=choice.move, description=clip(choice.hint, 100) or None
                    )
                    for choice in choices
                ],
            )
            yield ui.ActionRow(menu)


def _move_buttons(group: Choices, table: int, version: int) -> Iterator[Row]:
    for i in range(0, len(group.choices), ROW):
        row: Row = ui.ActionRow()
        for choice in group.choices[i : i + ROW]:
            row.add_item(
                ui.Button(
                    label=clip(choice.label, 80),
                    style=_STYLES[group.style],
                    custom_id=Press("play", table, version, choice.move).custom_id,
                )
            )
        yield row


def _button_rows(rows: tuple[tuple[Button, ...], ...], table: int, version: int) -> Iterator[Row]:
    for buttons in rows:
        row: Row = ui.ActionRow()
        for button in buttons:
            row.add_item(
                ui.Button(
                    label=clip(button.label, 80),
                    style=_STYLES[button.style],
                    disabled=button.disabled,
                    custom_id=Press(button.verb, table, version, button.argument).custom_id,
                )
            )
        yield row
