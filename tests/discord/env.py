"""SimCord for machines that are busy."""

import asyncio
import contextlib
import copy
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import simcord

PATIENCE: Final = 24
"""Multiple of SimCord's timeout of five seconds that the bot may take to settle on a busy machine."""
_POLL_S: Final = 0.01
"""Interval of polling the bot until it settles. More often, tests slow each other down; SimCord waits for 50 ms."""
_IMMUTABLE: Final = frozenset({str, int, float, bool, type(None)})


class PatientEnv(simcord.Env):
    """SimCord, polling the bot more often.

    It tolerates a busy machine by retrying. A longer timeout wouldn't do: SimCord waits for all timers due before it.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timers: list[Any] = []

    def _schedule_timer(self, record: Any, *args: Any) -> None:
        super()._schedule_timer(record, *args)
        self._timers.append(record)

    def _drop_cancelled_timers(self) -> None:
        """Cancel the real timers of cancelled ones.

        SimCord 3 keeps them until they are due and searches them whenever it settles. That takes half of a long game.
        """
        for record in self._timers:
            if record.handle is not None and record.handle.cancelled() and record.real_handle is not None:
                record.real_handle.cancel()
        now = asyncio.get_running_loop().time()
        pending = (each for each in self._timers if each.real_handle and not each.real_handle.cancelled())
        self._timers = [each for each in pending if each.real_handle.when() > now]

    async def _settle_internal(self, *, idle: float = _POLL_S, _deadline: float | None = None, **others: Any) -> None:
        self._drop_cancelled_timers()
        for left in reversed(range(PATIENCE)):
            try:
                await super()._settle_internal(idle=idle, **others)
            except TimeoutError:
                if not left:
                    raise
            else:
                return

    async def settle(self, timeout: float | None = None, idle: float = _POLL_S) -> None:  # noqa: ASYNC109 - as SimCord
        """Wait until the bot has done all it can do now."""
        await super().settle(timeout, idle)

    async def _advance_to(self, target: float, deadline: float) -> None:
        await super()._advance_to(target, deadline + PATIENCE * self.settle_timeout)


def json_copy(value: Any) -> Any:
    """Copy a value of JSON like `copy.deepcopy`, but faster."""
    kind = type(value)
    if kind is dict:
        return {key: json_copy(each) for key, each in value.items()}
    if kind is list:
        return [json_copy(each) for each in value]
    return value if kind in _IMMUTABLE else copy.deepcopy(value)


@contextlib.contextmanager
def fast_copies() -> Iterator[None]:
    """Let SimCord copy with `json_copy` what it sends and receives. That takes an eighth of the time otherwise."""
    with contextlib.ExitStack() as patches:
        for module in ("http.router", "gateway"):
            patches.enter_context(patch(f"simcord.{module}.copy", SimpleNamespace(deepcopy=json_copy)))
        for module in ("backend.serializers", "results", "components"):
            patches.enter_context(patch(f"simcord.{module}.deepcopy", json_copy))
        yield
