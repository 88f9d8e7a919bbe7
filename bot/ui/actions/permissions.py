"""Permissions to open, see and moderate tables.

A table belongs to its server and channel. For users who may not view that channel, the table doesn't exist.
"""

import logging
from collections.abc import Awaitable, Iterable, Sequence
from enum import Enum, auto
from typing import Any, Final, TypeVar

import discord

from bot.errors import NotAllowed
from bot.games.typed import clean
from bot.records.preference import Server
from bot.records.table import Place, Table
from bot.tables.finding import MAX_CHOICES, is_seated
from bot.tables.tables import Tables
from bot.texts import listed
from bot.ui.interactions.rate_limit import RateLimiter
from bot.ui.live.failures import may_read
from bot.ui.messages.lobby import in_force
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE

log = logging.getLogger(__name__)

_FAILURES = (discord.DiscordException, *CONNECTION_ERRORS, *UNREADABLE)

T = TypeVar("T")

_questions: Final = RateLimiter(cost=20)
"""Bounds how often a user makes the bot ask Discord about a channel, which takes two of its requests."""

_MAX_TABLES_OF_SERVER: Final = 500
"""Maximum open tables of a server considered for a list."""


async def check_may_open(tables: Tables, interaction: discord.Interaction, place: Place) -> Server:
    """Return the server's settings. Raise `NotAllowed` if they don't allow the user to open a table in this place.

    All ways to open a table ask this. ``place`` may be elsewhere: a rematch can be asked for in a direct message.
    """
    if place.guild_id is None:
        return in_force(Server(0), None)
    server = await tables.servers.settings(place.guild_id)
    server = in_force(server, interaction.client.get_guild(place.guild_id))
    if server.channels:
        check_channel(server, place.channel_id, await _parent_id(interaction, place))
    if server.role_id is not None and not await _has_role(interaction, server):
        raise NotAllowed(
            "On this server, only members with {role} can open tables. You can join one.", role=f"<@&{server.role_id}>"
        )
    return server


def check_channel(server: Server, channel_id: int, parent_id: int | None) -> None:
    """Raise `NotAllowed` if no tables may be opened in this channel, which may be a thread of another."""
    if server.channels and not {channel_id, parent_id}.intersection(server.channels):
        places = listed([f"<#{each}>" for each in server.channels])
        raise NotAllowed("On this server, open tables in {places}.", places=places)


def is_opener(server: Server, member: discord.Member) -> bool:
    """Whether the member has the role of those who may open tables, or may manage the server."""
    if server.role_id is None or member.guild_permissions.manage_guild:
        return True
    return member.get_role(server.role_id) is not None


async def _parent_id(interaction: discord.Interaction, place: Place) -> int | None:
    """Return the channel of a thread; ``None`` if the place isn't one, or Discord doesn't say."""
    channel: object = interaction.channel
    if place.channel_id != interaction.channel_id:
        try:
            channel = await interaction.client.fetch_channel(place.channel_id)
        except _FAILURES as error:
            log.info("channel %s counts as none where tables are opened: %s", place.channel_id, error)
    return channel.parent_id if isinstance(channel, discord.Thread) else None


async def _has_role(interaction: discord.Interaction, server: Server) -> bool:
    """Whether the user has the role on the server, or may manage the server."""
    is_here = interaction.guild_id == server.guild_id
    if is_here and interaction.permissions.manage_guild:
        return True
    member = interaction.user if is_here else await _member(interaction, server.guild_id)
    return isinstance(member, discord.Member) and is_opener(server, member)


async def _member(interaction: discord.Interaction, guild_id: int) -> discord.Member | None:
    """Return the user as a member of another server; ``None`` if they aren't, or Discord doesn't say."""
    try:
        client = interaction.client
        guild = client.get_guild(guild_id) or await client.fetch_guild(guild_id)
        return await guild.fetch_member(interaction.user.id)
    except _FAILURES as error:
        log.info("user %s counts as no member of server %s: %s", interaction.user.id, guild_id, error)
        return None


