"""Four processes with ten shards and one database: killed at random and replaced, or upgraded one after the other.

``make fleet-trials KILLS=50`` kills more, with more tables.
"""

import asyncio
import os
import random
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.windows import most_within
from tests.wire.discord_server import GLOBAL_LIMIT, Discord
from tests.wire.fleet import PARTS, SHARDS, Fleet, fleet, open_tables, play_through
from tests.wire.people import Person
from tests.wire.playing import DOORS, boards, hands, see_the_end

IS_SMALL: Final = "KILLS" not in os.environ
KILLS: Final = int(os.environ.get("KILLS", "2"))
SEED: Final = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**6))
TABLES: Final = 3 if IS_SMALL else 10
UPGRADED: Final = PARTS[::2] if IS_SMALL else PARTS
DEADLINE_S: Final = 300.0
MOVES_A_KILL: Final = 8
"""The number of presses between two kills."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "tables.db"


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """A Discord with a server on each shard."""
    async with Discord(SHARDS, servers=SHARDS) as discord:
        yield discord


async def kill_at_random(processes: Fleet, rng: random.Random) -> None:
    """Kill processes and replace them, each after some presses."""
    discord = processes.discord
    for _ in range(KILLS):
        presses = len(discord.interactions) + rng.randrange(2 * MOVES_A_KILL)
        await discord.until(lambda presses=presses: len(discord.interactions) >= presses)  # type: ignore[misc]  # its default
        part = rng.randrange(len(PARTS))
        await processes.kill(part)
        await processes.start(part)


def check_limit(discord: Discord) -> None:
    """Check that no second had more requests than Discord allows, by its own clock."""
    most = most_within(GLOBAL_LIMIT[1], discord.arrived_at)
    sys.stdout.write(f"{len(discord.arrived_at)} counted requests, at most {most} in a second\n")
    assert most <= GLOBAL_LIMIT[0]


async def is_settled(people: list[Person], database: Path) -> None:
    """Check that the game was shown to its end, and that its log has no gap and no move twice."""
    await see_the_end(people)
    assert len(boards(people[0])) == 1
    assert [len(hands(person)) for person in people] == [1] * len(people)
    query = "SELECT ply FROM entries WHERE table_id = (SELECT max(id) FROM tables WHERE channel_id = ?) ORDER BY ply"
    with closing(sqlite3.connect(database)) as connection:
        plies = [ply for (ply,) in connection.execute(query, (int(people[0].channel_id),))]
    assert plies == list(range(len(plies)))


async def test_killed_processes_lose_double_and_block_nothing(discord: Discord, database: Path) -> None:
    rng = random.Random(SEED)
    sys.stdout.write(f"SEED={SEED}\n")
    async with fleet(discord, database) as processes:
        groups = await open_tables(discord, TABLES)
        async with asyncio.timeout(DEADLINE_S + 60 * KILLS), asyncio.TaskGroup() as tasks:
            for people in groups:
                tasks.create_task(play_through(people, DOORS, random.Random(rng.random())))
            tasks.create_task(kill_at_random(processes, rng))
        for people in groups:
            await is_settled(people, database)
    check_limit(discord)
    assert not any("ERROR" in said or "Traceback" in said for said in processes.said), processes.said


async def test_an_upgrade_of_each_process_in_turn_leaves_nothing_unanswered(discord: Discord, database: Path) -> None:
    rng = random.Random(SEED)
    async with fleet(discord, database) as processes:
        groups = await open_tables(discord, 2)
        async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as tasks:
            for people in groups:
                tasks.create_task(play_through(people, DOORS, random.Random(rng.random())))
            for shards in UPGRADED:
                await processes.replace(PARTS.index(shards))
        for people in groups:
            await is_settled(people, database)
    assert discord.unanswered == []
    assert all(each.answered.done() and not each.answered.cancelled() for each in discord.interactions.values())
    check_limit(discord)
    assert not any("ERROR" in said or "Traceback" in said for said in processes.said), processes.said
