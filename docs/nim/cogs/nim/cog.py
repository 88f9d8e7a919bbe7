"""Nim on Discord: the commands of ``/nim``."""

from discord import app_commands

from bot.running.client import LilypadBot
from bot.ui.game_cog import GameCog, Interaction
from cogs.nim.face import FACE


class Nim(
    GameCog,
    name="Nim",
    group_name="nim",
    group_description="Nim: take stones, and be the last to do so",
):
    """The ``/nim`` group."""

    face = FACE

    @app_commands.command(description="Take stones from the heap")
    @app_commands.describe(stones="1, 2 or 3", table="Number or name of the table")
    async def take(self, interaction: Interaction, stones: str, table: str | None = None) -> None:
        """Take stones."""
        await self.play(interaction, f"take {stones}", table)


async def setup(bot: LilypadBot) -> None:
    """Add the group to the bot."""
    await bot.add_game(Nim)
