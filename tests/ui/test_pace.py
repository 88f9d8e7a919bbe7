"""Requests take turns in a channel, and share the budget of the whole bot."""

import asyncio

import pytest

from bot.ui.messages.pace import Budget, Pace, Priority


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
