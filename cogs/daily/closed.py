"""What is told of a daily once it is over everywhere: what decided it, and how the best result here came about."""

from collections.abc import AsyncIterator

from bot.errors import LilypadError
from bot.records.event import Event, EventResult
from bot.records.table import Table
from bot.texts import gettext as _
from bot.ui.actions.press import Context
from bot.ui.posts.names import short_name
from bot.ui.posts.text import plain, signed
from cogs.daily.texts import shown_here


async def told_when_closed(ctx: Context, event: Event, result: EventResult, table: Table) -> AsyncIterator[str]:
    """Yield what decided the user's game, and where the best one of those who want to have a place left its path."""
    sight = await ctx.tables.sight(table, ctx.user_id)
    if decided := ctx.faces[event.game].decided(table, sight.observation):
        yield decided
    if result.guild_id is None:
        return
    people = shown_here(await ctx.tables.events.records.results(event.name), result.guild_id)
    best = next((each for each in people if each.is_placed and not each.is_hinted), None)
    if best is None:
        return
    if best.user_id == ctx.user_id:
        yield _("Nobody here got more than you.")
    elif (theirs := await ctx.tables.events.table(best)) is not None:
        yield await _parting(ctx, table, theirs, best)


async def _parting(ctx: Context, own: Table, theirs: Table, best: EventResult) -> str:
    """Return who scored most, and what they played where the user first played something else."""
    values: dict[str, object] = {"name": plain(short_name(best.name, 0)), "score": signed(best.score or 0)}
    ours, others = [await ctx.tables.replays.entries(table.id, table.plies) for table in (own, theirs)]
    at = next((at for at, (one, other) in enumerate(zip(ours, others, strict=False)) if one.move != other.move), None)
    if at is None:
        return _("Best here: **{name}** ({score}), who played as you did.", **values)
    try:
        seen = (await ctx.tables.replays.look(own.id, ctx.user_id, at, own.part_of(ctx.user_id))).observation
    except LilypadError:
        return _("Best here: **{name}** ({score}).", **values)
    face, game = ctx.faces[own.game], ctx.faces[own.game].game
    mine, better = [face.name_in_hint(own, seen, game.parse(each[at].move))[0] for each in (ours, others)]
    nth = sum(entry.seat == ours[at].seat for entry in ours[:at]) + 1
    values |= {"n": nth, "better": better, "mine": mine}
    return _("Best here: **{name}** ({score}). At move {n}, they played **{better}**, and you {mine}.", **values)
