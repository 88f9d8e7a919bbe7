"""The command line as people and scripts meet it: what is printed where, and with which status it ends."""

import asyncio
import json
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bot import __version__
from bot.__main__ import main
from bot.games import GAMES
from bot.store.sqlite import SqliteStore
from bot.tables import Tables
from bot.transcript import read, verify
from tests.commands import HOST, ended, make_database, python

GOLDEN = Path(__file__).parent / "golden" / "pond-two.jsonl"
HUSH = "hush.hush"

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings or the database of whoever runs it."""
    for name in ("DISCORD_TOKEN", "DISCORD_API_URL", "DATABASE_URL", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def _refused(output: Output, *arguments: str) -> str:
    """The one line that a mistake gets."""
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code  # type: ignore[assignment]  # argparse's is a number
    told = output.readouterr()
    assert (status, told.out) == (2, "")
    (line,) = told.err.splitlines()
    return line


def _lines(output: Output, *arguments: str, status: int = 0) -> list[str]:
    """What is printed."""
    assert main(arguments) == status
    return output.readouterr().out.splitlines()


# ---- help and mistakes


@pytest.mark.parametrize(
    "command", ["", "run", "sandbox", "selfplay", "replay", "verify", "tables", "transcript", "backup"]
)
def test_every_command_explains_itself(command: str, capsys: Output) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m bot {command}".rstrip())


def test_the_version_is_printed(capsys: Output) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"Lilypad {__version__}\n"


def test_the_help_of_selfplay_tells_every_option_of_every_game(capsys: Output) -> None:
    with pytest.raises(SystemExit):
        main(["selfplay", "--help"])
    told = capsys.readouterr().out
    for game in GAMES.values():
        for option in game.options:
            assert f"{option.key}={option.choices[0]}" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "COMMAND"),
        ("dance", "'dance'"),
        ("replay", "FILE"),
        ("replay a b", "unrecognized arguments: b"),
        ("replay nowhere", "nowhere can't be read: No such file"),
        ("replay .", "Is a directory"),
        ("verify nowhere", "can't be read"),
        ("selfplay", "GAME"),
        ("selfplay poker", "'poker'"),
        ("selfplay pond --games 0", "'0'"),
        ("selfplay pond --games -1", "--games"),
        ("selfplay pond --games 1.5", "'1.5'"),
        ("selfplay pond --workers 0", "'0'"),
        ("selfplay pond --level genius", "'genius'"),
        ("selfplay pond --option rounds", "key=value"),
        ("selfplay pond --option rounds=3", "rounds"),
        ("selfplay pond --option colour=green", "colour"),
        ("selfplay pond --option rounds=2 --option rounds=4", "twice"),
        ("selfplay pond --seed x --out nowhere/x", "nowhere/x can't be written"),
        ("selfplay pond --out nowhere/x", "nowhere/x can't be written"),
        ("sandbox --port 65536", "'65536'"),
        ("transcript 7", "no table"),
        ("backup copy.db", "lilypad.db doesn't exist"),
    ],
)
def test_a_mistake_gets_one_line_and_status_2(arguments: str, told: str, capsys: Output) -> None:
    assert told in _refused(capsys, *arguments.split())


def test_options_that_are_refused_leave_the_file_alone(tmp_path: Path, capsys: Output) -> None:
    kept = tmp_path / "kept"
    kept.write_text("precious")
    _refused(capsys, "selfplay", "pond", "--option", "rounds=3", "--out", str(kept))
    assert kept.read_text() == "precious"


# ---- settings


def test_run_without_a_token_says_what_to_do_and_ends_with_78() -> None:
    status, printed, told = ended(python("-m", "bot", "run"))
    assert (status, printed) == (78, "")
    (line,) = told.splitlines()
    assert "DISCORD_TOKEN" in line
    assert ".env" in line


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of a Discord that knows no token."""

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api/v10"
        server.shutdown()
        thread.join()


def test_a_token_that_discord_refuses_is_a_mistake_in_the_settings(refusing: str) -> None:
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
    assert status == 78
    assert "refuses DISCORD_TOKEN" in told.splitlines()[-1]
    assert HUSH not in told


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_files_that_others_can_read_are_warned_about_and_left_alone(refusing: str, tmp_path: Path) -> None:
    files = [tmp_path / ".env", tmp_path / "lilypad.db"]
    for file in files:
        file.touch()
    for mode, warnings in ((0o644, 2), (0o640, 2), (0o600, 0)):
        for file in files:
            file.chmod(mode)
        _, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=refusing))
        assert told.count("can be read by other users") == warnings
        assert [file.stat().st_mode & 0o777 for file in files] == [mode, mode]


def test_without_a_way_to_discord_run_ends_with_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    address = f"http://127.0.0.1:{port}/api/v10"
    status, _, told = ended(python("-m", "bot", "run", DISCORD_TOKEN=HUSH, DISCORD_API_URL=address))
    assert status == 1
    assert "Discord can't be reached" in told.splitlines()[-1]
    assert HUSH not in told


