"""Tables of all four games, played at full speed until the process is killed.

Each move of a user is written to standard output once it is acknowledged: ``table seat move``.
"""

import asyncio
import itertools
import random
import sys
from pathlib import Path
from typing import Final

from bot.errors import LilypadError, PlayError
from bot.games import GAMES
from bot.store.sqlite import SqliteStore
from bot.tables import Person, Place, Table, Tables
from bot.turns import Turns

TABLES_A_GAME: Final = 3
HERE: Final = Place(1, 100)


async def play_all(path: Path, rng: random.Random) -> None:
    """Plays on at every open table, and opens others in the place of those that are over."""
    async with await SqliteStore.open(path) as store:
        tables = Tables(store)
        turns = Turns(tables)
        tables.on_change(turns.changed)
        await turns.resume()
        waiting = {key: [table for table in await tables.open_tables() if table.game == key] for key in GAMES}
        await asyncio.gather(*(evening(tables, key, waiting[key], rng) for key in GAMES for _ in range(TABLES_A_GAME)))


async def evening(tables: Tables, key: str, waiting: list[Table], rng: random.Random) -> None:
    """One table after the other, those first that the last process left behind."""
    while True:
        table = waiting.pop() if waiting else await opened(tables, key)
        if table.status == "lobby":
            table = await seated(tables, table)
        users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
        await asyncio.gather(*(play(tables, table.id, user, rng) for user in users))


async def opened(tables: Tables, key: str) -> Table:
    """A table with a host."""
    return (await tables.open(key, {}, Person(1, "Ann"), HERE)).table


async def seated(tables: Tables, table: Table) -> Table:
    """The table with a second user and computers on the other seats, started."""
    if table.sitter(2) is None:
        table = (await tables.sit(table.id, Person(2, "Ben"))).table
    for _ in range(len(table.sitters), table.seats):
        table = (await tables.add_computer(table.id, table.host_id)).table
    return (await tables.start(table.id, 1)).table


async def play(tables: Tables, table_id: int, user: int, rng: random.Random) -> None:
    """The user's moves, one after the other, to the end of the game."""
    for number in itertools.count():
        sight = await tables.look(table_id, user)
        if sight.table.status != "playing":
            return
        sitter = sight.table.sitter(user)
        if not sight.observation.legal or sitter is None:
            await asyncio.sleep(0.001)
            continue
        move = str(rng.choice(sight.observation.legal))
        try:
            # now and then with the version that was seen, as by a button; else as by a command
            await tables.play(table_id, user, move, sight.table.version if number % 2 else None)
        except PlayError:  # somebody else was quicker
            continue
        sys.stdout.write(f"{table_id} {sitter.seat} {move}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        asyncio.run(play_all(Path(sys.argv[1]), random.Random(sys.argv[2])))
    except LilypadError as fault:
        sys.exit(fault.sentence)
