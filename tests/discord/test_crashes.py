"""The bot is cut off at every point where something leaves it, and another one takes over where it was.

Nothing is lost or doubled: every board and hand shows what is committed, no message was posted twice, nobody pinged
twice for a turn, and every button that lies about works.
"""

import asyncio
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from tests.discord.play import Player, Unanswered, World, legal, opened
from tests.discord.power import Power
from tests.discord.seen import Seen

TRIALS: Final = int(os.environ.get("KILLS", "0"))
"""How many further trials there are, at points drawn by lot."""
SEED: Final = os.environ.get("SEED") or str(random.SystemRandom().randrange(10**6))

NAMED: Final = (
    "before a table is opened",
    "after a table is opened",
    "before a new board is recorded",
    "after a new board is recorded",
    "before POST an answer",
    "after POST an answer",
    "before a board is recorded",
    "after a board is recorded",
    "before the commit of a change",
    "after the commit of a change",
    "before the commit of a move",
    "after the commit of a move",
    "before a new hand is recorded",
    "before POST a hand",
    "after POST a hand",
    "before a hand is recorded",
    "after a hand is recorded",
    "before PATCH a hand",
    "after PATCH a hand",
    "before PATCH a board",
    "after PATCH a board",
    "before POST a board",
    "after POST a board",
    "before PATCH a message",
    "after PATCH a message",
    "before a new ping is recorded",
    "before POST a ping",
    "after POST a ping",
    "before a ping is recorded",
    "after a ping is recorded",
    "before DELETE a message",
    "after DELETE a message",
    "before a ping is forgotten",
)
"""Where the process may die in an evening that has everything: a lobby, a start, moves, pings, a buried board."""


class Evening:
    """Two people at a table, who try again whatever the bot did not do, as people would."""

    def __init__(self, world: World, power: Power) -> None:
        self.world = world
        self.power = power
        self.ann, self.ben = world.people(2)
        self.crashes = 0
        self.points: tuple[str, ...] = ()

    async def goes_by(self) -> None:
        """From the lobby to the first cards of a pond."""
        await self._does(self._opens)
        await self._does(lambda: self._clicks(self.ben, "Join"))
        await self.world.wait(100)
        await self._does(lambda: self._clicks(self.ann, "Start"))
        await self.world.wait(100)
        for _ in range(3):
            await self._does(self._moves)
        await self.world.wait(100)
        await self.ann.says("what a day")
        await self._does(self._moves)
        for _ in range(2):
            await self.world.wait(100)
            await self._does(self._moves)

    # ---- what they do

    async def _opens(self) -> None:
        await self.ann.types("pond open", rounds=2)

    async def _clicks(self, player: Player, label: str) -> None:
        await player.clicks(player.board, label)

    async def _moves(self) -> None:
        turn = await self.world.tables.whose_turn(await self.world.tables.table(1))
        player = next(player for player in (self.ann, self.ben) if player.id in turn)
        hand = player.hand
        move = next((move for move in hand.moves if move in hand.options), None)
        await (
            player.picks(hand, move) if move else player.types("pond move", move=(await legal(self.world, player))[0])
        )

    async def _does(self, act: Callable[[], Awaitable[None]]) -> None:
        before, told = await self._version(), len(self._pings())
        made = await self._moves_made() if before else 0
        try:
            await act()
        except Unanswered:
            assert self.power.is_off
        if self.power.is_off:
            self.crashes += 1
            await self._bot_is_replaced()
            if await self._version() == before:
                await act()
        assert await self._version() > before
        made += act == self._moves
        assert await self._moves_made() == made, "a move was lost or doubled"
        await self._all_is_as_it_should_be()
        assert max(Counter(self._pings()[told:]).values(), default=0) <= 1, "somebody was pinged twice"
        await self._who_sleeps_was_pinged()

    async def _bot_is_replaced(self) -> None:
        await self.world.crash()
        await self.world.env.settle()

    # ---- what must hold

    async def _version(self) -> int:
        tables = await self.world.tables.open_tables()
        assert len(tables) <= 1, "two tables were opened"
        return tables[0].version if tables else 0

    async def _moves_made(self) -> int:
        if (await self.world.tables.open_tables())[0].status == "lobby":
            return 0
        log = (await self.world.tables.transcript(1, unfinished=True)).entries
        return sum(entry.seat is not None for entry in log)

    def _pings(self) -> list[int]:
        """Whom the bot has pinged so far, in order."""
        return [
            user
            for kind, name, body in self.world.env.backend.transcript
            if kind == "GATEWAY" and name == "MESSAGE_CREATE"
            for user in (int(each["id"]) for each in body["mentions"])
        ]

    async def _who_sleeps_was_pinged(self) -> None:
        table = await self.world.tables.table(1)
        if table.status == "playing":
            last = await self.world.tables.last_moves(1)
            now = self.world.env.now().timestamp()
            for user in await self.world.tables.whose_turn(table):
                if now - last.get(user, 0) > 60 and user != self.ann.id:
                    assert user in self._pings(), "somebody was not pinged"

    async def _all_is_as_it_should_be(self) -> None:
        world, table = self.world, await self.world.tables.table(1)
        boards = [seen for seen in self._public() if seen.text.startswith("### Table")]
        assert len(boards) == 1, "not one board"
        post = await world.bot._boards.post(table)
        assert boards[0].text.startswith("\n".join(post.paragraphs)), "the board is not the present one"
        for player in (self.ann, self.ben):
            if table.sitter(player.id) is None:
                continue
            texts = Counter(seen.text.split("\n")[0] for seen in player.dms if not seen.is_private)
            assert max(texts.values()) == 1, "a hand was posted twice"
            if table.status == "playing":
                hand = await world.bot._hands.post(table, player.id)
                assert unlinked(player.hand.text) == unlinked("\n".join(hand.paragraphs)), "an old hand is shown"

    def _public(self) -> list[Seen]:
        return [seen for seen in self.ann.messages() if not seen.is_private and seen.components]