def test_every_mistake_in_the_settings_is_told_before_anything_is_done(capsys: Output, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\nDATABASE_URL=mysql://x\n")
    assert main(["tables"]) == 78
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 2


def test_what_is_about_files_asks_for_no_settings(capsys: Output, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=LOUD\n")
    assert len(_lines(capsys, "replay", str(GOLDEN))) == 2


# ---- replay and verify


def _spoilt(tmp_path: Path, *spoilt: str) -> str:
    """A file of the golden transcripts: as they are, then those given."""
    file = tmp_path / "spoilt.jsonl"
    file.write_text("".join([GOLDEN.read_text(encoding="utf-8"), *(f"{line}\n" for line in spoilt)]), encoding="utf-8")
    return str(file)


def _changed(**changes: object) -> str:
    return json.dumps({**json.loads(GOLDEN.read_text(encoding="utf-8").splitlines()[0]), **changes})


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_each_transcript_gets_its_line(command: str, capsys: Output) -> None:
    assert _lines(capsys, command, str(GOLDEN)) == ["1 ok pond points", "2 ok pond points"]


def test_replay_goes_on_after_a_fault_and_names_transcript_and_entry(tmp_path: Path, capsys: Output) -> None:
    file = _spoilt(
        tmp_path,
        _changed(entries=[{"seat": None, "move": "dealer 0"}, {"seat": 0, "move": "pass"}]),
        _changed(outcome=None),
        _changed(options={}),
        _changed(entries=[], outcome=None),
    )
    lines = _lines(capsys, "replay", file, status=1)
    assert lines[:2] == ["1 ok pond points", "2 ok pond points"]
    assert [line[: line.index(":") + 1] for line in lines[2:5]] == ["3 entry 1:", "4 outcome:", "5 options:"]
    assert lines[5:] == ["6 ok pond unfinished"]


def test_verify_ends_at_the_first_fault(tmp_path: Path, capsys: Output) -> None:
    thing = json.loads(_changed())
    thing["fairness"]["cuts"] = ["another", "cut"]
    lines = _lines(capsys, "verify", _spoilt(tmp_path, json.dumps(thing), _changed()), status=1)
    assert lines[:2] == ["1 ok pond points", "2 ok pond points"]
    assert lines[2].startswith("3 entry ")
    assert len(lines) == 3


def test_what_publishes_no_seed_is_not_verified(tmp_path: Path, capsys: Output) -> None:
    assert _lines(capsys, "verify", _spoilt(tmp_path, _changed(fairness=None)), status=1)[2].startswith("3 fairness: ")


def test_verify_names_the_malformed_entry(tmp_path: Path, capsys: Output) -> None:
    (malformed := json.loads(_changed()))["entries"][4] = {"seat": 0, "move": 7}
    (line,) = _lines(capsys, "verify", _spoilt(tmp_path, json.dumps(malformed)), status=1)[2:]
    assert line == "3 entry 4: move is 7, no text. (G-05)"


@pytest.mark.parametrize("line", ["", "[]", "null", "{", "word"])
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_line_that_is_no_object_is_a_mistake(command: str, line: str, tmp_path: Path, capsys: Output) -> None:
    assert main([command, _spoilt(tmp_path, line)]) == 2
    told = capsys.readouterr().err
    assert "line 3" in told
    assert len(told.splitlines()) == 1


def test_an_empty_file_is_a_mistake(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "empty").touch()
    assert "no transcript" in _refused(capsys, "replay", "empty")


def test_a_transcript_printed_over_several_lines_is_read(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "one").write_text(json.dumps(json.loads(_changed()), indent=2))
    assert _lines(capsys, "replay", "one") == ["1 ok pond points"]


def test_replay_needs_neither_discord_nor_a_database() -> None:
    code = (
        "import sys; from bot.__main__ import main; main(['replay', sys.argv[1]]);"
        "print({'discord', 'aiosqlite', 'sqlite3', 'simcord', 'PIL'} & set(sys.modules))"
    )
    _, printed, _ = ended(python("-c", code, str(GOLDEN)))
    assert printed.splitlines()[-1] == "set()"


# ---- selfplay


def test_selfplay_writes_games_that_can_be_verified(tmp_path: Path, capsys: Output) -> None:
    assert main(["selfplay", "pond", "--games", "3", "--seed", "s", "--option", "players=4", "--out", "games"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")
    lines = (tmp_path / "games").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    for line in lines:
        played = read(json.loads(line))
        verify(played)
        assert played.options["players"] == 4
        assert not played.legal


@pytest.mark.parametrize(("level", "workers"), [("random", "2"), ("random", "9"), ("thumb", "3")])
def test_the_same_seed_gives_the_same_bytes_from_any_number_of_workers(
    level: str, workers: str, tmp_path: Path, capsys: Output
) -> None:
    plan = ["selfplay", "pond", "--games", "5", "--seed", "Grüße", "--legal", "--level", level]
    status, printed, told = ended(python("-m", "bot", *plan, PYTHONHASHSEED="7"))
    assert (status, told) == (0, "")
    assert main([*plan, "--workers", workers, "--out", "games"]) == 0
    assert (tmp_path / "games").read_text(encoding="utf-8") == printed
    assert capsys.readouterr().err == ""


def test_another_seed_gives_other_games(capsys: Output) -> None:
    first, again, other = (_lines(capsys, "selfplay", "pond", "--seed", seed) for seed in ("a", "a", "b"))
    assert first == again != other


def test_a_seed_that_was_not_given_is_told(capsys: Output) -> None:
    assert main(["selfplay", "pond"]) == 0
    told = capsys.readouterr()
    flag, seed = told.err.split()
    assert flag == "--seed"
    assert _lines(capsys, "selfplay", "pond", "--seed", seed) == told.out.splitlines()


# ---- the database


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A database in the place where the commands look for it."""
    return await make_database(tmp_path / "lilypad.db")


@pytest.mark.usefixtures("database")
def test_tables_are_listed_one_a_line(capsys: Output) -> None:
    lines = [line.split("  ") for line in _lines(capsys, "tables")]
    assert [(line[0], *line[2:4]) for line in lines] == [
        ("1", "pond", "playing"),
        ("2", "pond", "over"),
        ("3", "pond", "lobby"),
    ]
    assert [line[4].split(", ")[0] for line in lines] == ["Ann", "Ann", "Ann"]
    assert lines[2][4] == "Ann, (free)"


@pytest.mark.usefixtures("database")
def test_tables_are_listed_as_json(capsys: Output) -> None:
    listed = json.loads("\n".join(_lines(capsys, "tables", "--json")))
    assert [list(each) for each in listed] == [["number", "name", "game", "status", "seats"]] * 3
    assert (listed[2]["number"], listed[2]["game"], listed[2]["status"]) == (3, "pond", "lobby")
    assert listed[2]["seats"] == ["Ann", None]


def test_without_a_database_there_are_no_tables_and_none_is_made(tmp_path: Path, capsys: Output) -> None:
    assert _lines(capsys, "tables") == []
    assert _lines(capsys, "tables", "--json") == ["[]"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("database")
def test_the_transcript_of_a_table_is_found_by_number_or_name(tmp_path: Path, capsys: Output) -> None:
    name = json.loads("\n".join(_lines(capsys, "tables", "--json")))[1]["name"]
    assert main(["transcript", "2"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert _lines(capsys, "transcript", name.lower()) == told.out.splitlines()
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    assert _lines(capsys, "verify", "one") == ["1 ok pond resigned"]


@pytest.mark.usefixtures("database")
def test_an_unfinished_transcript_comes_with_a_warning(tmp_path: Path, capsys: Output) -> None:
    assert main(["transcript", "1"]) == 0
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 1
    assert json.loads(told.out)["fairness"]["seed"] is None
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    assert _lines(capsys, "replay", "one") == ["1 ok pond unfinished"]
    assert _lines(capsys, "verify", "one", status=1)[0].startswith("1 fairness: ")


def test_the_transcript_of_a_closed_table_comes_without_a_warning(
    database: Path, tmp_path: Path, capsys: Output
) -> None:
    asyncio.run(_close(database, 1))
    assert main(["transcript", "1"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert json.loads(told.out)["ended"] == "closed"
    (tmp_path / "one").write_text(told.out, encoding="utf-8")
    for command in ("replay", "verify"):
        assert _lines(capsys, command, "one") == ["1 ok pond unfinished"]


async def _close(database: Path, table_id: int) -> None:
    async with await SqliteStore.open(database) as store:
        await Tables(store).close(table_id, HOST.id)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("table", ["99", "nobody", "3"])
def test_a_table_without_a_transcript_is_a_mistake(table: str, capsys: Output) -> None:
    assert "able" in _refused(capsys, "transcript", table)


def test_a_backup_is_a_whole_database_and_overwrites_nothing(database: Path, tmp_path: Path, capsys: Output) -> None:
    assert _lines(capsys, "backup", "copy.db") == []
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy, closing(sqlite3.connect(database)) as original:
        for table in ("tables", "entries", "secrets"):
            query = f"SELECT * FROM {table}"  # noqa: S608 - one of three names
            assert copy.execute(query).fetchall() == original.execute(query).fetchall()
    assert "copy.db" in _refused(capsys, "backup", "copy.db")


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("file", ["nowhere/copy", "lilypad.db/copy", "x" * 300])
def test_a_backup_that_cannot_be_written_is_named(file: str, tmp_path: Path, capsys: Output) -> None:
    assert f"{Path(file).name} can't be written" in _refused(capsys, "backup", file)
    assert not list(tmp_path.glob("**/*.part"))


def test_a_file_that_is_no_database_is_a_mistake(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "lilypad.db").write_bytes(b"no database at all" * 100)
    for arguments in (["tables"], ["transcript", "1"], ["backup", "copy.db"]):
        assert "lilypad.db" in _refused(capsys, *arguments)
