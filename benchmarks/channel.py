"""Measure in real time how soon boards show moves while 30 tables share one channel.

    python -m benchmarks.channel [--seconds N] [--tables N]

One bot process plays Pond · cards over HTTP and WebSocket. The Discord of the tests allows five edits per five seconds
in a channel, as Discord does. The delay of a move is the time from its press until the table's board shows it. It is
measured at half of what the limit allows, and at twice as much.
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.wire import open_table
from bot.ui.posts.custom_id import Press
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import Message
from tests.wire.people import Person, moves, presses
from tests.wire.playing import hands

SECONDS: Final = 120.0
TABLES: Final = 30
EDITS: Final = (5, 5.0)
"""Edits and seconds. A channel takes one a second in the long run."""
HALF_PER_S: Final = 0.5
TWICE_PER_S: Final = 2.0
MEDIAN_TARGET_S: Final = 3.0
MAX_TARGET_S: Final = 40.0
LAST_TARGET_S: Final = 30.0
GIVE_UP_S: Final = 180.0


@dataclass
class Table:
    """A table: its number in the database and the two people who play."""

    number: int
    people: Sequence[Person]


@dataclass
class Channel:
    """The channel with its tables. ``delays_s`` are those of the moves so far."""

    discord: Discord
    database: Path
    tables: Sequence[Table]
    rng: random.Random
    delays_s: list[float] = field(default_factory=list)
    pressed: set[int] = field(default_factory=set)
    """The tables with a press that isn't answered yet."""

    async def play(self, per_s: float, seconds: float) -> float:
        """Play this many moves per second. Return the seconds until all boards are up to date again."""
        self.delays_s.clear()
        until, moving = time.monotonic() + seconds, set[asyncio.Task[None]]()
        while (started := time.monotonic()) < until:
            moving.add(asyncio.create_task(self._move()))
            await asyncio.sleep(max(0.0, started + 1 / per_s - time.monotonic()))
        last = time.monotonic()
        await asyncio.gather(*moving)
        return time.monotonic() - last

    async def _move(self) -> None:
        """Play a move at any table where somebody has one, and wait until the board shows it."""
        offered = [each for table in self.tables for each in self._offered(table)]
        if not offered:
            return
        table, player, hand = self.rng.choice(offered)
        pressed = time.monotonic()
        self.pressed.add(table.number)
        await player.press(hand, *self.rng.choice(moves(hand)))
        self.pressed.remove(table.number)
        version = self._version(table)
        await self.discord.until(lambda: self._shown(table) >= version, GIVE_UP_S)
        self.delays_s.append(time.monotonic() - pressed)

    def _offered(self, table: Table) -> list[tuple[Table, Person, Message]]:
        """Return the hands from which a move can be played now."""
        latest = [(table, person, hands(person)[-1]) for person in table.people if table.number not in self.pressed]
        return [each for each in latest if moves(each[2])]

    def _version(self, table: Table) -> int:
        with closing(sqlite3.connect(self.database)) as connection:
            (version,) = connection.execute("SELECT version FROM tables WHERE id = ?", (table.number,)).fetchone()
        return int(version)

    def _shown(self, table: Table) -> int:
        """Return the version that the table's board shows."""
        backend, channel_id = self.discord.backend, int(table.people[0].channel_id)
        public = (Message(backend, model) for model in backend.messages[channel_id].values() if not model.is_ephemeral)
        drawn = (Press.parse(custom_id) for message in public for custom_id, _ in presses(message))
        of_table = (press for press in drawn if press and press.key.partition("-")[0] == str(table.number))
        return max((press.version for press in of_table), default=0)


async def measure(seconds: float, tables: int) -> None:
    """Measure both rates and print the results beside their targets."""
    with tempfile.TemporaryDirectory() as directory:
        database = Path(directory) / "tables.db"
        discord = Discord(strict=False, limits={"PATCH messages": EDITS})
        async with discord, running(discord.url, database, log_level="ERROR"):
            await discord.gateway.until_ready()
            groups = [Table(number + 1, await open_table(discord, number, 0)) for number in range(tables)]
            channel = Channel(discord, database, groups, random.Random(1))  # noqa: S311 - a benchmark needs no secrets
            await channel.play(HALF_PER_S, seconds)
            sys.stdout.write(f"  {tables} tables, {len(channel.delays_s)} moves at {HALF_PER_S} a second\n")
            report("median delay", statistics.median(channel.delays_s), MEDIAN_TARGET_S)
            last_s = await channel.play(TWICE_PER_S, seconds)
            sys.stdout.write(f"  {tables} tables, {len(channel.delays_s)} moves at {TWICE_PER_S} a second\n")
            report("longest delay", max(channel.delays_s), MAX_TARGET_S)
            report("until all boards are right", last_s, LAST_TARGET_S)


def report(name: str, seconds: float, target_s: float) -> None:
    """Print a result."""
    verdict = "" if seconds <= target_s else "  MISSED"
    sys.stdout.write(f"    {name:26} {seconds:6.2f} s, target {target_s:.0f} s{verdict}\n")
    sys.stdout.flush()


def in_passing() -> None:
    """Measure with the default numbers."""
    asyncio.run(measure(SECONDS, TABLES))


def main() -> None:
    """Read the command line and measure."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--seconds", type=float, default=SECONDS, help="how long to play at each rate")
    given.add_argument("--tables", type=int, default=TABLES)
    asked = given.parse_args()
    asyncio.run(measure(asked.seconds, asked.tables))


if __name__ == "__main__":
    main()
