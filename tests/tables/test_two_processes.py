"""Tests of two processes at one table."""

import asyncio

from bot.tables.tables import Tables
from tests.databases import Database
from tests.tables.people import ANN, BEN, HERE, make_tables, started


async def test_two_processes_play_at_one_table(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN)
    async with await database.open() as other_store:
        others = make_tables(other_store)
        await others.look(table.id)
        await tables.play(table.id, ANN.id, "take 1", table.version)
        await others.play(table.id, BEN.id, "take 2", table.version)
        receipt = await tables.play(table.id, ANN.id, "keep")
        assert (await others.look(table.id)).events == (await tables.look(table.id)).events
        assert receipt.before == table.version + 2


async def test_a_process_retries_after_another_wrote_first(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BEN)
    async with await database.open() as other_store:
        others = make_tables(other_store)
        presses = [
            play
            for person, move in ((ANN, "take 1"), (BEN, "take 2"))
            for play in (
                tables.play(table.id, person.id, move, table.version),
                others.play(table.id, person.id, move, table.version),
            )
        ]
        results = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Receipt", "Receipt", "Stale", "Stale"]
    assert (await tables.table(table.id)).version == table.version + 2


async def test_two_processes_never_give_tables_the_same_name(tables: Tables, database: Database) -> None:
    async with await database.open() as other_store:
        others = make_tables(other_store)  # draws the same names as the first one
        receipts = await asyncio.gather(*(each.lobbies.open("pebbles", {}, ANN, HERE) for each in (tables, others) * 3))
    assert len({receipt.table.name for receipt in receipts}) == 6
