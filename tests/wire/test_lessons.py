"""A walker through the lessons over the wire: it tries wrong and illegal moves, and the bot is killed between steps.

``make all-tests`` tries every legal move and ten illegal ones at every step, and kills the bot between any two steps.
"""

import contextlib
import random
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from bot.tables.lessons import Lesson, sight
from bot.ui.messages.lesson_pages import LESSON, RETRY
from bot.ui.posts.custom_id import Press, custom_id
from tests.doses import IS_COMPLETE
from tests.ui.test_lessons import ILLEGAL, lesson_of
from tests.wire.bot_process import BotProcess, running
from tests.wire.discord_server import Discord
from tests.wire.objects import Message
from tests.wire.people import Person, Press as PressOf, button, presses

GROUPS: Final = {"pond": "pond", "frogs": "frogs", "pontis": "pontis", "pot_black": "potblack"}
ILLEGAL_ONES: Final = 10


class Walker:
    """Somebody who takes lessons while the bot is killed now and then."""

    def __init__(self, discord: Discord, database: Path) -> None:
        self.ann = Person(discord, "Ann")
        self._discord = discord
        self._database = database
        self._bots = contextlib.AsyncExitStack()
        self._bot: BotProcess | None = None

    async def starts_the_bot(self) -> None:
        """Start a bot, after the one that is running has been killed."""
        if self._bot is not None:
            await self._bot.end(signal.SIGKILL)
            await self._discord.gateway.until_lost()
        self._bot = await self._bots.enter_async_context(running(self._discord.url, self._database))
        await self._discord.gateway.until_ready()

    async def ends(self) -> None:
        """Kill the bots that are still running."""
        await self._bots.aclose()

    async def opens(self, key: str) -> Message:
        """Type the command."""
        page = (await self.ann.type(f"{GROUPS[key]} learn")).original
        assert page is not None
        return page

    async def makes(self, page: Message, key: str, move: str) -> None:
        """Make a move with what the page offers, in two presses if it takes two."""
        first, *_rest = move.split()
        parts = (move.split()[1], move) if first == "move" else (move,)
        for part in parts:
            await self._presses(page, f"{key} {part}")

    async def _presses(self, page: Message, wanted: str) -> None:
        await self._discord.until(lambda: _offered(page, wanted))
        pressed = _offered(page, wanted)
        assert pressed is not None
        await self.ann.press(page, *pressed)

    async def is_at(self, page: Message, lesson: Lesson, number: int) -> None:
        """Wait until the page shows a step. On a busy machine, it follows a deferral."""
        await self._discord.until(lambda: f"{number + 1} of {len(lesson.steps)}" in page.text)

    async def forges(self, page: Message, key: str, number: int, move: str) -> None:
        """Make a move that isn't offered."""
        await self.ann.press(page, custom_id("lesson", 0, number, f"{key} {move}"))


def _offered(page: Message, wanted: str) -> PressOf | None:
    """Return what makes a move on a page: the game and the move, or a part of it."""
    for pressed, value in presses(page):
        press = Press.parse(pressed)
        if press is None or press.verb not in {LESSON, RETRY}:
            continue
        if wanted == (f"{press.menu_argument} {value}" if value else press.argument):
            return pressed, value
    return None


@pytest.fixture
async def walker(tmp_path: Path) -> AsyncIterator[Walker]:
    """A walker. At the end, everything must be answered, without errors."""
    async with Discord() as discord:
        walker = Walker(discord, tmp_path / "tables.db")
        await walker.starts_the_bot()
        yield walker
        await walker.ends()
        assert discord.refused == []
        assert discord.unanswered == []
        assert all("Something went wrong" not in message.text for message in walker.ann.seen)


def some(moves: Sequence[str], rng: random.Random, most: int) -> Sequence[str]:
    """Return the moves that are tried: all, or one in the ordinary suite."""
    return rng.sample(moves, min(len(moves), most if IS_COMPLETE else 1))


def wrong(lesson: Lesson, number: int) -> list[str]:
    """Return the legal moves at a step that aren't taught."""
    legal = [str(move) for move in sight(lesson, number, "Ann").observation.legal]
    return [move for move in legal if move != lesson.steps[number].move]


async def test_no_move_and_no_kill_stops_a_learner(walker: Walker) -> None:
    rng = random.Random(1)
    killed = {key: range(20) if IS_COMPLETE else () for key in GROUPS} | ({} if IS_COMPLETE else {"pontis": (3,)})
    for key in GROUPS:
        lesson, page = lesson_of(key), await walker.opens(key)
        for number, step in enumerate(lesson.steps[:-1]):
            await walker.is_at(page, lesson, number)
            for move in some(wrong(lesson, number), rng, 99):
                await walker.makes(page, key, move)
                await walker.is_at(page, lesson, number)
            illegal = [move for move in ILLEGAL if move and move not in {step.move, "next"}]
            for move in some(illegal, rng, ILLEGAL_ONES):
                await walker.forges(page, key, number, move)
                await walker.is_at(page, lesson, number)
            if number in killed[key]:
                await walker.starts_the_bot()
            await walker.makes(page, key, step.move)
        await walker.is_at(page, lesson, lesson.last)
        assert button(page, "Play a game (easy)")
