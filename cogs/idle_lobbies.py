"""Closes lobbies that nobody uses, deletes old ones, and forgets interactions that have expired."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Final

from discord.utils import time_snowflake

from bot.running.client import LilypadBot
from bot.running.regular_cog import RegularCog
from bot.tables.absence.deadlines import LOBBY_LIFE_S

log: Final = logging.getLogger(__name__)

_HOUR_MIN: Final = 60
_CLAIMED_FOR: Final = timedelta(hours=1)
"""How long the bot remembers which interactions have changed a table. They expire after fifteen minutes."""


class IdleLobbiesCog(RegularCog):
    """Looks every hour."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "idle lobbies", _HOUR_MIN)

    async def look(self) -> None:
        """Close and delete what is due, unless the machine's clock is wrong by days."""
        tables = self.bot.tables
        if tables.privacy.clocks_differ():
            log.warning("idle lobbies aren't closed or deleted: this machine's clock and Discord's differ by days")
            return
        await tables.forget_claims(time_snowflake(datetime.now(UTC) - _CLAIMED_FOR))
        await tables.lobbies.close_idle(LOBBY_LIFE_S)
        await tables.privacy.delete_lobbies()


async def setup(bot: LilypadBot) -> None:
    """Add the cog to the bot."""
    await bot.add_cog(IdleLobbiesCog(bot))
