"""``/night``: a message about a game night, on which members say that they're in, and its table when it begins."""

import logging
from contextlib import suppress
from typing import Final

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.errors import InvalidOption, NotAllowed, PlayError
from bot.games import GAMES
from bot.running.client import LilypadBot
from bot.running.regular_cog import WorkerCog
from bot.tables import Night, Server, UserSettings
from bot.tables.game_nights import zone_of
from bot.tables.typed_times import read_when
from bot.texts import gettext as _, ngettext, number, supported, translated, using
from bot.ui.actions.opening import channel_place
from bot.ui.actions.permissions import check_channel, check_may_open, is_opener
from bot.ui.actions.press import Context, press
from bot.ui.interactions.command_tree import as_person
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.messages.lobby import in_force
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.discord_errors import Code, is_refusal
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import plain, title_of

log: Final = logging.getLogger(__name__)

_LOOK_MIN: Final = 15
"""Interval of looking for nights that another process has left undone."""
_EVENT: Final = "night "
"""The name with which other processes ask for the message of a night begins so."""
_NAMED: Final = 20
"""Maximum number of guests that the message names."""


class NightsCog(WorkerCog):
    """Game nights. The worker of each keeps its message up to date, and begins it in time."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "game night", _LOOK_MIN)

    @app_commands.command(name="night", description="Plan a game night here, and ask who's in")
    @app_commands.describe(when="Such as 20:00, fri 20:00 or 2026-12-24 18:30", game="The game of the first table")
    @app_commands.choices(
        game=[app_commands.Choice(name=translated(game.title), value=key) for key, game in GAMES.items()]
    )
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    async def night(self, interaction: discord.Interaction, when: str, game: str = "pond") -> None:
        await answer(interaction, self._plan(Context(interaction), when, game))

    async def _plan(self, ctx: Context, when: str, game: str) -> Reply:
        place, tables = channel_place(ctx.interaction), ctx.tables
        if place.guild_id is None:
            raise NotAllowed("Game nights are for servers.")
        server = await check_may_open(tables, ctx.interaction, place)
        now = self.bot.now()
        settings = await tables.users.settings(ctx.user_id)
        zone, name = zone_of(server, settings, now)
        if game not in ctx.faces:
            raise InvalidOption("There's no such game.")
        night = await tables.nights.plan(ctx.person, place, game, read_when(when, zone, now))
        self.changed(night.id)
        said = _("Game night {when}. I assumed the time zone {zone}.", when=f"<t:{night.starts_at:.0f}:F>", zone=name)
        hint = "" if server.timezone else _hint(settings, is_manager=ctx.interaction.permissions.manage_guild)
        return Reply(Post(tuple(filter(None, (said, hint)))))

    def number_of(self, event: str) -> int | None:
        """Return the night of which another process has changed something."""
        return parse_number(event.removeprefix(_EVENT)) if event.startswith(_EVENT) else None

    async def look(self) -> None:
        """Look for what is to be done, and delete old nights."""
        if not self.bot.tables.privacy.clocks_differ():
            await self.bot.tables.nights.forget_old()
        for night_id in await self.bot.tables.nights.all():
            self.changed(night_id)

    # ---- one night

    async def work(self, night_id: int) -> None:
        """Begin the night if its time has come, and let its message say how it is, if this process does that."""
        nights, now = self.bot.tables.nights, self.bot.now()
        trusts_clock = not self.bot.tables.privacy.clocks_differ()
        night = await nights.find(night_id)
        if night is None:
            return
        if not self.bot.leases.holds(night.guild_id):
            await self.bot.leases.request_event(f"{_EVENT}{night.id}", night.guild_id)
            return
        if trusts_clock and night.starts_at <= now:
            night = await self._due(night)
        await self._show(night)
        if trusts_clock and night.status == "planned":
            self.later(night_id, max(0.0, night.starts_at - now))

    async def _due(self, night: Night) -> Night:
        """Begin a night whose time has come, unless it is settled, and return it as it is then."""
        nights = self.bot.tables.nights
        if night.status == "planned" and night.message_id is not None:
            await self._show(replace(night, shown=""))  # its message may have been deleted
            night = await nights.find(night.id) or night
        if night.opened_as is None and night.status in {"planned", "begun"}:
            await self._begin(night)
            night = await nights.find(night.id) or night
        return night

    async def _begin(self, night: Night) -> None:
        tables, guild = self.bot.tables, self.bot.get_guild(night.guild_id)
        server = in_force(await tables.servers.settings(night.guild_id), guild)
        try:
            table = await tables.nights.begin(await _with_host(guild, server, night), server)
        except (PlayError, discord.NotFound, discord.Forbidden) as error:
            log.info("game night %s can't begin: %s", night.id, error)
            await tables.nights.miss(await tables.nights.find(night.id) or night)
            return
        if table is not None:
            self.bot.live.refresh(table.id)

    async def _show(self, night: Night) -> None:
        """Post or edit the message. If it was deleted, the night is cancelled; other refusals don't matter to it."""
        with using(supported(await self.bot.tables.languages.of_server(night.guild_id))):
            post = await self._post(night)
        shown = digest(post)
        if shown == night.shown:
            return
        try:
            message_id = await self.bot.live.outbox.show(night.channel_id, night.message_id, post, mark=night.id)
        except discord.HTTPException as error:
            if not is_refusal(error):
                raise
            log.info("game night %s can't be shown: %s", night.id, error)
            if error.code != Code.UNKNOWN_MESSAGE or night.message_id is None:
                return
            message_id = night.message_id
            if night.status == "planned":  # nobody could join, leave or cancel it
                with suppress(NotAllowed):
                    await self.bot.tables.nights.cancel(night)
        await self.bot.tables.nights.posted(night.id, message_id, shown)

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
                return Post((heading, time, _("It has begun: join the table below.")))
            case "missed":
                return Post((heading, time, _("It didn't begin, as I couldn't open a table.")))
            case "cancelled":
                return Post((heading, f"~~<t:{night.starts_at:.0f}:F>~~", _("It's cancelled.")))


