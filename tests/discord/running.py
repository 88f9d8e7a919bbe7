"""A world with a running bot, from its start to its end."""

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

from bot.store.sqlite.connection import connect
from tests.databases import existing_or_new
from tests.discord.env import fast_copies
from tests.discord.play import World


@contextlib.contextmanager
def quick_starts() -> Iterator[None]:
    """Start bots without translating their commands, which takes half of a start. The bot of tests/wire does that."""
    with patch("bot.running.client.Translator", return_value=None), fast_copies():
        yield


@contextlib.asynccontextmanager
async def running_world(database: Path, seed: int = 0) -> AsyncIterator[World]:
    """Create a world with a running bot. Shut it down at the end and raise the bot's errors."""
    world = World(existing_or_new(database), seed)
    with patch("bot.store.sqlite.connection.connect", _connect_without_sync), quick_starts():
        await world.start()
        try:
            yield world
        finally:
            await world.bot.close()
            await world.env.shutdown()
    world.env.raise_errors()


def _connect_without_sync(path: Path) -> sqlite3.Connection:
    """Connect to the database without waiting for the disk, as these tests don't cut the power."""
    connection = connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    return connection
