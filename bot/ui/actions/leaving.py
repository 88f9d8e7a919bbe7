"""Actions by which seats lose their players: resigning, letting a computer play, and removing somebody else.

From a lobby, its host removes players; from a game in play, moderators may, too. At the start, the host is asked about
players who have left the server.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed, NotSeated, Stale, WrongPhase
from bot.games.game import Seat
from bot.records.live_message import Snapshot
from bot.records.standing import counts
from bot.records.table import Sitter, Table
from bot.tables.closing import check_may_expel, concedes_alone
from bot.tables.folds import StandIn
from bot.tables.seating import has_others
from bot.tables.tables import Tables
from bot.texts import gettext as _, listed, ngettext
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import asking
from bot.ui.interactions.reply import Reply, Where, opens, sentence
from bot.ui.messages.absence_notice import step_out_button
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.discord_errors import CONNECTION_ERRORS
from bot.ui.posts.names import label_of, name_of, seats_named, side_names, with_stand_in
from bot.ui.posts.post import Button, Choice, Choices, Post, row_of
from bot.ui.posts.text import plain

_WITHIN_S: Final = 1.0
"""How long Discord may take to say who is still there. Players it says nothing about count as present."""


# ---- resigning


@press("resign")
async def ask_to_resign(ctx: Context) -> Reply:
    """Say what resigning means at this table and for whom, and offer to let a computer play instead."""
    table = ctx.table
    ctx.sitter()
    if table.status != "playing":
        raise WrongPhase("There's no game in play at Table {name}.", name=table.name)
    lines = [_what_resigning_does(ctx)]
    may_concede = await _concession_line(ctx)
    if may_concede:
        lines.append(may_concede)
    may_step_out = has_others(table, ctx.user_id)
    if may_step_out:
        lines.append(_("Or let a computer play for you, until you press any button of this table."))
    row = row_of(
        (may_step_out, step_out_button()),
        (True, Button("resigned", _("Resign"), "danger", argument=_meaning(ctx))),
        (bool(may_concede), Button("concede", _("Concede"), "danger")),
        (True, Button("hand", _("Play on"))),
    )
    return Reply(Post(("\n".join(lines),), rows=(row,)), "private", table)


def _meaning(ctx: Context) -> str:
    """Return whether resigning ends the game or gives up the seat. If that changes, the user is asked again."""
    return "game" if concedes_alone(ctx.table, ctx.face.game, ctx.user_id) else "seat"


def _what_resigning_does(ctx: Context) -> str:
    table, seat = ctx.table, ctx.sitter().seat
    if _meaning(ctx) == "game":
        winners = "".join(names for names, seats in side_names(table, ctx.face.game) if seat not in seats)
        asked = ngettext(
            "Resign at **Table {name}**? **{winners}** wins at once, whatever the score.",
            "Resign at **Table {name}**? **{winners}** win at once, whatever the score.",
            table.seats // 2,
            name=table.name,
            winners=winners,
        )
        return f"{asked} {defeat_note(table)}".rstrip()
    partners = [each for each in _partners(ctx) if not each.is_computer]
    if partners:
        return _(
            "Resign at **Table {name}**? A computer plays on for you with **{partners}**, and you can't come back.",
            name=table.name,
            partners=listed([name_of(table, each.seat) for each in partners]),
        )
    asked = _("Resign at **Table {name}**? A computer takes your seat for good.", name=table.name)
    if any(each.player_id not in {None, ctx.user_id} for each in table.sitters):
        return asked
    return f"{asked} {_('Nobody else is playing, so the table closes.')} {defeat_note(table)}".rstrip()


def _partners(ctx: Context) -> list[Sitter]:
    sides, own = ctx.face.game.sides(ctx.table.options), ctx.sitter().seat
    return [each for each in ctx.table.sitters if sides[each.seat] == sides[own] and each.seat != own]


async def _concession_line(ctx: Context) -> str:
    """Say what conceding for the side does, and who has to agree; empty if resigning does that, or nothing can."""
    table, seat = ctx.table, ctx.sitter().seat
    sides = side_names(table, ctx.face.game)
    if len(sides) != 2 or table.is_compared or _meaning(ctx) == "game":
        return ""
    winners = "".join(names for names, seats in sides if seat not in seats)
    partners = await ctx.tables.waiting.partners(table, ctx.user_id)
    if not partners:
        return _("**Concede**: **{winners}** win at once. You decide that alone.", winners=winners)
    names = listed([name_of(table, each.seat) for each in table.sitters if each.user_id in partners])
    return ngettext(
        "**Concede**: **{winners}** win at once, if **{names}** agrees.",
        "**Concede**: **{winners}** win at once, if **{names}** agree.",
        len(partners),
        winners=winners,
        names=names,
    )


def defeat_note(table: Table) -> str:
    """Say that an end counts as a defeat for the user; empty where games don't count."""
    return _("It counts as a defeat for you.") if counts(table) else ""


