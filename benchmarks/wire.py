"""Measure the time to an answer and the processor time of a move at 20 tables, compared with a bare discord.py bot.

    python -m benchmarks.wire [--seconds N] [--tables N]

One bot process on one core plays Pond · cards in words over HTTP and WebSocket. Two people at each table play one move
per second. The Discord is that of the tests, without its checks and limits. `benchmarks.bare_bot` then makes the same
number of requests with the same messages for the same number of presses. A move includes its answer, board and hands.
The application has its emojis already.
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
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.percentiles import percentiles
from bot.running.application_emojis import full_names
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.objects import CHANNEL_IDS, Message
from tests.wire.people import Person, moves, presses
from tests.wire.playing import hands

TICKS = os.sysconf("SC_CLK_TCK")
SETTLED_S = 0.5
SECONDS = 20.0
TABLES = 20
"""With more, requests wait for the bot's own budget, and some boards skip a move."""
TARGET = 1.6


@dataclass(frozen=True)
class Measured:
    """A run: seconds until each initial response, processor seconds, presses, and other requests."""

    waits_s: Sequence[float]
    cpu_s: float
    presses: int
    calls: int

    @property
    def cpu_ms(self) -> float:
        """Return the processor time per move."""
        return 1000 * self.cpu_s / self.presses

    def line(self, name: str) -> str:
        """Return the results on one line."""
        return (
            f"{name:8} {self.presses:5} moves, {self.calls / self.presses:.2f} calls beside each answer: first answer "
            f"{percentiles(self.waits_s)}; {self.cpu_ms:5.2f} ms of processor time a move\n"
        )


def cpu_s(process: BotProcess) -> float:
    """Return the processor time of the process in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def pin(process: BotProcess, core: int) -> None:
    """Pin every thread of the process to one core."""
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})


async def open_table(discord: Discord, number: int, channel: int) -> list[Person]:
    """Open a table for two people, and wait for their hands."""
    people = [Person(discord, f"{name} {number}", channel) for name in ("Ann", "Ben")]
    lobby = (await people[0].type("pond open", players=2, rounds=4)).original
    if lobby is None:
        raise RuntimeError("no lobby was shown")
    await people[1].press_label(lobby, "Join")
    await people[0].press_label(lobby, "Start")
    await discord.until(lambda: all(hands(person) for person in people))
    return people


async def play(people: Sequence[Person], until: float, rng: random.Random) -> None:
    """Play one move per second with any person who has a move in their direct messages."""
    await asyncio.sleep(rng.random())
    while (started := time.monotonic()) < until:
        for person in people:
            hand = hands(person)[-1]
            if offered := moves(hand):
                await person.press(hand, *rng.choice(offered))
                break
        await asyncio.sleep(max(0.0, started + 1 - time.monotonic()))


async def press(person: Person, message: Message, until: float, rng: random.Random) -> None:
    """Press the same message once a second."""
    await asyncio.sleep(rng.random())
    while (started := time.monotonic()) < until:
        await person.press(message, *(presses(message) or [("any", None)])[0])
        await asyncio.sleep(max(0.0, started + 1 - time.monotonic()))


async def measure(discord: Discord, bot: BotProcess, work: Sequence[Any]) -> Measured:
    """Do the work, and wait until all messages are up to date."""
    discord.waits_s.clear()
    discord.requests.clear()
    before = cpu_s(bot)
    await asyncio.gather(*work)
    seen = -1
    while seen != len(discord.requests):
        seen = len(discord.requests)
        await asyncio.sleep(SETTLED_S)
    count = len(discord.waits_s)
    return Measured(tuple(discord.waits_s), cpu_s(bot) - before, count, len(discord.requests) - count)


def shapes(requests: Sequence[tuple[str, str, Any]]) -> list[list[Any]]:
    """Return the messages of each press: the answer, and the average number of other messages."""
    shown = [body.get("data", body).get("components") for _, _, body in requests if body]
    is_answer = [path.endswith("/callback") for _, path, body in requests if body]
    answers = [each for each, first in zip(shown, is_answer, strict=True) if each and first]
    others = [each for each, first in zip(shown, is_answer, strict=True) if each and not first]
    per = len(others) / len(answers)
    return [[answer, *others[int(i * per) : int((i + 1) * per)]] for i, answer in enumerate(answers)]


@dataclass(frozen=True)
class Load:
    """How many tables are played, for how long, and on which core the bot runs."""

    seconds: float
    tables: int
    core: int


@asynccontextmanager
async def lenient_discord() -> AsyncIterator[Discord]:
    """Return a Discord without checks and limits, with the application's emojis."""
    async with Discord(strict=False) as discord:
        for name in full_names().values():
            discord.backend.create_application_emoji(name)
        yield discord


async def measure_lilypad(discord: Discord, load: Load, database: Path) -> tuple[Measured, list[list[Person]]]:
    """Measure the bot with this database; return the people at the tables, too."""
    rng = random.Random(1)  # noqa: S311 - a benchmark needs no secrets
    # With pictures, presses are deferred, and the bare bot has no answers to repeat.
    async with running(discord.url, database, arguments=("-m", "benchmarks.words_bot")) as bot:
        await discord.gateway.until_ready()
        pin(bot, load.core)
        groups = [await open_table(discord, number, number % len(CHANNEL_IDS)) for number in range(load.tables)]
        until = time.monotonic() + load.seconds
        measured = await measure(discord, bot, [play(people, until, rng) for people in groups])
        await bot.end(signal.SIGTERM)
    return measured, groups


async def measure_bare(discord: Discord, load: Load, groups: Sequence[Sequence[Person]], folder: Path) -> Measured:
    """Measure the bare bot with the messages that Lilypad has just shown."""
    rng = random.Random(1)  # noqa: S311 - as above
    (folder / "shapes.json").write_text(json.dumps(shapes(discord.requests)), encoding="utf-8")
    arguments = ("-m", "benchmarks.bare_bot", str(folder / "shapes.json"))
    async with running(discord.url, folder / "none.db", arguments=arguments) as bot:
        await discord.gateway.until_ready()
        pin(bot, load.core)
        until = time.monotonic() + load.seconds
        pressed = [(people[0], hands(people[0])[-1]) for people in groups]
        return await measure(discord, bot, [press(*each, until, rng) for each in pressed])


async def run(seconds: float, tables: int) -> None:
    """Measure the bots in turn, and print the results."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[1:] or cores)
    load = Load(seconds, tables, cores[0])
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        async with lenient_discord() as discord:
            lilypad, groups = await measure_lilypad(discord, load, folder / "wire.db")
            sys.stdout.write(lilypad.line("lilypad"))
            bare = await measure_bare(discord, load, groups, folder)
            sys.stdout.write(bare.line("bare"))
    ratio = lilypad.cpu_ms / bare.cpu_ms
    verdict = "" if ratio <= TARGET else "  MISSED"
    sys.stdout.write(
        f"processor time of a whole move: {ratio:.2f} times that of the bare bot, target {TARGET}{verdict}\n"
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
