"""Commands that read the database."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import load, shown
from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from tests.command_line.output import Output, error_line, printed_lines
from tests.commands import HOST, can_mount, ended, make_database, python, read_only


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A database in the place where the commands look for it."""
    return await make_database(tmp_path / "lilypad.db")


@pytest.mark.usefixtures("database")
def test_tables_are_listed_one_per_line(capsys: Output) -> None:
    lines = [line.split("  ") for line in printed_lines(capsys, "tables")]
    assert [(line[0], *line[2:4]) for line in lines] == [
        ("1", "pond", "playing"),
        ("2", "pond", "over"),
        ("3", "pond", "lobby"),
    ]
    assert [line[4].split(", ")[0] for line in lines] == ["Ann", "Ann", "Ann"]
    assert lines[2][4] == "Ann, (free)"


@pytest.mark.usefixtures("database")
def test_tables_are_listed_as_json(capsys: Output) -> None:
    listed = json.loads("\n".join(printed_lines(capsys, "tables", "--json")))
    assert [list(each) for each in listed] == [["number", "name", "game", "status", "seats"]] * 3
    assert (listed[2]["number"], listed[2]["game"], listed[2]["status"]) == (3, "pond", "lobby")
    assert listed[2]["seats"] == ["Ann", None]


async def test_names_do_not_control_the_terminal(database: Path, capsys: Output) -> None:
    odd = "Ann\x1b]0;owned\x07\r\n9  Heron\u202e\x9b31m"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE tables SET name = ? WHERE id = 1", (odd,))
        connection.execute("UPDATE tables SET record = json_set(record, '$.sitters[0].name', ?)", (odd,))
    lines = await asyncio.to_thread(printed_lines, capsys, "tables")
    assert [line[:3] for line in lines] == ["1  ", "2  ", "3  "]
    listed = await asyncio.to_thread(printed_lines, capsys, "tables", "--json")
    assert json.loads("\n".join(listed))[0]["name"] == odd
    (written,) = await asyncio.to_thread(printed_lines, capsys, "transcript", "2")
    assert json.loads(written)["seats"][0] == odd
    assert all(line.isprintable() for line in (*lines, *listed, written))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET record = '{' WHERE id = 1",
        "UPDATE tables SET record = CAST(x'ff' AS TEXT) WHERE id = 1",
        "UPDATE tables SET record = json_set(record, '$.seats', 4611686018427387904) WHERE id = 1",
        "UPDATE tables SET record = json_set(record, '$.sitters[0].level', 'genius') WHERE id = 1",
    ],
)
def test_a_table_that_cannot_be_read_is_left_out_with_a_line(database: Path, statement: str, capsys: Output) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)
    assert main(["tables"]) == 0
    told = capsys.readouterr()
    assert [line[:3] for line in told.out.splitlines()] == ["2  ", "3  "]
    assert told.err.splitlines() == ["Table 1 is left out: it is damaged.", f"Database: {database}"]
    assert error_line(capsys, "transcript", "1").startswith("lilypad: This table is damaged and can't be read.")
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT status FROM tables WHERE id = 1").fetchall() == [("playing",)]


