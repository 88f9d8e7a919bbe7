"""Count the parts of a move: the functions, files, calls and SQL statements of a ``/pond play``, over the wire.

    python -m benchmarks.parts [--functions] [--statements]

Four people play Pond · cards with open direct messages, on SQLite. Counted is everything in `bot` and `cogs` from the
command until all messages show the move; a coroutine counts each time it runs on. What the bot does anyway in that
time, such as renewing leases, is subtracted. The process that draws is left out.
``--functions`` lists the functions by file, ``--statements`` the SQL statements.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from typing import Final, NamedTuple

from bot.games import GAMES
from bot.running.application_emojis import full_names
from tests.waiting import until
from tests.wire.bot_process import ROOT, BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.people import Person, moves
from tests.wire.playing import hands, open_table

TARGETS: Final = {
    "functions": 420,
    "files": 62,
    "functions of machinery": 200,
    "files of machinery": 40,
    "SQL statements": 22,
}
DRAWING: Final = (
    *(f"cogs/{game}/" for game in GAMES),
    *("bot/games/", "bot/pictures/", "bot/texts/", "bot/ui/messages/", "bot/ui/posts/"),
)
"""Where drawing is. All other functions are machinery."""
MOVES: Final = 3
"""Moves that are counted. The one with the fewest functions is printed."""
QUIET_S: Final = 3.0
"""A move is shown when no request has come for this time: hands of others may follow a little later."""
WARM_UP: Final = 12
"""Moves before the one that is counted: all profits and the first baits."""


class Parts(NamedTuple):
    """What ran for one command: calls by file and function, and the SQL statements."""

    calls: Counter[tuple[str, str]]
    statements: Counter[str]

    def counts(self) -> dict[str, int]:
        """Return the figures by their names. Comprehensions belong to their function."""
        functions = {(file, name) for file, name in self.calls if not name.endswith(("comp>", "<genexpr>"))}
        machinery = {(file, name) for file, name in functions if not file.startswith(DRAWING)}
        return {
            "functions": len(functions),
            "files": len({file for file, _ in functions}),
            "functions of machinery": len(machinery),
            "files of machinery": len({file for file, _ in machinery}),
            "calls": self.calls.total(),
            "SQL statements": self.statements.total(),
        }


async def _quiet(discord: Discord) -> None:
    seen = -1
    while seen != len(discord.requests):
        seen = len(discord.requests)
        await asyncio.sleep(QUIET_S)


async def _by_press(people: list[Person], rng: random.Random) -> None:
    person = next(person for person in people if moves(hands(person)[-1]))
    await person.press(hands(person)[-1], *rng.choice(moves(hands(person)[-1])))


async def _offered(people: list[Person]) -> tuple[Person, list[str]]:
    """Return the player who can play a card, and the cards."""
    for person in people:
        if offered := await person.complete("pond play", "card"):
            return person, offered
    raise RuntimeError("nobody can play a card")


async def _traced(bot: BotProcess, written: Path, work: Awaitable[object]) -> Parts:
    """Return the parts that run while this is awaited."""
    os.kill(bot.pid, signal.SIGUSR1)
    await work
    os.kill(bot.pid, signal.SIGUSR2)
    await until(written.exists)
    return _read(written)


def _read(written: Path) -> Parts:
    """Return what the bot has counted, and delete its file."""
    found = json.loads(written.read_text(encoding="utf-8"))
    written.unlink()
    calls: Counter[tuple[str, str]] = Counter()
    for file, name, count in found["calls"]:
        calls[str(Path(file).relative_to(ROOT)), name] += count
    return Parts(calls, Counter(found["statements"]))


async def _play_one(discord: Discord, bot: BotProcess, written: Path, rng: random.Random) -> Parts:
    """Play to the middle of a round, and return the parts of the smallest of the next moves."""
    people = [Person(discord, name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    await open_table(people, players=4, rounds=4)
    await discord.until(lambda: all(hands(person) for person in people))
    for _ in range(WARM_UP):
        await discord.until(lambda: any(moves(hands(person)[-1]) for person in people))
        await _by_press(people, rng)
        await _quiet(discord)
    found = []
    for _ in range(MOVES):
        person, offered = await _offered(people)
        started = time.monotonic()
        move = await _traced(bot, written, _shown(discord, person, rng.choice(offered)))
        idle = await _traced(bot, written, asyncio.sleep(time.monotonic() - started))
        found.append(Parts(move.calls - idle.calls, move.statements - idle.statements))
    return min(found, key=lambda parts: parts.counts()["functions"])


async def _shown(discord: Discord, person: Person, card: str) -> None:
    await person.type("pond play", card=card)
    await _quiet(discord)


async def measure() -> Parts:
    """Return the parts of the smallest of some ``/pond play``."""
    rng = random.Random(1)  # noqa: S311 - a benchmark needs no secrets
    with tempfile.TemporaryDirectory() as directory:
        written = Path(directory) / "parts.json"
        async with Discord(strict=False) as discord:
            for name in full_names().values():
                discord.backend.create_application_emoji(name)
            arguments = ("-m", "benchmarks.traced_bot", str(written))
            async with running(discord.url, Path(directory) / "tables.db", arguments=arguments) as bot:
                await discord.gateway.until_ready()
                return await _play_one(discord, bot, written, rng)


def main(*, functions: bool = False, statements: bool = False) -> None:
    """Print the parts of a move beside their targets."""
    parts = asyncio.run(measure())
    for name, count in parts.counts().items():
        target = TARGETS.get(name)
        wanted = f"   target: at most {target}{'' if count <= target else ', MISSED'}" if target else ""
        sys.stdout.write(f"  {name:22} {count:6,}{wanted}\n")
    if functions:
        for (file, name), count in sorted(parts.calls.items()):
            sys.stdout.write(f"{count:6} {file} {name}\n")
    if statements:
        for statement, count in parts.statements.most_common():
            sys.stdout.write(f"{count:6} {statement}\n")


if __name__ == "__main__":
    given = argparse.ArgumentParser(prog="python -m benchmarks.parts", description=__doc__)
    given.add_argument("--functions", action="store_true", help="list the functions by file")
    given.add_argument("--statements", action="store_true", help="list the SQL statements")
    main(**vars(given.parse_args()))
