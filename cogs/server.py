"""``/server``: settings of a server, and closing any table there. For moderators."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import discord
from discord import Interaction, app_commands
from discord.app_commands import AppCommandChannel
from discord.ext import commands
from msgspec.structs import asdict, replace

from bot.errors import NotAllowed, PlayError
from bot.records.preference import Server
from bot.running.client import LilypadBot
from bot.tables.absence.deadlines import settle_clock
from bot.tables.hosting import settle_level
from bot.texts import gettext as _, languages, listed, name_of
from bot.ui.actions.absence import ask_to_close
from bot.ui.actions.opening import wants_thread
from bot.ui.actions.permissions import Visitor, tables_on_server
from bot.ui.actions.press import Context, press
from bot.ui.autocomplete import Choice, choices, table_choices
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.messages import server_forms
from bot.ui.messages.lobby import clock_names, in_force, level_names
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import plain
from cogs.user_settings import zone_choices

_KINDS: Final = frozenset(
    {
        *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
        *(discord.ChannelType.stage_voice, discord.ChannelType.forum, discord.ChannelType.media),
    }
)
"""The channels where tables may open: those with a chat, and those whose posts are threads."""
_MOST_CHANNELS: Final = 50
_CLEAR: Final = "server-clear"
_FORM: Final = "server-form"
_EVENTS: Final = "server-events"


class _OfAnyType(app_commands.Transformer):
    """An option for channels of any type: Discord's description of its API lacks media channels."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The type of the option."""
        return discord.AppCommandOptionType.channel

    async def transform(self, _interaction: Interaction, value: Any, /) -> Any:
        """Return the channel as Discord describes it."""
        return value


Channel = app_commands.Transform[AppCommandChannel, _OfAnyType]


