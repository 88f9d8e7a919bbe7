"""Help, the version, and mistakes in arguments."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.games import GAMES
from bot.version import version
from tests.command_line.output import Output, error_line


@pytest.mark.parametrize(
    "command",
    [
        *("", "run", "sandbox", "selfplay", "replay", "verify", "tables", "transcript"),
        *("backup", "restore", "redraw", "preview", "emojis"),
    ],
)
def test_every_command_has_help(command: str, capsys: Output) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m bot {command}".rstrip())


def test_the_version_is_printed(capsys: Output) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"Lilypad {version()}\n"


def test_the_help_of_selfplay_lists_the_options_of_every_game(capsys: Output) -> None:
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
        (f"selfplay pond --games {'9' * 5000}", "is not a whole number above 0"),
        (f"sandbox --port {'9' * 5000}", "is not a port number"),
        ("selfplay pond --workers 0", "'0'"),
        ("selfplay pond --level genius", "'genius'"),
        ("selfplay pond --level fair,genius", "'genius'"),
        ("selfplay pond --level fair,", "''"),
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
def test_a_mistake_is_one_error_line_and_status_2(arguments: str, told: str, capsys: Output) -> None:
    assert told in error_line(capsys, *arguments.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["preview", "frogs", "--out", ""],
        ["selfplay", "frogs", "--out", " "],
        ["replay", ""],
        ["verify", ""],
        ["backup", ""],
        ["move-database", "tables.db", ""],
    ],
)
def test_an_empty_name_is_refused_and_nothing_is_written(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert ": the name is empty (try --help)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_refused_options_leave_the_output_file_unchanged(tmp_path: Path, capsys: Output) -> None:
    kept = tmp_path / "kept"
    kept.write_text("precious")
    error_line(capsys, "selfplay", "pond", "--option", "rounds=3", "--out", str(kept))
    assert kept.read_text() == "precious"


@pytest.mark.parametrize("arguments", [["{}"], ["selfplay", "{}"], ["replay", "{}"], ["run", "{}"]])
def test_a_token_in_the_wrong_place_is_not_shown(arguments: list[str], capsys: Output) -> None:
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GfakeX.not-a-real-token-but-of-its-form-00"  # noqa: S105 - made up
    with pytest.raises(SystemExit):
        raise SystemExit(main([each.format(token) for each in arguments]))
    shown = capsys.readouterr()
    assert shown.err
    assert not any(part in shown.out + shown.err for part in token.split("."))


@pytest.mark.parametrize(
    "command",
    [
        "backup {}",
        "restore {}",
        "replay {}",
        "verify {}",
        "selfplay frogs --out {}",
        "transcript {}",
        "move-database {} x",
    ],
)
def test_an_address_in_place_of_a_file_keeps_its_password(command: str, capsys: Output) -> None:
    with pytest.raises(SystemExit):
        raise SystemExit(main(command.format("postgresql://lily:hush@127.0.0.1:1/pond").split()))
    assert "hush" not in "".join(capsys.readouterr())
