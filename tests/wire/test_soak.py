"""A bot that plays for a long time answers in time, and its memory doesn't grow, even if requests fail.

Every run has some seconds of it. ``make soak`` plays for ten minutes, ``SOAK_S=3600 make soak`` for an hour.
"""

import asyncio
import random
import signal
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.doses import amount
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.faults import Fault
from tests.wire.objects import CHANNEL_IDS
from tests.wire.people import Person
from tests.wire.playing import Door, doors, open_table, play_on, see_the_end

SOAK_S: Final = amount("SOAK_S", test=4)
IS_MEASURED: Final = SOAK_S > 4
"""Whether to check Discord's time limit for answers. Other tests at the same time would make answers late."""
TIME_TO_ANSWER_S: Final = 3.0
"""Discord's limit."""
TROUBLE_EVERY_S: Final = 2.0
KEPT_S: Final = 300.0
"""The test's Discord forgets messages and requests that are older than this."""
THOUGHT_S: Final = 0.03
"""The longest pause before a player moves."""
GAMES: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("pond", 2, {"players": 2, "rounds": 2}),
    ("pond", 3, {"players": 4, "rounds": 2, "computers": 1}),
    ("frogs", 2, {"preset": "big"}),
    ("frogs", 1, {"computers": 1}),
    ("pontis", 3, {"players": 3, "games": 2, "fake": "on", "liar": "on"}),
    ("pontis", 2, {"players": 2}),
    ("potblack", 4, {"deals": 5}),
    ("potblack", 1, {"form": "individual", "deals": 5, "computers": 3}),
)
"""The commands, the number of people and the options of each table."""
TABLES: Final = GAMES if IS_MEASURED else GAMES[1::4]
"""Short runs have two tables, with computers and without."""
MOST_GROWTH: Final = 1.2
"""Maximum ratio of the memory at the end to the memory after a warm-up."""


async def test_the_bot_stays_fast_and_small_over_a_long_run(tmp_path: Path) -> None:
    async with Discord(strict=False) as discord, running(discord.url, tmp_path / "tables.db") as bot:
        await discord.gateway.until_ready()
        until = time.monotonic() + SOAK_S
        evenings = [_play_all_evening(discord, number, until) for number in range(len(TABLES))]
        memory = asyncio.create_task(_watch_memory(bot, until))
        trouble = asyncio.create_task(_make_trouble(discord, until))
        played = await asyncio.gather(*evenings)
        await trouble
        used = await memory
        status, said = await bot.end(signal.SIGTERM)
    part = len(used) // 5
    before, after = statistics.median(used[part : 2 * part]), statistics.median(used[-part:])
    waits_s = discord.waits_s
    sys.stdout.write(
        f"\n{sum(played)} games, {len(waits_s)} first answers: median {1000 * statistics.median(waits_s):.1f} ms, the"
        f" longest {1000 * max(waits_s):.0f} ms; memory {before:.0f} MB, at the end {after:.0f} MB\n"
    )
    assert all(played)
    assert discord.unanswered == []
    assert max(waits_s) < TIME_TO_ANSWER_S or not IS_MEASURED
    assert after < MOST_GROWTH * before
    assert (status, said.count("ERROR"), said.count("Traceback")) == (0, 0, 0)


async def _play_all_evening(discord: Discord, number: int, until: float) -> int:
    """Play one game after another, each with new people and in another channel. Return the number of games."""
    group, how_many, options = TABLES[number]
    rng, games = random.Random(number), 0
    while time.monotonic() < until or not games:
        channel = (number + len(TABLES) * games) % len(CHANNEL_IDS)
        people = [Person(discord, name, channel) for name in ("Ann", "Ben", "Cat", "Dan")[:how_many]]
        _forget(discord, people[0].channel_id)
        await open_table(people, group, **options)
        await play_on(people, [partial(_after_a_thought, door) for door in doors(group)], rng)
        await see_the_end(people)
        games += 1
    return games


async def _after_a_thought(door: Door, person: Person, rng: random.Random) -> bool:
    await asyncio.sleep(THOUGHT_S * rng.random())
    return await door(person, rng)


def _forget(discord: Discord, channel_id: str) -> None:
    """Drop the channel's messages, and old direct messages and interactions."""
    old, backend = time.monotonic() - KEPT_S, discord.backend
    discord.interactions = {key: each for key, each in discord.interactions.items() if each.made_at > old}
    backend.interactions = {each.record.id: each.record for each in discord.interactions.values()}
    backend.messages[int(channel_id)].clear()
    old_at = backend.iso_after(-KEPT_S)
    for dm_id in backend.dm_channels.values():
        messages = backend.messages[dm_id]
        backend.messages[dm_id] = {key: each for key, each in messages.items() if each.timestamp > old_at}
    discord.requests.clear()


async def _make_trouble(discord: Discord, until: float) -> None:
    """From time to time, let an edit fail, or cut the gateway connection."""
    while time.monotonic() + TROUBLE_EVERY_S < until:
        await asyncio.sleep(TROUBLE_EVERY_S)
        discord.faults.append(Fault("PATCH messages"))
        await asyncio.sleep(TROUBLE_EVERY_S)
        await discord.gateway.drop(0)


async def _watch_memory(bot: BotProcess, until: float) -> list[float]:
    """Record the process's memory in megabytes every second, or more often in short runs."""
    seen: list[float] = []
    while time.monotonic() < until:
        seen.append(bot.memory_mb)
        await asyncio.sleep(min(1.0, SOAK_S / 60))
    return seen
