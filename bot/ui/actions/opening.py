"""Opens a table in the channel of the interaction or in a new thread there, and moves a lobby into a thread."""

import logging
from collections.abc import Collection
from typing import Final, NamedTuple

import discord

from bot.computer import nearest
from bot.errors import NotAllowed, PlayError, Text
from bot.games.typed import clean
from bot.records.preference import Server
from bot.records.table import Place, Table
from bot.tables.defaults import Wanted, merged
from bot.tables.lobbies import MOVES_LOBBY
from bot.tables.seating import need_lobby_host, under_current_rules
from bot.texts import gettext as _, listed, supported, translated, using
from bot.ui.actions.options import find_set, label_of_set, visible_sets
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.interactions.command_tree import absence
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.live.failures import missing_to_post
from bot.ui.messages.lobby import options_in_words
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, TOO_MANY_THREADS, UNREADABLE, is_refusal
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Button
from bot.ui.posts.text import clip, table_title, title_of

log = logging.getLogger(__name__)

ARCHIVE_AFTER_MIN: Final = 7 * 24 * 60
"""Discord archives the thread after this time without messages; the next board unarchives it."""
_MAX_THREAD_NAME: Final = 100


class Wishes(NamedTuple):
    """What the host wants of a new table. ``saved`` is the name of a saved set, for what they leave open."""

    game: str
    wanted: Wanted
    computers: int
    saved: str | None = None


async def open_table(ctx: Context, wishes: Wishes) -> Reply:
    """Open a table in this channel or in its own thread. The reply is the lobby, or a link to the thread."""
    await ctx.live.reopen(ctx.user_id)  # before the commit: should this fail after it, nothing would show the table
    table, in_thread = await opened(ctx, wishes)
    ctx.live.ping_timing.active(table.id, ctx.user_id)
    if not in_thread:
        return Reply(shows=ctx.live.opened(ctx.interaction, table))
    ctx.live.refresh(table.id)
    with using(supported(await ctx.tables.languages.of_server(table.place.guild_id))):
        title, channel = table_title(table, ctx.faces[table.game].game), f"<#{table.place.channel_id}>"
        return Reply(sentence(_("**{table}** is open in {channel}.", table=title, channel=channel)), "channel")


async def opened(ctx: Context, wishes: Wishes) -> tuple[Table, bool]:
    """Open a table in this channel or in its own thread. Return it, and whether it has a thread."""
    tables, game, computers = ctx.tables, wishes.game, wishes.computers
    saved = None if wishes.saved is None else await find_set(tables, ctx.interaction, game, wishes.saved)
    place, person = channel_place(ctx.interaction), ctx.person
    server = await check_may_open(tables, ctx.interaction, place)
    is_learner = await tables.lobbies.nth_game(game, person.id) > 0
    options, clock, level = merged(tables.finder.game(game), wishes.wanted, saved, server, is_learner=is_learner)
    await ctx.claim()
    in_thread = wants_thread(ctx.interaction, server)
    if in_thread:
        tables.lobbies.settle(game, options, computers)  # invalid options must not leave an empty thread
        place = await new_thread(ctx, game, place)
    levels = [nearest(game, level)]
    receipt = await tables.lobbies.open(game, options, person, place, computers, clock=clock, levels=levels)
    return receipt.table, in_thread


async def open_here(ctx: Context, wishes: Wishes) -> Reply:
    """Open a table in this channel, or in its own thread, and return a link to it."""
    async with one_at_a_time("open", ctx.user_id, ctx.interaction.channel_id, wishes.game):
        table, _in_thread = await opened(ctx, wishes)
    ctx.live.ping_timing.active(table.id, ctx.user_id)
    link, title = await ctx.live.posted(table), table_title(table, ctx.faces[table.game].game)
    return Reply(sentence(_("**{table}** is open. {link}", table=title, link=link)))