async def _with_host(guild: discord.Guild | None, server: Server, night: Night) -> Night:
    """Return the night with a host who is on the server and may open a table: the first of those who are in.

    Raises `NotAllowed` if there is none, or no table may be opened there any more.
    """
    if guild is None:
        return night
    channel = guild.get_channel_or_thread(night.channel_id) or await guild.fetch_channel(night.channel_id)
    check_channel(server, night.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None)
    for user_id in dict.fromkeys((night.host_id, *night.guests)):
        with suppress(discord.NotFound):  # they have left
            member = await guild.fetch_member(user_id)
            if is_opener(server, member):
                host = as_person(member)
                return replace(night, host_id=host.id, host_name=host.name)
    raise NotAllowed("Nobody who is in can open tables here.")


def _hint(settings: UserSettings, *, is_manager: bool) -> str:
    """Return how to set the time zone in which times are read."""
    if is_manager:
        return "-# " + _("`/server daily timezone:` sets the zone of this server.")
    return "-# " + _("`/settings timezone:` sets yours.") if settings.timezone is None else ""


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
        Button("night-off", _("Cancel it"), argument=key),
    )


# ---- presses


async def _pressed(ctx: Context) -> Night:
    """Return the night of a press in its channel. Raises `NotAllowed` if it isn't planned there."""
    night = await ctx.tables.nights.find(parse_number(ctx.press.argument))
    here = (ctx.interaction.guild_id, ctx.interaction.channel_id)
    if night is None or here != (night.guild_id, night.channel_id) or night.status != "planned":
        raise NotAllowed("This game night is over.")
    return night


@press("night-in")
async def _join(ctx: Context) -> Reply:
    night = await _pressed(ctx)
    await ctx.tables.nights.join(night.id, ctx.user_id)
    NightsCog.of(ctx.interaction).changed(night.id)
    return Reply(sentence(_("You're in. I'll ping you {when}.", when=f"<t:{night.starts_at:.0f}:R>")))


@press("night-out")
async def _leave(ctx: Context) -> Reply:
    night = await _pressed(ctx)
    if ctx.user_id == night.host_id:
        raise NotAllowed("You're the host. Cancel the game night if you can't come.")
    await ctx.tables.nights.leave(night.id, ctx.user_id)
    NightsCog.of(ctx.interaction).changed(night.id)
    return Reply(sentence(_("You're out.")))


@press("night-off")
async def _cancel(ctx: Context) -> Reply:
    night, may = await _pressed(ctx), ctx.interaction.permissions
    if ctx.user_id != night.host_id and not (may.manage_guild or may.manage_messages):
        raise NotAllowed("Only the host or a moderator can cancel a game night.")
    await ctx.tables.nights.cancel(night)
    NightsCog.of(ctx.interaction).changed(night.id)
    return Reply(sentence(_("The game night is cancelled.")))


async def setup(bot: LilypadBot) -> None:
    """Add the command and its buttons to the bot."""
    await bot.add_cog(NightsCog(bot))
