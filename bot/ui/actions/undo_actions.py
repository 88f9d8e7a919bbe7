"""Undoing a move: at once if the rules allow, otherwise after asking the players concerned."""

import asyncio
from typing import Final

from bot.errors import PlayError, Stale
from bot.texts import gettext as _, sentence_of
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import asking, for_watchers, hand_answer, is_watching, preview
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.messages.questions import user_name, waiting_for
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.post import Button, Post

_POSTED_WITHIN_S: Final = 1.5
"""Maximum time that the answer waits for the question to be posted, to report a failure."""


_KNOWN: Final = "known"
"""The argument of the button that takes a move back although that can cost rating."""


@press("undo")
@press("ask-undo")
async def undo(ctx: Context) -> Reply:
    """Undo the user's last move, or ask the players concerned."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    table_id, user_id = ctx.table.id, ctx.user_id
    if ctx.press.argument != _KNOWN and await ctx.tables.undos.costs_rating(table_id, user_id, ctx.seen):
        return await preview(ctx, _slip())
    ctx.live.ping_timing.active(table_id, user_id)
    ctx.live.expect(ctx.interaction)
    try:
        undoing = await ctx.tables.undos.undo(table_id, user_id, ctx.seen)
    except Stale as stale:
        return await hand_answer(ctx, sentence_of(stale))
    if not undoing.waiting:
        return await hand_answer(ctx, _("You took your move back."))
    await asyncio.wait({ctx.live.asked(table_id)}, timeout=_POSTED_WITHIN_S)
    if ctx.live.drawings.troubles.get(table_id):
        await ctx.tables.undos.drop_question(table_id, user_id)
        raise PlayError("I can't post in the table's channel, so I can't ask anyone.")
    return asking(ctx, undoing.table, waiting_for(undoing.table, undoing.waiting))


def _slip() -> Post:
    """Return the question whether to take back a move that computers have answered."""
    words = _("Take your move back, with what the computers played since? Then this game can't raise your rating.")
    return Post((words,), rows=((Button("undo", _("Take it back"), "primary", _KNOWN), Button("hand", _("Back"))),))


@press("undo-yes")
async def _agree(ctx: Context) -> Reply:
    asker = parse_number(ctx.press.argument)
    try:
        undoing = await ctx.tables.undos.agree(ctx.table.id, ctx.user_id, asker, ctx.press.version)
    except Stale:
        return _settled()
    ctx.live.asked(ctx.table.id)
    if ctx.user_id == asker:
        return Reply(sentence(_("You asked. The others have to agree.")))
    if undoing.waiting:
        return Reply(sentence(_("You agreed. Not everyone has answered yet.")))
    name = user_name(undoing.table, asker)
    return Reply(sentence(_("You agreed. {name} can move again.", name=name)))


@press("undo-no")
async def _refuse(ctx: Context) -> Reply:
    asker = parse_number(ctx.press.argument)
    try:
        await ctx.tables.undos.refuse(ctx.table.id, ctx.user_id, asker, ctx.press.version)
    except Stale:
        return _settled()
    ctx.live.asked(ctx.table.id)
    if ctx.user_id == asker:
        return Reply(sentence(_("You stopped asking. Your move stays.")))
    return Reply(sentence(_("You said no. The move stays.")))


def _settled() -> Reply:
    return Reply(sentence(_("The game has moved on, so there's nothing to agree to.")))
