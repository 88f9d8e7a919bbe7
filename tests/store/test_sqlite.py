"""Tests of what only a store in a file has: backups, and how it commits."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.errors import StoreError
from bot.store.open_store import backup
from bot.store.sqlite import SqliteStore
from tests.live import live_message
from tests.store.lilypads import DEAL, MOVE, SEED, append, opened


async def test_writes_that_wait_share_a_commit(sqlite_store: SqliteStore) -> None:
    tables = [await opened(sqlite_store, f"Heron {number}") for number in range(64)]
    statements: list[str] = []
    assert sqlite_store._writing._connection is not None
    await sqlite_store._writing.run(lambda connection: connection.set_trace_callback(statements.append))
    await asyncio.gather(*(append(sqlite_store, table, [DEAL]) for table in tables))
    assert statements.count("COMMIT") == 1


async def test_a_backup_of_a_store_in_use_is_complete(sqlite_store: SqliteStore, path: Path) -> None:
    table = await opened(sqlite_store)
    copy = path.with_name("copy.db")
    writing = asyncio.ensure_future(append(sqlite_store, table, [DEAL, MOVE]))
    await backup(path, copy)
    await append(sqlite_store, await writing, [MOVE])
    async with await SqliteStore.open(copy) as restored:
        written = await restored.log(table.id)
        assert written is not None
        assert written.entries in {(), (DEAL, MOVE)}
        assert await restored.seed(table.id) == SEED
        await append(restored, written.table, [MOVE])
    assert sorted(file.name for file in path.parent.iterdir()) == ["copy.db", "pond.db", "pond.db-shm", "pond.db-wal"]


async def test_messages_of_a_copy_count_as_restored_once(sqlite_store: SqliteStore, path: Path) -> None:
    table = await opened(sqlite_store)
    board = await sqlite_store.messages.posted(live_message(table.id, content="shown"))
    await backup(path, copy := path.with_name("copy.db"))
    for posted_at in (0, 5.0):
        async with await SqliteStore.open(copy) as restored:
            (found,) = await restored.messages.of(table.id)
            assert found.posted_at == posted_at
            await restored.messages.update(replace(board, posted_at=5.0))
    assert await sqlite_store.messages.of(table.id) == (board,)


@pytest.mark.usefixtures("sqlite_store")
async def test_a_backup_overwrites_nothing(path: Path) -> None:
    other = path.with_name("other.db")
    other.write_text("mine")
    with pytest.raises(StoreError, match="There is a file"):
        await backup(path, other)
    assert other.read_text() == "mine"
