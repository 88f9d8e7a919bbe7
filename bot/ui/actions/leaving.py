"""Actions by which seats lose their players: resigning, letting a computer play, and removing somebody else.

From a lobby, its host removes players; from a game in play, moderators may, too. At the start, the host is asked about
players who have left the server.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

import discord

from bot.errors import NotAllowed, NotSeated, Stale, WrongPhase
from bot.games.game import Seat
from bot.tables import Sitter, Snapshot, StandIn, Table, Tables
from bot.tables.seating import has_others
from bot.texts import gettext as _, listed, ngettext
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, Where, opens, sentence
from bot.ui.messages.absence_notice import step_out_button
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.names import label_of, name_of, seats_named, side_names, with_stand_in
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import plain

_WITHIN_S: Final = 1.0
"""How long Discord may take to say who is still there. Players it says nothing about count as present."""


# ---- resigning


@press("resign")
async def ask_to_resign(ctx: Context) -> Reply:
    """Say what resigning means at this table, and offer to let a computer play instead."""
    table, seat = ctx.table, ctx.sitter().seat
    if table.status != "playing":
        raise WrongPhase("There's no game in play at Table {name}.", name=table.name)
    sides = side_names(table, ctx.face.game)
    others = [names for names, seats in sides if seat not in seats]
    asked = (
        ngettext(
            "Resign at **Table {name}**? **{winners}** wins at once, whatever the score.",
            "Resign at **Table {name}**? **{winners}** win at once, whatever the score.",
            table.seats // 2,
            name=table.name,
            winners=others[0],
        )
        if len(sides) == 2
        else _("Resign at **Table {name}**? A computer takes your seat for good.", name=table.name)
    )
    row: tuple[Button, ...] = (Button("resigned", _("Resign"), "danger"), Button("hand", _("Play on")))
    if has_others(table, ctx.user_id):
        asked += "\n" + _("Or let a computer play for you, until you press any button of this table.")
        row = (step_out_button(), *row)
    return Reply(Post((asked,), rows=(row,)), "private", table)


@press("step-out")
async def _step_out(ctx: Context) -> Reply:
    table = (await ctx.tables.step_out(ctx.table.id, ctx.user_id)).table
    back = Button("hand", _("Play on"), "primary")
    words = _(
        "A computer plays for you at **Table {name}**. Press **Play on** to take your seat back.", name=table.name
    )
    post = Post((words,), rows=((back,),))
    if ctx.pressed_dm is not None:
        return Reply(post, "here", table)

    async def while_away(snapshot: Snapshot) -> Post | None:
        """Delete the message once a computer doesn't play for them any more."""
        is_away = any(sitter.held_for == ctx.user_id for sitter in snapshot.table.sitters)
        return post if is_away and snapshot.table.status == "playing" else None

    return opens(post, table, "question", while_away, where="here")


@press("resigned")
async def _resign(ctx: Context) -> Reply:
    receipt = await ctx.tables.resign(ctx.table.id, ctx.user_id)
    return Reply(sentence(_("You resigned at **Table {name}**.", name=receipt.table.name)), "here")


# ---- removing


async def remove(ctx: Context, who: str) -> Reply:
    """Remove the player with this name or seat; if several match, ask which."""
    seats = seats_named(ctx.table, who)
    if not seats:
        raise NotAllowed("There's nobody called {who} at Table {name}.", who=plain(who), name=ctx.table.name)
    return _question(ctx.table, seats) if len(seats) > 1 else await _remove(ctx, seats[0])


@press("remove")
async def _ask_whom(ctx: Context) -> Reply:
    _check_may_remove(ctx.interaction, ctx.table)
    seats = removable(ctx.interaction, ctx.table)
    if not seats:
        raise NotAllowed("There's nobody to remove at Table {name}.", name=ctx.table.name)
    return ctx.page(_question(ctx.table, seats).post, ctx.table)  # a page of options there isn't redrawn any more


@press("removed")
async def _picked(ctx: Context) -> Reply:
    if ctx.table.version != ctx.press.version and ctx.table.status != "playing":
        raise Stale("The lobby has changed. Press **Remove a player** again.")
    return await _remove(ctx, parse_number(ctx.picked))


async def _remove(ctx: Context, seat: Seat) -> Reply:
    """Remove a player from the lobby; in play, ask for confirmation."""
    table = ctx.table
    if table.status == "playing":
        return _confirmation(ctx.interaction, table, seat)
    await ctx.tables.lobbies.remove(table.id, ctx.user_id, seat, table.version)
    name, sitter = name_of(table, seat), table.sitter_at(seat)
    if sitter is None or sitter.is_computer:
        done = _("You removed {player} from **Table {name}**.", player=name, name=table.name)
    else:
        done = _("You removed {player} from **Table {name}**. They can't join it again.", player=name, name=table.name)
    return Reply(sentence(done), "private" if ctx.interaction.message is None else "here")


@press("expel")
async def _expel(ctx: Context) -> Reply:
    table, player_id = ctx.table, parse_number(ctx.press.argument)
    await ctx.tables.expel(table.id, ctx.user_id, player_id, moderates=moderated_server(ctx.interaction, table))
    names = [name_of(_with_stand_ins(table), sitter.seat) for sitter in table.sitters if player_id == sitter.player_id]
    done = _("You removed {player} from **Table {name}**.", player="".join(names), name=table.name)
    return Reply(sentence(done), "here")


