"""Databases of the version before are upgraded by one step, and older ones by the last version that could do that."""

import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from bot.errors import DatabaseTooOld
from bot.records.table import Sitter
from bot.store.open_store import backup, open_store
from bot.store.schema import LAST_WITH_ALL
from bot.tables.tables import Tables
from tests.databases import Database, PostgresDatabase, SqliteDatabase
from tests.postgres_server import PostgresServer
from tests.version_48 import old_file, old_postgres

ROOT: Final = Path(__file__).parents[2]
KEPT: Final = (
    ("SELECT table_id, ply, seat, move, by_user, at FROM entries ORDER BY 1, 2", 52),
    ("SELECT id, name, game, status, plies, host_id, guild_id, channel_id, number FROM tables ORDER BY 1", 6),
    ("SELECT table_id, seat, user_id, owes, since FROM seats ORDER BY 1, 2", 12),
    ("SELECT table_id, seed FROM secrets ORDER BY 1", 6),
    ("SELECT event, secret, commitment, closes_at FROM events ORDER BY 1", 3),
    ("SELECT event, player, user_id, played, score FROM event_results ORDER BY 1, 2", 4),
    ("SELECT id, name, options FROM option_sets ORDER BY 1", 1),
    ("SELECT guild_id, game, nth, seat, user_id, mu FROM results ORDER BY 1, 2, 3, 4", 2),
)
"""Queries whose answers an upgrade doesn't change, with the number of their rows."""


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request: pytest.FixtureRequest) -> Database:
    """A database of schema 48."""
    if request.param == "sqlite":
        return SqliteDatabase(old_file(request.getfixturevalue("path")))
    return PostgresDatabase(await old_postgres(request.getfixturevalue("url")))


async def upgrade(database: Database) -> None:
    async with await database.open():
        pass


# ---- the schema


def definitions(path: Path) -> dict[str, list[str]]:
    """Return the definition of each table, index and view, in parts."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: in_parts(sql) for name, sql in found}


def in_parts(definition: str) -> list[str]:
    """Return the columns and constraints of a definition, sorted, as SQLite writes new columns after constraints."""
    plain = " ".join(definition.replace('"', "").split())
    head, _, rest = plain.partition("(")
    body, _, tail = rest.rpartition(")")
    return [head, tail, *sorted(re.split(r" ?, (?![^(]*\))", body.strip()))]


POSTGRES: Final = """
SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position;
SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1;
SELECT CAST(conrelid::regclass AS TEXT), pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2;
SELECT relname, CAST(reloptions AS TEXT) FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1;
SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1
"""
"""Queries about the schema of a PostgreSQL database."""


async def test_an_upgraded_file_has_the_schema_of_a_new_one(path: Path, tmp_path: Path) -> None:
    upgraded, new = SqliteDatabase(old_file(path)), SqliteDatabase(tmp_path / "new.db")
    for database in (upgraded, new):
        await upgrade(database)
    assert definitions(path) == definitions(tmp_path / "new.db")
    assert await upgraded.columns() == await new.columns()


async def test_an_upgraded_postgres_database_has_the_schema_of_a_new_one(url: str, postgres: PostgresServer) -> None:
    postgres.sql("CREATE DATABASE brand_new")
    upgraded, new = PostgresDatabase(await old_postgres(url)), PostgresDatabase(postgres.url("brand_new"))
    for database in (upgraded, new):
        await upgrade(database)
    for query in POSTGRES.split(";"):
        assert await upgraded.rows(query) == await new.rows(query)
    postgres.sql("DROP DATABASE brand_new WITH (FORCE)")


# ---- what is in it


async def test_an_upgrade_keeps_what_was_played(old: Database) -> None:
    before = [await old.rows(query) for query, _ in KEPT]
    assert [len(rows) for rows in before] == [count for _, count in KEPT]
    await upgrade(old)
    assert [await old.rows(query) for query, _ in KEPT] == before


async def test_messages_of_events_are_carried_over(old: Database) -> None:
    ((guild_id, *daily),) = await old.rows("SELECT guild_id, channel_id, nonce, message_id, shown FROM event_posts")
    ((match_id, *match),) = await old.rows("SELECT id, channel_id, id, message_id, shown FROM matches")
    ((night_id, *night),) = await old.rows("SELECT id, channel_id, id, message_id, shown FROM nights")
    ((tables,),) = await old.rows("SELECT count(*) FROM messages")
    day = date(2026, 1, 1).toordinal()
    await upgrade(old)
    kept = "subject, subject_id, deal, channel_id, nonce, message_id, content, stage, kind, table_id"
    assert [
        tuple(row)
        for row in await old.rows(f"SELECT {kept} FROM messages WHERE subject <> 'table' ORDER BY subject")  # noqa: S608 - constant
    ] == [
        ("daily", guild_id, day, *daily, "live", "card", None),
        ("match", match_id, None, *match, "live", "card", None),
        ("night", night_id, None, *night, "live", "card", None),
    ]
    of_tables = await old.rows("SELECT table_id, subject_id FROM messages WHERE subject = 'table'")
    assert len(of_tables) == tables
    assert all(table_id == subject_id for table_id, subject_id in of_tables)


async def test_tables_of_the_version_before_are_played_on(old: Database) -> None:
    async with await old.open() as store:
        tables = Tables(store)
        for table in await store.lists.open_tables():
            if table.status == "playing":
                user = (await tables.whose_turn(table))[0]
                move = (await tables.look(table.id, user)).observation.legal[0]
                receipt = await tables.play(table.id, user, str(move))
                assert receipt.table.version > table.version
        over = await store.table(2)
        assert over is not None
        assert over.outcome is not None
        assert {sitter.name for sitter in over.sitters} == {"Ann", "Ben"}


async def test_an_upgrade_marks_games_against_computers(old: Database) -> None:
    against = (
        "INSERT INTO results SELECT guild_id, game, nth + 1, seat, number, ended_at, options, reason, side, place, won,"
        " score, margin, CASE seat WHEN 0 THEN user_id END, CASE seat WHEN 1 THEN 'fair' END, decisions, own, mu,"
        " sigma, gain FROM results"
    )
    deleted = "UPDATE results SET user_id = NULL WHERE seat = 0"
    await execute(old, f"{against}; {deleted}")
    await upgrade(old)
    found = await old.rows("SELECT nth, seat, against_computers FROM results ORDER BY 1, 2")
    assert found == [(1, 0, 0), (1, 1, 0), (2, 0, 1), (2, 1, 1)]


async def test_an_upgrade_leaves_a_private_copy_of_the_file_before(path: Path) -> None:
    copy = path.with_name(f"{path.name}.v48.backup")
    copy.write_text("half a copy of an earlier try")
    old_file(path)
    for _ in range(2):
        await upgrade(SqliteDatabase(path))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT max(number) FROM migrations").fetchone() == (48,)
    assert list(path.parent.glob("*.backup")) == [copy]


async def test_only_the_upgrade_of_an_existing_file_makes_a_copy(path: Path) -> None:
    for _ in range(2):
        await upgrade(SqliteDatabase(path))
    assert list(path.parent.glob("*.backup")) == []


# ---- older databases


async def test_an_older_database_is_refused_and_can_be_backed_up(old: Database, tmp_path: Path) -> None:
    await execute(old, "DELETE FROM migrations WHERE number > 47")
    before = await old.cells()
    with pytest.raises(DatabaseTooOld, match=f"schema is number 47.* `git checkout {LAST_WITH_ALL}` and `make ready`"):
        await old.open()
    assert sorted(await old.cells(), key=repr) == sorted(before, key=repr)
    if isinstance(old.address, Path):
        copy = tmp_path / "copy.db"
        await backup(old.address, copy)
        assert sorted(await SqliteDatabase(copy).cells(), key=repr) == sorted(before, key=repr)


async def execute(database: Database, script: str) -> None:
    """Change a database from outside of the bot."""
    if isinstance(database.address, Path):
        with closing(sqlite3.connect(database.address)) as file, file:
            file.executescript(script)
        return
    connection = await asyncpg.connect(database.address)
    await connection.execute(script)
    await connection.close()


MAKE_30: Final = """
import asyncio, sys
if "://" in sys.argv[1]:
    from bot.store.postgres.postgres_store import PostgresStore as Store, migrations
    address = sys.argv[1]
