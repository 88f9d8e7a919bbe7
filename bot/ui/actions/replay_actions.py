"""Replays of games, on private pages: from moment to moment, and from anybody's eyes."""

import asyncio
from typing import Final

from bot.errors import NoSuchTable, NotAllowed
from bot.games.game import Seat
from bot.records.table import Table
from bot.tables.replays import Glimpse, Vantage, View
from bot.texts import gettext as _
from bot.ui.actions.opening import direct_place
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.interactions.reply import Reply, sentence, show_progress, show_waiting
from bot.ui.messages import replay_pages
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.pictures import MAX_FRAMES, animated, in_words
from bot.ui.posts.post import Post

_DEAL: Final = "deal-"
"""Begins the argument of the button of a score."""


_one_film: Final = asyncio.Semaphore(1)
_drawing_for: Final[set[int]] = set()
"""The users whose GIFs are being drawn."""


async def game_meant(ctx: Context, ref: str | None) -> Table:
    """Return the named table, otherwise the user's last game. Raises `NoSuchTable`."""
    if ref is not None:
        return await ctx.tables.finder.find(ref, ctx.visitor)
    games = await ctx.tables.lists.games_of(ctx.user_id, "", 1)
    if not games:
        raise NoSuchTable("You haven't played a game yet. Open or join one.")
    return games[0]


@press("replay")
@press("replay-of", picks_table=True)
async def replay(ctx: Context) -> Reply:
    """Show the first moment, the beginning of a deal or, from a replay, the moment to which the button leads."""
    argument = ctx.press.argument
    if not argument:
        return await _page(ctx, await _look(ctx))
    if argument.startswith(_DEAL):
        return await _page(ctx, await _deal(ctx, parse_number(argument.removeprefix(_DEAL))))
    where, _dash, step = argument.rpartition("-")
    spot = replay_pages.Spot.parse(where)
    return await _page(ctx, await _look(ctx, replay_pages.stepped(await _look(ctx, *spot), step), spot.view))


@press("replay-to")
async def _jump(ctx: Context) -> Reply:
    view = replay_pages.view_named(ctx.press.menu_argument)
    return await _page(ctx, await _look(ctx, parse_number(ctx.picked), view))


@press("replay-as")
async def _see_as(ctx: Context) -> Reply:
    view = replay_pages.view_named(ctx.picked)
    return await _page(ctx, await _look(ctx, parse_number(ctx.press.menu_argument), view))


@press("mark")
async def _mark(ctx: Context) -> Reply:
    """Mark the present moment, for the user alone."""
    await ctx.tables.replays.mark(ctx.table, ctx.user_id)
    return Reply(sentence(_("Marked. **Replay** has this moment in its menu, for you alone.")), table=ctx.table)


@press("replay-share")
async def _share(ctx: Context) -> Reply:
    """Post a moment in the channel of the table: in place of the beginning, which shows nothing yet, the end."""
    spot = replay_pages.Spot.parse(ctx.press.argument)
    glimpse = await _look(ctx, *spot)
    if glimpse.at == 0:
        glimpse = await _look(ctx, replay_pages.stepped(glimpse, "last"), spot.view)
    _check_shareable(ctx, glimpse)
    with await ctx.in_public():
        return Reply(replay_pages.shared(ctx.face, glimpse), "channel", ctx.table)


@press("replay-gif")
async def _gif(ctx: Context) -> Reply:
    """Ask what a GIF should show, or post it in the channel of the table."""
    where, _dash, part = ctx.press.argument.rpartition("-")
    if part not in {"deal", "game"}:
        glimpse = await _look(ctx, *replay_pages.Spot.parse(ctx.press.argument))
        _check_shareable(ctx, glimpse)
        return ctx.page(replay_pages.gif_question(glimpse), ctx.table)
    glimpse = await _look(ctx, *replay_pages.Spot.parse(where))
    _check_shareable(ctx, glimpse)
    if ctx.user_id in _drawing_for:
        raise NotAllowed("Your last GIF is still being drawn.")
    _drawing_for.add(ctx.user_id)
    try:
        await show_waiting(ctx.interaction, _("Drawing…"))
        async with _one_film:
            with await ctx.in_public():
                post = await _film(ctx, glimpse, part)
    finally:
        _drawing_for.discard(ctx.user_id)
    await show_progress(ctx.interaction, _("The GIF will appear in the channel."))
    return Reply(post, "channel", ctx.table)


