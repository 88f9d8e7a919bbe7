"""Who may see a table on Discord, and who may close it as a moderator.

A table belongs to its server and channel. For anybody who may not see it, it doesn't exist.
"""

import logging
from collections.abc import Iterable
from typing import Final

import aiohttp
import discord

from bot.tables import LISTED, Place, Table, Tables
from bot.tables.viewing import is_seated

log = logging.getLogger(__name__)

_FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError, LookupError, TypeError, ValueError)
"""Whatever a request to Discord may raise, unreadable answers of a proxy included."""


_MOST_ON_A_SERVER: Final = 500
"""Open tables of a server considered for a list."""


class Visitor:
    """The user of an interaction as a `bot.tables.Viewer`.

    Without ``asks_discord`` a channel that isn't cached counts as invisible: long lists have no time for requests.
    """

    def __init__(self, interaction: discord.Interaction, *, asks_discord: bool = True) -> None:
        self._interaction = interaction
        self._asks_discord = asks_discord
        self.user_id: int | None = interaction.user.id
        self.guild_id: int | None = interaction.guild_id

    async def sees(self, table: Table) -> bool:
        """Whether the user sits there, or may act where the table is."""
        return is_seated(table, self.user_id) or await self.is_at(table.place)

    async def is_at(self, place: Place) -> bool:
        """Whether the user acts in the server of this place, and may view its channel."""
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


async def tables_here(tables: Tables, interaction: discord.Interaction, game: str | None = None) -> tuple[Table, ...]:
    """Return the open tables in this channel that the user may see, by number."""
    return await _seen_by(
        Visitor(interaction), await tables.lists.in_channel(interaction.channel_id or 0, game, LISTED)
    )


async def lobbies_here(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[Table, ...]:
    """Return the tables in this channel that wait for players and that the user may see, by number."""
    return await _seen_by(Visitor(interaction), await tables.lists.lobbies(interaction.channel_id or 0, game, LISTED))


async def tables_on_server(tables: Tables, interaction: discord.Interaction, typed: str) -> tuple[Table, ...]:
    """Return the open tables on this server that fit what was typed and that the user may see, by number.

    Discord isn't asked: what takes a request is left out.
    """
    fitting = await tables.lists.on_server(interaction.guild_id or 0, typed.casefold().strip(), _MOST_ON_A_SERVER)
    return await _seen_by(Visitor(interaction, asks_discord=False), fitting)


def moderates(interaction: discord.Interaction, table: Table) -> int | None:
    """Return the server if the user moderates the table there.

    They manage the server, or messages in the table's channel, where they have to be then. Whether they may see the
    table is checked before.
    """
    may = interaction.permissions
    is_here = may.manage_messages and interaction.channel_id == table.place.channel_id
    looks_after = interaction.guild_id == table.place.guild_id and (may.manage_guild or is_here)
    return interaction.guild_id if looks_after else None


async def _seen_by(visitor: Visitor, tables: Iterable[Table]) -> tuple[Table, ...]:
    return tuple([table for table in tables if await visitor.sees(table)])
