"""Tests of reading and writing tables, and of errors."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from bot.errors import Conflict, StoreError
from bot.games.game import Entry, Outcome
from bot.records.table import FormerPlayers, Guest, Place, Sitter, Table
from bot.store.store import Store
from tests.databases import Database
from tests.store.lilypads import DEAL, DRAFT, MOVE, SEED, append, opened
from tests.waiting import DEADLINE_S


async def test_a_table_is_read_as_it_was_written(store: Store) -> None:
    table = await opened(store)
    assert table == replace(DRAFT, id=table.id, number=1)
    assert await store.table(table.id) == table
    assert await store.table(table.id + 1) is None


async def test_the_seed_is_secret_until_the_table_has_ended(store: Store) -> None:
    table = await opened(store)
    playing = await append(store, table, [DEAL], at=2.0, status="playing")
    written = await store.log(table.id)
    assert written is not None
    assert written.table.seed is None
    await append(store, playing, [MOVE], at=2.0, status="over", outcome=Outcome((3, -4), (1, 2), "points"))
    over = await store.table(table.id)
    assert over is not None
    assert over.seed == SEED.hex() == (await store.seed(table.id)).hex()
    assert over.outcome == Outcome((3, -4), (1, 2), "points")


async def test_a_version_counts_entries_and_changes_without_entries(store: Store) -> None:
    table = await opened(store)
    changed = await append(store, table, at=2.0, sitters=DRAFT.sitters[:1])
    assert changed.version == 2
    assert (await append(store, changed, [DEAL, MOVE, MOVE])).version == 5
    written = await store.log(table.id)
    assert written is not None
    assert (written.table.version, written.table.changed_at, written.table.sitters) == (5, 2.5, DRAFT.sitters[:1])
    assert written.entries == (DEAL, MOVE, MOVE)


@pytest.mark.parametrize(
    "changes",
    [
        {"by_user": 1, "to_act": frozenset({1}), "stand_in": "Moss"},
        {"status": "playing", "to_act": frozenset({0})},
        {"sitters": DRAFT.sitters[:1]},
        {"by_user": 1, "taken_back": 1},
        {"level": "strong"},
        {"status": "closed", "why": "host"},
        {"status": "over", "outcome": Outcome((3, -4), (1, 2), "points")},
        {"former": FormerPlayers((7, 8), "ab", ("cd",), ("ef",)), "guests": (Guest(9, is_invited=True),)},
    ],
)
async def test_a_change_returns_the_table_as_it_is_stored(store: Store, changes: dict[str, Any]) -> None:
    table = await opened(store)
    before = await append(store, table, [DEAL, MOVE])
    assert before == await store.table(table.id)
    after = await append(store, before, [] if "taken_back" in changes else [MOVE], at=3.0, **changes)
    assert after == await store.table(table.id)


async def test_a_field_that_a_record_lacks_has_its_default(store: Store) -> None:
    table = await opened(store, hints="off", clock="day")
    lacking = """UPDATE tables SET record = replace(record, '"hints":"off",', '') WHERE id = ?"""
    await store.database.writer.execute(lacking, (table.id,))
    assert await store.table(table.id) == replace(table, hints="auto")


async def test_an_append_to_an_old_version_is_a_conflict(store: Store) -> None:
    table = await opened(store)
    await append(store, table, [DEAL])
    before = await store.log(table.id)
    with pytest.raises(Conflict):
        await append(store, table, [MOVE], at=3.0, status="closed", sitters=())
    with pytest.raises(Conflict):
        await append(store, replace(table, version=3), [MOVE])
    with pytest.raises(Conflict):
        await append(store, replace(table, id=table.id + 1), [MOVE])
    assert await store.log(table.id) == before


async def test_a_failed_append_does_not_affect_its_batch(store: Store) -> None:
    tables = [await opened(store, name) for name in ("Heron", "Teal", "Coot", "Rail")]
    twice = (Sitter(0, "Ann", 7), Sitter(1, "Ann", 7))  # nobody has two seats
    results = await asyncio.gather(
        append(store, tables[0], [DEAL]),
        append(store, replace(tables[1], version=99), [DEAL]),
        append(store, tables[2], [DEAL], at=2.0, sitters=twice),
        append(store, tables[3], [DEAL, MOVE]),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [Table, Conflict, Conflict, Table]
    kept = [await store.log(table.id) for table in tables]
    assert [written and written.entries for written in kept] == [(DEAL,), (), (), (DEAL, MOVE)]


async def test_no_task_waits_between_writes(store: Store) -> None:
    table = await opened(store)
    await append(store, table, [DEAL])
    await store._writer.finish()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_cancelled_writer_does_not_affect_its_batch(store: Store) -> None:
    first, second = await opened(store), await opened(store, "Teal")
    leaving = asyncio.ensure_future(append(store, first, [DEAL]))
    staying = asyncio.ensure_future(append(store, second, [DEAL]))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).version == 2


async def test_names_of_open_tables_differ_by_more_than_case(store: Store) -> None:
    heron = await opened(store)
    with pytest.raises(Conflict):
        await opened(store, "HERON")
    await append(store, heron, [], at=2.0, status="closed")
    again = await opened(store, "HERON")
    assert [table.id for table in await store.lists.named("heron")] == [again.id, heron.id]
    assert await store.lists.open_names() == {"HERON"}


async def test_a_name_finds_the_latest_finished_table(store: Store) -> None:
    for _ in range(2):
        last = await opened(store)
        await append(store, last, [], at=2.0, status="closed")
    assert [table.id for table in await store.lists.named("Heron")] == [last.id, last.id - 1]
    assert await store.lists.named("Teal") == ()


async def test_open_tables_are_found_by_user_and_channel(store: Store) -> None:
    heron = await opened(store, sitters=(Sitter(0, "Ann", 7),), place=Place(1, 10))
    teal = await opened(store, "Teal", sitters=(Sitter(0, "Ann", 7),), place=Place(1, 11))
    coot = await opened(store, "Coot", sitters=(Sitter(0, "Ben", 8),), place=Place(1, 11))
    over = await opened(store, "Rail", sitters=(Sitter(0, "Ann", 7),), place=Place(1, 11))
    await append(store, over, [], at=2.0, status="over")
    assert await store.lists.open_tables() == (heron, teal, coot)
    assert await store.lists.open_tables(user_id=7) == (heron, teal)
    assert await store.lists.in_channel(11, None, 25) == (teal, coot)
    assert len(await store.lists.all()) == 4


async def test_idle_lobbies_are_those_without_changes(store: Store) -> None:
    idle = await opened(store)
    await opened(store, "Teal", changed_at=9.0)
    await opened(store, "Coot", status="playing")
    assert await store.lists.idle_lobbies(before=9.0) == (idle.id,)


async def test_an_open_table_is_read_again_only_at_a_new_version(store: Store) -> None:
    table = await opened(store)
    assert await store.table(table.id, table) is table
    later = await append(store, table, [MOVE], at=2.0)
    assert await store.table(table.id, table) == later
    over = await append(store, later, [DEAL], at=2.0, status="over")
    assert await store.table(table.id, over) is not over
    assert await store.table(table.id + 1, table) is None


async def test_closed_direct_messages_are_stored_until_they_open(store: Store) -> None:
    table = await opened(store, sitters=(Sitter(0, "Ann", 7),))
    for is_closed in (True, False):
        await store.users.set_dm_closed(7, closed=is_closed)
        snapshot = await store.snapshot(table.id)
        assert snapshot is not None
        assert snapshot.reader(7).dm_closed == is_closed


async def test_the_last_move_is_that_of_the_user(store: Store) -> None:
    table = await opened(store, sitters=(Sitter(0, "Ann", 7), Sitter(1, "Ben", 8)))
    table = await append(store, table, [MOVE, DEAL], at=2.0, by_user=7)
    table = await append(store, table, [MOVE], at=3.0, by_user=7)
    await append(store, table, [Entry(1, "pass")], at=4.0)
    snapshot = await store.snapshot(table.id)
    assert snapshot is not None
    assert [snapshot.reader(user).moved_at for user in (7, 8)] == [3.0, None]


async def test_a_closed_store_is_reported(database: Database) -> None:
    store = await database.open()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.table(1)
    with pytest.raises(StoreError, match="closed"):
        await opened(store)


@pytest.mark.parametrize("is_running", [False, True])
async def test_a_cancelled_commit_leaves_nobody_waiting(database: Database, *, is_running: bool) -> None:
    async with await database.open() as store, asyncio.timeout(DEADLINE_S):
        writes = [asyncio.create_task(store.leases.release(str(number))) for number in (1, 2)]
        for _ in range(1 + is_running):
            await asyncio.sleep(0)
        (commit,) = [task for task in asyncio.all_tasks() if task.get_name() == "commit"]
        commit.cancel()
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(each) for each in results] == [asyncio.CancelledError] * 2
        await store.leases.release("3")
