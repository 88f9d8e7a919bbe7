"""Computers that think in processes of their own."""

import asyncio
import multiprocessing
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot import computer
from bot.thinking.thinkers import NoThought, Thinkers
from bot.thinking.turns import shown_after_s
from bot.worker_processes import Worker, WorkerDied
from tests.games.frog_ponds import FROGS, opened
from tests.waiting import until


@pytest.fixture
async def thinkers() -> AsyncIterator[Thinkers]:
    """One process for thinking. All processes end with the test."""
    thinkers = Thinkers(1)
    yield thinkers
    thinkers.close()
    assert thinkers.pids == ()


async def kill(thinkers: Thinkers) -> None:
    """Kill the process once it has started."""
    await until(lambda: thinkers.pids)
    os.kill(thinkers.pids[0], signal.SIGKILL)


def observation() -> Any:
    """Return what Light sees at the first move of frogs."""
    return FROGS.observe(opened(), 0)


async def test_the_same_observation_gives_the_same_move_everywhere(thinkers: Thinkers) -> None:
    for seed in ("1 2 0", "1 3 0"):
        here = computer.choose("frogs", observation(), random.Random(seed), "fair")
        assert await thinkers.choose("frogs", observation(), seed, "fair") == here
    assert len(thinkers.pids) == 1


async def test_a_process_that_is_killed_while_it_thinks_is_replaced(thinkers: Thinkers) -> None:
    seen = observation()
    with pytest.raises(NoThought):
        await asyncio.gather(thinkers.choose("frogs", seen, "1", "strong"), kill(thinkers))
    assert await thinkers.choose("frogs", seen, "1", "fair") in seen.legal


async def test_an_idle_process_that_was_killed_costs_no_thought(thinkers: Thinkers) -> None:
    seen = observation()
    await thinkers.choose("frogs", seen, "1", "fair")
    (killed,) = thinkers.pids
    os.kill(killed, signal.SIGKILL)
    await until(lambda: not thinkers.pids)
    assert await thinkers.choose("frogs", seen, "1", "fair") in seen.legal
    assert killed not in thinkers.pids


async def test_a_thought_that_takes_too_long_or_fails_is_given_up() -> None:
    thinkers = Thinkers(1, limit_s=0.01)
    with pytest.raises(NoThought, match="TimeoutError"):
        await thinkers.choose("frogs", observation(), "1", "strong")
    thinkers.close()
    thinkers = Thinkers(1)
    with pytest.raises(NoThought, match="AttributeError"):
        await thinkers.choose("frogs", "no observation", "1", "fair")  # type: ignore[arg-type]
    thinkers.close()


async def test_nothing_is_thought_about_any_more_when_the_bot_stops() -> None:
    thinkers, seen = Thinkers(1), observation()
    thinkers.close()
    with pytest.raises(NoThought):
        await thinkers.choose("frogs", seen, "1", "fair")
    guess = await thinkers.explain("frogs", seen, "1")
    assert guess.move in seen.legal
    assert guess.is_guess
    assert guess.cause is not None


async def test_any_function_is_called_in_another_process_if_there_is_one(thinkers: Thinkers) -> None:
    assert await thinkers.run(os.getpid) in set(thinkers.pids)
    stopped = Thinkers(1)
    stopped.close()
    assert await stopped.run(os.getpid) == os.getpid()


async def test_a_move_does_not_wait_for_the_hints_in_the_queue(thinkers: Thinkers) -> None:
    seen = observation()
    hints = [asyncio.create_task(thinkers.explain("frogs", seen, f"hint {number}")) for number in range(4)]
    move = asyncio.create_task(thinkers.choose("frogs", seen, "1", "fair"))
    assert await move in seen.legal
    assert [hint.done() for hint in hints] == [True, False, False, False]
    for hint in hints[1:]:
        hint.cancel()
    await asyncio.wait(hints)


async def test_a_hint_that_is_cancelled_leaves_the_queue(thinkers: Thinkers) -> None:
    seen = observation()
    hints = [asyncio.create_task(thinkers.explain("frogs", seen, f"hint {number}")) for number in range(3)]
    await until(lambda: thinkers.pids)
    for hint in hints[:2]:
        hint.cancel()
    assert (await hints[2]).move in seen.legal
    assert [hint.cancelled() for hint in hints] == [True, True, False]


async def test_processes_end_when_they_are_idle() -> None:
    before = set(multiprocessing.active_children())
    thinkers = Thinkers(2, idle_s=0.01)
    await thinkers.choose("frogs", observation(), "1", "fair")
    await until(lambda: not thinkers.pids)
    assert set(multiprocessing.active_children()) <= before
    await thinkers.choose("frogs", observation(), "1", "fair")
    thinkers.close()


def test_memory_is_limited() -> None:
    worker = Worker("worker", 256 * 1024 * 1024)
    with pytest.raises(RuntimeError, match="MemoryError"):
        worker.run(bytes, 512 * 1024 * 1024)
    assert worker.run(len, "abc") == 3
    worker.end()
    with pytest.raises(WorkerDied):
        worker.run(time.sleep, 1)


@pytest.mark.parametrize(
    ("taken_s", "shown_s"), [(0.0, 2.0), (1.9, 2.0), (2.0, 2.0), (2.01, 3.0), (3.0, 3.0), (7.5, 8.0)]
)
def test_moves_are_shown_at_whole_seconds(taken_s: float, shown_s: float) -> None:
    assert shown_after_s(taken_s, 2.0, 1.0) == shown_s


def test_a_process_is_seen_running_while_the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker("test", 2**30)
    assert worker.run(len, "abc") == 3
    monkeypatch.setattr(time, "monotonic", lambda: 1.0)
    assert worker.pid is not None
    worker.end()
    assert worker.pid is None
