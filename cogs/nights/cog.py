"""``/night``: a message about a game night, on which members say that they're in, and its table when it begins."""

import asyncio
import logging
from contextlib import suppress
from datetime import tzinfo
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.errors import InvalidOption, NotAllowed, PlayError
from bot.games import GAMES
from bot.records.live_message import Kind, Stage
from bot.records.night import Night
from bot.records.preference import Server, UserSettings
from bot.records.table import Place
from bot.running.client import LilypadBot
from bot.tables.game_nights import KEPT_S, zone_of
from bot.tables.typed_times import Moment, other_text, read_when
from bot.texts import gettext as _, ngettext, number, supported, translated, using
from bot.ui.actions.opening import channel_place, game_here
from bot.ui.actions.permissions import check_channel, check_may_open, is_opener
from bot.ui.actions.press import Context, press
from bot.ui.interactions.command_tree import as_person
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.live.lanes import Card, Drawing, Lane, Recorded, drawn
from bot.ui.live.plan import Wanted
from bot.ui.messages.board import live_board, named_link
from bot.ui.messages.lobby import in_force
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import plain, title_of
from cogs.nights import missed
from cogs.nights.changes import CHANGE, check_manages, move_button, new_time_ping, night_changed, pressed_night

log: Final = logging.getLogger(__name__)

_SUBJECT: Final = "night"
_AGAIN_S: Final = 300.0
"""Delay before looking again for the lobby of a night that has begun."""
_NAMED: Final = 20
"""Maximum number of guests that the message names."""


class NightsCog(commands.Cog):
    """Game nights: the command, their messages, and how they begin."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Register what is due."""
        self.bot.calendar.add(_SUBJECT, self.due, by_date=True, at_start=True)
        self.bot.live.add(_SUBJECT, self._draw)

    @app_commands.command(name="night", description="Plan a game night here, and ask who's in")
    @app_commands.describe(
        when="Such as 20:00, fri 8pm, 24.12. 18:30 or in 2 hours",
        game="The game of the first table, else what was played last here",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=translated(game.title), value=key) for key, game in GAMES.items()]
    )
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    async def night(self, interaction: discord.Interaction, when: str, game: str | None = None) -> None:
        await answer(interaction, self._plan(Context(interaction), when, game))

    async def _plan(self, ctx: Context, when: str, game: str | None) -> Reply:
        place, tables = channel_place(ctx.interaction), ctx.tables
        if place.guild_id is None:
            raise NotAllowed("Game nights are for servers.")
        server = await check_may_open(tables, ctx.interaction, place)
        now = self.bot.now()
        settings = await tables.users.settings(ctx.user_id)
        zone, name = zone_of(server, settings, now)
        game = game or await game_here(ctx, ctx.faces)
        if game not in ctx.faces:
            raise InvalidOption("There's no such game.")
        moment = read_when(when, zone, now, translated)
        await ctx.claim()
        night = await tables.nights.plan(ctx.person, place, game, moment.at)
        self.bot.calendar.soon("night", night.id)
        said = _("Game night {when}. I assumed the time zone {zone}.", when=f"<t:{night.starts_at:.0f}:F>", zone=name)
        zones = () if server.timezone else _zones(settings, is_manager=ctx.interaction.permissions.manage_guild)
        doubt, row = _doubt(night, moment, zone)
        rows = ((*row, *zones),) if row or zones else ()
        return Reply(Post(tuple(filter(None, (said, doubt))), rows=rows))

    # ---- one night

    async def due(self, night_id: int, now: float) -> float | None:
        """Begin the night if its time has come, and let its message say how it is. Delete it when it is old."""
        night = await self.bot.tables.nights.find(night_id)
        if night is None:
            return None
        forgotten_at = night.starts_at + KEPT_S
        if forgotten_at <= now:
            await self.bot.tables.nights.forget_old()
            return None
        if night.starts_at <= now:
            night = await self._time_has_come(night)
        night = await self._show(night)
        if night.status == "begun" and not await self._link(night):
            return min(now + _AGAIN_S, forgotten_at)
        return night.starts_at if night.status == "planned" else forgotten_at

    async def _time_has_come(self, night: Night) -> Night:
        """Begin a night whose time has come, unless it is settled, and return it as it is then."""
        if night.status == "planned":
            night = await self._show(night, again=True)  # its message may have been deleted
        if night.opened_as is None and night.status in {"planned", "begun"}:
            await self._begin(night)
            night = await self.bot.tables.nights.find(night.id) or night
        return night

    async def _begin(self, night: Night) -> None:
        tables, guild = self.bot.tables, self.bot.get_guild(night.guild_id)
        server = in_force(await tables.servers.settings(night.guild_id), guild)
        try:
            table = await tables.nights.begin(await _with_host(guild, server, night), server)
        except (PlayError, discord.NotFound, discord.Forbidden) as error:
            log.info("game night %s can't begin: %s", night.id, error)
            await missed.notify(self.bot, night, error)
            await tables.nights.miss(await tables.nights.find(night.id) or night)
            return
        if table is not None:
            await self.bot.live.posted(table)

    async def _show(self, night: Night, *, again: bool = False) -> Night:
        """Bring the message up to date, ``again`` even if it seems to be. What Discord refuses doesn't matter to it.

        If the message was deleted, nobody can join, leave or cancel the night any more, so it is cancelled.
        """
        nights, live, lane = self.bot.tables.nights, self.bot.live, Lane(night.id, subject=_SUBJECT)
        await asyncio.wait({live.redraw(lane) if again else live.request(lane)})
        messages = await self.bot.tables.messages.about(_SUBJECT, night.id)
        if night.status == "planned" and any(each.stage is Stage.LEFT for each in messages):
            with suppress(NotAllowed):
                await nights.cancel(night)
        return await nights.find(night.id) or night

    async def _draw(self, lane: Lane, recorded: Recorded) -> Drawing | None:
        night = await self.bot.tables.nights.find(lane.subject_id)
        if night is None:
            return None
        with using(supported(await self.bot.tables.languages.of_server(night.guild_id))):
            post = await self._post(night)
            ping = await new_time_ping(self.bot, night, recorded)
        card = Card(lane, f"{_SUBJECT} {night.id}", Place(night.guild_id, night.channel_id))
        shown = Wanted(Kind.CARD, digest(post), post=post, is_final=True)
        return drawn(card, shown, *((ping,) if ping else ()))

    async def _post(self, night: Night) -> Post:
        face = self.bot.faces.get(night.game)  # a newer program may have had more games
        game = title_of(face.game) if face else plain(night.game)
        heading = "### " + _("🌙 Game night · {game}", game=game)
        time = f"<t:{night.starts_at:.0f}:F> · <t:{night.starts_at:.0f}:R>"
        match night.status:
            case "planned":
                host = "-# " + _(
                    "Planned by {host}. When it begins, a table opens here, and everyone who's in gets a ping.",
                    host=f"<@{night.host_id}>",
                )
                return Post((heading, time, _who(night), host), rows=(_buttons(night),))
            case "begun":
                link = await self._link(night)
                begun = _("It has begun: {table}", table=link) if link else _("It has begun. Its table is coming.")
                return Post((heading, time, begun))
            case "missed":
                return Post((heading, time, _("It didn't begin, as I couldn't open a table.")))
            case "cancelled":
                return Post((heading, f"~~<t:{night.starts_at:.0f}:F>~~", _("It's cancelled.")))

    async def _link(self, night: Night) -> str:
        """Return a link to the lobby of a night; empty while it isn't posted."""
        messages = () if night.opened_as is None else await self.bot.tables.messages.of(night.opened_as)
        if night.opened_as is None or live_board(messages) is None:
            return ""
        return named_link(await self.bot.tables.table(night.opened_as), messages)