@press("open-another")
async def _open_another(ctx: Context) -> Reply:
    """Open a table with the options of this one, whose seats are taken."""
    game, options = ctx.face.game, under_current_rules(ctx.table, ctx.face.game).options
    rated = {option.key: options[option.key] for option in game.options if not option.sets_first}
    return await open_here(ctx, Wishes(game.key, Wanted(rated, ctx.table.clock, ctx.table.level), 0))


async def game_here(ctx: Context, games: Collection[str]) -> str:
    """Return the game that was played last on this server, or if that isn't one of these, the first of them."""
    guild_id = ctx.interaction.guild_id
    last = None if guild_id is None else await ctx.tables.lists.last_game(guild_id)
    return last if last is not None and last in games else next(iter(games))


async def saved_names(ctx: Context, game: str, typed: str) -> list[tuple[str, str]]:
    """Return the saved sets for a game that match what the user has typed: a description and the label of each."""
    face, wanted = ctx.faces[game], clean(typed).casefold()
    sets = [(each, label_of_set(each)) for each in await visible_sets(ctx.tables, ctx.interaction, game)]
    return [
        (f"{label} · {options_in_words(face, each.options, each.clock, each.level)}", label)
        for each, label in sets
        if wanted in clean(label).casefold()
    ]


async def new_thread(ctx: Context, game: str, place: Place) -> Place:
    """Create a thread for a table of the user in this channel, unless they or the channel have too many."""
    person = ctx.person
    await ctx.tables.lobbies.check_quotas(person, place)
    with using(supported(await ctx.tables.languages.of_server(place.guild_id))):
        title, host = title_of(ctx.faces[game].game), short_name(person.name, 0)
        name = _("{game} · {name}'s table", game=title, name=host)
    return await create_thread(ctx.interaction, name)


@press("thread")
async def _move_to_thread(ctx: Context) -> Reply:
    """Open the same lobby in a thread of its own, with everyone who is here, and close this one."""
    old, interaction = ctx.table, ctx.interaction
    need_lobby_host(old, ctx.user_id, MOVES_LOBBY)
    if (interaction.guild_id, interaction.channel_id) != (old.place.guild_id, old.place.channel_id):
        channel = f"<#{old.place.channel_id}>"
        raise NotAllowed("Open the thread where the table is: in {channel}.", channel=channel)
    await check_may_open(ctx.tables, interaction, old.place)
    await ctx.claim()
    place = await new_thread(ctx, old.game, old.place)
    new = (await ctx.tables.lobbies.move(old.id, ctx.user_id, place)).table
    ctx.live.refresh(new.id)
    return Reply(sentence(_("**Table {name}** is in <#{channel}> now.", name=new.name, channel=place.channel_id)))


def channel_place(interaction: discord.Interaction) -> Place:
    """Return the channel as a place. Raises `PlayError` if the bot can't post there."""
    if refusal := absence(interaction):
        raise refusal
    channel = interaction.channel
    if channel is None or interaction.channel_id is None:
        raise PlayError("Open a table in a channel.")
    if interaction.guild_id is None:
        return Place(None, interaction.channel_id)
    if missing := missing_to_post(interaction.app_permissions, channel):
        raise PlayError(
            "I can't post here: I need {permissions} in this channel. "
            "Ask a moderator to allow that, or open the table elsewhere.",
            permissions=listed([translated(name) for name in missing]),
        )
    if _is_hidden(interaction, channel):
        raise PlayError("I'm not in this private thread. Add me by mentioning me here, then try again.")
    return Place(interaction.guild_id, interaction.channel_id)


def _is_hidden(interaction: discord.Interaction, channel: object) -> bool:
    """Whether this is a private thread that the bot isn't in: Discord takes its answers there, but no messages."""
    if not isinstance(channel, discord.Thread) or not channel.is_private():
        return False
    is_known = interaction.guild is not None and interaction.guild.get_thread(channel.id) is not None
    return not (is_known or interaction.app_permissions.manage_threads)


