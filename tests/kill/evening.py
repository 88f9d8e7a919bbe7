"""People at a table whose bot may die at any moment: they try again what it did not do, and look whether all is right.

A scene is a short piece of an evening, from a table that stands already to what makes the scene interesting.
"""

import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from discord.utils import snowflake_time

from bot.games.game import Entry
from bot.tables import Sight, Table
from tests.discord.audit import answered_twice, malformed
from tests.discord.guests import GROUPS
from tests.discord.play import Player, Unanswered, World
from tests.discord.seen import Seen, Use
from tests.kill.power import Power

AT_ONCE: Final = 6
"""So many buttons somebody presses at a time; from more the bot would protect itself."""


class Evening:
    """Some people, and Table 1 or what will be Table 1, in a world on this power.

    ``next_move`` is a user and his move that the scene is about.
    """

    def __init__(self, world: World, power: Power, people: list[Player], game: str, next_move: tuple[int, str]) -> None:
        self.world = world
        self.people = people
        self.game = game
        self.group = GROUPS[game]
        self.next_move = next_move
        self.crashes = 0
        self._power = power
        self._rng = random.Random(game)

    # ---- what they do

    async def does(self, act: Callable[[], Awaitable[object]], done: Callable[[], Awaitable[bool]]) -> None:
        """Does it, and again if the bot was not there to do it; then all is as it should be."""
        told = len(self._pings())
        for _ in range(4):
            before = self._power.failures
            try:
                await act()
            except Unanswered:
                assert self._power.failures > before, "no answer"
            await self.bot_is_replaced()
            if await done() or self._power.failures == before:
                break
        assert await done(), "it can't be done any more"
        await self.all_is_as_it_should_be()
        assert max(Counter(self._pings()[told:]).values(), default=0) <= 1, "somebody was pinged twice"

    async def bot_is_replaced(self) -> None:
        """Where power has failed, another bot takes over; power may fail that one, too."""
        while self._power.is_off:
            self.crashes += 1
            await self.world.crash()
            await self.world.env.settle()

    async def asleep(self, seconds: float = 100) -> None:
        """They turn to something else for so long that they have to be pinged."""
        until = self.world.env.now().timestamp() + seconds
        await self.world.wait(seconds)
        await self.bot_is_replaced()
        assert self.world.env.now().timestamp() >= until

    async def plays(self, player: Player | None = None, move: str | None = None) -> None:
        """The next move: the one given, or any, by whoever's turn it is."""
        before = [entry for entry in await self.log() if entry.seat is not None]
        turn = [mover for mover in self.people if mover.id in await self.whose_turn()]
        mover = player or turn[0]
        played = move or self._rng.choice([str(each) for each in (await self.sight(mover)).observation.legal])

        async def act() -> None:
            in_hand = self._rng.random() < 0.7 and mover.hand.moves.get(played)
            await (mover.picks(mover.hand, played) if in_hand else mover.types(f"{self.group} move", move=played))

        sitter = (await self.table()).sitter(mover.id)
        assert sitter is not None
        expected = [*before, Entry(sitter.seat, played)]

        async def done() -> bool:
            return len([entry for entry in await self.log() if entry.seat is not None]) > len(before)

        await self.does(act, done)
        after = [entry for entry in await self.log() if entry.seat is not None]
        assert after[: len(expected)] == expected, "another move was made"
        people = {each.seat for each in (await self.table()).sitters if not each.is_computer}
        assert not [entry for entry in after[len(expected) :] if entry.seat in people], "a move was doubled"

    # ---- what is so

    async def table(self, table_id: int = 1) -> Table:
        """The table."""
        return await self.world.tables.table(table_id)

    async def sight(self, player: Player, table_id: int = 1) -> Sight:
        """What the player sees of the table."""
        return await self.world.tables.look(table_id, player.id)

    async def log(self) -> tuple[Entry, ...]:
        """The log of Table 1."""
        if (await self.table()).status == "lobby":
            return ()
        return (await self.world.tables.transcript(1, unfinished=True)).entries

    async def waited_s(self) -> float:
        """How long Table 1 has waited for somebody."""
        return (await self.world.tables.waiting.standstill(await self.table())).waited_s

    async def whose_turn(self) -> tuple[int, ...]:
        """Who owes a move."""
        return await self.world.tables.whose_turn(await self.table())

    def player(self, user_id: int) -> Player:
        """The one with this number."""
        return next(player for player in self.people if player.id == user_id)

    # ---- what must hold

    async def all_is_as_it_should_be(self) -> None:
        """Every board and hand shows what is committed, once, and only those are pinged who are to play."""
        for table in await self.world.bot._store.tables():
            await self._board_is_right(table)
            for player in self.people:
                if table.sitter(player.id) is not None:
                    await self._hand_is_right(table, player)

    async def _board_is_right(self, table: Table) -> None:
        boards = [seen for seen in self._public() if seen.text.startswith(f"### Table {table.name} ·")]
        assert len(boards) == 1, f"{len(boards)} boards"
        post = await self.world.bot.live.drawings.board(table)
        assert boards[0].text.startswith("\n".join(filter(None, post.paragraphs))), "the board is not the present one"
        turn = set(await self.world.tables.whose_turn(table))
        pings = [seen for seen in self._public() if f"your turn at [Table {table.name}]" in seen.text]
        assert len(pings) <= 1, "two pings stand there"
        still = (
            turn if self.game != "pond" else {player.id for player in self.people if turn}
        )  # several may choose there
        assert {user for seen in pings for user in seen.pinged} <= still, "an old ping stands there"
        questions = [seen for seen in self._public() if self._asks(seen, table)]
        assert len(questions) <= 1, "a question was asked twice"
        if table.status == "playing":
            self._who_sleeps_was_pinged(turn)

    @staticmethod
    def _asks(seen: Seen, table: Table) -> bool:
        return f"would like to take their own last move back at **Table {table.name}**" in seen.text

    def _who_sleeps_was_pinged(self, turn: set[int]) -> None:
        now = self.world.env.now().timestamp()
        awake = {
            each.user_id
            for each in self.world.env.backend.interactions.values()
            if now - snowflake_time(each.id).timestamp() < 60
        }
        assert turn - awake <= set(self._pings()), "somebody was not pinged"

    async def _hand_is_right(self, table: Table, player: Player) -> None:
        dms = [seen for seen in player.dms if not seen.is_private]
        headings = Counter(
            seen.text.split("\n")[0] for seen in dms if seen.text.startswith(("### Your hand", "You sit at"))
        )
        assert max(headings.values()) == 1, "a hand was posted twice"
        if table.status in {"playing", "over"}:
            (shown,) = [
                each for each in dms if each.text.startswith("### Your hand") and f" Table {table.name} " in each.text
            ]
            await self._shows_the_present(table, player, shown)

    async def _shows_the_present(self, table: Table, player: Player, shown: Seen) -> None:
        """A hand that is due shows what is committed; any other offers nothing that goes with the turn."""
        recorded = await self.world.tables.messages.of(table.id)
        drawing = await self.world.bot.live.drawings.draw(table.id, player.id, recorded)
        assert drawing is not None
        (wanted,) = drawing.desired.messages
        if not wanted.is_due:
            if self.world.env.now().timestamp() < wanted.tidy_at:
                return
            assert not shown.moves, "a hand offers moves of another player's turn"
            assert "Undo" not in shown.labels, "a hand offers an undo that is gone"
            return
        hand, _ = await self.world.bot.live.drawings.hand(table, player.id, recorded)
        present = "\n".join(filter(None, hand.paragraphs))
        assert _unlinked(shown.text).startswith(_unlinked(present)), (
            f"an old hand is shown:\n{shown.text}\nnot\n{present}"
        )

    async def every_button_works(self) -> None:
        """Everybody presses all that he sees; the bot lives by now."""
        self._power.is_reliable()
        for number, player in enumerate(self.people):
            seen = [*(player.messages() if number == 0 else self._private(player)), *player.dms]
            uses = [use for message in seen for use in _uses(message)]
            for first in range(0, len(uses), AT_ONCE):
                some = uses[first : first + AT_ONCE]
                for use, answer in zip(some, await self.world.at_once(*((player, use) for use in some)), strict=True):
                    assert answer is not None, use
                    assert "went wrong" not in answer.text, use
                    assert "faster than anybody" not in answer.text, use
        assert [*answered_twice(self.world.env), *malformed(self.world.env)] == []

    def _public(self) -> list[Seen]:
        return [seen for seen in self.people[0].messages() if not seen.is_private and seen.components]

    @staticmethod
    def _private(player: Player) -> list[Seen]:
        return [seen for seen in player.messages() if seen.is_private]

    def _pings(self) -> list[int]:
        """Whom the bot has pinged so far, in order."""
        return [
            int(each["id"])
            for kind, name, body in self.world.env.backend.transcript
            if kind == "GATEWAY" and name == "MESSAGE_CREATE"
            for each in body["mentions"]
        ]


def _uses(seen: Seen) -> Iterator[Use]:
    yield from map(seen.use, seen.labels)
    yield from list(seen.moves.values())[:2]


def _unlinked(text: str) -> str:
    """A hand may link to an older board, which links to the present one; or to none if there was none yet."""
    return re.sub(r"( · )?\[[^]]*\]\(https:.*?\)", "", text)


@asynccontextmanager
async def opened(
    database: Path, power: Power, game: str, people: int, next_move: tuple[int, str] = (0, "")
) -> AsyncIterator[Evening]:
    """The world where this database is played on, everything there drawn; then power is watched."""
    with power.supplies_every_bot():
        world = World(database)
        players = world.people(people)

        def stop_the_clocks() -> None:
            world.bot._deadlines._closed = True

        power.stops_the_clocks = stop_the_clocks
        await world.start()
        await world.env.settle()
        try:
            power.begins()
            yield Evening(world, power, players, game, next_move)
        finally:
            power.is_off = False
            await world.bot.close()
            await world.env.shutdown()
        world.env.raise_errors()
