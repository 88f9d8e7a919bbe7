"""A dose of simulated evenings; one seed is one evening; a crash ends everything at once."""

import asyncio
import os
import random
import subprocess
import sys
from contextvars import Context
from pathlib import Path
from typing import Final

import pytest
from simcord.enums import ComponentType

from tests.doses import IS_COMPLETE, SEED, amount, dose
from tests.evenings.evening import Outcome
from tests.evenings.leaks import named
from tests.evenings.loop import EveningLoop, run_of_bot
from tests.evenings.shrinking import shrunk

ROOT: Final = Path(__file__).parents[2]
A_PART: Final = 20
PARTS: Final = max(1, amount("EVENINGS", test=20, full=1000) // A_PART)
FIRST: Final = int(SEED) if IS_COMPLETE and SEED.isdecimal() else 1
"""In `make test` the evenings are the same each time."""


def evenings(*arguments: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run evenings in a process of their own, as contributors do."""
    command = [sys.executable, "-m", "tests.evenings", *arguments]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own program


FOUND: Final = {
    20097: "a board that was deleted without a session stayed away, as a proxy answered the look for it",
    20106: "a question waited for nobody, as the last agreement was stored and its undo wasn't",
    20318: "a board offered what players could do without the absent, after an outage that counts for nobody",
    30167: "the same",
}
"""Evenings that have found faults of the program. Each has an ordinary test, too."""


def test_what_evenings_have_found_stays_mended() -> None:
    seeds = list(map(str, FOUND))[: dose(test=2, full=len(FOUND))]
    done = evenings("--seed", *seeds, "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(seeds)} evenings" in done.stdout


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_goes_wrong_in_simulated_evenings(part: int) -> None:
    first = str(FIRST + part * A_PART)
    done = evenings("--seed", first, "--count", str(A_PART), "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{A_PART} evenings from seed {first}, 0 failed" in done.stdout


def test_a_failing_evening_is_told_in_its_fewest_steps() -> None:
    keys = tuple(f"step {number}" for number in range(20))

    def run(left_out: object) -> Outcome:
        assert isinstance(left_out, frozenset)
        story = tuple(key for key in keys if key not in left_out)
        failures = ("it is wrong",) if {"step 3", "step 17"} <= set(story) else ()
        return Outcome("1", failures, story, "", keys)

    assert shrunk(run(frozenset()), (), run).story == ("step 3", "step 17")


def test_cards_are_found_wherever_a_message_names_them() -> None:
    parts: list[dict[str, object]] = [
        {"type": ComponentType.TEXT_DISPLAY, "content": "Cleo baits with 10♥\ufe0e."},
        {"type": ComponentType.BUTTON, "custom_id": "lily:play:1-2:3:play 9S", "label": "Play A♦"},
        {"type": ComponentType.STRING_SELECT, "options": [{"label": "two", "value": "sum 4CKC"}]},
        {"type": ComponentType.MEDIA_GALLERY, "items": [{"description": "Your hand: 2♠."}]},
    ]
    assert named(parts) == {"TH", "9S", "AD", "4C", "KC", "2S"}


@pytest.mark.parametrize("disorder", [0.0, 0.5])
def test_time_jumps_and_each_tasks_steps_keep_their_order(disorder: float) -> None:
    loop, done = EveningLoop(random.Random(1), disorder), list[tuple[str, int]]()

    async def counts(name: str) -> None:
        for number in range(20):
            done.append((name, number))
            await asyncio.sleep(0)
        await asyncio.sleep(1e6)

    async def both() -> None:
        await asyncio.gather(counts("a"), counts("b"))

    loop.run_until_complete(both())
    assert loop.time() == 1e6
    for name in ("a", "b"):
        assert [number for each, number in done if each == name] == list(range(20))
    assert (done == [each for number in range(20) for each in (("a", number), ("b", number))]) == (disorder == 0)
    loop.close()


def test_a_crash_ends_all_tasks_of_a_run_without_clean_up() -> None:
    loop, happened, ended = EveningLoop(random.Random(1), 0.0), list[str](), list[asyncio.Task[None]]()

    async def works() -> None:
        try:
            await asyncio.sleep(10)
            happened.append("it went on")
        finally:
            happened.append("it cleaned up")

    async def crashes() -> None:
        context = Context()
        context.run(run_of_bot.set, 1)
        kept = loop.create_task(works(), context=context)
        await asyncio.sleep(1)
        loop.crash(1)
        await asyncio.sleep(100)
        assert not kept.done()
        assert happened == []
        ended.append(kept)

    loop.run_until_complete(crashes())
    loop._dead.clear()  # so that the test leaves nothing behind
    ended[0].cancel()
    loop.run_until_complete(asyncio.wait(ended))
    loop.close()