def unlinked(text: str) -> str:
    """A hand may link to an older board, which links to the present one."""
    return re.sub(r"\(https:.*?\)", "", text)


async def evening(database: Path, power: Power) -> Evening:
    """A whole evening on this power; at the end every button is pressed."""
    with power.supplies_every_bot():
        async with opened(database) as world:
            evening = Evening(world, power)
            await evening.goes_by()
            evening.points = tuple(power.passed)
            power.comes_back()
            await every_button_answers(evening)
            assert [*world._answered_twice(), *world._misshapen()] == []
            return evening


async def every_button_answers(evening: Evening) -> None:
    """Ann presses all that she sees."""
    for seen in [*evening.ann.messages(), *evening.ann.dms]:
        uses = [seen.use(label) for label in seen.labels] + list(seen.moves.values())[:2]
        for use in uses:
            (answer,) = await evening.world.at_once((evening.ann, use))
            assert answer is not None, use
            assert "went wrong" not in answer.text


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """All that goes in and out in an evening without a crash."""
    undisturbed = asyncio.run(evening(tmp_path_factory.mktemp("undisturbed") / "pond.db", Power()))
    assert undisturbed.crashes == 0
    return undisturbed.points


def test_every_named_point_is_passed(points: tuple[str, ...]) -> None:
    assert set(NAMED) <= set(points)


@pytest.mark.parametrize("where", NAMED)
async def test_nothing_is_lost_or_doubled_by_a_crash(where: str, points: tuple[str, ...], tmp_path: Path) -> None:
    point = random.Random(where).choice([n for n, what in enumerate(points) if what == where])
    assert (await evening(tmp_path / "pond.db", Power(point))).crashes == 1


@pytest.mark.skipif(not TRIALS, reason="make kill-trials")
async def test_nothing_is_lost_or_doubled_wherever_the_bot_crashes(points: tuple[str, ...], tmp_path: Path) -> None:
    sys.stdout.write(f"SEED={SEED}\n")
    drawn = random.Random(SEED)
    first = points.index("before a table is opened")  # until then there is nothing that could be lost
    for number in range(TRIALS):
        point = first + number if TRIALS >= len(points) > first + number else drawn.randrange(first, len(points))
        sys.stdout.write(f"{number}: {point}, {points[point]}\n")
        assert (await evening(tmp_path / f"{number}.db", Power(point))).crashes <= 1
