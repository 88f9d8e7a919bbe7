"""Actions before a game starts: take and leave seats, cut the deck, start; then the rematch."""

import contextlib
from collections.abc import Awaitable
from functools import partial

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed, NotSeated, WrongPhase
from bot.records.live_message import Kind, Snapshot
from bot.records.table import Place, Receipt, Table
from bot.tables.seating import check_may_join, larger
from bot.texts import gettext as _, ngettext
from bot.ui.actions.leaving import ask_about, ask_to_resign, unseat, who_left
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import for_watchers, is_watching
from bot.ui.interactions.reply import Reply, opens, pressed, sentence, text_form
from bot.ui.messages.lobby import ADD, ALL_SEATS, level_names
from bot.ui.posts.custom_id import Press, parse_number
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post


async def change(ctx: Context, changing: Awaitable[Receipt], done: str) -> Reply:
    """Make a change. The pressed lobby shows it; return the sentence ``done`` if something else was pressed."""
    ctx.live.expect(ctx.interaction)
    table = (await changing).table
    if ctx.interaction.message is not None:
        snapshot = await ctx.tables.snapshot(table.id)
        if pressed(ctx.interaction, snapshot.messages, Kind.BOARD):
            return Reply(shows=await ctx.live.show_board(snapshot.table))
    return Reply(sentence(done))


# ---- seats


@press("join")
async def join(ctx: Context, seat: int | None = None) -> Reply:
    """Take a seat (from 0), by default the first free one. Where all are taken, offer another table."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    if _is_full_for(ctx):
        said = _("Table {name} is full.", name=ctx.table.name)
        return Reply(Post((said,), rows=((Button("open-another", _("Open another"), "success"),),)), table=ctx.table)
    ctx.live.ping_timing.active(ctx.table.id, ctx.user_id)
    await ctx.live.reopen(ctx.user_id)  # their direct messages may be open by now
    done = _("You've joined **Table {name}**.", name=ctx.table.name)
    return await change(ctx, ctx.tables.lobbies.sit(ctx.table.id, ctx.person, seat), done)


def _is_full_for(ctx: Context) -> bool:
    """Whether the user may join the lobby, but can't, as it is full and has no form for more players."""
    table = ctx.table
    if table.status != "lobby" or table.sitter(ctx.user_id) is not None or larger(table, ctx.face.game) is not None:
        return False
    with contextlib.suppress(NotAllowed):
        check_may_join(table, ctx.user_id)
        return table.is_full
    return False


@press("join-at", picks_table=True)
async def _join_picked(ctx: Context) -> Reply:
    """Join the lobby that was picked in a list, and say where it is in place of the list."""
    reply = await join(ctx)
    if ctx.table.sitter(ctx.user_id) is None and not reply.post.rows:
        link = await ctx.live.board_link(ctx.table)
        said = _("You've joined **Table {name}**. {link}", name=ctx.table.name, link=link)
        return Reply(sentence(said), "here")
    return reply


@press("leave")
async def leave(ctx: Context) -> Reply:
    """Leave the seat in the lobby. In play, ask how."""
    if ctx.table.status == "playing":
        return await ask_to_resign(ctx)
    done = _("You've left **Table {name}**.", name=ctx.table.name)
    return await change(ctx, ctx.tables.lobbies.stand(ctx.table.id, ctx.user_id), done)


@press("computer")
async def _add_computer(ctx: Context) -> Reply:
    fill = ctx.press.argument == ALL_SEATS
    done = _("Computers have taken the free seats.") if fill else _("A computer has joined.")
    return await change(ctx, ctx.tables.computers.add(ctx.table.id, ctx.user_id, fill=fill), done)


@press("level")
async def _level_picked(ctx: Context) -> Reply:
    """Add a computer of a level, or let all that are here play at that level."""
    what, _dot, level = ctx.picked.partition(".")
    computers = ctx.tables.computers
    if what == ADD:
        return await change(ctx, computers.add(ctx.table.id, ctx.user_id, level), _("A computer has joined."))
    done = _("All computers: {level}", level=level_names().get(level, level))
    return await change(ctx, computers.set_level(ctx.table.id, ctx.user_id, level), done)


@press("partner")
async def _partner_picked(ctx: Context) -> Reply:
    """Sit on the side of the player who was picked."""
    seat = parse_number(ctx.picked)
    done = _("You play with {player}.", player=name_of(ctx.table, seat)) if ctx.table.sitter_at(seat) else ""
    return await change(ctx, ctx.tables.lobbies.sit_with(ctx.table.id, ctx.user_id, seat, ctx.press.version), done)


@press("no-hints")
async def _no_hints(ctx: Context) -> Reply:
    """Object to hints for those who are learning the game."""
    done = _("There are no hints at **Table {name}** now.", name=ctx.table.name)
    return await change(ctx, ctx.tables.hints.object(ctx.table.id, ctx.user_id), done)


# ---- the start


@press("start")
async def start(ctx: Context) -> Reply:
    """Start the game, or ask what to do about free seats or players who have left the server."""
    if ctx.user_id == ctx.table.host_id and (asked := _fill_question(ctx.table)):
        return opens(asked, ctx.table, "start", _still_asked)
    if left := await who_left(ctx.interaction.client, ctx.table, ctx.user_id):
        return Reply(ask_about(ctx.table, left, ctx.user_id), "private", ctx.table)
    return await _start(ctx)


async def _still_asked(snapshot: Snapshot) -> Post | None:
    return _fill_question(snapshot.table)


