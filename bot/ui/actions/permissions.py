"""Permissions to open, see and moderate tables.

A table belongs to its server and channel. For users who may not view that channel, the table doesn't exist.
"""

import logging
from collections.abc import Iterable
from typing import Final

import discord

from bot.errors import NotAllowed
from bot.games.typed import clean
from bot.tables import MAX_CHOICES, Place, Server, Table, Tables
from bot.tables.viewing import is_seated
from bot.texts.lists import listed
from bot.ui.messages.server_settings import in_force
from bot.ui.posts.discord_errors import CONNECTION_ERRORS, UNREADABLE

log = logging.getLogger(__name__)

_FAILURES = (discord.DiscordException, *CONNECTION_ERRORS, *UNREADABLE)

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
    if server.channels and not {place.channel_id, await _parent_id(interaction, place)}.intersection(server.channels):
        places = listed([f"<#{channel_id}>" for channel_id in server.channels])
        raise NotAllowed("On this server, open tables in {places}.", places=places)
    if server.role_id is not None and not await _has_role(interaction, place.guild_id, server.role_id):
        raise NotAllowed(
            "On this server, only members with {role} can open tables. You can join one.", role=f"<@&{server.role_id}>"
        )
    return server


async def _parent_id(interaction: discord.Interaction, place: Place) -> int | None:
    """Return the channel of a thread; ``None`` if the place isn't one, or Discord doesn't say."""
    channel: object = interaction.channel
    if place.channel_id != interaction.channel_id:
        try:
            channel = await interaction.client.fetch_channel(place.channel_id)
        except _FAILURES as error:
            log.info("channel %s counts as none where tables are opened: %s", place.channel_id, error)
    return channel.parent_id if isinstance(channel, discord.Thread) else None


async def _has_role(interaction: discord.Interaction, guild_id: int, role_id: int) -> bool:
    """Whether the user has the role on the server, or may manage the server."""
    member: object = interaction.user
    if interaction.guild_id == guild_id and interaction.permissions.manage_guild:
        return True
    if interaction.guild_id != guild_id:
        try:
            client = interaction.client
            guild = client.get_guild(guild_id) or await client.fetch_guild(guild_id)
            member = await guild.fetch_member(interaction.user.id)
        except _FAILURES as error:
            log.info("user %s counts as without a role on server %s: %s", interaction.user.id, guild_id, error)
    if not isinstance(member, discord.Member):
        return False
    return member.get_role(role_id) is not None or member.guild_permissions.manage_guild


class Visitor:
    """The user of an interaction as a `bot.tables.Viewer`.

    Unless ``asks_discord``, channels that aren't cached count as invisible: long lists have no time for requests.
    """

    def __init__(self, interaction: discord.Interaction, *, asks_discord: bool = True) -> None:
        self._interaction = interaction
        self._asks_discord = asks_discord
        self.user_id: int | None = interaction.user.id
        self.guild_id: int | None = interaction.guild_id

    async def sees(self, table: Table) -> bool:
        """Whether the user sits at the table, or is in its server and may view its channel."""
        return is_seated(table, self.user_id) or await self.is_at(table.place)

    async def visible(self, tables: Iterable[Table]) -> tuple[Table, ...]:
        """Return those of the tables that the user sees."""
        return tuple([table for table in tables if await self.sees(table)])

    async def may_return_to(self, place: Place) -> bool:
        """Whether a player of a table there may act there now: from its server, or from direct messages.

        Either way, they must be able to view its channel.
        """
        interaction = self._interaction
        if place.guild_id is None or await self.is_at(place):
            return True
        if interaction.guild_id is not None:
            return False
        try:
            client = interaction.client
            guild = client.get_guild(place.guild_id) or await client.fetch_guild(place.guild_id)
            return await self._may_view(guild, place.channel_id, await guild.fetch_member(interaction.user.id))
        except _FAILURES as error:
            log.info("user %s can't return to channel %s: %s", interaction.user.id, place.channel_id, error)
            return False

    async def is_at(self, place: Place) -> bool:
        """Whether the interaction comes from the server of this place, and its user may view the channel."""
        if place.guild_id is None or place.guild_id != self.guild_id:
            return False
        if place.channel_id == self._interaction.channel_id:
            return True
        guild, member = self._interaction.guild, self._interaction.user
        if guild is None or not isinstance(member, discord.Member):
            return False
        try:
            return await self._may_view(guild, place.channel_id, member)
        except _FAILURES as error:
            log.info("channel %s counts as invisible to user %s: %s", place.channel_id, member.id, error)
            return False

    async def _may_view(self, guild: discord.Guild, channel_id: int, member: discord.Member) -> bool:
        channel = guild.get_channel_or_thread(channel_id)
        if channel is None and self._asks_discord:
            channel = await guild.fetch_channel(channel_id)  # an archived thread
        if channel is None:
            return False
        may = channel.permissions_for(member)
        if not (isinstance(channel, discord.Thread) and channel.is_private()) or may.manage_threads:
            return may.view_channel
        if not (may.view_channel and self._asks_discord):
            return False
        await channel.fetch_member(member.id)  # raises `NotFound` for everybody else
        return True


async def tables_here(tables: Tables, interaction: discord.Interaction, game: str | None) -> tuple[Table, ...]:
    """Return the open tables in this channel that the user may see, by number."""
    here = await tables.lists.in_channel(interaction.channel_id or 0, game, MAX_CHOICES)
    return await Visitor(interaction).visible(here)


async def lobbies_here(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[Table, ...]:
    """Return the lobbies in this channel that the user may see, by number."""
    here = await tables.lists.lobbies(interaction.channel_id or 0, game, MAX_CHOICES)
    return await Visitor(interaction).visible(here)


async def tables_on_server(tables: Tables, interaction: discord.Interaction, typed: str) -> tuple[Table, ...]:
    """Return the open tables of this server that match ``typed`` and that the user may see, by number.

    Channels that aren't cached are left out.
    """
    wanted = clean(typed).casefold()
    matching = await tables.lists.on_server(interaction.guild_id or 0, wanted, _MAX_TABLES_OF_SERVER)
    return await Visitor(interaction, asks_discord=False).visible(matching)


def moderated_server(interaction: discord.Interaction, table: Table) -> int | None:
    """Return the id of the server if the user moderates the table, otherwise ``None``.

    Moderators may manage the server, or messages in the table's channel if they are there. The caller has checked that
    the user may see the table.
    """
    may = interaction.permissions
    is_here = may.manage_messages and interaction.channel_id == table.place.channel_id
    is_moderator = interaction.guild_id == table.place.guild_id and (may.manage_guild or is_here)
    return interaction.guild_id if is_moderator else None
