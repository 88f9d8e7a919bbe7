"""Thoughts for hints: at most one at a time for each user, so that nobody keeps all thinkers busy."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.computer.thoughts import Thought
from bot.games.game import Observation

KEPT: Final = 1000
"""Number of thoughts that are kept for players who ask again."""

Explain = Callable[[str, Observation, str], Awaitable[Thought]]
"""Thinks about the move for an observation of a game, with a seed: `bot.thinking.thinkers.Thinkers.explain`."""


class HintThoughts:
    """The users' thoughts in progress, and the last ones that have ended. A thought is named by its seed."""

    def __init__(self, explain: Explain, kept: int = KEPT) -> None:
        self._explain = explain
        self._kept = kept
        self._known: dict[str, Thought] = {}
        self._asked: dict[int, _Asked] = {}

    def known(self, seed: str) -> Thought | None:
        """Return a thought that has ended, if it is kept."""
        return self._known.get(seed)

    @contextmanager
    def asked(self, user_id: int, game: str, observation: Observation, seed: str) -> Iterator[asyncio.Task[Thought]]:
        """Give the user's thought: the one in progress, otherwise a new one, which cancels one with another seed.

        It is cancelled when nobody is in the context any more.
        """
        asked = self._asked.get(user_id)
        if asked is None or asked.seed != seed:
            if asked is not None:
                asked.task.cancel()
            asked = self._asked[user_id] = _Asked(seed, asyncio.create_task(self._think(game, observation, seed)))
        asked.waiting += 1
        try:
            yield asked.task
        finally:
            asked.waiting -= 1
            if not asked.waiting:
                asked.task.cancel()
                if self._asked.get(user_id) is asked:
                    del self._asked[user_id]

    async def _think(self, game: str, observation: Observation, seed: str) -> Thought:
        thought = self._known[seed] = await self._explain(game, observation, seed)
        if len(self._known) > self._kept:
            del self._known[next(iter(self._known))]
        return thought


class _Asked:
    """A thought in progress. ``waiting`` counts those who wait for it."""

    def __init__(self, seed: str, task: asyncio.Task[Thought]) -> None:
        self.seed = seed
        self.task = task
        self.waiting = 0