def _fill_question(table: Table) -> Post | None:
    """Ask what to do about the free seats of a lobby; ``None`` if there are none."""
    free = table.seats - len(table.sitters)
    if table.status != "lobby" or not free:
        return None
    asked = ngettext(
        "One seat is still free at **Table {name}**. Wait for a player, or start with a computer.",
        "{n} seats are still free at **Table {name}**. Wait for players, or start with computers.",
        free,
        name=table.name,
    )
    label = ngettext("Start with a computer", "Start with computers", free)
    return Post((asked,), rows=((Button("start-filled", label, "success"),),))


@press("start-filled")
async def _start_filled(ctx: Context) -> Reply:
    """Let computers have the free seats, and start."""
    table = ctx.table
    if not table.is_full:
        table = (await ctx.tables.computers.add(table.id, ctx.user_id, fill=True)).table
    return await start(Context(ctx.interaction, ctx.press, table))


@press("unseat")
async def _unseat(ctx: Context) -> Reply:
    """Free the seats of players who have left; start with computers in their place if that was chosen."""
    table, for_computers = ctx.table, ctx.press.argument == "computer"
    if left := await who_left(ctx.interaction.client, table, ctx.user_id):
        ask_about(table, left, ctx.user_id)  # raises if the user isn't the one to decide
        await unseat(ctx.tables, table, left, for_computers=for_computers)
    if for_computers:
        return await _start(ctx)
    return Reply(sentence(_("Their seats at **Table {name}** are free.", name=table.name)), "here")


@press("start-anyway")
async def _start(ctx: Context) -> Reply:
    ctx.live.ping_timing.active(ctx.table.id, ctx.user_id)
    done = _("**Table {name}** has started.", name=ctx.table.name)
    reply = await change(ctx, ctx.tables.lobbies.start(ctx.table.id, ctx.user_id), done)
    if reply.shows is not None:
        return replace(reply, where="here")

    async def until_own_move(snapshot: Snapshot) -> Post | None:
        """Leave the sentence until the user has moved; then it would only push the board away."""
        if snapshot.table.status != "playing" or not ctx.tables.has_rulebook(snapshot.table):
            return None
        sight = await ctx.tables.sight(snapshot.table, ctx.user_id)
        return None if sight.own_entries else reply.post

    return opens(reply.post, await ctx.tables.table(ctx.table.id), "start", until_own_move, where="here")


# ---- cutting the deck


@press("cut")
async def _cut_pressed(ctx: Context) -> Reply:
    if ctx.is_form:
        return await cut(ctx, ctx.picked)
    if ctx.table.sitter(ctx.user_id) is None:
        raise NotSeated("Press **Join** first.")
    if ctx.table.status != "lobby":
        raise WrongPhase("The cards are dealt. You can only cut before the start.")
    return Reply(form=_cut_form(ctx.table))


async def cut(ctx: Context, text: str) -> Reply:
    """Mix the player's text into the shuffles."""
    done = _("Your cut is in. You'll see it with the seed at the end.")
    return await change(ctx, ctx.tables.lobbies.cut(ctx.table.id, ctx.user_id, text), done)


def _cut_form(table: Table) -> discord.ui.Modal:
    return text_form(
        Press("cut", table.version, key=table.key),
        _("Cut the cards"),
        _("Your cut for Table {name}", name=table.name),
        _("Any text. It changes every shuffle at this table."),
        100,
    )


# ---- the rematch


@press("again")
@press("return")
async def _rematch(ctx: Context) -> Reply:
    """Open the rematch, or the return game, or take the user's seat there. Its lobby is a separate message.

    As the rematch is another table, users have to be able to see where it is. Only who opens it needs the right to open
    tables there.
    """
    place = ctx.table.place
    if not await ctx.visitor.may_return_to(place):
        raise NotAllowed("Ask for a rematch where you played: in {channel}.", channel=f"<#{place.channel_id}>")
    checks, is_return = partial(_check_rematch, ctx, place), ctx.press.verb == "return"
    rematch = ctx.tables.lobbies.rematch(ctx.table.id, ctx.person, checks, is_return=is_return)
    table = (await rematch).table
    ctx.live.ping_timing.active(table.id, ctx.user_id)
    post = _rematch_post(table, ctx.user_id, await ctx.live.posted(table))
    return Reply(post, "private", table)


async def _check_rematch(ctx: Context, place: Place) -> None:
    """Raise `NotAllowed` if the user may not open a table in this place, or only in a thread of its own."""
    server = await check_may_open(ctx.tables, ctx.interaction, place)
    guild = ctx.interaction.client.get_guild(place.guild_id or 0)
    if server.threads and guild and isinstance(guild.get_channel(place.channel_id), discord.TextChannel):
        raise NotAllowed("On this server, each table gets its own thread. Open a new table instead.")


def _rematch_post(table: Table, user_id: int, link: str) -> Post:
    """Return the answer to **Rematch**. If all others are computers, the game can start from there."""
    is_alone = all(sitter.is_computer for sitter in table.sitters if sitter.user_id != user_id)
    if is_alone and table.is_full and table.status == "lobby":
        text = _("The rematch is **Table {name}**. {link}", name=table.name, link=link)
        return Post((text,), rows=((Button("start", _("Start"), "success"),),))
    if table.opening is not None and table.opening.scores is not None:
        return sentence(_("The return game is **Table {name}**. {link}", name=table.name, link=link))
    if table.seats == 2:
        return sentence(_("The rematch is **Table {name}**. You swap seats. {link}", name=table.name, link=link))
    return sentence(
        _("The rematch is **Table {name}**. Everyone moves one seat on. {link}", name=table.name, link=link)
    )
