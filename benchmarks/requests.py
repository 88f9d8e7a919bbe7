"""Requests per move that count against Discord's global limit, in each game.

    python -m benchmarks.requests [--moves N]

One bot process plays over HTTP and WebSocket with the Discord of the tests, without its checks and limits. Answers to
interactions don't count against the limit, so they are left out. Players move from their direct messages, one move at a
time; ``chat`` means that somebody writes in the channel between two moves. Moves of computers aren't counted.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from tests.wire.bot_process import running
from tests.wire.discord_server import Discord
from tests.wire.kinds import is_limited_globally
from tests.wire.people import Person
from tests.wire.playing import all_know, by_direct_message, hands, open_table

MOVES: Final = 40
AT_ONCE: Final = 5
"""Tables played at the same time."""
CHECKED_S: Final = 4.0
"""After this time the bot has checked its boards, as it does after a start."""
SETTLED_S: Final = 0.3
"""The bot is done with a move if it has made no request for this time."""
TARGET_QUIET: Final = 1.2
TARGET_CHAT: Final = 2.2
"""Targets for tables of four people."""
NAMES: Final = ("Ann", "Ben", "Cat", "Dan")


@dataclass(frozen=True)
class Case:
    """A table: the game's commands, its name in the report, how many people play, and the options."""

    group: str
    name: str
    people: int
    options: dict[str, Any]


CASES: Final = (
    Case("pond", "Pond · cards, two", 2, {"players": 2}),
    Case("pond", "Pond · cards, four", 4, {"players": 4}),
    Case("pond", "Pond · cards, one and three computers", 1, {"players": 4, "computers": 3}),
    Case("frogs", "Pond · frogs, two", 2, {}),
    Case("frogs", "Pond · frogs, one and a computer", 1, {"computers": 1}),
    Case("pontis", "Pontis, two", 2, {"players": 2}),
    Case("pontis", "Pontis, four", 4, {"players": 4}),
    Case("pontis", "Pontis, two and two computers", 2, {"players": 4, "computers": 2}),
    Case("potblack", "Pot Black, four", 4, {}),
    Case("potblack", "Pot Black, two and two computers", 2, {"computers": 2}),
)


def about(discord: Discord, people: Sequence[Person]) -> list[str]:
    """Return the globally limited requests about the table of these people, as method and address."""
    places = {people[0].channel_id, *(person.dm_id for person in people)}
    found = []
    for method, path, body in discord.requests:
        is_opening = path == "/users/@me/channels" and str(body["recipient_id"]) in {person.id for person in people}
        if is_limited_globally(path) and (is_opening or not places.isdisjoint(path.split("/"))):
            found.append(f"{method} {path}")
    return found


async def settle(discord: Discord, people: Sequence[Person]) -> int:
    """Wait until the bot makes no more requests about the table; return how many it has made."""
    seen = -1
    while seen != len(about(discord, people)):
        seen = len(about(discord, people))
        await asyncio.sleep(SETTLED_S)
    return seen


async def requests_per_move(discord: Discord, case: Case, channel: int, most: int, *, chat: bool) -> float:
    """Play up to ``most`` moves and return the average of requests."""
    people = [Person(discord, name, channel) for name in NAMES[: case.people]]
    stranger, rng, moves = Person(discord, "Eve", channel), random.Random(channel), 0  # noqa: S311 - no secret
    await open_table(people, case.group, **case.options)
    with suppress(TimeoutError):
        await discord.until(lambda: all(hands(person) for person in people))
    before = await settle(discord, people)
    while moves < most and not all_know(people):
        if chat:
            await stranger.says("Hello.")
        for person in people:
            if await by_direct_message(person, rng):
                moves += 1
                break
        await settle(discord, people)
    return (await settle(discord, people) - before) / moves


async def averages(moves: int, *, chat: bool) -> list[float]:
    """Play all cases with a new process of the bot, and return the average of each."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "tables.db"
        async with Discord(strict=False) as discord, running(discord.url, path):
            await discord.gateway.until_ready()
            await asyncio.sleep(CHECKED_S)
            free = asyncio.Semaphore(AT_ONCE)

            async def average(channel: int, case: Case) -> float:
                async with free:
                    return await requests_per_move(discord, case, channel, moves, chat=chat)

            return await asyncio.gather(*(average(n, case) for n, case in enumerate(CASES)))


async def measure(moves: int) -> None:
    """Play all cases, quietly and with chat, and print a line for each."""
    quiet, chatting = await averages(moves, chat=False), await averages(moves, chat=True)
    for case, *figures in zip(CASES, quiet, chatting, strict=True):
        missed = case.people == 4 and (figures[0] > TARGET_QUIET or figures[1] > TARGET_CHAT)
        _line(case.name, *figures, missed=missed)
    _line("all of these, on average", fmean(quiet), fmean(chatting))


def _line(name: str, quiet: float, chatting: float, *, missed: bool = False) -> None:
    figures = f"{quiet:5.2f} requests a move, {chatting:5.2f} if people chat"
    sys.stdout.write(f"  {name:40} {figures}{'  MISSED' if missed else ''}\n")


def in_passing() -> None:
    """Measure with the default number of moves."""
    asyncio.run(measure(MOVES))


def main() -> None:
    """Read the command line and measure."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--moves", type=int, default=MOVES, help="maximum number of moves per table")
    asyncio.run(measure(given.parse_args().moves))


if __name__ == "__main__":
    main()