class _Access(Enum):
    """What the cache says about a user and a channel."""

    VISIBLE = auto()
    HIDDEN = auto()
    UNKNOWN = auto()
    """It is an archived thread, gone, or a private thread, whose members only Discord knows."""


class Visitor:
    """The user of an interaction as a `bot.tables.Viewer`."""

    def __init__(self, interaction: discord.Interaction) -> None:
        self._interaction = interaction
        self.user_id: int | None = interaction.user.id
        self.guild_id: int | None = interaction.guild_id

    async def first_seen(self, tables: Sequence[Table]) -> Table | None:
        """Return the first table at which the user sits, or that is in their server and whose channel they may view.

        The cards of an event are for those alone who sit there, until it is over. Then they are also for others of the
        server who have played the same ones.

        If the cache shows none, Discord is asked about one channel: of a table that may be hidden, or of none at all.
        So the time doesn't tell whether there is a table.
        """
        if sure := self.surely_seen(tables) or await self._played_along(tables) or await self._alerted(tables):
            return sure[0]
        unsure = next((each for each in tables if self._access_to(each) is _Access.UNKNOWN), None)
        is_seen = await self._is_let_in(self._interaction.id if unsure is None else unsure.place.channel_id)
        return unsure if is_seen else None

    def surely_seen(self, tables: Iterable[Table]) -> tuple[Table, ...]:
        """Return the tables that the user sees according to the cache; long lists have no time for requests."""
        return tuple([table for table in tables if self._access_to(table) is _Access.VISIBLE])

    async def _played_along(self, tables: Sequence[Table]) -> tuple[Table, ...]:
        """Return the tables of events that are over, and in which the user has taken part on this server."""
        over = [table.id for table in tables if table.event is not None and table.is_revealed]
        if not over or self.guild_id is None or self.user_id is None:
            return ()
        client: Any = self._interaction.client
        seen = await client.app.tables.events.records.played_along(over, self.guild_id, self.user_id)
        return tuple(table for table in tables if table.id in seen)

    async def _alerted(self, tables: Sequence[Table]) -> tuple[Table, ...]:
        """Return, in direct messages, the tables about which the user has an alert, and whose channel they may view."""
        if self.guild_id is not None or self.user_id is None:
            return ()
        client: Any = self._interaction.client
        known = await client.app.tables.alerts.sent_to(self.user_id)
        return tuple([each for each in tables if each.id in known and await self.may_return_to(each.place)])

    async def may_return_to(self, place: Place) -> bool:
        """Whether a player of a table there may act there now: from its server, or from direct messages.

        Either way, they must be able to view its channel.
        """
        access = self._access(place)
        if place.guild_id is None or access is _Access.VISIBLE:
            return True
        if self.guild_id is not None:
            return access is _Access.UNKNOWN and await self._is_let_in(place.channel_id)
        member = await _member(self._interaction, place.guild_id)
        return member is not None and await _may_view(member, place.channel_id)

    def _access_to(self, table: Table) -> _Access:
        """Return whether the user may see a table where they sit, or by its place."""
        if is_seated(table, self.user_id):
            return _Access.VISIBLE
        return _Access.HIDDEN if table.event is not None and not table.is_revealed else self._access(table.place)

    def _access(self, place: Place) -> _Access:
        """Return whether the interaction comes from the server of this place, and its user may view the channel."""
        if place.guild_id is None or place.guild_id != self.guild_id:
            return _Access.HIDDEN
        if place.channel_id == self._interaction.channel_id:
            return _Access.VISIBLE
        guild, member = self._interaction.guild, self._interaction.user
        if guild is None or not isinstance(member, discord.Member):
            return _Access.HIDDEN
        return _allowed(guild.get_channel_or_thread(place.channel_id), member)

    async def _is_let_in(self, channel_id: int) -> bool:
        """Ask Discord whether the user may view a channel of their server. It is no for those who ask too often."""
        guild, member = self._interaction.guild, self._interaction.user
        if guild is None or not isinstance(member, discord.Member) or not _questions.acquire(member.id):
            return False
        try:
            return await _asked(guild, member, channel_id)
        finally:
            _questions.release(member.id)


