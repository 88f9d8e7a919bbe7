"""Measure the time from a press to its answer without Discord: writing the move, and drawing the player's hand.

    python -m benchmarks.latency

Plays 1, 16 and 64 tables of Pond · cards with one move per second each. After each answer, the board and all hands are
drawn, as for a real move. The event loop's lag is how late a timer of ten milliseconds fires.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.percentiles import percentiles
from bot.store.sqlite import SqliteStore
from bot.tables import Person, Place, Tables, UserSettings
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.posts.layout import layout
from cogs.pond.face import PondFace

SECONDS: Final = 5.0
TABLES: Final = (1, 16, 64)
TICK_S: Final = 0.01
_FACE: Final = PondFace()
_IN_TEXT: Final = UserSettings(hands="text")
rng: Final = random.Random(0)  # noqa: S311 - a benchmark needs no secrets


async def _opened(tables: Tables, number: int) -> int:
    ann, ben = Person(2 * number + 1, f"Ann {number}"), Person(2 * number + 2, f"Ben {number}")
    table = (await tables.lobbies.open("pond", {}, ann, Place(1, number + 1))).table
    await tables.lobbies.sit(table.id, ben)
    await tables.lobbies.start(table.id, ann.id)
    return table.id


async def _press(tables: Tables, table_id: int, waits_s: list[float]) -> None:
    """Play one random move at the table."""
    user, *_ = await tables.whose_turn(await tables.table(table_id))
    before = await tables.look(table_id, user)
    move = str(rng.choice(before.observation.legal))
    start = time.perf_counter()
    table = (await tables.play(table_id, user, move, before.table.version)).table
    sight = await tables.sight(table, user)
    layout(hand(_FACE, sight, "", _IN_TEXT), table.id, table.version)
    waits_s.append(time.perf_counter() - start)
    layout(board(_FACE, await tables.sight(table)), table.id, table.version)
    for sitter in table.sitters:
        seen = await tables.sight(table, sitter.user_id)
        layout(hand(_FACE, seen, "", _IN_TEXT), table.id, table.version)


async def _presses(tables: Tables, table_id: int, waits_s: list[float], until: float) -> None:
    await asyncio.sleep(rng.random())
    while (started := time.perf_counter()) < until and (await tables.table(table_id)).status == "playing":
        await _press(tables, table_id, waits_s)
        await asyncio.sleep(max(0.0, started + 1 - time.perf_counter()))


async def _lags(lags_s: list[float], until: float) -> None:
    while (start := time.perf_counter()) < until:
        await asyncio.sleep(TICK_S)
        lags_s.append(time.perf_counter() - start - TICK_S)


async def measure(path: Path, count: int) -> tuple[list[float], list[float]]:
    """Return the seconds until each answer, and the event loop's lags."""
    waits_s: list[float] = []
    lags_s: list[float] = []
    async with await SqliteStore.open(path) as store:
        tables = Tables(store)
        ids = [await _opened(tables, number) for number in range(count)]
        until = time.perf_counter() + SECONDS
        playing = (_presses(tables, table_id, waits_s, until) for table_id in ids)
        await asyncio.gather(_lags(lags_s, until), *playing)
    return waits_s, lags_s


def main() -> None:
    """Measure each number of tables, and print the results."""
    with tempfile.TemporaryDirectory() as directory:
        for count in TABLES:
            waits_s, lags_s = asyncio.run(measure(Path(directory) / f"{count}.db", count))
            sys.stdout.write(f"  {count:3} tables  answer {percentiles(waits_s)}   lag {percentiles(lags_s)}\n")


if __name__ == "__main__":
    main()