else:
    from pathlib import Path
    from bot.store.sqlite.sqlite_store import SqliteStore as Store, migrations
    address = Path(sys.argv[1])
async def make():
    async with await Store.open(address, [each for each in migrations() if each.number <= 30]):
        pass
asyncio.run(make())
"""
ROWS_30: Final = """
INSERT INTO tables (id, number, name, game, rules, options, seats, status, version, plies, host_id, channel_id,
    commitment, opened_at, changed_at)
VALUES (1, 1, 'Snail', 'frogs', 1, '{"preset": "standard"}', 2, 'lobby', 4, 0, 7, 50, 'c1', 10.5, 20.5);
INSERT INTO seats (table_id, seat, name, user_id, cut) VALUES (1, 1, 'Ann "A"', 7, 'c')
"""


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_an_older_database_is_upgraded_in_two_steps(
    database: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    program = earlier_program(tmp_path / "earlier")
    address = str(request.getfixturevalue("path" if database == "sqlite" else "url"))
    run(program, address, "-c", MAKE_30, address)
    old = SqliteDatabase(Path(address)) if database == "sqlite" else PostgresDatabase(address)
    await execute(old, ROWS_30)
    with pytest.raises(DatabaseTooOld):
        await old.open()
    run(program, address, "-m", "bot", "tables")
    async with await open_store(old.address) as store:
        (table,) = await store.lists.open_tables()
        assert (table.name, table.options) == ("Snail", {"preset": "standard"})
        assert table.sitters == (Sitter(1, 'Ann "A"', 7, "c"),)


def earlier_program(folder: Path) -> Path:
    """Write the program that upgrades older databases to a folder. Skips the test in a clone without its commit."""
    packed = subprocess.run(["git", "archive", LAST_WITH_ALL], cwd=ROOT, check=False, capture_output=True)  # noqa: S603, S607 - a constant commit
    if packed.returncode:
        pytest.skip(f"the commit {LAST_WITH_ALL} isn't in this clone")
    folder.mkdir()
    subprocess.run(["tar", "--extract"], cwd=folder, check=True, input=packed.stdout)  # noqa: S607 - the system's tar
    return folder


def run(program: Path, database: str, *arguments: str) -> None:
    """Run the earlier program's Python with this database."""
    environment = {**os.environ, "DATABASE_URL": database if "://" in database else f"sqlite:///{database}"}
    subprocess.run([sys.executable, *arguments], cwd=program, env=environment, check=True, capture_output=True)  # noqa: S603 - our own program
