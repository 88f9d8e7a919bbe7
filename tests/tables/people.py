"""People, and shortcuts for playing at tables in tests."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from bot.games import GAMES
from bot.records.table import Person, Place, Receipt, Table
from bot.store.store import Store
from bot.tables.tables import Tables
from tests.databases import Database
from tests.pebbles import Pebbles

ANN, BEN, CY = Person(7, "Ann"), Person(8, "Ben"), Person(9, "Cy")
HERE, THERE = Place(1, 100), Place(1, 200)


class Clock:
    """A clock that only the test moves."""

    at = 1_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.at


@dataclass
class Looker:
    """A viewer that sees all tables except those in some channels."""

    user_id: int | None
    guild_id: int | None = HERE.guild_id
    blind_to: frozenset[int] = frozenset()

    async def first_seen(self, tables: Sequence[Table]) -> Table | None:
        """Return the first table that the user may see."""
        return next((table for table in tables if table.place.channel_id not in self.blind_to), None)


def make_tables(store: Store, now: Callable[[], float] | None = None) -> Tables:
    """Return the tables of one process. Without ``now``, each reading of the clock is a second later."""
    seconds = count(1000)
    return Tables(
        store,
        games={**GAMES, "pebbles": Pebbles()},
        now=now or (lambda: float(next(seconds))),
        entropy=random.Random(1).randbytes,
    )


async def started(tables: Tables, *people: Person, computers: int = 0) -> Table:
    """Return a table of Pebbles in play."""
    options = {"players": len(people) + computers}
    table = (await tables.lobbies.open("pebbles", options, people[0], HERE, computers)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    return (await tables.lobbies.start(table.id, people[0].id)).table


async def in_turn(tables: Tables, table: Table, *moves: str) -> Receipt:
    """Play these moves, each for the first user to move."""
    for move in moves:
        user_id, *_ = await tables.whose_turn(await tables.table(table.id))
        receipt = await tables.play(table.id, user_id, move)
    return receipt


async def waiting(tables: Tables, *people: Person, clock: str = "none", computers: int = 0) -> Table:
    """Return a table that waits for the first player alone."""
    options = {"players": len(people) + computers}
    table = (await tables.lobbies.open("pebbles", options, people[0], HERE, computers, clock=clock)).table
    for person in people[1:]:
        await tables.lobbies.sit(table.id, person)
    await tables.lobbies.start(table.id, people[0].id)
    for person in people[1:]:
        await tables.play(table.id, person.id, "take 1")
    return await tables.table(table.id)


async def names(tables: Tables, table: Table) -> list[str]:
    """Return the name on each seat."""
    return [sitter.name for sitter in (await tables.table(table.id)).sitters]


async def tables_in(database: Database) -> set[int]:
    """Return the numbers of all tables that the database mentions."""
    return {
        value
        for table, column, value in await database.cells()
        if column == "table_id" or (table, column) == ("tables", "id")
    }
