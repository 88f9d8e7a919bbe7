"""Pauses after refusals grow, and only one try ends a pause that everybody shares."""

import asyncio

from bot.ui.live.failures import PAUSES_S, SHARED_PAUSES_S, TRY_S, Refusals
from tests.virtual_time import run


def test_pauses_grow_and_do_not_start_again_by_themselves() -> None:
    async def waits() -> list[float]:
        refusals, seen = Refusals(), []
        for _ in range(len(PAUSES_S) + 1):
            refusals.note("a board")
            seen.append(refusals.wait_s("a board"))
            await asyncio.sleep(seen[-1])
        return seen

    assert run(waits()) == [*PAUSES_S, PAUSES_S[-1]]


def test_refusals_at_the_same_time_count_once() -> None:
    async def wait() -> float:
        refusals = Refusals()
        for _ in range(9):
            refusals.note("all", is_shared=True)
        return refusals.wait_s("all")

    assert run(wait()) == SHARED_PAUSES_S[0]


def test_after_a_shared_pause_one_tries_and_the_others_wait_for_it() -> None:
    async def waits() -> list[float]:
        refusals = Refusals()
        refusals.note("all", is_shared=True)
        await asyncio.sleep(SHARED_PAUSES_S[0])
        seen = [refusals.share_s("all"), refusals.share_s("all")]
        refusals.note("all", is_shared=True)
        seen.append(refusals.share_s("all"))
        refusals.lift("all")
        return [*seen, refusals.share_s("all"), refusals.share_s("all")]

    assert run(waits()) == [0, TRY_S, SHARED_PAUSES_S[1], 0, 0]
