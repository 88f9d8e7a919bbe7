"""Requests take turns in a channel, and share the budget of the whole bot."""

import asyncio
import time

import pytest

from bot.ui.messages.pace import HANDICAP_S, Budget, Pace, Priority


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> Budget:
    """One request a millisecond, four of them at once."""
    return Budget(1000, 4, clock)


async def test_requests_within_the_budget_are_made_at_once(budget: Budget) -> None:
    assert [await budget.spend(Priority.OTHER) for _ in range(4)] == [False] * 4


async def test_a_clock_that_goes_back_uses_nothing_up(budget: Budget, clock: Clock) -> None:
    clock.now -= 60
    assert [await budget.spend(Priority.OTHER) for _ in range(4)] == [False] * 4


async def test_urgent_requests_go_first_while_the_budget_is_tight(budget: Budget, clock: Clock) -> None:
    served: list[str] = []

    async def request(name: str, priority: Priority) -> None:
        assert await budget.spend(priority)
        served.append(name)

    for _ in range(4):
        await budget.spend(Priority.OTHER)
    async with asyncio.TaskGroup() as group:
        group.create_task(request("hand", Priority.OTHER))
        group.create_task(request("first board", Priority.BOARD))
        group.create_task(request("second board", Priority.BOARD))
        group.create_task(request("ping", Priority.TURN))
        await asyncio.sleep(0)
        clock.now += 1
    assert served == ["ping", "first board", "second board", "hand"]


async def test_urgent_requests_do_not_starve_the_others(budget: Budget, clock: Clock) -> None:
    for _ in range(4):
        await budget.spend(Priority.OTHER)
    old = asyncio.create_task(budget.spend(Priority.OTHER))
    await asyncio.sleep(0)
    clock.now += HANDICAP_S[Priority.OTHER]
    urgent = [asyncio.create_task(budget.spend(Priority.TURN)) for _ in range(9)]
    async with asyncio.timeout(1):
        await old
    assert [each.done() for each in urgent].count(True) == 3
    for each in urgent:
        each.cancel()


async def test_thousands_of_waiting_requests_cost_no_time(budget: Budget) -> None:
    for _ in range(4):
        await budget.spend(Priority.OTHER)
    waiting = [asyncio.create_task(budget.spend(Priority.OTHER)) for _ in range(5000)]
    await asyncio.sleep(0.01)
    began = time.process_time()
    await asyncio.sleep(0.5)
    assert time.process_time() - began < 0.25
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_request_that_was_given_up_costs_nothing(budget: Budget, clock: Clock) -> None:
    for _ in range(4):
        await budget.spend(Priority.OTHER)
    given_up = asyncio.create_task(budget.spend(Priority.TURN))
    await asyncio.sleep(0)
    given_up.cancel()
    waiting = asyncio.create_task(budget.spend(Priority.OTHER))
    await asyncio.sleep(0)
    clock.now += 0.001
    assert await waiting


async def test_tables_take_turns_in_a_channel(clock: Clock) -> None:
    pace, served = Pace(Budget(clock=clock)), list[int]()
    first_is_done = asyncio.Event()

    async def edit(table: int) -> None:
        async with pace.turn(5, "edit", Priority.BOARD) as had_to_wait:
            assert had_to_wait is (table > 1)
            served.append(table)
            if table == 1:
                await first_is_done.wait()

    async with asyncio.TaskGroup() as group:
        for table in (1, 2, 3):
            group.create_task(edit(table))
            await asyncio.sleep(0)
        async with pace.turn(5, "post", Priority.TURN) as had_to_wait:  # another kind of request doesn't wait
            assert not had_to_wait
        async with pace.turn(6, "edit", Priority.BOARD) as had_to_wait:  # nor does another channel
            assert not had_to_wait
        first_is_done.set()
    assert served == [1, 2, 3]
