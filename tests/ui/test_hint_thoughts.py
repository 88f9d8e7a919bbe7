"""Which thoughts about hints are in progress, and which are kept."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.computer.thoughts import Thought
from bot.games.game import Observation
from bot.ui.actions.hint_thoughts import HintThoughts
from tests.games.frog_ponds import FROGS, opened
from tests.waiting import until

ANN, BEN = 1, 2


class Thinker:
    """Thinks until it may answer with the first legal move."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.begun: list[str] = []
        self.thinking: set[str] = set()

    async def explain(self, _game: str, observation: Observation, seed: str) -> Thought:
        """Think about the move."""
        self.begun.append(seed)
        self.thinking.add(seed)
        try:
            await self.may_answer.wait()
        finally:
            self.thinking.discard(seed)
        return Thought(observation.legal[0])


class Users:
    """Users who ask for hints, each time in a task of its own."""

    def __init__(self, kept: int) -> None:
        self.thinker = Thinker()
        self.thoughts = HintThoughts(self.thinker.explain, kept)
        self.tasks: list[asyncio.Task[Any]] = []

    def ask(self, user_id: int, seed: str) -> asyncio.Task[Thought | None]:
        """Ask for a hint. The result is ``None`` if the user has asked for another one since."""
        task = asyncio.create_task(self._ask(user_id, seed))
        self.tasks.append(task)
        return task

    async def _ask(self, user_id: int, seed: str) -> Thought | None:
        with self.thoughts.asked(user_id, seed, "frogs", FROGS.observe(opened(), 0), seed) as thinking:
            await asyncio.wait({thinking})
            return None if thinking.cancelled() else thinking.result()

    async def think_about(self, *seeds: str) -> None:
        """Wait until these are the thoughts in progress."""
        await until(lambda: self.thinker.thinking == set(seeds))


@pytest.fixture
async def users() -> AsyncIterator[Users]:
    """Users who ask for hints, of which the last two are kept."""
    users = Users(kept=2)
    yield users
    for task in users.tasks:
        task.cancel()
    await asyncio.gather(*users.tasks, return_exceptions=True)


async def test_a_user_has_one_thought_at_a_time(users: Users) -> None:
    first = users.ask(ANN, "table 1")
    await users.think_about("table 1")
    second = users.ask(ANN, "table 2")
    await users.think_about("table 2")
    assert await first is None
    users.ask(BEN, "table 3")
    await users.think_about("table 2", "table 3")
    users.thinker.may_answer.set()
    assert await second is not None


async def test_asking_again_joins_the_thought_in_progress(users: Users) -> None:
    first, second = users.ask(ANN, "table 1"), users.ask(ANN, "table 1")
    await users.think_about("table 1")
    users.thinker.may_answer.set()
    assert await first is await second is not None
    assert users.thinker.begun == ["table 1"]


async def test_a_thought_goes_on_until_the_last_who_waits_has_left(users: Users) -> None:
    first, second = users.ask(ANN, "table 1"), users.ask(ANN, "table 1")
    await users.think_about("table 1")
    first.cancel()
    await asyncio.wait({first})
    assert users.thinker.thinking == {"table 1"}
    second.cancel()
    await users.think_about()
    again = users.ask(ANN, "table 1")
    users.thinker.may_answer.set()
    assert await again is not None


async def test_the_last_thoughts_are_kept(users: Users) -> None:
    users.thinker.may_answer.set()
    for seed in ("table 1", "table 2", "table 3"):
        await users.ask(ANN, seed)
    assert await users.ask(ANN, "table 3") is await users.ask(ANN, "table 3")
    await users.ask(ANN, "table 2")
    assert users.thinker.begun == ["table 1", "table 2", "table 3"]
    await users.ask(ANN, "table 1")
    assert users.thinker.begun[3:] == ["table 1"]
