"""Cogs that look for what is due at regular intervals, as it follows from the database and not from an event."""

import asyncio
import logging
from abc import abstractmethod
from typing import Any, Final, Self, cast

from discord import Interaction
from discord.ext import commands

from bot.errors import StoreError
from bot.running.client import LilypadBot
from bot.ui.live.workers import Workers

log: Final = logging.getLogger(__name__)


class RegularCog(commands.Cog):
    """Calls `look` once the bot is connected, and then at this interval. After a database error, the next call repeats.

    ``what`` is what it looks for, in the log. discord.py's loops go by the time of day: after the clock was put back,
    they stand still for as long.
    """

    def __init__(self, bot: LilypadBot, what: str, minutes: float) -> None:
        self.bot = bot
        self._what = what
        self._minutes = minutes
        self._looking: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @abstractmethod
    async def look(self) -> None:
        """Do what is due."""

    async def cog_load(self) -> None:
        """Start looking."""
        self._start()

    async def cog_unload(self) -> None:
        """Stop, before the database is closed."""
        if self._timer is not None:
            self._timer.cancel()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})

    def _start(self) -> None:
        self._looking = asyncio.create_task(self._look_and_rest(), name=f"looking for the {self._what}")

    async def _look_and_rest(self) -> None:
        await self._look()
        self._timer = asyncio.get_running_loop().call_later(60 * self._minutes, self._start)

    async def _look(self) -> None:
        await self.bot.wait_until_ready()
        try:
            await self.look()
        except StoreError as error:
            log.warning("%s: what is due can't be done; retrying in %s min: %s", self._what, self._minutes, error)
        except Exception:  # the next look may succeed
            log.exception("%s: what is due can't be done; retrying in %s min", self._what, self._minutes)


class WorkerCog(RegularCog):
    """Has a worker for each thing, such as a game night, by its number. `look` asks those that may have work.

    It looks at once when this process takes over from another one.
    """

    def __init__(self, bot: LilypadBot, what: str, minutes: float) -> None:
        super().__init__(bot, what, minutes)
        self._workers = Workers[int](what, self.work)
        # It may look while the loop does, too: asking a worker twice does no harm.
        self._looks = Workers[str]("what is due", lambda _what: self._look())

    @classmethod
    def of(cls, interaction: Interaction) -> Self:
        """Return this cog of the bot that received the interaction."""
        client: Any = interaction.client
        return cast("Self", client.get_cog(cls.__cog_name__))

    @abstractmethod
    async def work(self, number: int) -> None:
        """Do what is due for one of the things, if this process does that."""

    def changed(self, number: int) -> None:
        """Let the worker of this number look soon."""
        self._workers.request(number)

    def later(self, number: int, delay_s: float) -> None:
        """Let the worker of this number look after this time."""
        self._workers.later(number, delay_s)

    def number_of(self, event: str) -> int | None:  # noqa: ARG002 - most have none
        """Return the number of the thing that another process asks this one to work on, if it is of this cog."""
        return None

    async def cog_load(self) -> None:
        """Start looking, and follow other processes."""
        self.bot.leases.event_listeners.append(self._asked)
        self.bot.leases.taken_listeners.append(lambda _taken: self._looks.request(self._what))
        await super().cog_load()

    async def cog_unload(self) -> None:
        """Stop."""
        await super().cog_unload()
        await self._looks.close()
        await self._workers.close()

    def _asked(self, event: str, _guild_id: int) -> None:
        if (number := self.number_of(event)) is not None:
            self.changed(number)
