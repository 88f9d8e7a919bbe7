"""Many tables in one channel, under Discord's limit of edits there, in virtual time."""

import asyncio
import random
import statistics
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import pytest

from bot.records.live_message import Kind, LiveMessage, Stage
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.plan import Desired, Edit, Seen, Wanted, plan
from bot.ui.live.workers import Workers
from tests.virtual_time import run

TABLES: Final = 30
MOVES_FOR_S: Final = 180
MAX_EDITS, WINDOW_S = 5, 5.0
REQUEST_S: Final = 0.2


class Channel:
    """A channel of Discord that takes a number of edits in a window; further ones wait, as in discord.py."""

    def __init__(self) -> None:
        self._edits: deque[float] = deque(maxlen=MAX_EDITS)

    async def edit(self) -> None:
        """Edit a message."""
        now = asyncio.get_running_loop().time()
        if len(self._edits) == MAX_EDITS and (wait_s := self._edits[0] + WINDOW_S - now) > 0:
            await asyncio.sleep(wait_s)
        self._edits.append(asyncio.get_running_loop().time())
        await asyncio.sleep(REQUEST_S)


@dataclass
class Evening:
    """Tables whose boards are in one channel. Their states are numbers."""

    budget: Budget
    channel: Channel = field(default_factory=Channel)
    states: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(TABLES), 0))
    shown: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(TABLES), 0))
    waiting: list[tuple[int, int, float]] = field(default_factory=list)
    """Moves whose boards don't show them yet: table, state and time."""
    delays_s: list[float] = field(default_factory=list)

    def move(self, table: int, boards: Workers[int]) -> None:
        """Make a move at the table."""
        self.states[table] += 1
        self.waiting.append((table, self.states[table], asyncio.get_running_loop().time()))
        boards.request(table)

    async def show(self, table: int) -> None:
        """Bring the board of the table up to date, as `bot.ui.live.reconciler` does."""
        while self._edits(table):
            async with self.budget.slot(1, "edit", Priority.BOARD):
                drawn = self.states[table]
                await self.channel.edit()
            self.shown[table] = drawn
            self._note(table)

    def _edits(self, table: int) -> bool:
        live = LiveMessage(
            subject_id=table,
            kind=Kind.BOARD,
            user_id=None,
            channel_id=1,
            nonce=table + 1,
            version=self.shown[table],
            posted_at=0.0,
            content=str(self.shown[table]),
            message_id=100 + table,
            stage=Stage.LIVE,
            id=table + 1,
        )
        desired = Desired((Wanted(Kind.BOARD, str(self.states[table])),))
        actions = plan(desired, (live,), Seen(now=0.0, last_foreign_id=0))
        assert all(isinstance(action, Edit) for action in actions), "a board was buried by the bot's own messages"
        return bool(actions)

    def _note(self, table: int) -> None:
        now = asyncio.get_running_loop().time()
        done = [each for each in self.waiting if each[0] == table and each[1] <= self.shown[table]]
        self.delays_s += [now - at for _, _, at in done]
        self.waiting = [each for each in self.waiting if each not in done]


async def play(moves_per_s: float) -> tuple[list[float], float]:
    """Play for a while. Return the delay of each move until its board showed it, and that of the last state of all."""
    evening, rng = Evening(Budget()), random.Random(1)
    boards = Workers[int]("the boards", evening.show)
    for _ in range(int(MOVES_FOR_S * moves_per_s)):
        evening.move(rng.randrange(TABLES), boards)
        await asyncio.sleep(1 / moves_per_s)
    last = asyncio.get_running_loop().time()
    await asyncio.gather(*(boards.request(table) for table in range(TABLES)))
    assert evening.shown == evening.states
    assert not evening.waiting
    return evening.delays_s, asyncio.get_running_loop().time() - last


def test_half_of_what_the_limit_allows_is_shown_at_once() -> None:
    delays_s, _ = run(play(0.5))
    assert statistics.median(delays_s) <= 3


@pytest.mark.parametrize("moves_per_s", [2.0, 5.0])
def test_no_board_falls_behind_above_the_limit(moves_per_s: float) -> None:
    delays_s, last_s = run(play(moves_per_s))
    assert max(delays_s) <= 40
    assert last_s <= 30