async def _with_host(guild: discord.Guild | None, server: Server, night: Night) -> Night:
    """Return the night with a host who is on the server and may open a table: the first of those who are in.

    Raises `NotAllowed` if there is none, or no table may be opened there any more.
    """
    if guild is None:
        return night
    channel = guild.get_channel_or_thread(night.channel_id) or await guild.fetch_channel(night.channel_id)
    if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        missed.check_may_post(channel)
    check_channel(server, night.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None)
    for user_id in dict.fromkeys((night.host_id, *night.guests)):
        with suppress(discord.NotFound):  # they have left
            member = await guild.fetch_member(user_id)
            if is_opener(server, member):
                host = as_person(member)
                return replace(night, host_id=host.id, host_name=host.name)
    raise NotAllowed("Nobody who is in can open tables here.")


def _zones(settings: UserSettings, *, is_manager: bool) -> tuple[Button, ...]:
    """Return the button to where the time zone is set in which times are read."""
    if is_manager:
        return (Button("server", _("This server's time zone"), origin="night"),)
    return (Button("settings", _("My time zone"), origin="night"),) if settings.timezone is None else ()


def _doubt(night: Night, moment: Moment, zone: tzinfo) -> tuple[str, tuple[Button, ...]]:
    """Return the question whether another time was meant, and the button that takes it; empty if there is no doubt."""
    if moment.other is None:
        return "", ()
    taken, other = other_text(moment, zone)
    said = _("I took {taken}, or {other}?", taken=taken, other=other)
    return said, (move_button(night, other, moment.other),)


def _who(night: Night) -> str:
    names = " ".join(f"<@{user}>" for user in night.guests[:_NAMED])
    if len(night.guests) > _NAMED:
        names += " " + _("and {n} more", n=number(len(night.guests) - _NAMED))
    if not night.guests:
        return _("Nobody is in yet.")
    return ngettext("**{n} is in**: {names}", "**{n} are in**: {names}", len(night.guests), names=names)


def _buttons(night: Night) -> tuple[Button, ...]:
    key = str(night.id)
    return (
        Button("night-in", _("I'm in"), "success", argument=key),
        Button("night-out", _("I'm out"), argument=key),
        Button(CHANGE, _("Change"), argument=key),
        Button("night-off", _("Cancel it"), argument=key),
    )


# ---- presses


@press("night-in")
async def _join(ctx: Context) -> Reply:
    night = await pressed_night(ctx)
    await ctx.tables.nights.join(night.id, ctx.user_id)
    night_changed(ctx, night)
    return Reply(sentence(_("You're in. I'll ping you {when}.", when=f"<t:{night.starts_at:.0f}:R>")))


@press("night-out")
async def _leave(ctx: Context) -> Reply:
    night = await pressed_night(ctx)
    if ctx.user_id == night.host_id:
        raise NotAllowed("You're the host. Cancel the game night if you can't come.")
    await ctx.tables.nights.leave(night.id, ctx.user_id)
    night_changed(ctx, night)
    return Reply(sentence(_("You're out.")))


@press("night-off")
async def _cancel(ctx: Context) -> Reply:
    night = await pressed_night(ctx)
    check_manages(ctx, night)
    await ctx.tables.nights.cancel(night)
    night_changed(ctx, night)
    return Reply(sentence(_("The game night is cancelled.")))


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(NightsCog(bot))
