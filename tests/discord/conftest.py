"""A world for each test, and what must be true of all of them."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.discord.play import World, opened


@pytest.fixture
async def world(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[World]:
    """A server with the bot on it.

    At the end every interaction was acknowledged exactly once, every request was as Discord wants it, and no defect was
    logged, unless the test had broken something.
    """
    async with opened(tmp_path / "lilypad.db") as world:
        yield world
        assert world.audit() == []
    defects = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert world.was_broken or defects == []


@pytest.fixture
def no_rate_limit() -> Iterator[None]:
    """Let one user send as much as a test wants."""
    with patch("bot.ui.interactions.rate_limit.REFILL_PER_S", 1e9):
        yield
