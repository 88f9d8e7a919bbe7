"""Cogs that look for what is due at regular intervals, as it follows from the database and not from an event."""

import logging
from abc import abstractmethod
from typing import Final

from discord.ext import commands, tasks

from bot.errors import StoreError
from bot.running.client import LilypadBot

log: Final = logging.getLogger(__name__)


class RegularCog(commands.Cog):
    """Calls `look` once the bot is connected, and then at this interval. After a database error, the next call repeats.

    ``what`` is what it looks for, in the log.
    """

    def __init__(self, bot: LilypadBot, what: str, minutes: float) -> None:
        self.bot = bot
        self._what = what
        self._loop = tasks.loop(minutes=minutes)(self._look)

    @abstractmethod
    async def look(self) -> None:
        """Do what is due."""

    async def cog_load(self) -> None:
        """Start looking."""
        self._loop.start()

    async def cog_unload(self) -> None:
        """Stop."""
        self._loop.cancel()

    def look_again(self) -> None:
        """Look at once, as more may be due to this process."""
        self._loop.restart()

    async def _look(self) -> None:
        await self.bot.wait_until_ready()
        try:
            await self.look()
        except StoreError as error:
            log.warning("%s: what is due can't be done; retrying in %s min: %s", self._what, self._loop.minutes, error)
