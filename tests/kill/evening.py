"""People at a table whose bot may be cut off at any point. They retry, and check everything that they see.

`tests.kill.scenes` has the scenes that they play.
"""

import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from discord.utils import snowflake_time

from bot.games.game import Entry
from bot.records.table import Table
from bot.tables.tables import Sight
from bot.ui.live.plan import NEVER
from tests.discord.audit import answered_twice, malformed
from tests.discord.guests import GROUPS
from tests.discord.play import Player, Replaced, Unanswered, World
from tests.discord.running import quick_starts
from tests.discord.seen import Seen, Use
from tests.kill.power import Power
from tests.posts import paragraphs_of

AT_ONCE: Final = 6
"""Buttons that one person presses at a time. The bot limits each user to a few more."""

LIVE_HAND: Final = ("### Your hand", "### Table")
"""Beginnings of hands, and of what players see in games without hands."""


class Evening:
    """People at Table 1, or about to open it, in a world with this power.

    ``next_move`` is the move that the scene is about, with its user.
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
        """Act until it is done, with a new bot after each cut. Then check everything."""
        pings = len(self._pings())
        for _ in range(4):
            before = self._power.failures
            try:
                await act()
            except Replaced:  # it was answered
                pass
            except Unanswered:
                assert self._power.failures > before, "no answer"
            await self.replace_bot()
            if await done() or self._power.failures == before:
                break
        assert await done(), "it can't be done any more"
        await self.check()
        assert max(Counter(self._pings()[pings:]).values(), default=0) <= 1, "somebody was pinged twice"

    async def replace_bot(self) -> None:
        """Start another bot if the power has failed. It may fail again."""
        while self._power.is_off:
            self.crashes += 1
            await self.world.crash()
            await self.world.env.settle()

    async def sleep(self, seconds: float = 100) -> None:
        """Let time pass without anybody acting. After the default, players to move are pinged."""
        until = self.world.env.now().timestamp() + seconds
        await self.world.wait(seconds)
        await self.replace_bot()
        assert self.world.env.now().timestamp() >= until

    async def plays(self, player: Player | None = None, move: str | None = None) -> None:
        """Play a move: the given one, or any move of any player to move."""
        before = await self.pressed()
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
            return len(await self.pressed()) > len(before)

        await self.does(act, done)
        after = await self.pressed()
        assert after[: len(expected)] == expected, "another move was made"
        people = {each.seat for each in (await self.table()).sitters if not each.is_computer}
        assert not [entry for entry in after[len(expected) :] if entry.seat in people], "a move was doubled"

    # ---- the table

    async def table(self, table_id: int = 1) -> Table:
        """Return the table."""
        return await self.world.tables.table(table_id)

    async def sight(self, player: Player, table_id: int = 1) -> Sight:
        """Return what the player sees of the table."""
        return await self.world.tables.look(table_id, player.id)

    async def log(self) -> tuple[Entry, ...]:
        """Return the log of Table 1."""
        if (await self.table()).status == "lobby":
            return ()
        return (await self.world.tables.transcript(1, unfinished=True)).entries

    async def pressed(self) -> list[Entry]:
        """Return the entries of players, without cards that played themselves."""
        written = await self.world.store.log(1)
        assert written is not None
        entries = enumerate(written.entries)
        return [entry for ply, entry in entries if entry.seat is not None and ply not in written.automatic]

    async def waited_s(self) -> float:
        """Return how long Table 1 has been waiting for a player."""
        return (await self.world.tables.waiting.standstill(await self.table())).waited_s

    async def whose_turn(self) -> tuple[int, ...]:
        """Return the users who owe a move."""
        return await self.world.tables.whose_turn(await self.table())

    def player(self, user_id: int) -> Player:
        """Return the player with this id."""
        return next(player for player in self.people if player.id == user_id)

    # ---- checks

    async def check(self) -> None:
        """Check that boards and hands show the committed state, once, and that only players to move are pinged."""
        for table in await self.world.store.lists.all():
            await self._check_board(table)
            for player in self.people:
                if table.sitter(player.id) is not None:
                    await self._check_hand(table, player)

    async def _check_board(self, table: Table) -> None:
        boards = [seen for seen in self._public() if seen.text.startswith(f"### Table {table.name} ·")]
        assert len(boards) == 1, f"{len(boards)} boards"
        post = await self.world.bot.live.drawings.board(await self.world.tables.snapshot(table.id))
        assert boards[0].text.startswith("\n".join(paragraphs_of(post))), "the board is not the present one"
        turn = set(await self.world.tables.whose_turn(table))
        pings = [seen for seen in self._public() if f"your turn at [Table {table.name}]" in seen.text]
        assert len(pings) <= 1, "there are two pings"
        # In Pond, a ping of several players who choose a card stays until the last of them has chosen.
        pinged = turn if self.game != "pond" else {player.id for player in self.people if turn}
        assert {user for seen in pings for user in seen.pinged} <= pinged, "there is an old ping"
        questions = [seen for seen in self._public() if self._asks(seen, table)]
        assert len(questions) <= 1, "a question was asked twice"
        if table.status == "playing":
            self._check_pings(turn)

    @staticmethod
    def _asks(seen: Seen, table: Table) -> bool:
        return f"wants to undo their last move and everything after it at **Table {table.name}**" in seen.text

    def _check_pings(self, turn: set[int]) -> None:
        now = self.world.env.now().timestamp()
        awake = {
            each.user_id
            for each in self.world.env.backend.interactions.values()
            if now - snowflake_time(each.id).timestamp() < 60
        }
        assert turn - awake <= set(self._pings()), "somebody was not pinged"

    async def _check_hand(self, table: Table, player: Player) -> None:
        of_table = [seen for seen in player.dms if not seen.is_private and _is_hand_of(table, seen)]
        headings = Counter(seen.text.split("\n")[0] for seen in of_table)
        assert headings, "no hand was posted"
        assert max(headings.values()) == 1, "a hand was posted twice"
        if table.status in {"playing", "over"}:
            (shown,) = [seen for seen in of_table if seen.text.startswith(LIVE_HAND)]
            await self._check_shown_hand(table, player, shown)

    async def _check_shown_hand(self, table: Table, player: Player, shown: Seen) -> None:
        """A hand that is due shows the committed state. Any other offers no move and no undo.

        Beside its choices, a prompt may be older: it isn't edited because of what others do meanwhile.
        """
        snapshot = await self.world.tables.snapshot(table.id)
        drawing = await self.world.bot.live.drawings.draw(snapshot, player.id)
        assert drawing is not None
        (wanted,) = drawing.desired.messages
        if wanted.due > 0:
            if self.world.env.now().timestamp() < wanted.due < NEVER:
                return
            assert not shown.moves, "a hand offers moves of another player's turn"
            assert "Undo" not in shown.labels, "a hand offers an undo that is gone"
            return
        hand = (await self.world.bot.live.drawings.hand(snapshot, player.id)).post
        if wanted.is_prompt:
            groups = [group for group in hand.choices if group.verb in {"pick", "play"}]
            assert set(shown.moves) == {choice.move for group in groups for choice in group.choices}, "old choices"
            squares = [button.label for row in hand.grid for button in row]
            assert shown.labels[: len(squares)] == squares, "an old board is shown"
            return
        present = "\n".join(paragraphs_of(hand))
        assert _unlinked(shown.text).startswith(_unlinked(present)), (
            f"an old hand is shown:\n{shown.text}\nnot\n{present}"
        )

    async def press_everything(self) -> None:
        """Let everyone press every button that they see. Power doesn't fail any more."""
        self._power.is_reliable()
        for number, player in enumerate(self.people):
            seen = [*(player.messages() if number == 0 else self._private(player)), *player.dms]
            uses = [use for message in seen for use in _uses(message)]
            for first in range(0, len(uses), AT_ONCE):
                some = [use for use in uses[first : first + AT_ONCE] if self._is_there(use)]
                with patch("bot.ui.interactions.rate_limit.REFILL_PER_S", 1e9):  # nobody presses as fast
                    answers = await self.world.at_once(*((player, use) for use in some))
                for use, answer in zip(some, answers, strict=True):
                    assert answer is not None or not self._is_there(use), use
                    assert answer is None or not re.search("went wrong|Too fast!", answer.text), use
        assert [*answered_twice(self.world.env), *malformed(self.world.env)] == []

    def _is_there(self, use: Use) -> bool:
        """Whether the pressed message still exists. Newer private answers replace older ones."""
        return use.message_id in self.world.env.backend.messages.get(use.channel_id, {})

    def _public(self) -> list[Seen]:
        return [seen for seen in self.people[0].messages() if not seen.is_private and seen.components]

    @staticmethod
    def _private(player: Player) -> list[Seen]:
        return [seen for seen in player.messages() if seen.is_private]

    def _pings(self) -> list[int]:
        """Return the users pinged so far, in order."""
        return [
            int(each["id"])
            for kind, name, body in self.world.env.backend.transcript
            if kind == "GATEWAY" and name == "MESSAGE_CREATE"
            for each in body["mentions"]
        ]


def _is_hand_of(table: Table, seen: Seen) -> bool:
    """Return whether a direct message is the hand of this table, or greets a player there."""
    heading = seen.text.split("\n")[0]
    return f"Table {table.name} " in f"{heading} " and "your turn at" not in heading


def _uses(seen: Seen) -> Iterator[Use]:
    """Yield what can be pressed, except the buttons of a report, which open a form."""
    yield from (use for use in map(seen.use, seen.labels) if not use.custom_id.startswith("lily:report:"))
    yield from list(seen.moves.values())[:2]


def _unlinked(text: str) -> str:
    """Remove links. A hand may link to an older board, or to none."""
    return re.sub(r"( · |\n)?\[[^]]*\]\(https:.*?\)", "", text)


@asynccontextmanager
async def opened(
    database: Path, power: Power, game: str, people: int, next_move: tuple[int, str] = (0, "")
) -> AsyncIterator[Evening]:
    """Start a bot on this database, wait until it has drawn everything, and count points from then on."""
    with power.supplies_every_bot(), quick_starts():
        world = World(database)
        players = world.people(people)

        def stop_the_clocks() -> None:
            world.bot.calendar._is_closed = True

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
