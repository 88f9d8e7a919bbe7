"""Work on a table's messages ends when another process shows the table, and repeats what was refused."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, Final

import discord
import pytest
from msgspec.structs import replace

from bot.records.live_message import Kind, LiveMessage, Snapshot, Stage
from bot.ui.live.lanes import Drawing, Lane, Recorded
from bot.ui.live.pace import Budget, Priority
from bot.ui.live.plan import Action, Desired, Edit, Remove, Wanted
from bot.ui.live.reconciler import MAX_ACTIONS, Reconciler
from bot.ui.live.sightings import Sightings
from bot.ui.posts.discord_errors import Code

BOARD: Final = Lane(1)
REFUSED: Any = SimpleNamespace(status=403, reason="Forbidden", headers={})
"""A response that refuses a request."""
SERVERLESS: Any = SimpleNamespace(get_guild=lambda _: None)
"""A client that has no server in its cache."""
TABLE: Any = SimpleNamespace(id=1, version=0, sitters=(), place=SimpleNamespace(guild_id=7, channel_id=5))


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

    async def draw(self, *_: object, **_how: bool) -> Drawing:
        """Draw the board."""
        self.drawn.set()
        return Drawing(TABLE, None, Desired((Wanted(Kind.BOARD, "new"),)))

    async def note_closed(self, *_: object) -> None:
        """Nobody's direct messages are closed."""

    def is_free(self, _action: Action, _table_id: int) -> bool:
        """Nobody has pressed the board."""
        return False

    def is_pressed(self, _message: LiveMessage) -> bool:
        """Nobody has pressed the board."""
        return False

    async def execute(self, _action: Action, _drawing: Drawing, _recorded: Recorded) -> Recorded:
        """Count the requests, and fail."""
        self.executed += 1
        raise ValueError


async def test_a_process_that_loses_its_lease_while_it_waits_posts_nothing() -> None:
    others = Collaborators()
    reconciler, budget, working = await _waiting(others)
    others.is_owner = False
    budget.release()
    await working
    assert others.executed == 0
    assert others.requested == [1]
    await reconciler.close()


class LateRefusal(Collaborators):
    """A table whose board is refused once. Meanwhile, something may change."""

    def __init__(self) -> None:
        super().__init__()
        self.troubles: dict[int, object] = {}
        self.asked, self.answered = asyncio.Event(), asyncio.Event()

    async def execute(self, _action: Action, _drawing: Drawing, recorded: Recorded) -> Recorded:
        """Be refused, and post it the second time."""
        self.executed += 1
        self.asked.set()
        await self.answered.wait()
        if self.executed == 1:
            raise discord.Forbidden(REFUSED, {"code": Code.MISSING_ACCESS, "message": "Missing Access"})
        return (*recorded, LiveMessage(1, Kind.BOARD, None, 5, 1, 0, 0.0, "new", message_id=1, stage=Stage.LIVE, id=1))


@pytest.mark.parametrize("guild_id", [7, 8])
async def test_a_refusal_that_comes_after_a_change_on_the_server_is_not_believed(guild_id: int) -> None:
    others = LateRefusal()
    reconciler, _ = _reconciler(others)
    working = reconciler.request(BOARD)
    await others.asked.wait()
    reconciler.note_change(guild_id=guild_id)  # a moderator gives the bot its permissions back
    others.answered.set()
    await working
    assert others.executed == (2 if guild_id == 7 else 1)
    assert bool(reconciler.refused_tables()) == (guild_id != 7)
    await reconciler.close()


class FastTable(Collaborators):
    """A table that moves on during each wait for a request, and has an old board to remove."""

    def __init__(self) -> None:
        super().__init__()
        self.moves_on: Callable[[Lane], object] = id
        self.version = 0
        self.shown: list[str] = []
        self.is_tight = False
        self.troubles: dict[int, object] = {}

    async def snapshot(self, _table_id: int) -> Snapshot:
        """Return the table with the old board and the present one."""
        old = LiveMessage(1, Kind.BOARD, None, 5, 1, 0, 0.0, "0", message_id=1, stage=Stage.RETIRING, id=1)
        return Snapshot(TABLE, (old, replace(old, message_id=2, stage=Stage.LIVE, id=2)))

    async def draw(self, *_: object, **_how: bool) -> Drawing:
        """Draw the newest board."""
        self.version = min(self.version + 1, 2 * MAX_ACTIONS)
        content = str(self.version)
        table: Any = SimpleNamespace(id=1, version=self.version, sitters=(), place=TABLE.place)
        return Drawing(table, None, Desired((Wanted(Kind.BOARD, content),)))

    @asynccontextmanager
    async def slot(self, *_: object) -> AsyncIterator[bool]:
        """Let each request wait."""
        if self.version < 2 * MAX_ACTIONS:
            self.moves_on(BOARD)
        yield True

    async def execute(self, action: Action, _drawing: Drawing, recorded: Recorded) -> Recorded:
        """Note what is shown, and what is removed."""
        assert isinstance(action, Edit | Remove)
        others = tuple(each for each in recorded if each.id != action.message.id)
        if isinstance(action, Remove):
            self.shown.append("removed")
            return others
        assert action.wanted.content
        self.shown.append(action.wanted.content)
        return (*others, replace(action.message, content=action.wanted.content))


async def test_a_table_that_moves_on_with_each_request_is_shown_to_its_end() -> None:
    others = FastTable()
    reconciler, _ = _reconciler(others, given=others)
    others.moves_on = reconciler.request
    await reconciler.request(BOARD)
    assert others.shown[-2:] == [str(2 * MAX_ACTIONS), "removed"]
    await reconciler.close()


async def _waiting(others: Collaborators) -> tuple[Reconciler, Budget, asyncio.Future[None]]:
    """Return a reconciler that has drawn the board and waits for the budget, with the future of its work."""
    reconciler, budget = _reconciler(others)
    await budget.take(Priority.TURN)
    working = reconciler.request(BOARD)
    await others.drawn.wait()
    await asyncio.sleep(0.01)
    return reconciler, budget, working


def _reconciler(others: Any, given: Any = None) -> tuple[Reconciler, Budget]:
    """Return a reconciler and its budget of one request."""
    budget = Budget(lambda: 1, 0.0)
    reconciler = Reconciler(
        client=SERVERLESS,
        tables=others,
        owner=others,
        drawings=others,
        writer=others,
        sightings=Sightings(SERVERLESS, others, budget, lambda: 0.0),
        budget=given or budget,
        note_closed=others.note_closed,
        now=lambda: 0.0,
    )
    return reconciler, budget
