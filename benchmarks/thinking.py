"""Measure how soon people are answered while strong computers think at other tables.

    python -m benchmarks.thinking [--seconds N] [--tables N]

One bot process plays over HTTP and WebSocket, with its processes for thinking and pictures. At each table one person
plays against strong computers, as soon as there is something to play, and looks at the rules once a second. The
Discord is that of the tests, without its checks and limits; it shares the machine with the bot.
"""

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.percentiles import percentiles
from bot.running.application_emojis import full_names
from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.objects import CHANNEL_IDS
from tests.wire.people import Person
from tests.wire.playing import by_command

SECONDS: Final = 30.0
TABLES: Final = 16
FORMS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pond": {"players": 4, "computers": 3},
    "frogs": {"computers": 1},
    "pontis": {"players": 4, "computers": 3},
    "potblack": {"players": 4, "computers": 3},
}
"""The commands of each game, with the options to open a table for one person."""


async def open_table(discord: Discord, number: int, group: str) -> Person:
    """Open a table of one person and strong computers."""
    person = Person(discord, f"Ann {number}", number % len(CHANNEL_IDS))
    lobby = (await person.type(f"{group} open", level="strong", **FORMS[group])).original
    if lobby is None:
        raise RuntimeError("no lobby was shown")
    await person.press_label(lobby, "Start")
    return person


async def play(person: Person, group: str, until: float, rng: random.Random) -> None:
    """Play whatever can be played, and look at the rules once a second."""
    await asyncio.sleep(rng.random())
    while (started := time.monotonic()) < until:
        await by_command(person, rng, group)
        await person.type(f"{group} rules")
        await asyncio.sleep(max(0.0, started + 1 - time.monotonic()))


async def run(seconds: float, tables: int) -> None:
    """Measure, and print the result."""
    rng = random.Random(1)  # noqa: S311 - a benchmark needs no secrets
    with tempfile.TemporaryDirectory() as directory:
        async with Discord(strict=False) as discord:
            for name in full_names().values():
                discord.backend.create_application_emoji(name)
            async with running(discord.url, Path(directory) / "thinking.db"):
                await discord.gateway.until_ready()
                groups = list(itertools.islice(itertools.cycle(FORMS), tables))
                people = [await open_table(discord, number, group) for number, group in enumerate(groups)]
                discord.waits_s.clear()
                until = time.monotonic() + seconds
                playing = (play(person, group, until, rng) for person, group in zip(people, groups, strict=True))
                await asyncio.gather(*playing)
                sys.stdout.write(
                    f"{tables} tables of strong computers: {len(discord.waits_s)} first answers "
                    f"{percentiles(discord.waits_s)}\n"
                )


def in_passing() -> None:
    """Measure as `main` does, in a round of all benchmarks."""
    asyncio.run(run(SECONDS, TABLES))


def main() -> None:
    """Read the command line, and run."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--seconds", type=float, default=SECONDS)
    given.add_argument("--tables", type=int, default=TABLES)
    asked = given.parse_args()
    asyncio.run(run(asked.seconds, asked.tables))


if __name__ == "__main__":
    main()
