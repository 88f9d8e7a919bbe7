"""Closes lobbies that nobody uses, and deletes old ones."""

from discord.ext import commands

from bot.running.client import LilypadBot
from bot.tables.absence.deadlines import HOUR, LOBBY_LIFE_S


class IdleLobbiesCog(commands.Cog):
    """Looks every hour."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Register what is due."""
        self.bot.calendar.every("idle lobbies", HOUR, self.look, by_date=True)

    async def look(self) -> None:
        """Close and delete what is due."""
        tables = self.bot.tables
        await tables.lobbies.close_idle(LOBBY_LIFE_S)
        await tables.privacy.delete_lobbies()


async def setup(bot: LilypadBot) -> None:
    """Add the cog to the bot."""
    await bot.add_cog(IdleLobbiesCog(bot))
