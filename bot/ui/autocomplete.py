"""Autocomplete: the choices that match what a user has typed so far."""

from collections.abc import Iterable
from typing import Final

import discord
from discord import app_commands

from bot.games.typed import clean
from bot.records.table import Table
from bot.tables.finding import MAX_CHOICES
from bot.tables.tables import Tables
from bot.ui.actions.permissions import tables_here
from bot.ui.posts.text import clip, table_choice

Choice = app_commands.Choice[str]
_MAX_NAME: Final = 100


def choices(offered: Iterable[tuple[str, str]]) -> list[Choice]:
    """Return (name, value) pairs as choices, up to Discord's limit."""
    return [app_commands.Choice(name=clip(name, _MAX_NAME), value=value) for name, value in offered][:MAX_CHOICES]


def matching(typed: str, offered: Iterable[tuple[str, str]]) -> list[Choice]:
    """Return the (name, value) pairs that match ``typed`` as choices."""
    wanted = clean(typed).casefold()
    return choices(pair for pair in offered if any(wanted in clean(text).casefold() for text in pair))


def table_choices(tables: Iterable[Table], guild_id: int | None) -> list[tuple[str, str]]:
    """Return tables as (name, value) pairs. Numbers belong to a server, so other tables have their key."""
    return [(table_choice(table), _ref(table, guild_id)) for table in tables]


def _ref(table: Table, guild_id: int | None) -> str:
    return str(table.number) if table.place.guild_id == guild_id is not None else table.key


async def games_of(tables: Tables, interaction: discord.Interaction, typed: str) -> list[Choice]:
    """Return the games that the user has played, the last ended first."""
    found = await tables.lists.games_of(interaction.user.id, clean(typed).casefold(), MAX_CHOICES)
    return choices(table_choices(found, interaction.guild_id))


async def open_tables(
    tables: Tables, interaction: discord.Interaction, typed: str, game: str | None = None
) -> list[Choice]:
    """Return the open tables that the user may mean, optionally only tables of one game."""
    mine = await tables.finder.tables_of(interaction.user.id, game)
    here = await tables_here(tables, interaction, game)
    every = {table.id: table for table in (*mine, *here)}
    return matching(typed, table_choices(every.values(), interaction.guild_id))