@press("concede")
async def _concede(ctx: Context) -> Reply:
    """Concede for the user's side, or ask their partners."""
    table = ctx.table
    verdict = await ctx.tables.concede(table.id, ctx.user_id)
    if verdict.granted:
        return Reply(sentence(_("Your side conceded at **Table {name}**.", name=table.name)), "here")
    ctx.live.asked(table.id)
    return asking(ctx, table, _("You asked at **Table {name}** whether to concede.", name=table.name))


@press("agree-concede")
async def _agree_to_concede(ctx: Context) -> Reply:
    """Agree with a partner, on the hand that shows their question."""
    standstill = await ctx.tables.waiting.standstill(ctx.table)
    is_asked = any(each.user_id in standstill.concessions for each in _partners(ctx))
    if ctx.press.version != ctx.table.version or not is_asked:
        return Reply(sentence(_("The game has moved on, so there's nothing to agree to.")))
    return await _concede(ctx)


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
    ctx.sitter()
    if ctx.table.status == "playing" and ctx.press.argument and ctx.press.argument != _meaning(ctx):
        return replace(await ask_to_resign(ctx), where="here")
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
    user_id = interaction.user.id
    if table.status == "lobby":
        others = [sitter for sitter in table.sitters if sitter.user_id != user_id]
        return tuple(sitter.seat for sitter in others) if user_id == table.host_id else ()
    people = [] if table.status != "playing" else [sitter for sitter in table.sitters if sitter.player_id is not None]
    return tuple(sitter.seat for sitter in people if _may_expel(interaction, table, sitter))


def _may_expel(interaction: discord.Interaction, table: Table, sitter: Sitter) -> bool:
    with contextlib.suppress(NotAllowed):
        check_may_expel(table, interaction.user.id, sitter.player_id or 0, moderated_server(interaction, table))
        return True
    return False


def _check_may_remove(interaction: discord.Interaction, table: Table) -> None:
    """Raise `NotAllowed` unless the user can remove players, other than themselves."""
    moderates = None if table.status == "lobby" else moderated_server(interaction, table)
    if interaction.user.id != table.host_id and moderates is None:
        raise NotAllowed("Only the host of Table {name} can remove players.", name=table.name)


def _with_stand_ins(table: Table) -> Table:
    """Return the table where a computer that keeps a seat is named after its player, too: see `with_stand_in`."""
    for sitter in table.sitters:
        if sitter.held_for is not None:
            table = with_stand_in(table, StandIn(sitter.seat, sitter.name))
    return table


def _confirmation(interaction: discord.Interaction, table: Table, seat: Seat) -> Reply:
    sitter = table.sitter_at(seat)
    if sitter is None or sitter.player_id is None:
        raise NotAllowed("A computer already has that seat at Table {name}.", name=table.name)
    check_may_expel(table, interaction.user.id, sitter.player_id, moderated_server(interaction, table))
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
