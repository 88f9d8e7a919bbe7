"""``/duplicate``: two tables of a server play the same deals with the seats exchanged, each in a private thread.

`cogs.matches.challenges` keeps the message of every match up to date.
"""

import contextlib
import logging
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import LilypadError, NotAllowed, Text
from bot.games import GAMES
from bot.records.match import Match
from bot.records.table import Place
from bot.running.client import LilypadBot
from bot.tables.matches import DAYS, DEALS, SIDES
from bot.texts import gettext as _, supported, translated, using
from bot.ui.actions.opening import ARCHIVE_AFTER_MIN, channel_for_threads, channel_place
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE
from cogs.matches.challenges import match_changed, pressed_match
from cogs.matches.posts import player_name, room_name, side_letter

log: Final = logging.getLogger(__name__)

_FORMS: Final = [
    app_commands.Choice(name=translated(title), value=form)
    for game in GAMES.values()
    for form, (title, _options) in game.duplicates.items()
]


class DuplicatesCog(commands.Cog):
    """The command."""

    @app_commands.command(name="duplicate", description="Two tables play the same cards with the seats exchanged")
    @app_commands.describe(
        game="The game, and how many sit at each of the two tables",
        deals="How many games each table plays",
        days="For how many days it goes on",
    )
    @app_commands.choices(game=_FORMS)
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    async def duplicate(
        self,
        interaction: discord.Interaction,
        game: str,
        deals: app_commands.Range[int, DEALS[0], DEALS[-1]] = 2,
        days: app_commands.Range[int, DAYS[0], DAYS[-1]] = 7,
    ) -> None:
        await answer(interaction, _offer(Context(interaction), game, deals, days))


async def _offer(ctx: Context, game: str, deals: int, days: int) -> Reply:
    place = channel_place(ctx.interaction)
    await check_may_open(ctx.tables, ctx.interaction, place)
    _channel_for_rooms(ctx)
    await ctx.claim()
    match = await ctx.tables.duplicates.offer(ctx.person, place, game, deals=deals, days=days)
    match_changed(ctx, match)
    said = _("You're on side A. The others join below, and then you press **Start**.")
    return Reply(sentence(said + await _way_to_hand(ctx)))


async def _way_to_hand(ctx: Context) -> str:
    """Say where the hands of a player come whose direct messages are closed; empty for others."""
    if not await ctx.tables.users.is_dm_closed(ctx.user_id):
        return ""
    return " " + _("I can't send you your hand: press **My hand** in the thread of your table.")


def _channel_for_rooms(ctx: Context) -> discord.TextChannel:
    """Return the channel, if the bot may create private threads there. Raises `PlayError`."""
    refusal = Text(
        "Each table needs a private thread: I need {permissions} in this channel. Ask a moderator to allow that."
    )
    may_create = ctx.interaction.app_permissions.create_private_threads
    return channel_for_threads(ctx.interaction, Text("Create Private Threads"), refusal, may_create=may_create)


@press("match-join")
async def _join(ctx: Context) -> Reply:
    match, side = await pressed_match(ctx, "duplicate"), parse_number(ctx.press.argument.partition(".")[2])
    if side not in SIDES:
        raise Outdated
    await ctx.tables.duplicates.join(match, ctx.person, side)
    match_changed(ctx, match)
    return Reply(sentence(_("You're on side {side}.", side=side_letter(side)) + await _way_to_hand(ctx)))


@press("match-leave")
async def _leave(ctx: Context) -> Reply:
    match = await pressed_match(ctx, "duplicate")
    await ctx.tables.duplicates.leave(match.id, ctx.user_id)
    match_changed(ctx, match)
    return Reply(sentence(_("You're out.")))


@press("match-begin")
async def _begin(ctx: Context) -> Reply:
    """Create the threads, and begin, once."""
    async with one_at_a_time("match", ctx.press.argument):
        return await _begun(ctx)


async def _begun(ctx: Context) -> Reply:
    match, duplicates = await pressed_match(ctx, "duplicate"), ctx.tables.duplicates
    duplicates.check_may_begin(match, ctx.user_id)
    channel = _channel_for_rooms(ctx)
    if channel.id != match.channel_id:
        raise Outdated
    await check_may_open(ctx.tables, ctx.interaction, Place(match.guild_id, match.channel_id))
    threads: list[discord.Thread] = []
    try:
        with using(supported(await ctx.tables.languages.of_server(match.guild_id))):
            names = [room_name(match, room, ctx.faces) for room in SIDES]
        for room in SIDES:
            threads.append(await _created(channel, names[room]))
            await _let_in(threads[room], match, room)
        await duplicates.begin(match, (threads[0].id, threads[1].id))
    except LilypadError:
        for thread in threads:
            await _put_away(thread)
        raise
    match_changed(ctx, match)
    return Reply(sentence(_("It begins. Each table has a private thread, to which I've added its players.")))


async def _created(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Create the thread of a room. Raises `NotAllowed`."""
    try:
        return await channel.create_thread(
            name=name,
            type=discord.ChannelType.private_thread,
            invitable=False,
            auto_archive_duration=ARCHIVE_AFTER_MIN,
        )
    except (*CONNECTION_ERRORS, *UNREADABLE) as error:
        log.warning("no private thread could be created in channel %s: %s", channel.id, error)
        raise NotAllowed("Discord doesn't let me create private threads here. Ask a moderator to check.") from None


async def _let_in(thread: discord.Thread, match: Match, room: int) -> None:
    """Add the players of a room to its thread. Raises `NotAllowed` if that fails, such as for who has left."""
    for player in match.players:
        if player.room == room and player.user_id is not None:
            try:
                await thread.add_user(discord.Object(player.user_id))
            except (*CONNECTION_ERRORS, *UNREADABLE) as error:
                log.warning("user %s can't be added to thread %s: %s", player.user_id, thread.id, error)
                raise NotAllowed(
                    "I can't add {name} to a private thread. They may have left, or can't see this channel.",
                    name=player_name(match, player),
                ) from None


async def _put_away(thread: discord.Thread) -> None:
    """Archive a thread in which nothing begins. Whoever created a thread may do that."""
    with contextlib.suppress(*CONNECTION_ERRORS, *UNREADABLE):
        await thread.edit(archived=True)


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(DuplicatesCog())
