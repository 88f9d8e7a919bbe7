"""Fixtures: a world for each test, and computers that wait."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from bot.records.table import Receipt
from tests.discord.play import World
from tests.discord.running import running_world
from tests.logged import logged, secrets_in
from tests.world import NAMES


@pytest.fixture(autouse=True)
def _small_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two weak computers be the field of dailies: twenty of them keep the bot busy for seconds."""
    monkeypatch.setattr("bot.tables.events.FIELD", ("easy", "easy"))


@pytest.fixture
async def world(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[World]:
    """A server with the bot on it.

    At the end, check that every interaction was acknowledged exactly once, that every request was valid, and that no
    level of the log has secrets. Unless the test has made something fail, check also that no error was logged.
    """
    with logged() as lines:
        async with running_world(tmp_path / "lilypad.db") as world:
            yield world
            assert world.audit() == []
            seeds, cuts = world.secrets()
            assert secrets_in(lines, seeds, [*NAMES, *cuts]) == []
    errors = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert world.was_broken or errors == []


@pytest.fixture
def no_rate_limit() -> Iterator[None]:
    """Disable rate limiting."""
    with patch("bot.ui.interactions.rate_limit.REFILL_PER_S", 1e9):
        yield


@pytest.fixture
def computers_may_move(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Event]:
    """Make computers wait with their moves until this event is set. Answers don't wait for them."""
    event = asyncio.Event()
    play = world.tables.play_computer

    async def play_when_allowed(table_id: int, seat: int, text: str, *args: Any, **options: Any) -> Receipt:
        await world.env.external_wait(event.wait(), reason="the computers think")
        return await play(table_id, seat, text, *args, **options)

    monkeypatch.setattr(world.tables, "play_computer", play_when_allowed)
    monkeypatch.setattr("bot.ui.actions.table_actions.COMPUTERS_WITHIN_S", 0)
    yield event
    event.set()