_Channel = discord.abc.GuildChannel | discord.Thread | None


def _allowed(channel: _Channel, member: discord.Member) -> _Access:
    """Return whether the member may view a channel; ``None`` if it isn't cached."""
    if channel is None:
        return _Access.UNKNOWN
    try:
        may = channel.permissions_for(member)
    except discord.ClientException:  # a thread whose parent isn't cached
        return _Access.HIDDEN
    if not may_read(may, channel):
        return _Access.HIDDEN
    is_private = isinstance(channel, discord.Thread) and channel.is_private()
    return _Access.UNKNOWN if is_private and not may.manage_threads else _Access.VISIBLE


async def may_view(guild: discord.Guild, user_id: int, channel_id: int) -> bool:
    """Whether a user is on the server and may view a channel, according to Discord. It is no if that fails."""
    member = await _answered(guild.fetch_member(user_id))
    return member is not None and await _may_view(member, channel_id)


async def _may_view(member: discord.Member, channel_id: int) -> bool:
    """Whether the member may view a channel. Discord is asked about one that isn't cached, or a private thread."""
    access = _allowed(member.guild.get_channel_or_thread(channel_id), member)
    return access is _Access.VISIBLE or (access is _Access.UNKNOWN and await _asked(member.guild, member, channel_id))


async def _asked(guild: discord.Guild, member: discord.Member, channel_id: int) -> bool:
    """Return whether the member may view a channel, according to Discord.

    If not, it has taken two requests, as for a private thread, whatever the channel is and even if there is none.
    """
    channel = await _answered(guild.fetch_channel(channel_id))
    access = _Access.HIDDEN if channel is None else _allowed(channel, member)
    if access is _Access.UNKNOWN and isinstance(channel, discord.Thread):
        return await _answered(channel.fetch_member(member.id)) is not None
    if access is not _Access.VISIBLE:
        await _answered(guild.fetch_channel(channel_id))
    return access is _Access.VISIBLE


async def _answered(request: Awaitable[T]) -> T | None:
    """Return what Discord answers, or ``None`` if it refuses or fails: that counts as invisible."""
    try:
        return await request
    except _FAILURES as error:
        log.debug("a channel counts as invisible: %s", error)
        return None


async def tables_here(tables: Tables, interaction: discord.Interaction, game: str | None) -> tuple[Table, ...]:
    """Return the open tables in this channel that the user may see, by number."""
    here = await tables.lists.in_channel(interaction.channel_id or 0, game, MAX_CHOICES)
    return Visitor(interaction).surely_seen(here)


async def lobbies_here(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[Table, ...]:
    """Return the lobbies in this channel that the user may see, by number."""
    here = await tables.lists.lobbies(interaction.channel_id or 0, game, MAX_CHOICES)
    return Visitor(interaction).surely_seen(here)


async def tables_on_server(tables: Tables, interaction: discord.Interaction, typed: str) -> tuple[Table, ...]:
    """Return the open tables of this server that match ``typed`` and that the user may see, by number.

    Channels that aren't cached are left out.
    """
    wanted = clean(typed).casefold()
    matching = await tables.lists.on_server(interaction.guild_id or 0, wanted, _MAX_TABLES_OF_SERVER)
    return Visitor(interaction).surely_seen(matching)


def moderated_server(interaction: discord.Interaction, table: Table) -> int | None:
    """Return the id of the server if the user moderates the table, otherwise ``None``.

    Moderators may manage the server, or messages in the table's channel if they are there. The caller has checked that
    the user may see the table.
    """
    may = interaction.permissions
    is_here = may.manage_messages and interaction.channel_id == table.place.channel_id
    is_moderator = interaction.guild_id == table.place.guild_id and (may.manage_guild or is_here)
    return interaction.guild_id if is_moderator else None
