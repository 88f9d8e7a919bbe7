"""Requests take turns in a channel, and share the slots of the whole bot. In virtual time."""

import asyncio
import time

from bot.ui.live.pace import HANDICAP_S, WINDOW_S, Budget, Priority, take_slot
from tests.virtual_time import run

REQUEST_S = 0.1


def now() -> float:
    """Return the virtual time."""
    return asyncio.get_running_loop().time()


async def request(budget: Budget, priority: Priority, served: list[str], name: str) -> None:
    """Make a request."""
    await budget.take(priority)
    served.append(name)
    await asyncio.sleep(REQUEST_S)
    budget.release()


async def used_up(slots: int = 4) -> Budget:
    """Return a budget whose slots are in use until a second from now."""
    budget = Budget(lambda: slots)
    for _ in range(slots):
        assert not await budget.take(Priority.OTHER)
        budget.release()
    return budget


def test_requests_within_the_slots_are_made_at_once() -> None:
    async def at_once() -> list[bool]:
        budget = Budget(lambda: 4)
        return [await budget.take(Priority.OTHER) for _ in range(4)]

    assert run(at_once()) == [False] * 4


def test_a_slot_is_free_a_second_after_the_answer() -> None:
    async def next_one() -> float:
        budget = Budget(lambda: 1)
        await budget.take(Priority.TURN)
        waiting = asyncio.create_task(budget.take(Priority.TURN))
        await asyncio.sleep(5)
        assert not waiting.done()
        budget.release()
        assert await waiting
        return now()

    assert run(next_one()) == 5 + WINDOW_S


def test_urgent_requests_go_first_while_the_budget_is_tight() -> None:
    async def in_order() -> list[str]:
        budget, served = await used_up(1), list[str]()
        async with asyncio.TaskGroup() as group:
            group.create_task(request(budget, Priority.OTHER, served, "hand"))
            group.create_task(request(budget, Priority.BOARD, served, "first board"))
            group.create_task(request(budget, Priority.BOARD, served, "second board"))
            group.create_task(request(budget, Priority.TURN, served, "ping"))
        return served

    assert run(in_order()) == ["ping", "first board", "second board", "hand"]


def test_urgent_requests_do_not_starve_the_others() -> None:
    async def in_order() -> list[str]:
        budget, served = await used_up(1), list[str]()
        async with asyncio.TaskGroup() as group:
            group.create_task(request(budget, Priority.OTHER, served, "old"))
            for number in range(12):
                group.create_task(request(budget, Priority.TURN, served, f"urgent {number}"))
                await asyncio.sleep(HANDICAP_S[Priority.OTHER] / 8)
        return served

    served = run(in_order())
    assert 5 < served.index("old") < 12


def test_thousands_of_waiting_requests_cost_no_time() -> None:
    async def wait() -> float:
        budget = await used_up(1)
        waiting = [asyncio.create_task(budget.take(Priority.OTHER)) for _ in range(5000)]
        await asyncio.sleep(WINDOW_S / 2)
        began = time.process_time()
        await asyncio.sleep(WINDOW_S / 4)
        for each in waiting:
            each.cancel()
        return time.process_time() - began

    assert run(wait()) < 1.0


def test_a_request_that_was_given_up_takes_no_slot() -> None:
    async def next_one() -> float:
        budget = await used_up(1)
        given_up = asyncio.create_task(budget.take(Priority.TURN))
        await asyncio.sleep(0)
        given_up.cancel()
        await budget.take(Priority.TURN)
        return now()

    assert run(next_one()) == WINDOW_S


def test_waiting_requests_are_served_when_there_are_more_slots() -> None:
    async def grow() -> int:
        slots = [0]
        budget = Budget(lambda: slots[0])
        waiting = [asyncio.create_task(budget.take(Priority.TURN)) for _ in range(3)]
        await asyncio.sleep(60)
        slots[0] = 2
        budget.wake()
        await asyncio.sleep(60)
        served = [each.done() for each in waiting].count(True)
        for each in waiting:
            each.cancel()
        return served

    assert run(grow()) == 2


def test_a_turn_makes_its_first_request_with_its_slot_and_each_further_one_with_another() -> None:
    async def in_turn(requests: int) -> int:
        budget = Budget(lambda: 5)
        async with budget.slot(1, "edit", Priority.BOARD):
            for _ in range(requests):
                await take_slot(budget)
                budget.release()
        return budget.in_use

    assert [run(in_turn(requests)) for requests in (0, 1, 2, 3)] == [1, 1, 2, 3]


def test_a_turn_does_not_hold_its_slot_while_it_waits_for_another() -> None:
    async def in_turn() -> float:
        budget = Budget(lambda: 1)
        async with budget.slot(1, "edit", Priority.BOARD):
            for _ in range(2):
                await take_slot(budget)
                budget.release()
        return now()

    assert run(in_turn()) == WINDOW_S


def test_tables_take_turns_in_a_channel() -> None:
    async def in_order() -> list[int]:
        pace, served = Budget(), list[int]()
        first_is_done = asyncio.Event()

        async def edit(table: int) -> None:
            async with pace.slot(5, "edit", Priority.BOARD) as had_to_wait:
                assert had_to_wait is (table > 1)
                served.append(table)
                if table == 1:
                    await first_is_done.wait()

        async with asyncio.TaskGroup() as group:
            for table in (1, 2, 3):
                group.create_task(edit(table))
                await asyncio.sleep(0)
            async with pace.slot(5, "post", Priority.TURN) as had_to_wait:  # another kind of request doesn't wait
                assert not had_to_wait
            async with pace.slot(6, "edit", Priority.BOARD) as had_to_wait:  # nor does another channel
                assert not had_to_wait
            first_is_done.set()
        return served

    assert run(in_order()) == [1, 2, 3]
