"""``preview`` writes pictures to look at."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.preview import MOMENTS
from bot.texts import languages
from tests.command_line.output import Output, error_line


def test_a_moment_is_written_for_the_public_and_the_seat_to_move(tmp_path: Path, capsys: Output) -> None:
    assert main(["preview", "pond", "--moment", "trick", "--out", str(tmp_path / "new")]) == 0
    files = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert files == ["pond-trick-board.png", "pond-trick-seat-0.png"]
    assert "Waiting for Ann." in capsys.readouterr().out


def test_a_seat_and_a_size_can_be_chosen(tmp_path: Path) -> None:
    arguments = ["--moment", "table", "--seat", "2", "--size", "265", "--language", "en"]
    assert main(["preview", "pontis", *arguments, "--out", str(tmp_path)]) == 0
    (file,) = tmp_path.iterdir()
    assert file.name == "pontis-table-seat-2.png"


def test_a_finished_game_has_a_result_card(tmp_path: Path) -> None:
    assert main(["preview", "frogs", "--moment", "end", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "frogs-end-result.png").exists()


def test_an_unknown_moment_lists_the_known_ones(tmp_path: Path, capsys: Output) -> None:
    line = error_line(capsys, "preview", "pond", "--moment", "never", "--out", str(tmp_path))
    assert ", ".join(MOMENTS["pond"]) in line


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "file").touch()
    assert "can't be written" in error_line(capsys, "preview", "pond", "--out", str(tmp_path / "file"))


@pytest.mark.parametrize("argument", ["--seat=-1", "--seat=x", "--size=0", "--size=4001"])
def test_wrong_numbers_are_refused(argument: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        main(["preview", "pond", argument, "--out", str(tmp_path)])
    assert end.value.code == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["pond", "--language", "xx"], f"Languages: {', '.join(languages())}."),
        (["pond", "--seat", "9"], "The seats are 0 to 3."),
        (["frogs", "--moment", "end", "--seat", "2"], "The seats are 0 to 1."),
    ],
)
def test_what_there_is_no_picture_of_is_a_mistake(
    arguments: list[str], told: str, tmp_path: Path, capsys: Output
) -> None:
    assert told in error_line(capsys, "preview", *arguments, "--out", str(tmp_path / "pictures"))
    assert not list(tmp_path.iterdir())