@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.default_permissions(manage_guild=True)
class ServerCog(commands.GroupCog, name="server", description="Settings for this server, for moderators"):
    """The settings of a server. Permissions are checked here, too: Discord lets servers change who sees a command."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__()
        self.bot = bot

    @app_commands.command(description="See this server's settings")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, _change(Context(interaction)))

    @app_commands.command(description="Allow tables in a channel. Without any, they open everywhere")
    @app_commands.describe(channel="The channel, with its threads and posts", allowed="Whether tables may open there")
    async def channel(self, interaction: Interaction, channel: Channel, *, allowed: bool = True) -> None:
        await answer(interaction, _allow(Context(interaction), channel, allowed=allowed))

    @app_commands.command(description="Choose whether each table gets its own thread")
    @app_commands.describe(own="A thread for each table, or boards in the channel")
    async def threads(self, interaction: Interaction, *, own: bool) -> None:
        await answer(interaction, _change(Context(interaction), threads=own))

    @app_commands.command(description="Choose who may open tables")
    @app_commands.describe(role="Members with this role; leave it out for everyone")
    async def openers(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        role_id = None if role is None or role.is_default() else role.id
        await answer(interaction, _change(Context(interaction), role_id=role_id))

    @app_commands.command(description="Choose the role that Find players mentions")
    @app_commands.describe(role="A role that members give themselves; leave it out to mention nobody")
    async def looking(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        role_id = None if role is None or role.is_default() else role.id
        await answer(interaction, _change(Context(interaction), looking_role_id=role_id))

    @app_commands.command(description="Choose the clock for new tables")
    @app_commands.describe(default="Time for a move. After that, others can move the game on")
    @app_commands.choices(default=[app_commands.Choice(name=name, value=key) for key, name in clock_names().items()])
    async def clock(self, interaction: Interaction, default: str) -> None:
        await answer(interaction, _change(Context(interaction), clock=default))

    @app_commands.command(description="Choose how well computers play at new tables")
    @app_commands.describe(default="Also when they play for absent players")
    @app_commands.choices(default=[app_commands.Choice(name=name, value=key) for key, name in level_names().items()])
    async def level(self, interaction: Interaction, default: str) -> None:
        await answer(interaction, _change(Context(interaction), level=default))

    @app_commands.command(description="Choose the language of boards and other public messages")
    @app_commands.describe(language="Leave it out for the server's language on Discord")
    @app_commands.choices(language=[app_commands.Choice(name=name_of(each), value=each) for each in languages()])
    async def language(self, interaction: Interaction, language: str | None = None) -> None:
        await answer(interaction, _change(Context(interaction), language=language if language in languages() else None))

    @app_commands.command(description="Choose where the daily is shown, and when its day ends")
    @app_commands.describe(
        channel="Where each day's is posted; leave it out for where /daily is used first",
        timezone="By name, such as Europe/Berlin, or hours from UTC, such as +2",
    )
    async def daily(
        self, interaction: Interaction, channel: discord.TextChannel | None = None, timezone: str | None = None
    ) -> None:
        await answer(interaction, _set_daily(Context(interaction), channel, timezone))

    daily.autocomplete("timezone")(zone_choices)

    @app_commands.command(description="Choose where a recap of the week is posted, and when. Alone, it turns that off")
    @app_commands.describe(channel="Where it is posted, without notifications", day="In the time zone of the daily")
    @app_commands.choices(
        day=[app_commands.Choice(name=name, value=str(day)) for day, name in enumerate(server_forms.day_names())]
        + [app_commands.Choice(name=_("off"), value="off")]
    )
    async def recap(
        self, interaction: Interaction, channel: discord.TextChannel | None = None, day: str | None = None
    ) -> None:
        await answer(interaction, _set_recap(Context(interaction), channel, day))

    @app_commands.command(description="Close a table on this server")
    @app_commands.describe(table="Number or name of the table")
    async def close(self, interaction: Interaction, table: str) -> None:
        await answer(interaction, self._close(interaction, table))

    @close.autocomplete("table")
    async def _autocomplete_table(self, interaction: Interaction, typed: str) -> list[Choice]:
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        return choices(table_choices(await tables_on_server(self.bot.tables, interaction, typed), interaction.guild_id))

    async def _close(self, interaction: Interaction, ref: str) -> Reply:
        _need_manager(interaction)
        table = await self.bot.tables.finder.find(ref, Visitor(interaction))
        if table.place.guild_id != interaction.guild_id:
            raise PlayError("That table isn't on this server.")
        return await ask_to_close(Context(interaction, table=table))


async def _allow(ctx: Context, channel: AppCommandChannel, *, allowed: bool) -> Reply:
    if channel.type not in _KINDS:
        raise PlayError("Tables can't open there. Choose a channel with a chat, or one for posts.")
    others = tuple(number for number in (await _server(ctx)).channels if number != channel.id)
    if allowed and len(others) >= _MOST_CHANNELS:
        raise PlayError(
            "You can name at most {most} channels. Without any, tables open everywhere.", most=_MOST_CHANNELS
        )
    return await _change(ctx, channels=(*others, channel.id) if allowed else others)


async def _set_daily(ctx: Context, channel: discord.TextChannel | None, timezone: str | None) -> Reply:
    """Change the channel and the time zone. The time zone alone leaves the channel as it is."""
    changes: dict[str, object] = {} if timezone is None else {"timezone": server_forms.zone_of_form(timezone)}
    if channel is not None or timezone is None:
        changes["daily_channel_id"] = channel and channel.id
    server = await _server(ctx)
    _check_writable(channel)
    return await _set(ctx, server, replace(server, **changes))


async def _set_recap(ctx: Context, channel: discord.TextChannel | None, day: str | None) -> Reply:
    if day == "off" or (channel is None and day is None):
        return await _change(ctx, recap_channel_id=None)
    server = await _server(ctx)
    channel_id = server.recap_channel_id if channel is None else channel.id
    if channel_id is None:
        raise PlayError("Choose the channel, too.")
    _check_writable(channel)
    day_picked = server.recap_day if day is None else parse_number(day) % 7
    return await _set(ctx, server, replace(server, recap_channel_id=channel_id, recap_day=day_picked))


def _check_writable(channel: object) -> None:
    """Raise `PlayError` if the bot can't post in a channel."""
    if isinstance(channel, discord.abc.GuildChannel):
        may = channel.permissions_for(channel.guild.me)
        if not (may.view_channel and may.send_messages):
            raise PlayError(
                "I can't write in {channel}. Give me the permissions View Channel and Send Messages there.",
                channel=channel.mention,
            )


