"""``/server``: settings of a server, and closing any table there. For moderators."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import Interaction, app_commands
from discord.app_commands import AppCommandChannel
from discord.ext import commands
from msgspec.structs import asdict, replace

from bot.errors import NotAllowed, PlayError
from bot.running.client import LilypadBot
from bot.tables import Server
from bot.tables.absence.deadlines import settle_clock
from bot.tables.computers import settle_level
from bot.texts import gettext as _
from bot.texts import languages, name_of
from bot.texts.lists import listed
from bot.ui.actions.opening import wants_thread
from bot.ui.actions.permissions import Visitor, tables_on_server
from bot.ui.autocomplete import Choice, choices, table_choices
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.respond import answer
from bot.ui.messages.absence_notice import clock_names
from bot.ui.messages.levels import level_names
from bot.ui.messages.server_settings import in_force
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import plain

_KINDS: Final = frozenset(
    {
        *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
        *(discord.ChannelType.stage_voice, discord.ChannelType.forum, discord.ChannelType.media),
    }
)
"""The channels where tables may open: those with a chat, and those whose posts are threads."""
_MOST_CHANNELS: Final = 50
_CLEAR: Final = "server-clear"


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
        bot.add_presses({_CLEAR: self._clear})

    @app_commands.command(description="See this server's settings")
    async def show(self, interaction: Interaction) -> None:
        await answer(interaction, self._change(interaction))

    @app_commands.command(description="Allow tables in a channel. Without any, they open everywhere")
    @app_commands.describe(channel="The channel, with its threads and posts", allowed="Whether tables may open there")
    async def channel(self, interaction: Interaction, channel: Channel, *, allowed: bool = True) -> None:
        await answer(interaction, self._allow(interaction, channel, allowed=allowed))

    @app_commands.command(description="Choose whether each table gets its own thread")
    @app_commands.describe(own="A thread for each table, or boards in the channel")
    async def threads(self, interaction: Interaction, *, own: bool) -> None:
        await answer(interaction, self._change(interaction, threads=own))

    @app_commands.command(description="Choose who may open tables")
    @app_commands.describe(role="Members with this role; leave it out for everyone")
    async def openers(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        role_id = None if role is None or role.is_default() else role.id
        await answer(interaction, self._change(interaction, role_id=role_id))

    @app_commands.command(description="Choose the role that Find players mentions")
    @app_commands.describe(role="A role that members give themselves; leave it out to mention nobody")
    async def looking(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        role_id = None if role is None or role.is_default() else role.id
        await answer(interaction, self._change(interaction, looking_role_id=role_id))

    @app_commands.command(description="Choose the clock for new tables")
    @app_commands.describe(default="Time for a move. After that, others can move the game on")
    @app_commands.choices(default=[app_commands.Choice(name=name, value=key) for key, name in clock_names().items()])
    async def clock(self, interaction: Interaction, default: str) -> None:
        await answer(interaction, self._change(interaction, clock=default))

    @app_commands.command(description="Choose how well computers play at new tables")
    @app_commands.describe(default="Also when they play for absent players")
    @app_commands.choices(default=[app_commands.Choice(name=name, value=key) for key, name in level_names().items()])
    async def level(self, interaction: Interaction, default: str) -> None:
        await answer(interaction, self._change(interaction, level=default))

    @app_commands.command(description="Choose the language of boards and other public messages")
    @app_commands.describe(language="Leave it out for the server's language on Discord")
    @app_commands.choices(language=[app_commands.Choice(name=name_of(each), value=each) for each in languages()])
    async def language(self, interaction: Interaction, language: str | None = None) -> None:
        await answer(interaction, self._change(interaction, language=language if language in languages() else None))

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
        return await self.bot.actions.ask_to_close(interaction, table.id)

    async def _clear(self, interaction: Interaction, _press: Press) -> Reply:
        """Remove what names something deleted from the settings."""
        server = in_force(await self._server(interaction), interaction.guild)
        await self.bot.tables.servers.save(server)
        return Reply(_page(interaction, server), "here")

    async def _allow(self, interaction: Interaction, channel: AppCommandChannel, *, allowed: bool) -> Reply:
        server = await self._server(interaction)
        if channel.type not in _KINDS:
            raise PlayError("Tables can't open there. Choose a channel with a chat, or one for posts.")
        others = tuple(number for number in server.channels if number != channel.id)
        if allowed and len(others) >= _MOST_CHANNELS:
            raise PlayError(
                "You can name at most {most} channels. Without any, tables open everywhere.", most=_MOST_CHANNELS
            )
        return await self._change(interaction, channels=(*others, channel.id) if allowed else others)

    async def _change(self, interaction: Interaction, **changes: object) -> Reply:
        server = await self._server(interaction)
        if changes:
            server = replace(server, **changes)
            settle_clock(str(changes.get("clock", "none")))
            settle_level(str(changes.get("level", "fair")))
            await self.bot.tables.servers.save(server)
        return Reply(_page(interaction, server))

    async def _server(self, interaction: Interaction) -> Server:
        return await self.bot.tables.servers.settings(_need_manager(interaction))


def _need_manager(interaction: Interaction) -> int:
    """Return the id of the server. Raise `NotAllowed` unless the user may manage it."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise NotAllowed("You need the permission Manage Server for that.")
    return interaction.guild_id


def _page(interaction: Interaction, stored: Server) -> Post:
    """Return the settings in words, and a button to remove those that name something deleted."""
    server = in_force(stored, interaction.guild)
    channels = listed([f"<#{number}>" for number in server.channels])
    role = _("members with {role}", role=f"<@&{server.role_id}>") if server.role_id else _("everyone")
    lines = {
        "channels": _("**Tables open** in {channels}", channels=channels)
        if server.channels
        else _("**Tables open** everywhere"),
        "role_id": _("**Opened by** {members}", members=role),
        "threads": _("**Board** in a thread of its own") if server.threads else _("**Board** in the channel"),
        "clock": _("**Clock**: {clock}. The host can pick another.", clock=clock_names()[server.clock]),
        "level": _("**Computers**: {level}. The host can pick others.", level=level_names()[server.level]),
        "looking_role_id": _finding_players(server),
        **({"language": _("**Language** {language}", language=_language(server))} if len(languages()) > 1 else {}),
    }
    ignored = _ignored(stored, server)
    text = "\n".join(f"{line} {ignored[key]}" if key in ignored else line for key, line in lines.items())
    rows = ((Button(_CLEAR, _("Clear what's ignored")),),) if ignored else ()
    return Post(("### " + _("This server"), text, *_hints(interaction, server)), rows=rows)


def _ignored(stored: Server, server: Server) -> dict[str, str]:
    """Return what is said of each setting that names something deleted. ``server`` is what is in force."""
    names = {"channels": "#" + _("deleted"), "role_id": "@" + _("deleted"), "looking_role_id": "@" + _("deleted")}
    given, kept = asdict(stored), asdict(server)
    return {
        key: "⚠ " + _("({what}, ignored)", what=names.get(key, plain(str(value))))
        for key, value in given.items()
        if value != kept[key]
    }


def _language(server: Server) -> str:
    return name_of(server.language) if server.language else _("same as on Discord")


def _finding_players(server: Server) -> str:
    if not server.looking_role_id:
        return _("**Find players** mentions nobody. `/server looking` chooses a role.")
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
