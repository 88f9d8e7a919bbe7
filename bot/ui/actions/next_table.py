"""**Next table**, which leads from a move in direct messages to the next table that waits for the user."""

from msgspec.structs import replace

from bot.tables import Table
from bot.texts import gettext as _
from bot.ui.actions.press import Context
from bot.ui.interactions.reply import Reply
from bot.ui.posts.layout import MAX_BUTTONS_IN_ROW
from bot.ui.posts.post import Button

_GIVES_WAY = frozenset({"hand", "rules"})
"""The buttons that **Next table** replaces, so that the row stays as short as it was."""


async def with_next_table(ctx: Context, reply: Reply) -> Reply:
    """Return the answer to a move with a button to the next table, in direct messages and if one waits."""
    if ctx.interaction.guild_id is not None or not reply.post.rows or reply.post.choices:
        return reply
    if ctx.user_id in await ctx.tables.whose_turn(await ctx.tables.table(ctx.table.id)):
        return reply
    if await waiting_table(ctx) is None:
        return reply
    first, *others = reply.post.rows
    row = (Button("next", _("Next table"), "primary"), *(each for each in first if each.verb not in _GIVES_WAY))
    return replace(reply, post=replace(reply.post, rows=(row[:MAX_BUTTONS_IN_ROW], *others)))


async def waiting_table(ctx: Context) -> Table | None:
    """Return the table in play that has waited longest for the user."""
    seats = await ctx.tables.lists.seats(ctx.user_id, None, None, 1)
    return next((seat.table for seat in seats if seat.is_waiting), None)