async def _set(ctx: Context, before: Server, after: Server) -> Reply:
    """Save the settings. A recap that is chosen now leaves out what was due before."""
    is_chosen = (before.recap_channel_id, before.recap_day) != (after.recap_channel_id, after.recap_day)
    await ctx.tables.servers.save(after, ctx.tables.recaps.last_day(after).toordinal() if is_chosen else 0)
    return Reply(_page(ctx.interaction, after))


async def _change(ctx: Context, **changes: object) -> Reply:
    server = await _server(ctx)
    if changes:
        server = replace(server, **changes)
        settle_clock(str(changes.get("clock", "none")))
        settle_level(str(changes.get("level", "fair")))
        await ctx.tables.servers.save(server)
    return Reply(_page(ctx.interaction, server))


@press("server")
async def _shown(ctx: Context) -> Reply:
    """Show the settings, beside the message that asked for them."""
    return await _change(ctx)


@press(_FORM)
async def _fill_in(ctx: Context) -> Reply:
    """Open the form about tables, or take what was sent."""
    server, guild = await _server(ctx), _known_guild(ctx)
    shown = in_force(server, guild)
    if not ctx.is_form:
        return Reply(form=server_forms.tables_form(_form_id(ctx, shown, server_forms.TABLES), shown, guild))
    changes = server_forms.changes_of_tables(ctx.fields, server, guild)
    if outdated := _outdated(ctx, server, replace(server, **changes), server_forms.TABLES):
        return outdated
    return await _change(ctx, **changes)


@press(_EVENTS)
async def _fill_in_events(ctx: Context) -> Reply:
    """Open the form about the daily, the recap and the search for players, or take what was sent."""
    server, guild = await _server(ctx), _known_guild(ctx)
    shown = in_force(server, guild)
    if not ctx.is_form:
        return Reply(form=server_forms.events_form(_form_id(ctx, shown, server_forms.EVENTS), shown))
    changed = replace(server, **server_forms.changes_of_events(ctx.fields, server, guild))
    if outdated := _outdated(ctx, server, changed, server_forms.EVENTS):
        return outdated
    for channel_id in filter(None, dict.fromkeys((changed.daily_channel_id, changed.recap_channel_id))):
        _check_writable(guild.get_channel(channel_id))
    return await _set(ctx, server, changed)


def _form_id(ctx: Context, shown: Server, keys: Sequence[str]) -> str:
    """Return the custom id of a form, which carries what it shows, and is new each time.

    Phones may show a form with a known custom id as it was when they saw it first:
    https://github.com/discord/discord-api-docs/issues/7554.
    """
    argument = f"{server_forms.version_of(shown, keys)}-{ctx.interaction.id:x}"
    return replace(ctx.press, argument=argument).custom_id


def _outdated(ctx: Context, stored: Server, changed: Server, keys: Sequence[str]) -> Reply | None:
    """Return the settings as they are, with what would change, if a form shows others; ``None`` if it may be saved."""
    guild = ctx.interaction.guild
    now, sent = _lines(in_force(stored, guild)), _lines(in_force(changed, guild))
    lines = [line for key, line in sent.items() if line != now[key]]
    version = ctx.press.argument.partition("-")[0]
    if not lines or version == server_forms.version_of(in_force(stored, guild), keys):
        return None
    said = _("Someone has changed these settings since you opened the form. I've saved nothing. Your form had:")
    page = _page(ctx.interaction, stored)
    return Reply(replace(page, paragraphs=("\n".join((said, *lines)), *page.paragraphs)))


@press(_CLEAR)
async def _clear(ctx: Context) -> Reply:
    """Remove what names something deleted from the settings."""
    server = in_force(await _server(ctx), ctx.interaction.guild)
    await ctx.tables.servers.save(server)
    return Reply(_page(ctx.interaction, server), "here")


async def _server(ctx: Context) -> Server:
    return await ctx.tables.servers.settings(_need_manager(ctx.interaction))


def _known_guild(ctx: Context) -> discord.Guild:
    """Return the server with its channels and roles. Raises `NotAllowed` while Discord doesn't say what it has."""
    guild = ctx.interaction.guild
    if guild is None or guild.unavailable:
        raise NotAllowed("Discord hasn't told me yet which channels and roles are here. Try again in a minute.")
    return guild


