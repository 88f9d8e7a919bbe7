"""Rows of what is due: written with what causes them, and filled in by the migration that adds them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.records.preference import Server
from bot.store.due_rows import DueRow
from bot.store.sqlite import SqliteStore
from bot.store.store import Store
from tests.databases import Database
from tests.tables.people import ANN, BEN, HERE, make_tables, started
from tests.version_48 import old_file


async def _filled(store: Store) -> None:
    """Begin one thing of each kind, and others that are never due."""
    tables = make_tables(store)
    await tables.lobbies.open("pebbles", {"players": 2}, ANN, HERE)
    await started(tables, ANN, BEN)
    closed = await started(tables, ANN, BEN)
    await tables.close(closed.id, 999, moderates=HERE.guild_id)
    await tables.nights.plan(ANN, HERE, "pond", 5000.0)
    await tables.matches.challenge(ANN, BEN, HERE, "pond", deals=1, days=1)
    await tables.servers.save(Server(1, recap_channel_id=100))
    await tables.servers.save(Server(2))


async def _rows(store: Store) -> list[DueRow]:
    """Return the rows, without those of tables that have ended: they go when they are due."""
    open_tables = await store.lists.open_numbers()
    rows = [row for kind in ("deadline", "match", "night", "recap") for row in await store.due.of_kind(kind)]
    return [row for row in rows if row.kind != "deadline" or row.id in open_tables]


async def test_rows_are_written_with_what_causes_them(database: Database) -> None:
    async with await database.open() as store:
        await _filled(store)
        rows = await _rows(store)
        assert [row.kind for row in rows] == ["deadline", "match", "night", "recap"]
        assert {row.guild_id for row in rows} == {1}


async def test_an_upgrade_fills_in_the_rows_of_what_exists(tmp_path: Path) -> None:
    path = old_file(tmp_path / "old.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE servers SET recap_channel_id = 100")
        connection.commit()
        playing = {row[0] for row in connection.execute("SELECT id FROM tables WHERE status = 'playing'")}
        (night, starts_at), (match, until) = (
            connection.execute(query).fetchone()
            for query in ("SELECT id, starts_at FROM nights", "SELECT id, until FROM matches")
        )
        (server,) = connection.execute("SELECT guild_id FROM servers").fetchone()
    async with await SqliteStore.open(path) as store:
        rows = await _rows(store)
    assert {row.id for row in rows if row.kind == "deadline"} == playing
    others = {(row.kind, row.id, row.at) for row in rows if row.kind != "deadline"}
    assert others == {("night", night, starts_at), ("match", match, until), ("recap", server, 0.0)}


async def test_a_row_that_has_changed_since_it_was_read_stays(database: Database) -> None:
    async with await database.open() as store:
        await store.servers.save(Server(1, recap_channel_id=100))
        row = await store.due.find("recap", 1)
        assert row is not None
        await store.due.done(row, 70.0)
        for again_at in (None, 90.0):
            await store.due.done(row, again_at)
        assert await store.due.find("recap", 1) == row._replace(at=70.0)
        await store.due.done(row._replace(at=70.0), None)
        assert await store.due.find("recap", 1) is None


async def test_a_purged_server_leaves_no_rows(database: Database) -> None:
    async with await database.open() as store:
        await store.servers.save(Server(1, recap_channel_id=100))
        await store.personal_data.note_left(1, 10.0)
        await store.personal_data.forget_guild(1, 20.0)
        assert await store.due.find("recap", 1) is None
