"""Which day it is for a user: that of the server, or in direct messages their own."""

from datetime import date, tzinfo

from bot.tables.events import today
from bot.tables.time_zones import zone_of, zone_of_server
from bot.ui.actions.press import Context


async def zone_here(ctx: Context) -> tzinfo:
    """Return the time zone in which the day ends: that of the server, or in direct messages the user's."""
    guild_id = ctx.interaction.guild_id
    if guild_id is None:
        return zone_of(await ctx.tables.users.settings(ctx.user_id))
    return zone_of_server(await ctx.tables.servers.settings(guild_id))


async def today_here(ctx: Context) -> date:
    """Return the day of the daily that a user can play here."""
    return today(await zone_here(ctx), ctx.tables.events.now())
