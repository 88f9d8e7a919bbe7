"""Changing a game night: its form, and the ping of those who are in when its time has changed."""

from typing import Any, Final

import discord
from discord import ui
from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.records.live_message import Kind, in_slot, slot_of
from bot.records.night import Night
from bot.running.client import LilypadBot
from bot.tables.game_nights import zone_of
from bot.tables.ping_settings import pingable
from bot.tables.typed_times import Moment, other_text, read_when
from bot.texts import gettext as _, translated
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.live.lanes import CARD_LINK, Recorded
from bot.ui.live.plan import Wanted
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import title_of

MOVE: Final = "night-move"
CHANGE: Final = "night-change"
_LONGEST_TIME: Final = 60


async def pressed_night(ctx: Context) -> Night:
    """Return the night of a press in its channel. Raises `NotAllowed` if it isn't planned there."""
    night = await ctx.tables.nights.find(parse_number(ctx.press.argument.partition("-")[0]))
    here = (ctx.interaction.guild_id, ctx.interaction.channel_id)
    if night is None or here != (night.guild_id, night.channel_id) or night.status != "planned":
        raise NotAllowed("This game night is over.")
    return night


def check_manages(ctx: Context, night: Night) -> None:
    """Raise `NotAllowed` unless the user is the host of the night or a moderator."""
    may = ctx.interaction.permissions
    if ctx.user_id != night.host_id and not (may.manage_guild or may.manage_messages):
        raise NotAllowed("Only the host or a moderator can do that.")


def night_changed(ctx: Context, night: Night) -> None:
    """Bring the message of a night up to date soon."""
    client: Any = ctx.interaction.client
    client.calendar.soon("night", night.id)


def move_button(night: Night, time: str, at: float) -> Button:
    """Return the button that takes another time."""
    return Button(MOVE, _("Make it {time}", time=time), argument=f"{night.id}-{at:.0f}")


@press(MOVE)
async def _move(ctx: Context) -> Reply:
    """Take a time that may have been meant."""
    night, starts_at = await pressed_night(ctx), parse_number(ctx.press.argument.partition("-")[2])
    check_manages(ctx, night)
    await ctx.tables.nights.change(night, ctx.user_id, night.game, starts_at)
    night_changed(ctx, night)
    return Reply(sentence(_("The game night is {when}.", when=f"<t:{starts_at}:F>")), "here")


@press(CHANGE)
async def _change(ctx: Context) -> Reply:
    """Open the form of a night, or take what was sent. Where two times may be meant, ask before anybody is pinged."""
    night, tables = await pressed_night(ctx), ctx.tables
    check_manages(ctx, night)
    server, settings = await tables.servers.settings(night.guild_id), await tables.users.settings(ctx.user_id)
    zone, name = zone_of(server, settings, tables.events.now())
    if not ctx.is_form:
        return Reply(form=_form(ctx, night, name))
    typed, game = str(ctx.fields.get("when") or "").strip(), _game(ctx, night)
    moment = read_when(typed, zone, tables.events.now(), translated) if typed else Moment(night.starts_at)
    is_clear = moment.other is None
    await tables.nights.change(night, ctx.user_id, game, moment.at if typed and is_clear else None)
    night_changed(ctx, night)
    if moment.other is None:
        when = _("Game night {when}. I assumed the time zone {zone}.", when=f"<t:{moment.at:.0f}:F>", zone=name)
        return Reply(sentence(when))
    taken, other = other_text(moment, zone)
    row = (move_button(night, taken, moment.at), move_button(night, other, moment.other))
    return Reply(Post((_("{taken}, or {other}?", taken=taken, other=other),), rows=(row,)))


def _game(ctx: Context, night: Night) -> str:
    """Return the game that was picked in the form. Raises `Outdated` if there is none like that."""
    picked = ctx.fields.get("game")
    game = str(picked[0]) if isinstance(picked, list) and picked else night.game
    if game not in ctx.faces and game != night.game:
        raise Outdated
    return game


def _form(ctx: Context, night: Night, zone: str) -> ui.Modal:
    """Return the form of a night. Its custom id is new each time, as phones keep what they have shown."""
    press_id = replace(ctx.press, argument=f"{night.id}-{ctx.interaction.id:x}").custom_id
    form = ui.Modal(title=_("Change the game night"), custom_id=press_id)
    time: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id="when", required=False, max_length=_LONGEST_TIME, placeholder="20:00, fri 8pm, 24.12. 18:30"
    )
    form.add_item(
        ui.Label(
            text=_("New time"), description=_("In {zone}. Leave it empty to keep the time", zone=zone), component=time
        )
    )
    options = [
        discord.SelectOption(label=title_of(face.game), value=key, default=key == night.game)
        for key, face in ctx.faces.items()
    ]
    games: ui.Select[ui.Modal] = ui.Select(custom_id="game", options=options)
    form.add_item(ui.Label(text=_("Game"), component=games))
    return form


async def new_time_ping(bot: LilypadBot, night: Night, recorded: Recorded) -> Wanted | None:
    """Return the ping of those who were in when the time of a planned night changed, which is posted once a change."""
    if night.status != "planned" or not night.moves:
        return None
    told = in_slot(recorded, slot_of(Kind.RESULT))
    if told is not None and told.deal == night.moves:
        return Wanted(Kind.RESULT, None, deal=night.moves)
    users = [user for user in night.guests if user != night.host_id or night.is_moderated]
    pinged = await pingable(bot.tables.users, users, bot.now())
    said = _("🌙 The game night has a new time: {when}", when=f"<t:{night.starts_at:.0f}:F>")
    people = " ".join((*(f"<@{user}>" for user in pinged), _("[All about it]({link})", link=CARD_LINK)))
    post = Post((f"{said}\n{people}",))
    return Wanted(Kind.RESULT, digest(post), deal=night.moves, post=post, mentions=pinged)
