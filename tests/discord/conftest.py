"""A world for each test, and what must be true of all of them."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

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