async def direct_place(interaction: discord.Interaction) -> Place:
    """Return the user's direct messages as a place. Raises `NotAllowed` if Discord doesn't open them."""
    try:
        return Place(None, (await interaction.user.create_dm()).id)
    except (*CONNECTION_ERRORS, *UNREADABLE) as error:
        log.info("the direct messages of user %s can't be opened: %s", interaction.user.id, error)
        raise NotAllowed(
            "I can't open your direct messages. Allow them from this server, or try again in a minute."
        ) from None


async def reached(ctx: Context, table: Table) -> str | None:
    """Return the link to a table in the user's direct messages, empty if it comes later; ``None`` if they are closed.

    The user may just have opened them.
    """
    if await ctx.tables.users.is_dm_closed(ctx.user_id):
        await ctx.live.try_direct_messages(ctx.user_id, is_closed=True, is_asked=True)
    link = await ctx.live.posted(table)
    return None if not link and await ctx.tables.users.is_dm_closed(ctx.user_id) else link


async def way_to_play(ctx: Context, table: Table, again: str) -> tuple[str, tuple[Button, ...]]:
    """Return where the user's table of an event is: in their direct messages or, if those are closed, behind a button.

    ``again`` says how to try direct messages again, which the user may just have opened.
    """
    if (link := await reached(ctx, table)) is None:
        said = _("I can't reach you yet. **Play here** shows the game to you alone. {again}", again=again)
        return said, (Button("hand", _("Play here"), "primary"),)
    return _("Your game is in your direct messages. {link}", link=link), ()


def wants_thread(interaction: discord.Interaction, server: Server) -> bool:
    """Whether a table opened here gets its own thread: not if this is a thread already."""
    return server.threads and isinstance(interaction.channel, discord.TextChannel)


def channel_for_threads(
    interaction: discord.Interaction, create: Text, refusal: Text, *, may_create: bool
) -> discord.TextChannel:
    """Return this channel. Raises `PlayError`: ``refusal`` without the permissions to ``create`` threads and to write.

    ``may_create``: whether the bot has the former.
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise PlayError("Threads only work in text channels.")
    may_send = interaction.app_permissions.send_messages_in_threads
    needed = {create: may_create, Text("Send Messages in Threads"): may_send}
    missing = [translated(permission) for permission, is_granted in needed.items() if not is_granted]
    if missing:
        raise PlayError(refusal, permissions=listed(missing))
    return channel


async def create_thread(interaction: discord.Interaction, name: str) -> Place:
    """Create a public thread in this channel. Raises `PlayError` if that fails."""
    channel = channel_for_threads(
        interaction,
        Text("Create Public Threads"),
        Text(
            "I can't create a thread for this table: I need {permissions} in this channel. "
            "Ask a moderator to allow that, or to turn threads off."
        ),
        may_create=interaction.app_permissions.create_public_threads,
    )
    try:
        thread = await channel.create_thread(
            name=clip(name, _MAX_THREAD_NAME),
            type=thread_type(channel),
            auto_archive_duration=ARCHIVE_AFTER_MIN,
        )
    except (*CONNECTION_ERRORS, *UNREADABLE) as error:
        log.warning("no thread could be created in channel %s: %s", channel.id, error)
        if getattr(error, "code", 0) in TOO_MANY_THREADS:
            raise PlayError(
                "This server has too many open threads. Ask a moderator to close some, or to turn threads off."
            ) from None
        if is_refusal(error):
            raise PlayError(
                "Discord doesn't let me create a thread here. Ask a moderator to check, or to turn threads off."
            ) from None
        raise PlayError("Discord couldn't create a thread just now. Try again.") from None
    return Place(interaction.guild_id, thread.id)


def thread_type(channel: discord.TextChannel) -> discord.ChannelType:
    """Return the type of public threads in this channel; announcement channels have their own.

    https://discord.com/developers/docs/resources/channel#channel-object-channel-types
    """
    return discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
