"""Work on a table's messages ends when another process or an answer shows the table."""

import asyncio
from types import SimpleNamespace
from typing import Any, Final

from bot.store.records import Kind
from bot.store.snapshot import Snapshot
from bot.ui.messages.drawings import Drawing
from bot.ui.messages.pace import Budget, Pace, Priority
from bot.ui.messages.plan import Desired, Wanted
from bot.ui.messages.reconciler import Lane, Reconciler
from bot.ui.messages.sightings import Sightings

BOARD: Final = Lane(1)
SERVERLESS: Any = SimpleNamespace(get_guild=lambda _: None)
"""A client that has no server in its cache."""
TABLE: Any = SimpleNamespace(id=1, place=SimpleNamespace(guild_id=7, channel_id=5))


class Collaborators:
    """All that a reconciler depends on: a table whose board isn't posted yet."""

    def __init__(self) -> None:
        self.messages = self
        self.is_owner = True
        self.executed = 0
        self.requested: list[int] = []
        self.drawn = asyncio.Event()

    async def snapshot(self, _table_id: int) -> Snapshot:
        """Return the table, which has no messages."""
        return Snapshot(TABLE)

    def holds(self, _guild_id: int | None) -> bool:
        """Whether this process has the lease."""
        return self.is_owner

    async def request(self, table_id: int, _guild_id: int | None) -> None:
        """Ask the other process to update the table's messages."""
        self.requested.append(table_id)

    async def draw(self, *_: object) -> Drawing:
        """Draw the board."""
        self.drawn.set()
        return Drawing(TABLE, None, Desired((Wanted(Kind.BOARD, "new"),)))

    async def execute(self, *_: object) -> tuple[()]:
        """Count the requests, and fail."""
        self.executed += 1
        raise ValueError


async def test_a_process_that_loses_its_lease_while_it_waits_posts_nothing() -> None:
    others = Collaborators()
    reconciler, budget = _reconciler(others)
    await budget.take(Priority.TURN)
    working = reconciler.request(BOARD)
    await others.drawn.wait()
    await asyncio.sleep(0.01)
    others.is_owner = False
    budget.release()
    await working
    assert others.executed == 0
    assert others.requested == [1]
    await reconciler.close()


async def test_nothing_is_posted_while_an_answer_shows_the_message() -> None:
    others = Collaborators()
    reconciler, budget = _reconciler(others)
    await budget.take(Priority.TURN)
    working = reconciler.request(BOARD)
    await others.drawn.wait()
    await asyncio.sleep(0.01)
    hold = reconciler.hold(BOARD)
    budget.release()
    await working
    assert others.executed == 0
    hold.release()
    await asyncio.wait({reconciler.request(BOARD)})
    assert others.executed == 1
    await reconciler.close()


def _reconciler(others: Any) -> tuple[Reconciler, Budget]:
    """Return a reconciler and its budget of one request."""
    budget = Budget(lambda: 1, 0.0)
    reconciler = Reconciler(
        client=SERVERLESS,
        tables=others,
        owner=others,
        drawings=others,
        executor=others,
        sightings=Sightings(lambda: 0.0),
        pace=Pace(budget),
        now=lambda: 0.0,
    )
    return reconciler, budget
