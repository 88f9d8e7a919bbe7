"""Tests of stored undos, and of the settings of servers."""

import pytest
from msgspec.structs import replace

from bot.errors import Conflict
from bot.games.game import Entry
from bot.records.preference import Server
from bot.records.taken_back import REFUSED, WITHDRAWN, TakenBack, UndoAnswers
from tests.databases import Database
from tests.store.lilypads import DRAFT, SEED, append

MOVES = (Entry(None, "deal 1"), Entry(0, "take 1"), Entry(1, "take 2"))


async def test_an_undo_removes_the_last_entries_of_the_log(database: Database) -> None:
    async with await database.open() as store:
        table = await store.open_table(DRAFT, SEED)
        moved = await append(store, table, MOVES, at=5.0, by_user=7)
        undone = await append(store, moved, at=6.0, by_user=8, taken_back=2)
        after = undone.version
        assert after == moved.version + 1
        await append(store, undone, (Entry(0, "take 3"),), at=7.0, by_user=7)
    async with await database.open() as store:
        log = await store.log(table.id)
        assert log is not None
        assert log.entries == (MOVES[0], Entry(0, "take 3"))
        assert (log.table.version, log.table.undone_at) == (after + 1, after)
        assert await store.undos.taken_back(table.id) == (
            TakenBack(after, 1, MOVES[1], 7, 8, 6.0),
            TakenBack(after, 2, MOVES[2], 7, 8, 6.0),
        )


async def test_an_undo_that_is_late_or_too_long_changes_nothing(database: Database) -> None:
    async with await database.open() as store:
        table = await store.open_table(DRAFT, SEED)
        moved = await append(store, table, MOVES, at=5.0, by_user=7)
        before = await store.log(table.id)
        for seen, count in ((replace(moved, version=moved.version - 1), 1), (moved, 4)):
            with pytest.raises(Conflict):
                await append(store, seen, at=6.0, by_user=7, taken_back=count)
        assert await store.log(table.id) == before
        assert await store.undos.taken_back(table.id) == ()


async def test_consent_is_valid_for_one_version(database: Database) -> None:
    async with await database.open() as store:
        table = await store.open_table(DRAFT, SEED)
        moved = await append(store, table, MOVES, at=5.0, by_user=7)
        version = moved.version
        for user in (7, 8, 8):
            await store.undos.answer(table.id, version, 7, user)
        assert await store.undos.questions(table.id, version) == {7: UndoAnswers(frozenset({7, 8}))}
        assert await store.undos.questions(table.id, version - 1) == {}
        await append(store, moved, at=6.0, by_user=7, taken_back=1)
        assert await store.undos.questions(table.id, version) == {}


async def test_a_question_can_be_refused_and_withdrawn(database: Database) -> None:
    async with await database.open() as store:
        table = await store.open_table(DRAFT, SEED)
        for asker in (7, 8):
            await store.undos.answer(table.id, table.version, asker, asker)
        await store.undos.answer(table.id, table.version, 7, REFUSED)
        await store.undos.answer(table.id, table.version, 8, WITHDRAWN)
        assert await store.undos.questions(table.id, table.version) == {
            7: UndoAnswers(frozenset({7}), is_refused=True),
            8: UndoAnswers(frozenset({8}), is_withdrawn=True),
        }


async def test_a_server_has_default_settings(database: Database) -> None:
    async with await database.open() as store:
        assert await store.servers.settings(1) == Server(1)
        own = Server(1, (5, 2**63 - 1), threads=True, role_id=9, clock="day")
        await store.servers.save(own)
        assert await store.servers.settings(1) == own
        assert await store.servers.settings(2) == Server(2)
