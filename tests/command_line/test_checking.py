"""Replaying and verifying transcripts."""

import json
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.command_line.output import GOLDEN, Output, error_line, printed_lines
from tests.commands import ended, python
from tests.doses import not_in_check


def _changed_file(tmp_path: Path, *changed: str) -> str:
    """Write the golden transcripts, followed by changed ones."""
    file = tmp_path / "changed.jsonl"
    file.write_text("".join([GOLDEN.read_text(encoding="utf-8"), *(f"{line}\n" for line in changed)]), encoding="utf-8")
    return str(file)


def _changed(**changes: object) -> str:
    return json.dumps({**json.loads(GOLDEN.read_text(encoding="utf-8").splitlines()[0]), **changes})


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_one_line_is_printed_per_transcript(command: str, capsys: Output) -> None:
    assert printed_lines(capsys, command, str(GOLDEN)) == ["1 ok pond points", "2 ok pond points"]


def test_replay_continues_after_an_error_and_names_the_entry(tmp_path: Path, capsys: Output) -> None:
    file = _changed_file(
        tmp_path,
        _changed(entries=[{"seat": None, "move": "dealer 0"}, {"seat": 0, "move": "pass"}]),
        _changed(outcome=None),
        _changed(options={}),
        _changed(entries=[], outcome=None),
    )
    lines = printed_lines(capsys, "replay", file, status=1)
    assert lines[:2] == ["1 ok pond points", "2 ok pond points"]
    assert [line[: line.index(":") + 1] for line in lines[2:5]] == ["3 entry 1:", "4 outcome:", "5 options:"]
    assert lines[5:] == ["6 ok pond unfinished"]


def test_verify_stops_at_the_first_error(tmp_path: Path, capsys: Output) -> None:
    thing = json.loads(_changed())
    thing["fairness"]["cuts"] = ["another", "cut"]
    lines = printed_lines(capsys, "verify", _changed_file(tmp_path, json.dumps(thing), _changed()), status=1)
    assert lines[:2] == ["1 ok pond points", "2 ok pond points"]
    assert lines[2].startswith("3 entry ")
    assert len(lines) == 3


def test_a_transcript_without_a_seed_is_not_verified(tmp_path: Path, capsys: Output) -> None:
    assert printed_lines(capsys, "verify", _changed_file(tmp_path, _changed(fairness=None)), status=1)[2].startswith(
        "3 fairness: "
    )


def test_verify_names_the_malformed_entry(tmp_path: Path, capsys: Output) -> None:
    (malformed := json.loads(_changed()))["entries"][4] = {"seat": 0, "move": 7}
    (line,) = printed_lines(capsys, "verify", _changed_file(tmp_path, json.dumps(malformed)), status=1)[2:]
    assert line == "3 entry 4: move is 7, no text. (G-05)"


def _commitment() -> str:
    return str(json.loads(_changed())["fairness"]["commitment"])


@pytest.mark.parametrize("shown", ["{}", "🔒 {:.16}…", "{:.12}"])
def test_verify_recognises_the_table_that_somebody_remembers(shown: str, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "one").write_text(_changed(), encoding="utf-8")
    commitment = _commitment()
    asked = ["--commitment", shown.format(commitment), "--cut", "hello"]
    assert printed_lines(capsys, "verify", "one", *asked) == [
        "1 ok pond points",
        f"1 commitment {commitment}, cuts '', 'hello'",
    ]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--commitment", "0123456789abcdef"], "The commitment doesn't begin with 0123456789abcdef"),
        (["--cut", "Hello"], "No cut is 'Hello'"),
        (["--cut", "hello", "--cut", "hello"], "No cut is 'hello'"),
        (["--cut", "\x1b[31m"], r"No cut is '\x1b[31m'"),
    ],
)
def test_verify_refuses_another_table(asked: list[str], why: str, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "some").write_text("\n".join([_changed()] * 2), encoding="utf-8")
    (line,) = printed_lines(capsys, "verify", "some", *asked, status=1)
    has = f"It has commitment {_commitment()}, cuts '', 'hello'. (G-12)"
    assert line == f"1 fairness: {why}, so this is another table. {has}"


@pytest.mark.parametrize("given", ["", "3f9a", "3f9a1b2c4d5g", "0" * 65, "\x1b[31m"])
def test_a_commitment_that_proves_nothing_is_a_mistake(given: str, capsys: Output) -> None:
    told = error_line(capsys, "verify", "one", "--commitment", given)
    assert "is not a commitment" in told
    assert told.isprintable()


@pytest.mark.parametrize("line", ["\n{}", "[]", "null", "{", "word"])
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_line_that_is_not_an_object_is_a_mistake(command: str, line: str, tmp_path: Path, capsys: Output) -> None:
    assert main([command, _changed_file(tmp_path, line)]) == 2
    told = capsys.readouterr().err
    assert "line 3" in told
    assert len(told.splitlines()) == 1


def test_an_empty_file_is_a_mistake(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "empty").touch()
    assert "no transcript" in error_line(capsys, "replay", "empty")


def test_a_transcript_over_several_lines_is_read(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "one").write_text(json.dumps(json.loads(_changed()), indent=2))
    assert printed_lines(capsys, "replay", "one") == ["1 ok pond points"]


def test_replay_needs_neither_discord_nor_a_database() -> None:
    code = (
        "import sys; from bot.__main__ import main; main(['replay', sys.argv[1]]);"
        "print({'discord', 'aiosqlite', 'sqlite3', 'simcord', 'PIL'} & set(sys.modules))"
    )
    _, printed, _ = ended(python("-c", code, str(GOLDEN)))
    assert printed.splitlines()[-1] == "set()"


@not_in_check
def test_a_large_file_is_checked_in_order_to_its_first_line_that_is_no_transcript(
    tmp_path: Path, capsys: Output
) -> None:
    games = GOLDEN.read_text(encoding="utf-8").splitlines()
    wrong = _changed(outcome=None)
    lines = [wrong if number % 50 == 49 else games[number % 2] for number in range(290)]
    (tmp_path / "many").write_text("\n".join([*lines, "no transcript", games[0]]), encoding="utf-8")
    assert main(["replay", "many"]) == 2
    told = capsys.readouterr()
    printed = told.out.splitlines()
    assert [line.split()[0] for line in printed] == [str(number) for number in range(1, 291)]
    assert [number for number, line in enumerate(printed) if " ok " not in line] == list(range(49, 290, 50))
    assert "line 291" in told.err
