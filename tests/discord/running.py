"""A world with a running bot, from its start to its end."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

from tests.databases import existing_or_new, without_sync
from tests.discord.env import fast_copies
from tests.discord.play import World
from tests.inline_sqlite import inline_sqlite


@contextlib.contextmanager
def quick_starts() -> Iterator[None]:
    """Start bots without translating their commands, which takes half of a start. The bot of tests/wire does that.

    Their databases have no threads.
    """
    with patch("bot.running.client.Translator", return_value=None), fast_copies(), inline_sqlite():
        yield


@contextlib.asynccontextmanager
async def running_world(database: Path, seed: int = 0) -> AsyncIterator[World]:
    """Create a world with a running bot. Shut it down at the end and raise the bot's errors."""
    world = World(existing_or_new(database), seed)
    with without_sync(), quick_starts():
        await world.start()
        try:
            yield world
        finally:
            await world.bot.close()
            await world.env.shutdown()
    world.env.raise_errors()
