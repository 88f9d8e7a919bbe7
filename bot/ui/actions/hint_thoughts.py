"""Thoughts for hints and reviews: at most one at a time for each user, so that nobody keeps all thinkers busy."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Generic, NamedTuple, ParamSpec, TypeVar

from bot.computer.thoughts import Recalled, Thought, Verdict
from bot.errors import NotAllowed
from bot.games.game import Move, Observation, Seat
from bot.records.table import Table
from bot.tables.replays import Decision
from bot.ui.posts.recent import Recent

KEPT: Final = 1000
"""How many thoughts are kept for players who ask again."""

_MOST: Final = 3
"""Decisions that a review shows."""
_REVIEWS_KEPT: Final = 200
_MAX_DECISIONS: Final = 500
_LONGEST_S: Final = 800.0
"""The longest wait for a review: Discord takes the answer to a press for 15 minutes."""
FORCED: Final = 1e6
"""Stands for the loss of a forced win. A move that loses by force costs twice as much."""

P = ParamSpec("P")
T = TypeVar("T")


class HintThoughts(Generic[P, T]):
    """The users' thoughts in progress, and the last ones that have ended. A thought is named by its seed.

    ``think`` gets the arguments of `asked`.
    """

    def __init__(self, think: Callable[P, Awaitable[T]], kept: int = KEPT) -> None:
        self._think = think
        self._known = Recent[str, T](kept)
        self._asked: dict[int, _Asked[T]] = {}

    @contextmanager
    def asked(self, user_id: int, name: str, *args: P.args, **kwargs: P.kwargs) -> Iterator[asyncio.Future[T]]:
        """Give a thought that is kept, otherwise the user's: the one in progress, or a new one that cancels another.

        It is cancelled when nobody is in the context any more.
        """
        if name in self._known:
            ended: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            ended.set_result(self._known[name])
            yield ended
            return
        asked = self._asked.get(user_id)
        if asked is None or asked.name != name:
            if asked is not None:
                asked.task.cancel()
            task = asyncio.create_task(self._keep(name, *args, **kwargs))
            asked = self._asked[user_id] = _Asked(name, task)
        asked.waiting += 1
        try:
            yield asked.task
        finally:
            asked.waiting -= 1
            if not asked.waiting:
                asked.task.cancel()
                if self._asked.get(user_id) is asked:
                    del self._asked[user_id]

    async def _keep(self, name: str, *args: P.args, **kwargs: P.kwargs) -> T:
        thought = self._known[name] = await self._think(*args, **kwargs)
        return thought


class _Asked(Generic[T]):
    """A thought in progress. ``waiting`` counts those who wait for it."""

    def __init__(self, name: str, task: asyncio.Task[T]) -> None:
        self.name = name
        self.task = task
        self.waiting = 0


Hints = HintThoughts[[str, Observation, str], Thought]
"""Thoughts about the move for an observation of a game, with a seed: `bot.thinking.thinkers.Thinkers.explain`."""
Recollections = HintThoughts[[str, Observation, Move, str, str], Recalled]
"""Thoughts about how computers came to moves: `bot.thinking.thinkers.Thinkers.recall`."""


# ---- reviews


Judge = Callable[[str, Observation, Move, str], Awaitable[Verdict]]
"""Returns the best move and by how much the played one is worse: `bot.thinking.thinkers.Thinkers.judge`."""
Progress = Callable[[int, int], Awaitable[None]]


class Mistake(NamedTuple):
    """A decision, the better move, and the loss as in `Rated`."""

    decision: Decision
    best: Move
    worse_by: float | None

    @property
    def loss(self) -> float:
        """The loss, comparable: a forced loss is the worst, a missed forced win the next."""
        return FORCED if self.worse_by is None else min(self.worse_by, 2 * FORCED)


class Review(NamedTuple):
    """The dearest mistakes in the order of the game, the number of decisions, and how many were as good as any."""

    mistakes: tuple[Mistake, ...]
    decided: int
    good: int = 0


class _Running(NamedTuple):
    """A review in progress, and those who wait for it."""

    key: tuple[int, int, Seat]
    task: asyncio.Task[Review]
    listeners: list[Progress]


class Reviews:
    """Thinks about the decisions of players, one at a time for each, and keeps the latest reviews.

    Who asks for the same review again meanwhile waits for it as well.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known = Recent[tuple[int, int, Seat], Review](_REVIEWS_KEPT)
        self._running: dict[int, _Running] = {}

    async def of(  # noqa: PLR0913 - what is reviewed, for whom, and how much of it is shown
        self,
        table: Table,
        user_id: int,
        seat: Seat,
        decisions: Sequence[Decision],
        progress: Progress,
        *,
        dear: float,
    ) -> Review:
        """Return the review, which shows decisions that lost at least ``dear``.

        Raises `NotAllowed` while another one of the user is under way, and `TimeoutError` if it takes so long that
        nobody could be answered any more. It goes on then.
        """
        key = table.id, table.version, seat
        if key in self._known:
            return self._known[key]
        running = self._running.get(user_id)
        if running is not None and running.key != key:
            raise NotAllowed("I'm still thinking about your last review.")
        if running is None:
            listeners: list[Progress] = []
            thinking = self._keep(user_id, key, self._think(table, seat, decisions[-_MAX_DECISIONS:], listeners, dear))
            running = self._running[user_id] = _Running(key, asyncio.create_task(thinking), listeners)
        running.listeners.append(progress)
        try:
            async with asyncio.timeout(_LONGEST_S):
                return await asyncio.shield(running.task)
        except asyncio.CancelledError:
            running.task.cancel()
            raise
        finally:
            running.listeners.remove(progress)

    async def _keep(self, user_id: int, key: tuple[int, int, Seat], thinking: Coroutine[Any, Any, Review]) -> Review:
        try:
            review = self._known[key] = await thinking
        finally:
            del self._running[user_id]
        return review

    async def _think(
        self, table: Table, seat: Seat, decisions: Sequence[Decision], listeners: Sequence[Progress], dear: float
    ) -> Review:
        found: list[Mistake] = []
        for number, decision in enumerate(decisions):
            for progress in [*listeners]:
                await progress(number, len(decisions))
            # The seed is made of public values only, so that two reviews are equal.
            seed = f"review {table.id} {decision.ply} {seat}"
            verdict = await self._judge(table.game, decision.observation, decision.played, seed)
            if verdict.worse_by != 0:
                found.append(Mistake(decision, verdict.best, verdict.worse_by))
        shown = [mistake for mistake in found if mistake.loss >= dear]
        dearest = sorted(shown, key=lambda mistake: -mistake.loss)[:_MOST]
        in_order = tuple(sorted(dearest, key=lambda mistake: mistake.decision.ply))
        return Review(in_order, len(decisions), len(decisions) - len(found))
