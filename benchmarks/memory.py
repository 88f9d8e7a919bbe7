"""Measure the memory of a bot with 1,000 open tables.

    python -m benchmarks.memory [TABLES]

Starts the bot on a database with this number of open tables in mid-game, half of Pond · cards and half of Pond · frogs.
At each table, both players open their hands or boards; in Pond · cards, one of them moves, so its board is drawn.
"""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.filled import KEYS, fill, users_of
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.people import Person, moves

TABLES: Final = 1000
TARGET_MB: Final = 150
AT_ONCE: Final = 8
SHOWS: Final = {"pond": "hand", "frogs": "board"}
"""The commands that show a table to a player."""
SETTLED_S: Final = 2.0
"""The bot is done if it has made no request for this time."""


async def play(discord: Discord, number: int, rng: random.Random) -> None:
    """Let both players of a table look at it, and the one to move play a move if their hand offers any."""
    group = KEYS[number % 2]
    for user_id in users_of(number):
        person = Person(discord, f"Player {user_id}", 1, user_id)
        hand = (await person.type(f"{group} {SHOWS[group]}")).original
        if hand is None:
            raise RuntimeError("no hand was shown")
        if offered := moves(hand):
            await person.press(hand, *rng.choice(offered))


async def settle(discord: Discord) -> None:
    """Wait until the bot makes no more requests."""
    seen = -1
    while seen != len(discord.requests):
        seen = len(discord.requests)
        await asyncio.sleep(SETTLED_S)


async def run(tables: int) -> None:
    """Start the bot, play at all tables, and print its memory before and after."""
    rng, free = random.Random(1), asyncio.Semaphore(AT_ONCE)  # noqa: S311 - a benchmark needs no secrets
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        await fill(path, tables, tables)
        async with Discord(strict=False) as discord, running(discord.url, path, log_level="ERROR") as bot:
            await discord.gateway.until_ready()
            await settle(discord)
            report(f"{tables} open tables, after the start", bot.memory_mb)

            async def at(number: int) -> None:
                async with free:
                    await play(discord, number, rng)

            await asyncio.gather(*map(at, range(1, tables + 1)))
            await settle(discord)
            report(f"after play at each ({len(discord.requests)} requests)", bot.memory_mb)


def report(name: str, memory_mb: float) -> None:
    """Print a result beside the target."""
    verdict = "" if memory_mb <= TARGET_MB else "  MISSED"
    sys.stdout.write(f"  {name:42} {memory_mb:4.0f} MB, target {TARGET_MB} MB{verdict}\n")
    sys.stdout.flush()


def in_passing() -> None:
    """Measure with the default number of tables."""
    asyncio.run(run(TABLES))


def main() -> None:
    """Read the command line, and run."""
    asyncio.run(run(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES))


if __name__ == "__main__":
    main()