def test_listing_tables_does_not_create_a_database(tmp_path: Path, capsys: Output) -> None:
    assert printed_lines(capsys, "tables") == []
    assert printed_lines(capsys, "tables", "--json") == ["[]"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("database")
def test_the_transcript_of_a_table_is_found_by_number_or_name(tmp_path: Path, capsys: Output) -> None:
    name = json.loads("\n".join(printed_lines(capsys, "tables", "--json")))[1]["name"]
    assert main(["transcript", "2"]) == 0
    told = capsys.readouterr()
    assert told.err == f"Database: {tmp_path / 'lilypad.db'}\n"
    assert printed_lines(capsys, "transcript", name.lower()) == told.out.splitlines()
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    assert printed_lines(capsys, "verify", "one") == ["1 ok pond resigned"]


@pytest.mark.usefixtures("database")
def test_an_unfinished_transcript_has_a_warning(tmp_path: Path, capsys: Output) -> None:
    assert main(["transcript", "1"]) == 0
    told = capsys.readouterr()
    warning, database = told.err.splitlines()
    assert "hidden" in warning
    assert database.startswith("Database: ")
    assert json.loads(told.out)["fairness"]["seed"] is None
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    assert printed_lines(capsys, "replay", "one") == ["1 ok pond unfinished"]
    assert printed_lines(capsys, "verify", "one", status=1)[0].startswith("1 fairness: ")


def test_the_transcript_of_a_closed_table_has_no_warning(database: Path, tmp_path: Path, capsys: Output) -> None:
    asyncio.run(_close(database, 1))
    assert main(["transcript", "1"]) == 0
    told = capsys.readouterr()
    assert told.err == f"Database: {database}\n"
    assert json.loads(told.out)["ended"] == "closed"
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    for command in ("replay", "verify"):
        assert printed_lines(capsys, command, "one") == ["1 ok pond unfinished"]


async def _close(database: Path, table_id: int) -> None:
    async with await SqliteStore.open(database) as store:
        await Tables(store).close(table_id, HOST.id)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("table", ["99", "nobody", "3"])
def test_a_table_without_a_transcript_is_a_mistake(table: str, capsys: Output) -> None:
    assert "able" in error_line(capsys, "transcript", table)


def test_a_backup_is_complete_and_overwrites_nothing(database: Path, tmp_path: Path, capsys: Output) -> None:
    (line,) = printed_lines(capsys, "backup", "copy.db")
    size = (tmp_path / "copy.db").stat().st_size
    assert line == f"Copied {database} to {tmp_path / 'copy.db'}: {size:,} bytes."
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy, closing(sqlite3.connect(database)) as original:
        for table in ("tables", "entries", "secrets"):
            query = f"SELECT * FROM {table}"  # noqa: S608 - one of three names
            assert copy.execute(query).fetchall() == original.execute(query).fetchall()
    for there in ("copy.db", ".", "/"):
        assert f"There is a file {there} already" in error_line(capsys, "backup", there)
    assert "the name is empty" in error_line(capsys, "backup", "")


def test_redraw_marks_the_messages_of_open_tables(database: Path, tmp_path: Path, capsys: Output) -> None:
    with closing(sqlite3.connect(database)) as db:
        ((open_tables,),) = db.execute("SELECT count(*) FROM open_tables").fetchall()
    (line,) = printed_lines(capsys, "redraw")
    assert line.startswith(f"Boards and hands of {open_tables} open tables")
    database.rename(tmp_path / "elsewhere.db")
    assert "doesn't exist yet" in error_line(capsys, "redraw")
    assert not database.exists()


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("file", ["nowhere/copy", "lilypad.db/copy", "x" * 300])
def test_an_unwritable_backup_is_named(file: str, tmp_path: Path, capsys: Output) -> None:
    assert f"The backup {file} can't be written: " in error_line(capsys, "backup", file)
    assert not list(tmp_path.glob("**/*.part"))


def test_a_file_that_is_not_a_database_is_a_mistake(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "lilypad.db").write_bytes(b"no database at all" * 100)
    for arguments in (["tables"], ["transcript", "1"], ["backup", "copy.db"]):
        assert "lilypad.db" in error_line(capsys, *arguments)


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("sqlite:///pond.db", 0, "pond.db\nIt doesn't exist yet.\n"),
        ("sqlite:///nowhere/pond.db", 0, "nowhere/pond.db\nIts folder doesn't exist: check DATABASE_URL.\n"),
        ("postgresql://localhost/pond", 2, "lilypad: PostgreSQL needs asyncpg. Run: make ready POSTGRES=1.\n"),
    ],
)
def test_only_postgresql_needs_its_driver(address: str, status: int, told: str) -> None:
    without = "import sys; sys.modules['asyncpg'] = None; from bot.__main__ import main; sys.exit(main(['tables']))"
    ended_with, printed, said = ended(python("-c", without, DATABASE_URL=address))
    assert (ended_with, printed) == (status, "")
    assert said.endswith(told)


def test_commands_say_which_database_they_used_without_its_password() -> None:
    for address, name in (
        ("sqlite:////srv/pond.db", "/srv/pond.db"),
        ("postgresql://lily:secret@db.example:5432/pond?password=secret", "postgresql://db.example:5432/pond"),
    ):
        assert shown(load({"DATABASE_URL": address}, Path("none")).database) == name


@pytest.mark.skipif(not can_mount(), reason="no namespaces for mounts here")
@pytest.mark.parametrize("has_log", [False, True])
def test_a_database_on_a_read_only_disk_is_read(
    database: Path, tmp_path: Path, capsys: Output, *, has_log: bool
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if has_log:  # as if the machine had stopped: there is a log, and nobody has the database open
        copy_with_log(database, disk)
    else:
        shutil.copy(database, disk)
    before = {file.name: file.read_bytes() for file in disk.iterdir()}
    listed = printed_lines(capsys, "tables")
    assert len(listed) == 3

    def command(*arguments: str) -> str:
        ran = python("-m", "bot", *arguments, before=read_only(disk), DATABASE_URL=f"sqlite:///{disk}/lilypad.db")
        status, printed, told = ended(ran)
        assert status == 0, told
        return printed

    assert command("tables").splitlines() == listed
    assert "transcript/1" in command("transcript", "2")
    assert "Copied" in command("backup", str(tmp_path / "copy.db"))
    assert {file.name: file.read_bytes() for file in disk.iterdir()} == before


def copy_with_log(database: Path, folder: Path) -> None:
    """Copy a database in use, so that its latest changes are in its write-ahead log."""
    with closing(sqlite3.connect(database)) as writing:
        writing.execute("UPDATE tables SET name = name")
        writing.commit()
        for file in (database, database.with_name(f"{database.name}-wal")):
            shutil.copy(file, folder)
