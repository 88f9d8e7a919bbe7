"""`restore`: a copy takes the place of the database, or nothing changes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.sqlite.sqlite_schema import UNOPENED
from tests.command_line.output import Output, error_line, printed_lines
from tests.commands import locked_elsewhere, make_database


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A database in the place where the commands look for it, and a copy of it."""
    database = await make_database(tmp_path / "lilypad.db")
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(database, tmp_path / "copy.db")
    return database


def names(database: Path) -> set[str]:
    """Return the names of all tables."""
    with closing(sqlite3.connect(database)) as db:
        return {name for (name,) in db.execute("SELECT name FROM tables")}


def test_a_copy_takes_the_place_of_a_database_that_is_kept(database: Path, capsys: Output) -> None:
    with closing(sqlite3.connect(database)) as db, db:
        before = names(database)
        db.execute("UPDATE tables SET name = 'later' || id")
    said = printed_lines(capsys, "restore", "copy.db")
    assert said[0].startswith("Restored copy.db to ")
    assert names(database) == before
    (aside,) = database.parent.glob("lilypad.db.replaced-*[0-9]")
    assert str(aside) in said[1]
    assert names(aside) == {"later1", "later2", "later3"}
    assert database.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (UNOPENED,), "boards and hands are posted again"
    assert (database.parent / "copy.db").exists()


def test_a_copy_is_restored_where_nothing_is_left(database: Path, capsys: Output) -> None:
    database.unlink()
    assert len(printed_lines(capsys, "restore", "copy.db")) == 1
    assert len(names(database)) == 3


def damaged(path: Path) -> None:
    """Damage a database in its middle."""
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(bytes(content))


def foreign(path: Path) -> None:
    """Make another program's database."""
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE notes (text TEXT)")


@pytest.mark.parametrize(
    "change", [damaged, foreign, lambda path: path.write_text("hello"), Path.unlink, lambda path: path.write_bytes(b"")]
)
def test_what_is_no_sound_copy_changes_nothing(change: object, database: Path, capsys: Output) -> None:
    assert callable(change)
    change(database.parent / "copy.db")
    before = database.read_bytes()
    assert error_line(capsys, "restore", "copy.db").startswith("lilypad: ")
    assert database.read_bytes() == before
    assert not list(database.parent.glob("*.replaced-*"))
    assert not list(database.parent.glob("*.new*"))


def test_the_database_of_a_running_bot_is_not_replaced(database: Path, capsys: Output) -> None:
    with locked_elsewhere(database):
        assert "stop it first" in error_line(capsys, "restore", "copy.db", expected=1)
    assert not list(database.parent.glob("*.replaced-*"))


def test_the_database_itself_is_no_copy(database: Path, capsys: Output) -> None:
    assert "the database itself" in error_line(capsys, "restore", str(database))


def test_postgres_is_refused_with_the_name_of_its_own_command(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://lilypad@localhost/lilypad")
    assert "pg_dump" in error_line(capsys, "restore", "copy.db")
