"""SimCord that settles exactly: it waits for the bot until nothing is left to do, and never for a clock.

SimCord polls its bot, and lets timers within the next five seconds run in real time. Here the event loop says when it
has nothing to run. Then threads and processes are waited for, and after them the simulated clock jumps to the next
timer of these five seconds.
"""

import asyncio
import contextlib
import copy
import marshal
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import simcord
from simcord._runtime import _CallbackRecord
from simcord._settlement import (
    _active_callbacks,
    _is_parked,
    _owned_tasks,
    _run_due_virtual_callbacks,
    _settle_timeout_message,
    _wakes_recognized_wait,
)

PATIENCE_S: Final = 120.0
"""Maximum real time for threads and processes until the bot has settled, on a busy machine."""


class ExactEnv(simcord.Env):
    """SimCord whose bot settles without polls and without real timers."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._woken: asyncio.Future[None] | None = None
        """The next wait of `_until_idle` or `_until_event`."""
        self._blocks = False
        self._outside: set[asyncio.Future[Any]] = set()
        """What the bot's threads, and through them its processes, are doing."""
        self._hooks = contextlib.ExitStack()

    async def start(self) -> None:
        """Start the bot, and watch its event loop until `shutdown`."""
        selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]  # no public way to watch a loop
        self._hooks.enter_context(patch.object(selector, "select", self._selecting(selector.select)))
        self._hooks.enter_context(patch("asyncio.wrap_future", self._wrapping(asyncio.wrap_future)))
        # SimCord looks for a callback in the list of all by comparing their fields.
        self._hooks.enter_context(patch.object(_CallbackRecord, "__eq__", object.__eq__))
        await super().start()

    async def shutdown(self) -> None:
        """Stop the bot."""
        with self._hooks:
            await super().shutdown()

    def _selecting(self, select: Any) -> Any:
        """Return a loop's ``select`` that notices when the loop has nothing to run."""

        def watched(timeout: float | None = None) -> Any:
            if self._woken is None or timeout == 0:
                return select(timeout)
            found = select(timeout if self._blocks else 0)
            if self._blocks or not found:
                self._woken.set_result(None)
                self._woken = None
            return found

        return watched

    def _wrapping(self, wrap_future: Any) -> Any:
        """Return an ``asyncio.wrap_future`` that counts what threads do."""

        def counted(future: Any, **options: Any) -> Any:
            wrapped = wrap_future(future, **options)
            self._outside.add(wrapped)
            wrapped.add_done_callback(self._outside.discard)
            return wrapped

        return counted

    async def _until_idle(self) -> None:
        """Let the loop run until nothing is ready."""
        self._blocks, self._woken = False, asyncio.get_running_loop().create_future()
        await self._woken

    async def _until_event(self, deadline: float) -> None:
        """Wait for a thread, or until the deadline."""
        loop = asyncio.get_running_loop()
        alarm = loop.call_at(deadline, lambda: None)
        self._blocks, self._woken = True, loop.create_future()
        await self._woken
        alarm.cancel()

    def _schedule_timer(self, record: Any, *args: Any) -> None:
        """Leave timers to the simulated clock alone."""

    async def _advance_to(self, target: float, deadline: float) -> None:
        await super()._advance_to(target, deadline + PATIENCE_S)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - as SimCord
        idle: float = 0,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        del idle, _deadline
        horizon = self._virtual_time + (self.settle_timeout if timeout is None else timeout)
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        self._last_dispatch = dispatch
        while True:
            await self._until_idle()
            if not self._work.executors and not self._outside:
                if self._runs_due() or (not self._advancing and self._jumps(horizon)):
                    continue
                if not self._stuck():
                    return
            if asyncio.get_running_loop().time() >= deadline:
                raise TimeoutError(self._why_stuck())
            await self._until_event(deadline)

    def _runs_due(self) -> bool:
        """Run the timers that are due, and return whether there were any."""
        state = self._settlement_state()
        is_due = any(each.when is not None and each.when <= self._virtual_time for each in _active_callbacks(state))
        if is_due:
            _run_due_virtual_callbacks(state, float("inf"))
        return is_due

    def _jumps(self, horizon: float) -> bool:
        """Move the clock to the bot's next timer up to the horizon, and return whether there was any.

        Intentional waits, such as the time until a view expires, only end in `advance_time`.
        """
        state = self._settlement_state()
        timers = [(each.when, each) for each in _active_callbacks(state) if each.when is not None]
        if all(_wakes_recognized_wait(state, each) for when, each in timers if when <= horizon):
            return False
        self._move_clock(min(when for when, _ in timers))
        return True

    def _stuck(self) -> list[asyncio.Task[Any]]:
        """Return the bot's tasks that wait for something unknown."""
        state = self._settlement_state()
        return [task for task in _owned_tasks(state) if not _is_parked(state, task, 0.0)]

    def _why_stuck(self) -> str:
        state = self._settlement_state()
        return _settle_timeout_message(state, self._stuck(), _owned_tasks(state), PATIENCE_S, _active_callbacks(state))


def json_copy(value: Any) -> Any:
    """Copy a value of JSON like `copy.deepcopy`, but faster."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - our own value
    except ValueError:  # it has a member of an enum, or a file
        return copy.deepcopy(value)


@contextlib.contextmanager
def fast_copies() -> Iterator[None]:
    """Let SimCord copy with `json_copy` what it sends and receives. That takes an eighth of the time otherwise."""
    with contextlib.ExitStack() as patches:
        for module in ("http.router", "gateway"):
            patches.enter_context(patch(f"simcord.{module}.copy", SimpleNamespace(deepcopy=json_copy)))
        for module in ("backend.serializers", "results", "components"):
            patches.enter_context(patch(f"simcord.{module}.deepcopy", json_copy))
        yield
