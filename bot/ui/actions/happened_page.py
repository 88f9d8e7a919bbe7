"""The page **What happened**, and the scores on it."""

from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.happened_pages import VERB, Happened
from bot.ui.messages.replay_pages import computers_moves
from bot.ui.posts.layout import page_of


@press(VERB)
async def _happened(ctx: Context) -> Reply:
    """Return a page. After the end, the first one has a way to ask computers about their moves."""
    pages, page = await _pages(ctx), page_of(ctx.press)
    if page or not ctx.table.is_revealed:
        return ctx.page(pages.post(page), ctx.table)
    asked = computers_moves(ctx.face, await ctx.tables.replays.look(ctx.table.id, ctx.user_id))
    return ctx.page(pages.post(page, asked), ctx.table)


@press("scores")
async def scores(ctx: Context) -> Reply:
    """Return the first page with scores; on pages that older versions of the bot have posted, turn these."""
    pages = await _pages(ctx)
    return ctx.page(pages.post(len(pages.lately) + page_of(ctx.press)), ctx.table)


async def _pages(ctx: Context) -> Happened:
    return Happened.of(ctx.face, (await ctx.tables.sight(ctx.table, None)).shown, await ctx.sight())
