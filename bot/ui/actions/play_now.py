"""**Play now**: a game against easy computers that starts at once, in private. It counts nowhere."""

from bot.computer import nearest
from bot.errors import PlayError
from bot.records.table import Table
from bot.texts import gettext as _
from bot.ui.actions.opening import direct_place, reached
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.actions.table_actions import hand_reply
from bot.ui.interactions.reply import Reply
from bot.ui.messages.lesson_pages import FIRST_GAME
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import table_title


@press("play-now")
@press(FIRST_GAME)
async def play_now(ctx: Context) -> Reply:
    """Start a game in the user's direct messages, unless they play one there. If these are closed, show the hand."""
    key = ctx.press.argument
    if key not in ctx.faces:
        raise PlayError("That game isn't here any more.")
    place = await direct_place(ctx.interaction)
    async with one_at_a_time(ctx.user_id, key):
        own = await ctx.tables.finder.tables_of(ctx.user_id, key, place.channel_id)
        table = next((each for each in own if _is_easy(each, ctx.user_id)), None)
        if table is None:
            lesson, level = ctx.faces[key].lesson, nearest(key, "easy")
            given = lesson.first_game if lesson else {}
            table = (await ctx.tables.lobbies.open_against(key, given, ctx.person, place, level)).table
        if table.status == "lobby":
            table = (await ctx.tables.lobbies.start(table.id, ctx.user_id)).table
    ctx.live.ping_timing.active(table.id, ctx.user_id)
    return await _where(await ctx.at(table))


def _is_easy(table: Table, user_id: int) -> bool:
    """Whether the user plays against easy computers alone; a crash may have left the table in its lobby."""
    is_free = table.event is None and table.continues is None
    others = [sitter for sitter in table.sitters if sitter.user_id != user_id]
    is_against_easy = all(sitter.is_computer and sitter.level == nearest(table.game, "easy") for sitter in others)
    return is_free and table.is_full and table.sitter(user_id) is not None and is_against_easy


async def _where(ctx: Context) -> Reply:
    """Return where the game is; it can be played in the channel, too, on a private page."""
    table, link = ctx.table, await reached(ctx, ctx.table)
    if link is None:
        return await hand_reply(ctx)
    values = {"table": table_title(table, ctx.face.game), "link": link}
    text = _("**{table}** is in your direct messages. {link}", **values)
    if ctx.sitter().nth_game == 1:
        text = _("Your first game: **{table}** is in your direct messages. {link}", **values)
    row = (Button("hand", _("Play here")),) if ctx.interaction.guild_id is not None else ()
    return Reply(Post((text,), rows=(row,) if row else ()), "private", table)
