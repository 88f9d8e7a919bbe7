"""Hints for players: the strong computer's move for their seat, and why."""

import asyncio
from collections.abc import Sequence
from typing import Final, TypeVar

import discord
from msgspec.structs import replace

from bot.computer.thoughts import Recalled, Thought
from bot.errors import AmbiguousTable, NoSuchTable, NotAllowed, Stale, Text
from bot.records.live_message import Snapshot
from bot.records.open_seat import OpenSeat
from bot.records.table import Table
from bot.tables.finding import MAX_CHOICES
from bot.tables.hosting import check_allowed
from bot.tables.replays import Recollection, Vantage
from bot.tables.seating import wrong_phase
from bot.tables.tables import Sight, Tables
from bot.texts import gettext as _
from bot.ui.actions.permissions import Visitor
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import settled
from bot.ui.interactions.reply import Reply, opens, show_waiting
from bot.ui.messages.hint_texts import hint as hint_post, recalled
from bot.ui.messages.lobby import level_names
from bot.ui.messages.replay_pages import Spot
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.face import waiting_line
from bot.ui.posts.post import Button, Post

T = TypeVar("T")

ANNOUNCE_AFTER_S: Final = 1.5
"""A thought that takes longer is announced. Until then, Discord shows that the press is being handled."""
_CHECK_S: Final = 1.0
"""How often the table is looked at during a thought."""
_MOVED_ON: Final = Text("The game has moved on. Ask again.")
_ASKED_AGAIN: Final = Text("You've asked for another hint since.")


async def table_meant(tables: Tables, interaction: discord.Interaction, ref: str | None) -> Table:
    """Return the named table, otherwise the one that waits for the user, otherwise one where they play.

    Among these, tables in this channel come first. Raises `NoSuchTable` or `AmbiguousTable`.
    """
    if ref is not None:
        return await tables.finder.find(ref, Visitor(interaction))
    found: list[Table] = []
    for channel_id in (interaction.channel_id, None):
        seats = await tables.lists.seats(interaction.user.id, None, channel_id, MAX_CHOICES)
        if waiting := _waiting(seats):
            return waiting
        found += [seat.table for seat in seats if seat.table.status in {"playing", "lobby"}]
    if not found:
        raise NoSuchTable("You're not in a game right now. Open or join one.")
    return next((table for table in found if table.status == "playing"), found[0])


def _waiting(seats: Sequence[OpenSeat]) -> Table | None:
    """Return the table in play that waits for the user, if there is one. Raises `AmbiguousTable` if there are more."""
    waiting = [seat.table for seat in seats if seat.is_waiting and seat.table.status == "playing"]
    if len(waiting) > 1:
        raise AmbiguousTable("Several tables are waiting for you. Which one?", tuple(table.id for table in waiting))
    return waiting[0] if waiting else None


@press("hint")
@press("hint-at", picks_table=True)
async def hint(ctx: Context) -> Reply:
    """Return a hint for the user, whose turn it has to be."""
    table = ctx.table
    ctx.sitter()
    if table.status != "playing":
        raise wrong_phase(table)
    check_allowed(table, ctx.user_id)
    if await ctx.go_on():
        await settled(ctx)
    sight = await ctx.sight()
    waiting = waiting_line(ctx.face, sight)
    if waiting is not None:
        raise NotAllowed("{waiting}", waiting=waiting)
    thought = await _thought(ctx, sight)
    try:
        await ctx.tables.hints.note(table.id, ctx.user_id, sight.table.version)
    except Stale:
        raise Stale(_MOVED_ON) from None
    post = hint_post(ctx.face, sight, thought)
    post = replace(post, rows=(*post.rows[:-1], (*post.rows[-1], Button("mark", _("Mark"), origin="hint"))))

    async def while_it_holds(_snapshot: Snapshot) -> Post | None:
        """Leave the hint until it says nothing about the next move any more."""
        return post if await ctx.tables.hints.holds(table.id, ctx.user_id, sight.table.version) else None

    return opens(post, sight.table, "hint", while_it_holds)


async def _thought(ctx: Context, sight: Sight) -> Thought:
    """Return the thought about the seat's move. The seed is made of public values only.

    Raises `Stale` as soon as the table has moved on, or the user has asked for another hint.
    """
    table, observation = sight.table, sight.observation
    seed = f"hint {table.id} {table.version} {observation.seat}"
    with ctx.app.hints.asked(ctx.user_id, seed, table.game, observation, seed) as thinking:
        await _announce(ctx, thinking, beside=not ctx.press.origin)
        while not thinking.done():
            await asyncio.wait({thinking}, timeout=_CHECK_S)
            if not thinking.done() and not await ctx.tables.hints.holds(table.id, ctx.user_id, table.version):
                raise Stale(_MOVED_ON)
        return _result(thinking)


async def _announce(ctx: Context, thinking: asyncio.Future[T], *, beside: bool = False) -> None:
    """Wait for a thought for a moment, and then show that it takes longer."""
    done, _pending = await asyncio.wait({thinking}, timeout=ANNOUNCE_AFTER_S)
    if not done:
        await show_waiting(ctx.interaction, _("Thinking…"), beside=beside)


def _result(thinking: asyncio.Future[T]) -> T:
    """Return the thought that has ended. Raises `Stale` if the user has asked for another one."""
    if thinking.cancelled():
        raise Stale(_ASKED_AGAIN)
    return thinking.result()


# ---- computers' moves, after the end


@press("why-move")
async def _why_move(ctx: Context) -> Reply:
    """Say how a computer came to its move: from a moment of the replay, or from a menu of moments."""
    from_menu = ctx.press.menu_argument == "menu"
    spot = Spot(parse_number(ctx.picked), Vantage.EVERYONE) if from_menu else Spot.parse(ctx.press.argument)
    glimpse = await ctx.tables.replays.look(ctx.table.id, ctx.user_id, *spot)
    if glimpse.moment.chosen is None:
        raise Outdated
    move = await ctx.tables.replays.recollection(ctx.table.id, glimpse.moment.chosen)
    level = level_names().get(move.level, move.level)
    post = recalled(ctx.face, ctx.table, move, await _recalled(ctx, move), level)
    see = Button("replay", _("See it in the replay"), argument=f"{spot}-here")
    return ctx.page(replace(post, rows=((see,),)), ctx.table)


async def _recalled(ctx: Context, move: Recollection) -> Recalled:
    of_move = ctx.table.game, move.observation, move.played, move.seed, move.level
    with ctx.app.recollections.asked(ctx.user_id, f"{ctx.table.id} {move.seed}", *of_move) as thinking:
        await _announce(ctx, thinking)
        await asyncio.wait({thinking})
        return _result(thinking)
