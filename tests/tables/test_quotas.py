"""Tests of quotas for hosts, channels and servers."""

import asyncio

import pytest

from bot.errors import TooManyTables
from bot.games import GAMES
from bot.store.store import Store
from bot.tables import Person, Place, Quotas, Receipt, Tables
from tests.databases import Database
from tests.pebbles import Pebbles
from tests.tables.people import ANN, BEN, CY, HERE, THERE, in_turn

QUOTAS = Quotas(host=2, channel=3, server=4)
ELSEWHERE = Place(2, 300)


def limited(store: Store) -> Tables:
    """Return tables with small quotas."""
    return Tables(store, games={**GAMES, "pebbles": Pebbles()}, quotas=QUOTAS)


async def opens(tables: Tables, person: Person, place: Place = HERE) -> Receipt:
    """Open a table."""
    return await tables.open("pebbles", {}, person, place)


async def test_a_closed_table_no_longer_counts_for_its_host(store: Store) -> None:
    tables = limited(store)
    first = (await opens(tables, ANN)).table
    await opens(tables, ANN, THERE)
    for place in (HERE, ELSEWHERE, Place(None, 9)):
        with pytest.raises(TooManyTables, match=r"You can't host more open tables \(limit 2\)"):
            await opens(tables, ANN, place)
    await opens(tables, BEN)
    await tables.close(first.id, ANN.id)
    await opens(tables, ANN)


async def test_channels_and_servers_have_quotas(store: Store) -> None:
    tables = limited(store)
    for number in range(3):
        await opens(tables, Person(100 + number, "Guest"))
    with pytest.raises(TooManyTables, match=r"This channel can't have more open tables \(limit 3\)"):
        await opens(tables, ANN)
    await opens(tables, ANN, THERE)
    with pytest.raises(TooManyTables, match=r"This server can't have more open tables \(limit 4\)"):
        await opens(tables, BEN, THERE)
    await opens(tables, BEN, ELSEWHERE)


async def test_direct_messages_belong_to_no_server(store: Store) -> None:
    tables = limited(store)
    for number in range(2 * QUOTAS.server):
        await opens(tables, Person(100 + number, "Guest"), Place(None, number))


async def test_two_processes_share_a_quota(database: Database) -> None:
    async with await database.open() as one, await database.open() as other:
        both = (limited(one), limited(other))
        tries = [opens(both[number % 2], Person(100 + number, "Guest")) for number in range(20)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(each, Receipt) for each in done) == QUOTAS.channel
        assert sum(isinstance(each, TooManyTables) for each in done) == 20 - QUOTAS.channel
        assert len(await both[0].lists.open_tables()) == QUOTAS.channel


async def test_a_rematch_counts_like_any_other_table(store: Store) -> None:
    tables = limited(store)
    table = (await opens(tables, ANN)).table
    await tables.sit(table.id, BEN)
    await tables.start(table.id, ANN.id)
    await in_turn(tables, table, *("take 1", "take 1", "keep", "keep") * 2)
    for _ in range(2):
        await opens(tables, ANN, THERE)
    with pytest.raises(TooManyTables):
        await tables.rematch(table.id, ANN)
    again = (await tables.rematch(table.id, BEN)).table
    assert (await tables.rematch(table.id, ANN)).table.id == again.id


async def test_a_user_who_becomes_host_can_exceed_the_quota(store: Store) -> None:
    tables = limited(store)
    for _ in range(2):
        await opens(tables, BEN, THERE)
    table = (await opens(tables, ANN)).table
    await tables.sit(table.id, BEN)
    assert (await tables.stand(table.id, ANN.id)).table.host_id == BEN.id
    with pytest.raises(TooManyTables, match=r"You can't host more open tables \(limit 2\)"):
        await opens(tables, BEN)


async def test_without_quotas_any_number_of_tables_may_be_open(tables: Tables) -> None:
    for _ in range(60):
        await tables.open("pebbles", {}, CY, HERE)
