"""Plays games between strong computers in virtual time, and notes when each move is shown."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot import computer
from bot.games.game import Move, Seat
from bot.records.table import Chosen, Person, Place, Receipt
from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from bot.thinking.thinkers import Turn
from bot.thinking.turns import Turns

Load = Callable[[int], float]
"""How long a thought takes, by the number of cards in the hand."""

_MOVES: Final = 240
_ANN: Final = Person(100, "Ann")


class Displayed(NamedTuple):
    """A move that was shown: whether it was the only legal one, with how many cards, and how long it took."""

    is_forced: bool
    cards: int
    after_s: float


class TimedTables(Tables):
    """Tables that note when moves of computers are committed."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.shown: list[Displayed] = []
        self._changed_s = 0.0

    async def play_computer(  # noqa: PLR0913 - as in its base
        self,
        table_id: int,
        seat: Seat,
        text: str,
        seen: int | None = None,
        *,
        for_absent: bool = False,
        chosen: Chosen | None = None,
    ) -> Receipt:
        """Note the time since the last move."""
        observation: Any = (await self.look_as_computer(table_id, seat, for_absent=for_absent)).observation
        now = asyncio.get_running_loop().time()
        self.shown.append(Displayed(len(observation.legal) == 1, len(observation.hand), now - self._changed_s))
        self._changed_s = now
        return await super().play_computer(table_id, seat, text, seen, for_absent=for_absent, chosen=chosen)


async def watched(folder: Path, kind: type[Turns], load: Load) -> list[Displayed]:
    """Play Pot Black between three strong computers and one that plays for an absent user; return their moves."""

    async def think(turn: Turn) -> Move:
        observation: Any = turn.sight.observation
        if len(observation.legal) > 1:  # a strong computer answers at once otherwise
            await asyncio.sleep(load(len(observation.hand)))
        return computer.choose(turn.sight.table.game, observation, random.Random(turn.seed), "easy")

    async with await SqliteStore.open(folder / "lilypad.db") as store:
        tables = TimedTables(store, entropy=random.Random(1).randbytes)
        turns = kind(tables, think=think)
        changes: asyncio.Queue[Receipt] = asyncio.Queue()
        tables.on_change(turns.changed)
        tables.on_change(changes.put_nowait)
        opened = await tables.lobbies.open("pot_black", {"players": 4}, _ANN, Place(1, 2), 3, levels=("strong",))
        await tables.lobbies.start(opened.table.id, _ANN.id)
        while len(tables.shown) < _MOVES and (table := (await changes.get()).table).status != "over":
            await tables.go_on(table, _ANN.id)
            if await tables.whose_turn(table):
                await turns.stand_in(table.id, 0)
        await turns.close()
    return tables.shown


def revealing(shown: list[Displayed], tick_s: float) -> list[Displayed]:
    """Return the forced moves that were shown at another time than free ones with about as many cards.

    Everybody knows that the last card is forced, and nothing is known of a host before the first thought.
    """
    first = next(number for number, each in enumerate(shown) if not each.is_forced)
    free = [each for each in shown if not each.is_forced]
    forced = [each for each in shown[first:] if each.is_forced and each.cards > 1]
    assert len(forced) > 20
    found = []
    for each in forced:
        times = [other.after_s for other in free if abs(other.cards - each.cards) <= 1]
        if not min(times) - tick_s / 2 < each.after_s < max(times) + tick_s / 2:
            found.append(each)
    return found
