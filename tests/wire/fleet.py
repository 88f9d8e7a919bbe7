"""Processes that run the shards of one bot, on PostgreSQL; each can be killed and replaced."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from tests.databases import Database
from tests.doses import dose
from tests.wire.bot_process import BotProcess, running
from tests.wire.conftest import IMPATIENT
from tests.wire.discord_server import Discord
from tests.wire.people import Person
from tests.wire.playing import Door, all_know, open_table

SHARDS: Final = dose(test=4, full=10)
PARTS: Final = dose(test=(range(2), range(2, 4)), full=(range(3), range(3, 6), range(6, 8), range(8, 10)))
"""The shards of each process."""
PRESS_AGAIN_S: Final = 0.05
PATIENCE_S: Final = 20.0
"""Time after which people press again, as the process may have died before it sent the rest of its answer."""
UNREACHABLE: Final = "I can't save or load games right now"
"""The refusal while the database's server is down for longer than the bot repeats what it does."""


class Fleet:
    """The processes, by the number of their part."""

    def __init__(self, discord: Discord, database: Database, stack: AsyncExitStack) -> None:
        self.discord = discord
        self.processes: dict[int, BotProcess] = {}
        self.said: list[str] = []
        """What processes wrote that have ended."""
        self._database = database
        self._stack = stack

    async def start(self, part: int) -> BotProcess:
        """Start a process, and wait until it has a session for each of its shards."""
        shards, gateway = PARTS[part], self.discord.gateway
        text = f"{shards[0]}-{shards[-1]}/{SHARDS}"
        process = running(self.discord.url, self._database.address, arguments=IMPATIENT, shards=text)
        self.processes[part] = await self._stack.enter_async_context(process)
        await gateway.until_live(shards, 1)
        return self.processes[part]

    async def kill(self, part: int) -> None:
        """Kill a process. Presses that it hasn't answered fail at the phones of their people."""
        await self._end(part, signal.SIGKILL)
        self._give_up(part)

    async def upgrade(self, part: int) -> None:
        """Stop a process, and start the next one. Presses meanwhile fail."""
        status, said = await self._end(part, signal.SIGTERM)
        assert status == 0, said
        self._give_up(part)
        await self.start(part)

    def _give_up(self, part: int) -> None:
        for each in self.discord.interactions.values():
            guild_id = each.record.guild_id
            shard = self.discord.gateway.shard_of(None if guild_id is None else str(guild_id))
            if not each.answered.done() and shard in PARTS[part]:
                each.give_up()

    async def _end(self, part: int, how: signal.Signals) -> tuple[int, str]:
        status, said = await self.processes[part].end(how)
        self.said.append(said)
        await self.discord.gateway.until_live(PARTS[part], 0)
        self.discord.gateway.forget(PARTS[part])
        return status, said


@asynccontextmanager
async def fleet(discord: Discord, database: Database) -> AsyncIterator[Fleet]:
    """Processes that are ready to play."""
    async with AsyncExitStack() as stack:
        made = Fleet(discord, database, stack)
        for part in range(len(PARTS)):
            await made.start(part)
        yield made


async def open_tables(discord: Discord, count: int) -> list[list[Person]]:
    """Start a table for two on each of this many servers; a computer plays at every third."""
    groups = []
    for number in range(count):
        with_computer = number % 3 == 2
        names = ("Ann",) if with_computer else ("Ann", "Ben")
        people = [Person(discord, f"{name} {number}", number) for name in names]
        await open_table(people, players=2, rounds=2, **({"computers": 1} if with_computer else {}))
        groups.append(people)
    return groups


async def play_through(people: Sequence[Person], doors: Sequence[Door], rng: random.Random) -> None:
    """Play to the end. People press again what failed because the process or the database's server died."""
    while not all_know(people):
        for person in people:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await rng.choice(doors)(person, rng)
            except TimeoutError:
                continue
            except asyncio.CancelledError:  # “This interaction failed”
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise
            except AssertionError as error:  # an answer that wasn't expected
                if UNREACHABLE not in str(error):
                    raise
        await asyncio.sleep(PRESS_AGAIN_S)
