"""Cogs that look for what is due: after errors, and when a process takes over from another one."""

import logging
from datetime import datetime

import discord
import pytest

from bot.running.client import LilypadBot
from bot.running.regular_cog import RegularCog, WorkerCog
from cogs.ping_digests import EVERY_MIN, DigestCog
from tests.discord.play import World
from tests.waiting import until

_EVERY_MIN = 0.01
"""Loops that a test adds keep real time."""


class _Clumsy(RegularCog):
    """Fails when it looks for the first time."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "stumbling blocks", _EVERY_MIN)
        self.looks = 0

    async def look(self) -> None:
        self.looks += 1
        if self.looks == 1:
            raise KeyError("nothing was expected to be missing")


class _Watchful(WorkerCog):
    """Counts its looks."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "signs", 1000)
        self.looks = 0

    async def look(self) -> None:
        self.looks += 1

    async def work(self, number: int) -> None:
        raise AssertionError(number)


async def test_a_cog_goes_on_looking_after_an_unexpected_error(world: World, caplog: pytest.LogCaptureFixture) -> None:
    cog = _Clumsy(world.bot)
    await world.bot.add_cog(cog)
    await until(lambda: cog.looks > 0)
    await until(lambda: f"stumbling blocks: what is due can't be done; retrying in {_EVERY_MIN} min" in caplog.text)
    await until(lambda: cog.looks > 1)
    caplog.clear()  # the error was wanted


async def test_a_cog_looks_again_when_a_process_takes_over_twice_at_once(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    cog = _Watchful(world.bot)
    await world.bot.add_cog(cog)
    await until(lambda: cog.looks == 1)
    for listener in world.bot.leases.taken_listeners * 2:
        listener(world.bot.leases.held)
    await until(lambda: cog.looks > 1)
    await world.wait(60)
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_cogs_go_on_looking_after_the_clock_was_put_back(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    async def look(cog: DigestCog) -> None:
        looks.append(cog)

    def compute_timedelta(at: datetime) -> float:
        """Discord.py's own, by a clock that was put back: the given time seems to be further ahead."""
        return timedelta_of(at) + 24 * 3600

    timedelta_of = discord.utils.compute_timedelta
    monkeypatch.setattr(discord.utils, "compute_timedelta", compute_timedelta)
    monkeypatch.setattr(DigestCog, "look", look)
    for count in (1, 2, 3):
        await world.wait(60 * EVERY_MIN)
        assert len(looks) == count