def _need_manager(interaction: Interaction) -> int:
    """Return the id of the server. Raise `NotAllowed` unless the user may manage it."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise NotAllowed("You need the permission Manage Server for that.")
    return interaction.guild_id


def _page(interaction: Interaction, stored: Server) -> Post:
    """Return the settings in words, and a button to remove those that name something deleted."""
    server = in_force(stored, interaction.guild)
    ignored = _ignored(stored, server)
    text = "\n".join(f"{line} {ignored[key]}" if key in ignored else line for key, line in _lines(server).items())
    clear = (Button(_CLEAR, _("Clear what's ignored")),) if ignored else ()
    rows = (
        (Button(_FORM, _("Change tables"), "primary"), Button(_EVENTS, _("Change daily & recap"), "primary"), *clear),
    )
    return Post(("### " + _("This server"), text, *_hints(interaction, server)), rows=rows)


def _lines(server: Server) -> dict[str, str]:
    """Return each setting in words."""
    channels = listed([f"<#{number}>" for number in server.channels])
    role = _("members with {role}", role=f"<@&{server.role_id}>") if server.role_id else _("everyone")
    return {
        "channels": _("**Tables open** in {channels}", channels=channels)
        if server.channels
        else _("**Tables open** everywhere"),
        "role_id": _("**Opened by** {members}", members=role),
        "threads": _("**Board** in a thread of its own") if server.threads else _("**Board** in the channel"),
        "clock": _("**Clock**: {clock}. The host can pick another.", clock=clock_names()[server.clock]),
        "level": _("**Computers**: {level}. The host can pick others.", level=level_names()[server.level]),
        "looking_role_id": _finding_players(server),
        "daily_channel_id": _daily(server),
        "recap_channel_id": _recap(server),
        **({"language": _("**Language** {language}", language=_language(server))} if len(languages()) > 1 else {}),
    }


def _ignored(stored: Server, server: Server) -> dict[str, str]:
    """Return what is said of each setting that names something deleted. ``server`` is what is in force."""
    channel, role = "#" + _("deleted"), "@" + _("deleted")
    names = {"channels": channel, "daily_channel_id": channel, "recap_channel_id": channel}
    names |= {"role_id": role, "looking_role_id": role}
    given, kept = asdict(stored), asdict(server)
    return {
        key: "⚠ " + _("({what}, ignored)", what=names.get(key, plain(str(value))))
        for key, value in given.items()
        if value != kept[key]
    }


def _language(server: Server) -> str:
    return name_of(server.language) if server.language else _("same as on Discord")


def _daily(server: Server) -> str:
    zone = server.timezone or "UTC"
    if server.daily_channel_id is None:
        return _("**Daily** where it's first opened each day. Its day ends at midnight, {zone}.", zone=zone)
    channel = f"<#{server.daily_channel_id}>"
    return _("**Daily** in {channel}: a new one each midnight, {zone}.", channel=channel, zone=zone)


def _recap(server: Server) -> str:
    if server.recap_channel_id is None:
        return _("**Recap** of the week: off")
    channel, day = f"<#{server.recap_channel_id}>", server_forms.day_names()[server.recap_day]
    return _("**Recap** of the week in {channel}: {day}", channel=channel, day=day)


def _finding_players(server: Server) -> str:
    if not server.looking_role_id:
        return _("**Find players** mentions nobody")
    role = f"<@&{server.looking_role_id}>"
    return _("**Find players** mentions {role}. Members give themselves this role.", role=role)


def _hints(interaction: Interaction, server: Server) -> Iterator[str]:
    """Yield the permissions that the settings need and the bot lacks."""
    may = interaction.app_permissions
    if wants_thread(interaction, server) and not may.create_public_threads:
        yield _("⚠ I can't open tables here until you give me the permission Create Public Threads in this channel.")
    if not may.attach_files:
        yield _("⚠ I can't show pictures here until you give me the permission Attach Files in this channel.")
    role = interaction.guild and interaction.guild.get_role(server.looking_role_id or 0)
    if role and not (role.mentionable or may.mention_everyone):
        yield _("⚠ I can't notify {role} until you allow anyone to mention this role.", role=role.mention)


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_cog(ServerCog(bot))