def removable(interaction: discord.Interaction, table: Table) -> tuple[Seat, ...]:
    """Return the seats that the user can clear: all others in a lobby, those of people in play."""
    if not _may_remove(interaction, table):
        return ()
    others = (sitter for sitter in table.sitters if sitter.player_id != interaction.user.id)
    return tuple(sitter.seat for sitter in others if table.status == "lobby" or sitter.player_id is not None)


def _may_remove(interaction: discord.Interaction, table: Table) -> bool:
    is_host = interaction.user.id == table.host_id
    moderates = table.status == "playing" and moderated_server(interaction, table) is not None
    return table.is_open and (is_host or moderates)


def _check_may_remove(interaction: discord.Interaction, table: Table) -> None:
    if not _may_remove(interaction, table):
        raise NotAllowed("Only the host of Table {name} can remove players.", name=table.name)


def _with_stand_ins(table: Table) -> Table:
    """Return the table where a computer that keeps a seat is named after its player, too: see `with_stand_in`."""
    for sitter in table.sitters:
        if sitter.held_for is not None:
            table = with_stand_in(table, StandIn(sitter.seat, sitter.name))
    return table


def _confirmation(interaction: discord.Interaction, table: Table, seat: Seat) -> Reply:
    _check_may_remove(interaction, table)
    sitter = table.sitter_at(seat)
    if sitter is None or sitter.player_id is None:
        raise NotAllowed("A computer already has that seat at Table {name}.", name=table.name)
    if sitter.player_id == interaction.user.id:
        raise NotAllowed("Press **Resign** to give up your own seat.")
    asked = _(
        "Remove **{player}** from **Table {name}**? A computer takes the seat for good, and they can't come back.",
        player=name_of(_with_stand_ins(table), seat),
        name=table.name,
    )
    row = (Button("expel", _("Remove"), "danger", argument=str(sitter.player_id)), Button("more", _("Keep them")))
    where: Where = "private" if interaction.message is None else "here"
    return Reply(Post((asked,), rows=(row,)), where, table)


def _question(table: Table, seats: Sequence[Seat]) -> Reply:
    shown = _with_stand_ins(table)
    choices = tuple(Choice(str(seat), label_of(shown, seat), _("Seat {n}", n=seat + 1)) for seat in seats)
    if table.status == "playing":
        line = _("Who do you want to remove from **Table {name}**?", name=table.name)
    elif any(sitter.seat in seats and not sitter.is_computer for sitter in table.sitters):
        line = _("Who do you want to remove from **Table {name}**? They can't join it again.", name=table.name)
    else:
        line = _("Which computer do you want to remove from **Table {name}**?", name=table.name)
    return Reply(Post((line,), (Choices(_("Player"), choices, verb="removed"),)), "private", table)


# ---- players who have left the server of a lobby


async def who_left(client: discord.Client, table: Table, asker_id: int) -> tuple[Sitter, ...]:
    """Return the players of a full lobby, other than the asker, who have left its server. That's a request each."""
    guild = client.get_guild(table.place.guild_id or 0)
    if guild is None or table.status != "lobby" or not table.is_full or table.sitter(asker_id) is None:
        return ()
    others = [sitter for sitter in table.sitters if sitter.user_id not in {None, asker_id}]
    have_left = await asyncio.gather(*(_has_left(guild, sitter) for sitter in others))
    return tuple(sitter for sitter, has_left in zip(others, have_left, strict=True) if has_left)


async def _has_left(guild: discord.Guild, sitter: Sitter) -> bool:
    try:
        async with asyncio.timeout(_WITHIN_S):
            await guild.fetch_member(sitter.user_id or 0)
    except discord.NotFound:
        return True
    except CONNECTION_ERRORS:  # also of the timeout, which is an `OSError`
        return False
    return False


def ask_about(table: Table, left: Sequence[Sitter], user_id: int) -> Post:
    """Ask the host what to do about players who have left. Raise `NotAllowed` for others, unless the host has left."""
    names = listed([name_of(table, sitter.seat) for sitter in left])
    if user_id != table.host_id and table.host_id not in {sitter.user_id for sitter in left}:
        raise NotAllowed("{names} left this server. The host can start without them.", names=names)
    text = ngettext(
        "**{names}** left this server. What about their seat at **Table {table}**?",
        "**{names}** left this server. What about their seats at **Table {table}**?",
        len(left),
        names=names,
        table=table.name,
    )
    row = (
        Button("unseat", _("Play with a computer"), "success", argument="computer"),
        Button("unseat", _("Remove them"), argument="remove"),
        Button("start-anyway", _("Start anyway")),
    )
    return Post((text,), rows=(row,))


async def unseat(tables: Tables, table: Table, left: Sequence[Sitter], *, for_computers: bool) -> Table:
    """Free the seats of players who have left, as if they had pressed **Leave**, or give them to computers."""
    for sitter in left:
        with contextlib.suppress(NotSeated):  # another press has freed the seat
            table = (await tables.lobbies.stand(table.id, sitter.user_id or 0)).table
    if for_computers:
        table = (await tables.computers.add(table.id, table.host_id, fill=True)).table
    return table