@press("replay-on")
async def _play_on(ctx: Context) -> Reply:
    """Start a game against computers from a moment, in the user's direct messages."""
    glimpse = await _look(ctx, *replay_pages.Spot.parse(ctx.press.argument))
    played = await ctx.tables.replays.entries(ctx.table.id, glimpse.moment.ply)
    if isinstance(glimpse.view, Vantage) or glimpse.observation.outcome is not None:
        raise Outdated
    place = await direct_place(ctx.interaction)
    async with one_at_a_time(ctx.user_id, ctx.table.key):
        own = await ctx.tables.finder.tables_of(ctx.user_id, ctx.table.game, place.channel_id)
        table = next((each for each in own if _plays_on(each, ctx.table, len(played), glimpse.view)), None)
        if table is None:
            table = await ctx.tables.lobbies.open_to_play_on(ctx.table, len(played), ctx.person, glimpse.view, place)
        if table.status == "lobby":  # it was just opened, or a crash left it there
            await ctx.tables.lobbies.start_with(table.id, ctx.person, played)
    said = _(
        "**Table {name}** plays on from there, in your direct messages: you against computers. It counts nowhere.",
        name=table.name,
    )
    return Reply(sentence(said))


def _plays_on(table: Table, source: Table, plies: int, seat: Seat) -> bool:
    """Whether a user's table is the one that plays on from this moment on this seat."""
    sitter = table.sitter_at(seat)
    return table.continues == (source.name, plies) and sitter is not None and not sitter.is_computer


async def _film(ctx: Context, glimpse: Glimpse, part: str) -> Post:
    plies = [glimpse.moments[at].ply for at in replay_pages.film_of(glimpse, part)]
    short = plies if len(plies) <= MAX_FRAMES else ()
    posts = [replay_pages.scene_of(ctx.face, await _look(ctx, ply, glimpse.view)) for ply in short]
    gif = await animated(posts)
    if gif is None:
        raise NotAllowed("This is too long for a GIF. Take one deal, or share moments.")
    return replay_pages.film(ctx.face, glimpse, part, gif, posts)


def _check_shareable(ctx: Context, glimpse: Glimpse) -> None:
    """Raise `NotAllowed` unless this may be shown to everyone in this channel."""
    place = ctx.table.place
    if place.guild_id is None and glimpse.own is None:
        raise NotAllowed("You can share your own games only.")
    is_over = ctx.table.event is not None and ctx.table.is_revealed  # then its cards are open to everyone
    if ctx.interaction.channel_id != place.channel_id and not (is_over and place.guild_id is None):
        raise NotAllowed("Share it where the game was: {channel}.", channel=f"<#{place.channel_id}>")
    if not ctx.table.is_revealed and glimpse.view is not Vantage.PUBLIC:
        raise NotAllowed("You can share hands when the game is over.")


async def _look(ctx: Context, ply: int | None = None, view: View | None = None) -> Glimpse:
    return await ctx.tables.replays.look(ctx.table.id, ctx.user_id, ply, view)


async def _deal(ctx: Context, after: int) -> Glimpse:
    """Return the beginning of the deal before the one with this number, as faces number them."""
    glimpse = await _look(ctx)
    first = next((each for each in glimpse.moments if ctx.face.deal(each.board) == after - 1), glimpse.moment)
    return await _look(ctx, first.ply)


async def _page(ctx: Context, glimpse: Glimpse) -> Reply:
    """Return a moment as a page: in place of the page before it, or new."""
    is_elsewhere = ctx.interaction.guild_id is None and ctx.table.place.guild_id is not None
    post = replay_pages.replay_post(ctx.face, glimpse, may_share=not is_elsewhere)
    if (await ctx.tables.users.settings(ctx.user_id)).hands != "pictures":
        post = in_words(post)
    return ctx.page(post, glimpse.table)
