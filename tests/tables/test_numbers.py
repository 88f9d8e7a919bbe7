"""Numbers of tables: each server counts its own, and buttons name tables by them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from bot.errors import NoSuchTable
from bot.records.table import Place, Table
from bot.store.store import Store
from bot.tables.finding import OPERATOR
from bot.tables.tables import Tables
from tests.tables.people import ANN, BEN, CY, make_tables

HERE, THERE, ALONE = Place(1001, 11), Place(1002, 21), Place(None, 31)


@dataclass
class Visitor:
    """A user who sees the tables of one server."""

    user_id: int
    guild_id: int | None

    async def first_seen(self, found: Sequence[Table]) -> Table | None:
        """Return the first table that is there, or theirs."""
        return next((each for each in found if self._sees(each)), None)

    def _sees(self, table: Table) -> bool:
        return table.place.guild_id == self.guild_id or table.sitter(self.user_id) is not None


async def opened(tables: Tables, place: Place, count: int = 1) -> list[Table]:
    return [(await tables.lobbies.open("pebbles", {}, ANN, place)).table for _ in range(count)]


async def test_each_server_and_each_users_messages_count_their_own_tables(tables: Tables) -> None:
    await opened(tables, HERE, 3)
    assert [table.number for table in await opened(tables, THERE, 2)] == [1, 2]
    assert [table.number for table in await opened(tables, ALONE)] == [1]
    assert [table.number for table in await opened(tables, HERE)] == [4]


async def test_tables_opened_at_once_have_different_numbers(store: Store) -> None:
    processes = [make_tables(store), make_tables(store)]
    found = await asyncio.gather(*(opened(tables, HERE, 3) for tables in processes))
    assert sorted(table.number for tables in found for table in tables) == [1, 2, 3, 4, 5, 6]


async def test_a_number_is_that_of_the_server_then_of_ones_own_tables(tables: Tables) -> None:
    (here,), (there,) = await opened(tables, HERE), await opened(tables, THERE)
    for ref in ("1", "#1", "Table 1"):
        assert await tables.finder.find(ref, Visitor(ANN.id, 1001)) == here
        assert await tables.finder.find(ref, Visitor(ANN.id, 1002)) == there
        assert await tables.finder.find(ref, Visitor(ANN.id, None)) == there
    await tables.lobbies.sit(here.id, BEN)
    assert (await tables.finder.find("1", Visitor(BEN.id, 1003))).id == here.id
    with pytest.raises(NoSuchTable):
        await tables.finder.find("1", Visitor(CY.id, 1003))
    assert await tables.finder.find(str(there.id), OPERATOR) == there


async def test_buttons_name_the_table_and_those_of_older_versions_its_id(tables: Tables) -> None:
    await opened(tables, HERE, 2)
    (there,) = await opened(tables, THERE)
    viewer = Visitor(ANN.id, 1002)
    assert there.key.split("-")[0] == "1"
    for key in (there.key, str(there.id), f"{there.id}-{there.tag}"):
        assert await tables.finder.by_key(key, viewer) == there
    with pytest.raises(NoSuchTable):
        await tables.finder.by_key("9-1-3ea", viewer)
    with pytest.raises(NoSuchTable):
        await tables.finder.by_key(there.key, Visitor(CY.id, 1001))
