"""An event loop in virtual time. The next callback is drawn from a seed, and a crash ends a bot at once."""

import asyncio
import heapq
import itertools
from asyncio.events import Handle
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context, ContextVar
from random import Random
from typing import Any, Final, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

run_of_bot: Final[ContextVar[int]] = ContextVar("run_of_bot", default=0)
"""The number of the bot's run to which a task or a callback belongs; 0 for people and Discord."""

_WINDOW: Final = 8
"""A callback overtakes at most this many others."""
_THREAD_S: Final = 0.02
"""Mean time that a thread takes."""

_numbers = itertools.count()


class _Future(asyncio.Future[Any]):
    """A future whose hash is its number: sets of them are iterated in the same order each time."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._number = next(_numbers)

    def __hash__(self) -> int:
        return self._number


class _Task(asyncio.Task[Any]):
    """A task whose hash is its number."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], *, context: Context | None = None, **options: Any) -> None:
        self._number = next(_numbers)
        self.run = run_of_bot.get() if context is None else context.get(run_of_bot, 0)
        options["context"] = context
        super().__init__(coroutine, **options)

    def __hash__(self) -> int:
        return self._number


class EveningLoop(asyncio.SelectorEventLoop):
    """Runs one callback at a time. Time jumps to the next timer when nothing is ready, and code takes no time.

    ``disorder`` is the probability that the next callback isn't the oldest one. Callbacks that belong to no task keep
    their order, as those of one task do.
    """

    def __init__(self, order: Random, disorder: float) -> None:
        super().__init__()
        self._order = order
        self._disorder = disorder
        self._now = 0.0
        self._dead: set[int] = set()
        self._kept: list[object] = []
        """What belongs to crashed bots. Nothing of it may be collected, as that would run its clean-up."""
        self._alarms: list[list[Any]] = []
        self.steps = 0
        self.errors: list[dict[str, Any]] = []
        """What was reported to the exception handler."""
        self.set_task_factory(_new_task)
        self.set_exception_handler(lambda _, context: self.errors.append(context))

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def create_future(self) -> asyncio.Future[Any]:
        """Return a future that is hashed by its number."""
        return _Future(loop=self)

    def call_soon_threadsafe(
        self, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> Handle:
        """Call it soon: there are no threads."""
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Run the function in the loop, after the time that a thread might take."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        self.call_later(self._order.expovariate(1 / _THREAD_S), _finish, future, func, args)
        return future

    def crash(self, run: int) -> None:
        """Let nothing of this run of the bot happen any more, without any clean-up."""
        self._dead.add(run)
        self._kept += self.tasks_of(run)

    def tasks_of(self, run: int) -> list[asyncio.Task[Any]]:
        """Return the tasks of a run of the bot that aren't done."""
        return [task for task in asyncio.all_tasks(self) if isinstance(task, _Task) and task.run == run]

    def after_steps(self, run: int, count: int, callback: Callable[[], object]) -> None:
        """Call it after so many more callbacks of this run of the bot: at any of its awaits."""
        self._alarms.append([run, count, callback])

    def is_dead(self, run: int) -> bool:
        """Whether this run of the bot has crashed."""
        return run in self._dead

    def cancel_alarms(self) -> None:
        """Call nothing any more that `after_steps` was to call."""
        self._alarms.clear()

    def _run_once(self) -> None:
        """Run one callback; asyncio calls this until the loop stops."""
        ready: deque[Handle] = self._ready  # type: ignore[attr-defined]  # asyncio's own queues
        timers: list[Any] = self._scheduled  # type: ignore[attr-defined]
        while not ready or (timers and timers[0]._when <= self._now):
            assert timers, "nothing can happen any more"
            timer = heapq.heappop(timers)
            timer._scheduled = False
            if timer._cancelled:
                continue
            if self._is_over(timer):
                self._kept.append(timer)
                continue
            self._now = max(self._now, timer._when)
            ready.append(timer)
        handle = self._next(ready)
        if self._is_over(handle):
            self._kept.append(handle)
        elif not handle._cancelled:
            self.steps += 1
            handle._run()
            if self._alarms:
                self._count(handle)

    def _count(self, handle: Handle) -> None:
        run = handle._context.get(run_of_bot)  # type: ignore[attr-defined]
        for alarm in self._alarms:
            alarm[1] -= alarm[0] == run
        due = [alarm for alarm in self._alarms if alarm[1] <= 0]
        self._alarms = [alarm for alarm in self._alarms if alarm[1] > 0]
        for _, _, callback in due:
            callback()

    def _is_over(self, handle: Handle) -> bool:
        return bool(self._dead) and handle._context.get(run_of_bot) in self._dead  # type: ignore[attr-defined]

    def _next(self, ready: deque[Handle]) -> Handle:
        if len(ready) == 1 or self._order.random() >= self._disorder:
            return ready.popleft()
        at = self._order.randrange(min(len(ready), _WINDOW))
        if _task_of(ready[at]) is None:
            at = next(number for number, handle in enumerate(ready) if _task_of(handle) is None)
        handle = ready[at]
        del ready[at]
        return handle


def _task_of(handle: Handle) -> asyncio.Task[Any] | None:
    owner = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    return owner if isinstance(owner, asyncio.Task) else None


def _new_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> _Task:
    return _Task(coroutine, loop=loop, **options)


def _finish(future: asyncio.Future[Any], func: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if future.cancelled():
        return
    try:
        future.set_result(func(*args))
    except Exception as error:  # noqa: BLE001 - raised in the caller
        future.set_exception(error)
