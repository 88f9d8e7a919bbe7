"""**Leave, pause or end …**: what players can do about absent ones, about their own seat, and about the whole table."""

import contextlib
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from bot.errors import PlayError
from bot.games.game import AnyGame
from bot.records.table import Table
from bot.tables.seating import has_others
from bot.texts import gettext as _
from bot.ui.actions.leaving import removable
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.absence_notice import end_button, step_out_button
from bot.ui.posts.post import Button, Post, row_of

_IN_A_ROW: Final = 3
"""Buttons that a phone shows beside each other, if they are short."""


@press("leaving")
async def _leaving(ctx: Context) -> Reply:
    """Return the page, which says what each button does, and to whom."""
    table = ctx.table
    buttons = await _buttons(ctx)
    rows = tuple(
        tuple(replace(button, origin="leaving") for button in buttons[at : at + _IN_A_ROW])
        for at in range(0, len(buttons), _IN_A_ROW)
    )
    heading = _("### Leave, pause or end · Table {name}", name=table.name)
    return ctx.page(Post((heading, ways_to_end(ctx.face.game, table, buttons)), rows=rows), table)


async def _buttons(ctx: Context) -> tuple[Button, ...]:
    table, user_id = ctx.table, ctx.user_id
    if table.status != "playing" or table.sitter(user_id) is None:
        return await moderator_buttons(ctx)
    may_close, is_shared = await _may_close(ctx), has_others(table, user_id)
    may_be_away = is_shared or any(sitter.held_for for sitter in table.sitters)
    return row_of(
        (may_be_away, Button("away", _("Someone's away"))),
        (is_shared, step_out_button()),
        (True, Button("resign", _("Resign"), "danger")),
        (removable(ctx.interaction, table), Button("remove", _("Remove a player"))),
        (is_shared or not may_close, end_button()),  # alone, they can close the table
        (may_close, _close_button()),
    )


async def moderator_buttons(ctx: Context) -> tuple[Button, ...]:
    """Return what users can do to a table in play where they have no seat: usually nothing."""
    if ctx.table.status != "playing":
        return ()
    has_any = removable(ctx.interaction, ctx.table)
    return row_of((has_any, Button("remove", _("Remove a player"))), (await _may_close(ctx), _close_button()))


def _close_button() -> Button:
    return Button("close", _("Close the table"), "danger")


async def _may_close(ctx: Context) -> bool:
    """Whether the user may close the table in play by themselves."""
    moderates = moderated_server(ctx.interaction, ctx.table)
    with contextlib.suppress(PlayError):
        await ctx.tables.check_may_close(ctx.table, ctx.user_id, moderates=moderates)
        return True
    return False


def ways_to_end(game: AnyGame, table: Table, buttons: Sequence[Button]) -> str:
    """Explain the buttons that end the game for somebody, in small print."""
    sides = game.sides(table.options)
    if len(sides) == 2:
        resigning = _("**Resign**: the other side wins.")
    elif len(set(sides)) == 2:
        resigning = _("**Resign**: a computer plays on for you, or your side concedes.")
    else:
        resigning = _("**Resign**: a computer takes your seat for good.")
    ways = {
        ("step-out", ""): _("**Let a computer play for me**: press anything to come back."),
        ("resign", ""): resigning,
        ("away", "end"): _("**Vote to end**: if everyone agrees, the game ends, with or without a result."),
        ("close", ""): _("**Close the table**: it ends for everyone at once."),
    }
    lines = (ways.get((button.verb, button.argument), "") for button in buttons)
    return "\n".join(f"-# {line}" for line in lines if line)
